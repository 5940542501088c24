# SPDX-License-Identifier: Apache-2.0
"""The outer product of two vectors of floats: vbcb spreads each element of one over a block."""

from tbe import tik


def outer_product(rows=24, kernel_name="outer_product"):
    t = tik.Tik()
    a_gm = t.Tensor("float32", (rows,), name="a_gm", scope=tik.scope_gm)
    b_gm = t.Tensor("float32", (8,), name="b_gm", scope=tik.scope_gm)
    c_gm = t.Tensor("float32", (rows, 8), name="c_gm", scope=tik.scope_gm)
    a_ub = t.Tensor("float32", (rows,), name="a_ub", scope=tik.scope_ubuf)
    b_ub = t.Tensor("float32", (8,), name="b_ub", scope=tik.scope_ubuf)
    c_ub = t.Tensor("float32", (rows, 8), name="c_ub", scope=tik.scope_ubuf)
    t.data_move(a_ub, a_gm, 0, 1, rows // 8, 0, 0)
    t.data_move(b_ub, b_gm, 0, 1, 1, 0, 0)
    t.vbcb(c_ub, a_ub, rows // 8, 1, 8)
    # Strides of 0 keep the second source on its only block.
    t.vmul(64, c_ub, c_ub, b_ub, rows // 8, 1, 1, 0, 8, 8, 0)
    t.data_move(c_gm, c_ub, 0, 1, rows, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[a_gm, b_gm], outputs=[c_gm])
    return t


if __name__ == "__main__":
    outer_product()
