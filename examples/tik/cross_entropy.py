# SPDX-License-Identifier: Apache-2.0
"""ln(sum(exp(x))) - x[target] for rows of 128 halves: a vec_ln over the sums of all rows at once."""

from tbe import tik


def cross_entropy(rows=16, kernel_name="cross_entropy"):
    t = tik.Tik()
    x_gm = t.Tensor("float16", (rows, 128), name="x_gm", scope=tik.scope_gm)
    target_gm = t.Tensor("int32", (rows,), name="target_gm", scope=tik.scope_gm)
    loss_gm = t.Tensor("float16", (rows,), name="loss_gm", scope=tik.scope_gm)
    x_ub = t.Tensor("float16", (rows, 128), name="x_ub", scope=tik.scope_ubuf)
    e_ub = t.Tensor("float16", (rows, 128), name="e_ub", scope=tik.scope_ubuf)
    target_ub = t.Tensor("int32", (rows,), name="target_ub", scope=tik.scope_ubuf)
    sums = t.Tensor("float16", (rows,), name="sums", scope=tik.scope_ubuf)
    picked = t.Tensor("float16", (rows,), name="picked", scope=tik.scope_ubuf)
    t.data_move(x_ub, x_gm, 0, 1, rows * 8, 0, 0)
    t.data_move(target_ub, target_gm, 0, 1, rows // 8, 0, 0)
    t.vec_exp(128, e_ub, x_ub, rows, 8, 8)
    t.vcadd(128, sums, e_ub, rows, 1, 1, 8)
    with t.for_range(0, rows) as row:
        target = t.Scalar("int32", name="target")
        target.set_as(target_ub[row])
        picked[row].set_as(x_ub[row, target])
    t.vec_ln(rows, sums, sums, 1, 8, 8)
    t.vec_sub(rows, sums, sums, picked, 1, 8, 8, 8)
    t.data_move(loss_gm, sums, 0, 1, rows // 16, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm, target_gm], outputs=[loss_gm])
    return t


if __name__ == "__main__":
    cross_entropy()
