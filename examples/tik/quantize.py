# SPDX-License-Identifier: Apache-2.0
"""Quantises half to int8: scale, offset, conversion with saturation; and back again."""

from tbe import tik


def quantize(scale=12.5, offset=-3.0, rows=4, kernel_name="quantize"):
    t = tik.Tik()
    x_gm = t.Tensor("float16", (rows, 128), name="x_gm", scope=tik.scope_gm)
    q_gm = t.Tensor("int8", (rows, 128), name="q_gm", scope=tik.scope_gm)
    y_gm = t.Tensor("float16", (rows, 128), name="y_gm", scope=tik.scope_gm)
    x_ub = t.Tensor("float16", (rows, 128), name="x_ub", scope=tik.scope_ubuf)
    q_ub = t.Tensor("int8", (rows, 128), name="q_ub", scope=tik.scope_ubuf)
    t.data_move(x_ub, x_gm, 0, 1, rows * 8, 0, 0)
    t.vec_muls(128, x_ub, x_ub, scale, rows, 8, 8)
    t.vec_adds(128, x_ub, x_ub, offset, rows, 8, 8)
    t.vec_conv(128, "", q_ub, x_ub, rows, 4, 8)
    t.data_move(q_gm, q_ub, 0, 1, rows * 4, 0, 0)
    t.vec_conv(128, "none", x_ub, q_ub, rows, 8, 4)
    t.vec_adds(128, x_ub, x_ub, -offset, rows, 8, 8)
    t.vec_muls(128, x_ub, x_ub, 1 / scale, rows, 8, 8)
    t.data_move(y_gm, x_ub, 0, 1, rows * 8, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[q_gm, y_gm])
    return t


if __name__ == "__main__":
    quantize()
