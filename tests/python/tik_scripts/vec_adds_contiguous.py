# SPDX-License-Identifier: Apache-2.0
"""Adds 2 to 512 halves that lie end to end."""

from tbe import tik

t = tik.Tik()
src_gm = t.Tensor("float16", (2, 256), name="src_gm", scope=tik.scope_gm)
dst_gm = t.Tensor("float16", (2, 256), name="dst_gm", scope=tik.scope_gm)
src_ub = t.Tensor("float16", (2, 256), name="src_ub", scope=tik.scope_ubuf)
dst_ub = t.Tensor("float16", (2, 256), name="dst_ub", scope=tik.scope_ubuf)
two = t.Scalar(dtype="float16", init_value=2)
t.data_move(src_ub, src_gm, 0, 1, 32, 0, 0)
t.vec_adds(128, dst_ub, src_ub, two, 4, 8, 8)
t.data_move(dst_gm, dst_ub, 0, 1, 32, 0, 0)
t.BuildCCE(kernel_name="vec_adds", inputs=[src_gm], outputs=[dst_gm])
