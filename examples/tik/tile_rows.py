# SPDX-License-Identifier: Apache-2.0
"""Repeats each row of a tensor: a source stride of 0 in the instruction copies one row many times."""

from te import tik


def tile_rows(rows=5, times=7, kernel_name="tile_rows"):
    t = tik.Tik()
    x_gm = t.Tensor("float16", (rows, 128), name="x_gm", scope=tik.scope_gm)
    y_gm = t.Tensor("float16", (rows, times, 128), name="y_gm", scope=tik.scope_gm)
    with t.for_range(0, rows, thread_num=2) as row:
        x_ub = t.Tensor("float16", (128,), name="x_ub", scope=tik.scope_ubuf)
        y_ub = t.Tensor("float16", (times, 128), name="y_ub", scope=tik.scope_ubuf)
        t.data_move(x_ub, x_gm[row, 0], 0, 1, 8, 0, 0)
        t.vor(
            128,
            y_ub.reinterpret_cast_to("uint16"),
            x_ub.reinterpret_cast_to("uint16"),
            x_ub.reinterpret_cast_to("uint16"),
            times,
            1,
            1,
            1,
            8,
            0,
            0,
        )
        t.data_move(y_gm[row, 0, 0], y_ub, 0, 1, times * 8, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[y_gm])
    return t


if __name__ == "__main__":
    tile_rows()
