# SPDX-License-Identifier: Apache-2.0
"""out[index[i]] += update[i] from several cores at once: stores that add, so that no update is lost."""

from tbe import tik


class ScatterNdAdd:
    """Float rows. Two cores may hit the same row."""

    def __init__(self, rows, width, updates, cores):
        self.tik_instance = tik.Tik()
        self.width, self.each, self.cores = width, updates // cores, cores
        new = self.tik_instance.Tensor
        self.index_gm = new("int32", (updates,), name="index_gm", scope=tik.scope_gm)
        self.update_gm = new("float32", (updates, width), name="update_gm", scope=tik.scope_gm)
        self.out_gm = new("float32", (rows, width), name="out_gm", scope=tik.scope_gm, is_atomic_add=True)

    def compute(self, kernel_name):
        t, each = self.tik_instance, self.each
        with t.for_range(0, self.cores, block_num=self.cores) as core:
            index_ub = t.Tensor("int32", (each,), name="index_ub", scope=tik.scope_ubuf)
            t.data_move(index_ub, self.index_gm[core * each], 0, 1, each // 8, 0, 0)
            t.set_atomic_add(1)
            with t.for_range(0, each, thread_num=2) as i:
                row_ub = t.Tensor("float32", (self.width,), name="row_ub", scope=tik.scope_ubuf)
                row = t.Scalar("int32", name="row")
                row.set_as(index_ub[i])
                t.data_move(row_ub, self.update_gm[core * each + i, 0], 0, 1, self.width // 8, 0, 0)
                t.data_move(self.out_gm[row, 0], row_ub, 0, 1, self.width // 8, 0, 0)
            t.set_atomic_add(0)
        t.BuildCCE(kernel_name=kernel_name, inputs=[self.index_gm, self.update_gm], outputs=[self.out_gm])
        return t


def scatter_nd_add(rows=12, width=24, updates=64, cores=4, kernel_name="scatter_nd_add"):
    return ScatterNdAdd(rows, width, updates, cores).compute(kernel_name)


if __name__ == "__main__":
    scatter_nd_add()
