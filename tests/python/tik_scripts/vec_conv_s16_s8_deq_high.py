# SPDX-License-Identifier: Apache-2.0
"""Scales int16 to int8 with a word whose scale is a NaN, into the upper halves of the blocks."""

from tbe import tik

t = tik.Tik()
src_gm = t.Tensor("int16", (2, 128), name="src_gm", scope=tik.scope_gm)
src1_gm = t.Tensor("int8", (3, 128), name="src1_gm", scope=tik.scope_gm)
dst_gm = t.Tensor("int8", (3, 128), name="dst_gm", scope=tik.scope_gm)
src_ub = t.Tensor("int16", (2, 128), name="src_ub", scope=tik.scope_ubuf)
dst_ub = t.Tensor("int8", (3, 128), name="dst_ub", scope=tik.scope_ubuf)
t.data_move(src_ub, src_gm, 0, 1, 16, 0, 0)
t.data_move(dst_ub, src1_gm, 0, 1, 12, 0, 0)
t.vec_conv(128, "none", dst_ub, src_ub, 2, 4, 8, deqscale=2**46 - 1, ldst_high_half=True)
t.data_move(dst_gm, dst_ub, 0, 1, 12, 0, 0)
t.BuildCCE(kernel_name="vec_conv", inputs=[src_gm, src1_gm], outputs=[dst_gm])
