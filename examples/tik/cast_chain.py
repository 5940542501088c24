# SPDX-License-Identifier: Apache-2.0
"""half to float, to int32 in four round modes, and back to half with a scale."""

from tbe import tik

MODES = ("round", "floor", "ceil", "to-zero")


def cast_chain(scale=2.0, kernel_name="cast_chain"):
    t = tik.Tik()
    x_gm = t.Tensor("float16", (128,), name="x_gm", scope=tik.scope_gm)
    whole_gm = t.Tensor("int32", (len(MODES), 128), name="whole_gm", scope=tik.scope_gm)
    y_gm = t.Tensor("float16", (len(MODES), 128), name="y_gm", scope=tik.scope_gm)
    half = t.Tensor("float16", (128,), name="half", scope=tik.scope_ubuf)
    real = t.Tensor("float32", (128,), name="real", scope=tik.scope_ubuf)
    whole = t.Tensor("int32", (128,), name="whole", scope=tik.scope_ubuf)
    t.data_move(half, x_gm, 0, 1, 8, 0, 0)
    t.vec_conv(64, "", real, half, 2, 8, 4)
    t.vec_muls(64, real, real, 1.5, 2, 8, 8)
    for i, mode in enumerate(MODES):
        t.vec_conv(64, mode, whole, real, 2, 8, 8)
        t.data_move(whole_gm[i, 0], whole, 0, 1, 16, 0, 0)
        t.vec_conv(64, "none", half, whole, 2, 4, 8, deqscale=scale)
        t.data_move(y_gm[i, 0], half, 0, 1, 8, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[whole_gm, y_gm])
    return t


if __name__ == "__main__":
    cast_chain()
