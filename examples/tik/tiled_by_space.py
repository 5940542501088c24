# SPDX-License-Identifier: Apache-2.0
"""Scales any number of halves in tiles of what the unified buffer has left: get_available_buffer_size decides."""

from tbe import tik


class TiledBySpace:
    """The first buffer stays; the loop's buffers share what remains, twice because of thread_num=2."""

    def __init__(self, factors, tiles):
        self.tik_instance = tik.Tik()
        self.factors = factors
        self.table_gm = self.tik_instance.Tensor(
            "float16", (128,), name="table_gm", scope=tik.scope_gm, init_value=[1.0 + i / 128 for i in range(128)]
        )
        self.table_ub = self.tik_instance.Tensor("float16", (128,), name="table_ub", scope=tik.scope_ubuf)
        free = self.tik_instance.get_available_buffer_size(tik.scope_ubuf)
        # At most 255 repeats an instruction.
        self.rows = min(free // 2 // 256, 255)
        self.shape = (tiles * self.rows, 128)
        self.x_gm = self.tik_instance.Tensor("float16", self.shape, name="x_gm", scope=tik.scope_gm)
        self.y_gm = self.tik_instance.Tensor("float16", self.shape, name="y_gm", scope=tik.scope_gm)

    def compute(self, kernel_name):
        t, rows = self.tik_instance, self.rows
        t.data_move(self.table_ub, self.table_gm, 0, 1, 8, 0, 0)
        with t.new_stmt_scope():
            scratch = t.Tensor("float16", (128,), name="scratch", scope=tik.scope_ubuf)
            t.vec_muls(128, scratch, self.table_ub, self.factors, 1, 8, 8)
            t.data_move(self.table_ub, scratch, 0, 1, 8, 0, 0)
        with t.for_range(0, self.shape[0] // rows, thread_num=2) as tile:
            ub = t.Tensor("float16", (rows, 128), name="ub", scope=tik.scope_ubuf)
            t.data_move(ub, self.x_gm[tile * rows, 0], 0, 1, rows * 8, 0, 0)
            t.vmul(128, ub, ub, self.table_ub, rows, 1, 1, 1, 8, 8, 0)
            t.data_move(self.y_gm[tile * rows, 0], ub, 0, 1, rows * 8, 0, 0)
        t.BuildCCE(kernel_name=kernel_name, inputs=[self.x_gm], outputs=[self.y_gm])
        return t


def tiled_by_space(factors=0.5, tiles=3, kernel_name="tiled_by_space"):
    return TiledBySpace(factors, tiles).compute(kernel_name)


if __name__ == "__main__":
    tiled_by_space()
