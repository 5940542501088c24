# SPDX-License-Identifier: Apache-2.0
"""Weighted negative log likelihood: -sum(w[t] x[i, t]) / sum(w[t]), with an index that is ignored."""

from tbe import tik

IGNORED = -100


class NllLoss:
    """Picks by scalars, sums by vectors."""

    def __init__(self, rows, classes):
        self.rows, self.classes = rows, classes
        t = self.tik_instance = tik.Tik()
        self.x_gm = t.Tensor("float32", (rows, classes), name="x_gm", scope=tik.scope_gm)
        self.target_gm = t.Tensor("int32", (rows,), name="target_gm", scope=tik.scope_gm)
        self.weight_gm = t.Tensor("float32", (classes,), name="weight_gm", scope=tik.scope_gm)
        self.loss_gm = t.Tensor("float32", (8,), name="loss_gm", scope=tik.scope_gm)

    def compute(self, kernel_name):
        t, rows, classes = self.tik_instance, self.rows, self.classes
        x_ub = t.Tensor("float32", (rows, classes), name="x_ub", scope=tik.scope_ubuf)
        target_ub = t.Tensor("int32", (rows,), name="target_ub", scope=tik.scope_ubuf)
        weight_ub = t.Tensor("float32", (classes,), name="weight_ub", scope=tik.scope_ubuf)
        picked = t.Tensor("float32", (2, 64), name="picked", scope=tik.scope_ubuf)
        sums = t.Tensor("float32", (2, 8), name="sums", scope=tik.scope_ubuf)
        t.data_move(x_ub, self.x_gm, 0, 1, rows * classes // 8, 0, 0)
        t.data_move(target_ub, self.target_gm, 0, 1, rows // 8, 0, 0)
        t.data_move(weight_ub, self.weight_gm, 0, 1, classes // 8, 0, 0)
        t.vec_dup(64, picked, 0.0, 2, 8)
        with t.for_range(0, rows) as i:
            target = t.Scalar("int32", name="target")
            target.set_as(target_ub[i])
            with t.if_scope(target != IGNORED):
                picked[0, i].set_as(x_ub[i, target])
                picked[1, i].set_as(weight_ub[target])
        t.vec_mul(64, picked, picked, picked[1, 0], 1, 8, 8, 8)
        t.vec_dup(16, sums, 0.0, 1, 8)
        t.vcadd(64, sums, picked, 2, 8, 1, 8)  # the second sum one block on
        t.vec_muls(1, sums, sums, -1.0, 1, 8, 8)
        t.vdiv(1, sums, sums, sums[1, 0], 1, 1, 1, 1, 8, 8, 8)
        t.data_move(self.loss_gm, sums, 0, 1, 1, 0, 0)
        inputs = [self.x_gm, self.target_gm, self.weight_gm]
        t.BuildCCE(kernel_name=kernel_name, inputs=inputs, outputs=[self.loss_gm])
        return t


def nll_loss(rows=40, classes=16, kernel_name="nll_loss"):
    return NllLoss(rows, classes).compute(kernel_name)


if __name__ == "__main__":
    nll_loss()
