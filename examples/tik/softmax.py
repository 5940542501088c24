# SPDX-License-Identifier: Apache-2.0
"""Softmax of each row: the largest element is taken off first, as framework operators do."""

from tbe import tik


class Softmax:
    """Rows are independent: one core each, and the row's maximum and sum pass through scalars."""

    def __init__(self, rows, columns):
        self.tik_instance = tik.Tik()
        self.rows, self.columns, self.repeats = rows, columns, columns // 64
        self.x_gm = self.tik_instance.Tensor("float32", (rows, columns), name="x_gm", scope=tik.scope_gm)
        self.y_gm = self.tik_instance.Tensor("float32", (rows, columns), name="y_gm", scope=tik.scope_gm)

    def compute(self, kernel_name):
        with self.tik_instance.for_range(0, self.rows, block_num=self.rows) as row:
            self.one_row(row)
        self.tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[self.x_gm], outputs=[self.y_gm])
        return self.tik_instance

    def one_row(self, row):
        t, repeats = self.tik_instance, self.repeats
        row_ub = t.Tensor("float32", (self.columns,), name="row_ub", scope=tik.scope_ubuf)
        work_ub = t.Tensor("float32", (64,), name="work_ub", scope=tik.scope_ubuf)
        best_ub = t.Tensor("float32", (8,), name="best_ub", scope=tik.scope_ubuf)
        t.data_move(row_ub, self.x_gm[row, 0], 0, 1, self.columns // 8, 0, 0)
        # The maximum: element by element over the repeats, then down to one.
        t.vec_dup(64, work_ub, -3.0e38, 1, 8)
        with t.for_range(0, repeats) as i:
            t.vec_max(64, work_ub, work_ub, row_ub[i * 64], 1, 8, 8, 8)
        width = 64
        while width > 8:
            width //= 2
            t.vec_max(width, work_ub, work_ub, work_ub[width], 1, 8, 8, 8)
        highest, other = t.Scalar("float32"), t.Scalar("float32")
        highest.set_as(work_ub[0])
        with t.for_range(1, 8) as i:
            other.set_as(work_ub[i])
            t.scalar_max(highest, highest, other)
        highest.set_as(highest * -1.0)
        t.vec_adds(64, row_ub, row_ub, highest, repeats, 8, 8)
        t.vec_exp(64, row_ub, row_ub, repeats, 8, 8)
        t.vec_reduce_add(64, best_ub, row_ub, work_ub, repeats, 8)
        total = t.Scalar("float32", name="total")
        total.set_as(best_ub[0])
        t.vector_dup(64, work_ub, total, 1, 1, 8)
        t.vdiv(64, row_ub, row_ub, work_ub, repeats, 1, 1, 1, 8, 8, 0)
        t.data_move(self.y_gm[row, 0], row_ub, 0, 1, self.columns // 8, 0, 0)


def softmax(rows=4, columns=320, kernel_name="softmax"):
    return Softmax(rows, columns).compute(kernel_name)


if __name__ == "__main__":
    softmax()
