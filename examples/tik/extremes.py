# SPDX-License-Identifier: Apache-2.0
"""The largest and the smallest element of a long vector with their positions: vec_reduce_max, vec_reduce_min."""

from tbe import tik


def extremes(repeats=70, kernel_name="extremes"):
    t = tik.Tik()
    x_gm = t.Tensor("float16", (repeats, 128), name="x_gm", scope=tik.scope_gm)
    out_gm = t.Tensor("float16", (2, 16), name="out_gm", scope=tik.scope_gm)
    x_ub = t.Tensor("float16", (repeats, 128), name="x_ub", scope=tik.scope_ubuf)
    work = t.Tensor("float16", (512,), name="work", scope=tik.scope_ubuf)
    out = t.Tensor("float16", (2, 16), name="out", scope=tik.scope_ubuf)
    t.vec_dup(32, out, 0.0, 1, 8)
    t.data_move(x_ub, x_gm, 0, 1, repeats * 8, 0, 0)
    t.vec_reduce_max(128, out, x_ub, work, repeats, 8, cal_index=True)
    t.vec_reduce_min(128, out[1, 0], x_ub, work, repeats, 8, cal_index=True)
    t.data_move(out_gm, out, 0, 1, 2, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[out_gm])
    return t


if __name__ == "__main__":
    extremes()
