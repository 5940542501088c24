# SPDX-License-Identifier: Apache-2.0
"""Embedding lookup: indices pass through a scalar, each names the row of the table that is moved."""

from tbe import tik

CORES = 4


class Embedding:
    """The indices are divided over the cores; a core's last ones may be fewer."""

    def __init__(self, table_rows, width, count, dtype):
        self.tik_instance = tik.Tik()
        self.width, self.count, self.dtype = width, count, dtype
        self.row_blocks = width * (2 if dtype == "float16" else 4) // 32
        self.table_gm = self.tik_instance.Tensor(dtype, (table_rows, width), name="table_gm", scope=tik.scope_gm)
        room = (count + 7) // 8 * 8
        self.index_gm = self.tik_instance.Tensor("int32", (room,), name="index_gm", scope=tik.scope_gm)
        self.out_gm = self.tik_instance.Tensor(dtype, (count, width), name="out_gm", scope=tik.scope_gm)

    def compute(self, kernel_name):
        t = self.tik_instance
        each = (self.count + CORES - 1) // CORES
        with t.for_range(0, CORES, block_num=CORES) as core:
            index_ub = t.Tensor("int32", self.index_gm.shape, name="index_ub", scope=tik.scope_ubuf)
            t.data_move(index_ub, self.index_gm, 0, 1, self.index_gm.shape[0] // 8, 0, 0)
            end = t.Scalar("int32", name="end")
            t_end = (core + 1) * each
            with t.if_scope(t_end > self.count):
                end.set_as(self.count)
            with t.else_scope():
                end.set_as(t_end)
            with t.for_range(core * each, end, name="i") as i:
                row = t.Scalar("int32", name="row")
                row.set_as(index_ub[i])
                row_ub = t.Tensor(self.dtype, (self.width,), name="row_ub", scope=tik.scope_ubuf)
                t.data_move(row_ub, self.table_gm[row * self.width], 0, 1, self.row_blocks, 0, 0)
                t.data_move(self.out_gm[i * self.width], row_ub, 0, 1, self.row_blocks, 0, 0)
        t.BuildCCE(kernel_name=kernel_name, inputs=[self.table_gm, self.index_gm], outputs=[self.out_gm])
        return t


def embedding(table_rows=30, width=32, count=22, dtype="float16", kernel_name="embedding"):
    return Embedding(table_rows, width, count, dtype).compute(kernel_name)


if __name__ == "__main__":
    embedding()
