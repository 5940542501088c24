# SPDX-License-Identifier: Apache-2.0
"""Rounds the first 64 halves of two rows of 128 to int32; the repeats' results are 16 blocks apart."""

from tbe import tik

t = tik.Tik()
src_gm = t.Tensor("float16", (2, 128), name="src_gm", scope=tik.scope_gm)
dst_gm = t.Tensor("int32", (3, 64), name="dst_gm", scope=tik.scope_gm)
src_ub = t.Tensor("float16", (2, 128), name="src_ub", scope=tik.scope_ubuf)
dst_ub = t.Tensor("int32", (3, 64), name="dst_ub", scope=tik.scope_ubuf)
t.data_move(src_ub, src_gm, 0, 1, 16, 0, 0)
t.vec_dup(64, dst_ub, 0, 3, 8)
t.vec_conv(64, "round", dst_ub, src_ub, 2, 16, 8)
t.data_move(dst_gm, dst_ub, 0, 1, 24, 0, 0)
t.BuildCCE(kernel_name="vec_conv", inputs=[src_gm], outputs=[dst_gm])
