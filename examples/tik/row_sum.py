# SPDX-License-Identifier: Apache-2.0
"""Sums of rows that are no whole repeats: vcadd over whole repeats, then over the tail, added by scalars."""

from te import tik


class RowSum:
    """Float rows; the number of columns is a multiple of 8."""

    def __init__(self, rows, columns):
        self.instance = tik.Tik()
        self.rows, self.columns = rows, columns
        self.x_gm = self.instance.Tensor("float32", (rows, columns), name="x_gm", scope=tik.scope_gm)
        self.y_gm = self.instance.Tensor("float32", (rows, 8), name="y_gm", scope=tik.scope_gm)

    def build(self, kernel_name):
        inst = self.instance
        repeats, tail = self.columns // 64, self.columns % 64
        with inst.for_range(0, self.rows, block_num=self.rows) as row:
            x_ub = inst.Tensor("float32", (self.columns,), name="x_ub", scope=tik.scope_ubuf)
            sums = inst.Tensor("float32", (16,), name="sums", scope=tik.scope_ubuf)
            inst.data_move(x_ub, self.x_gm[row * self.columns], 0, 1, self.columns // 8, 0, 0)
            inst.vector_dup(16, sums, 0, 1, 1, 8)
            inst.vcadd(64, sums, x_ub, repeats, 1, 1, 8)
            if tail:
                inst.vcadd(tail, sums[repeats], x_ub[repeats * 64], 1, 1, 1, 8)
            total = inst.Scalar("float32", name="total", init_value=0)
            part = inst.Scalar("float32", name="part")
            with inst.for_range(0, repeats + 1) as i:
                part.set_as(sums[i])
                total.set_as(total + part)
            inst.vector_dup(8, sums, total, 1, 1, 8)
            inst.data_move(self.y_gm[row * 8], sums, 0, 1, 1, 0, 0)
        inst.BuildCCE(kernel_name=kernel_name, inputs=[self.x_gm], outputs=[self.y_gm])
        return inst


def row_sum(rows=4, columns=216, kernel_name="row_sum"):
    return RowSum(rows, columns).build(kernel_name)


if __name__ == "__main__":
    row_sum()
