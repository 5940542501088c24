# SPDX-License-Identifier: Apache-2.0
"""Running sums of int32 rows (cumsum over the first axis), and of one row by doubling distances."""

from tbe import tik


def prefix_sum(rows=10, kernel_name="prefix_sum"):
    t = tik.Tik()
    x_gm = t.Tensor("int32", (rows, 64), name="x_gm", scope=tik.scope_gm)
    rows_gm = t.Tensor("int32", (rows, 64), name="rows_gm", scope=tik.scope_gm)
    blocks_gm = t.Tensor("int32", (8, 8), name="blocks_gm", scope=tik.scope_gm)
    x_ub = t.Tensor("int32", (rows, 64), name="x_ub", scope=tik.scope_ubuf)
    line = t.Tensor("int32", (128,), name="line", scope=tik.scope_ubuf)
    shifted = t.Tensor("int32", (64,), name="shifted", scope=tik.scope_ubuf)
    t.data_move(x_ub, x_gm, 0, 1, rows * 8, 0, 0)
    # Blocks of 8 of the first row: after steps of 1, 2, 4 blocks each holds the sum of all before it.
    t.vec_dup(64, line, 0, 1, 8)
    t.data_move(line[64], x_ub, 0, 1, 8, 0, 0)
    step = 1
    while step < 8:
        t.data_move(shifted, line[64 - 8 * step], 0, 1, 8, 0, 0)
        t.vec_add(64, line[64], line[64], shifted, 1, 8, 8, 8)
        step *= 2
    t.data_move(blocks_gm, line[64], 0, 1, 8, 0, 0)
    with t.for_range(1, rows) as row:
        t.vec_add(64, x_ub[row, 0], x_ub[row, 0], x_ub[row - 1, 0], 1, 8, 8, 8)
    t.data_move(rows_gm, x_ub, 0, 1, rows * 8, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[rows_gm, blocks_gm])
    return t


if __name__ == "__main__":
    prefix_sum()
