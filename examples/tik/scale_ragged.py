# SPDX-License-Identifier: Apache-2.0
"""Doubles rows of 13 halves, which are no whole blocks: data_move_pad fills and cuts them."""

from tbe import tik

WIDTH = 13


def scale_ragged(rows=6, kernel_name="scale_ragged"):
    t = tik.Tik()
    x_gm = t.Tensor("float16", (rows, WIDTH), name="x_gm", scope=tik.scope_gm)
    y_gm = t.Tensor("float16", (rows, WIDTH), name="y_gm", scope=tik.scope_gm)
    first_gm = t.Tensor("float16", (16,), name="first_gm", scope=tik.scope_gm)
    ub = t.Tensor("float16", (rows, 16), name="ub", scope=tik.scope_ubuf)
    t.data_move_pad(ub, x_gm, rows, WIDTH * 2, 0, 0, right_padding=3, padding_value=-7.0)
    t.vec_muls(rows * 16, ub, ub, 2.0, 1, 8, 8)
    t.data_move_pad(y_gm, ub, rows, WIDTH * 2, 0, 0)
    t.data_move(first_gm, ub, 0, 1, 1, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[y_gm, first_gm])
    return t


if __name__ == "__main__":
    scale_ragged()
