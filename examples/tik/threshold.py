# SPDX-License-Identifier: Apache-2.0
"""Keeps x where it is at least the threshold and gives a fill value elsewhere; also hands out the bits.

vec_cmpv_ge packs one bit an element, the selects in modes 1 and 2 consume as many bits a repeat.
"""

from tbe import tik


def threshold(level=0.5, fill=-1.0, repeats=4, kernel_name="threshold"):
    t = tik.Tik()
    x_gm = t.Tensor("float32", (repeats, 64), name="x_gm", scope=tik.scope_gm)
    y_gm = t.Tensor("float32", (repeats, 64), name="y_gm", scope=tik.scope_gm)
    z_gm = t.Tensor("float32", (repeats, 64), name="z_gm", scope=tik.scope_gm)
    bits_gm = t.Tensor("uint8", (repeats * 8,), name="bits_gm", scope=tik.scope_gm)
    x_ub = t.Tensor("float32", (repeats, 64), name="x_ub", scope=tik.scope_ubuf)
    y_ub = t.Tensor("float32", (repeats, 64), name="y_ub", scope=tik.scope_ubuf)
    levels = t.Tensor("float32", (64,), name="levels", scope=tik.scope_ubuf)
    bits = t.Tensor("uint8", (repeats * 8,), name="bits", scope=tik.scope_ubuf)
    t.data_move(x_ub, x_gm, 0, 1, repeats * 8, 0, 0)
    t.vec_dup(64, levels, level, 1, 8)
    t.vec_cmpv_ge(bits, x_ub, levels, repeats, 8, 0)
    t.data_move(bits_gm, bits, 0, 1, repeats // 4, 0, 0)
    t.vec_sel(64, 1, y_ub, bits, x_ub, fill, repeats, 8, 8, 0)
    t.data_move(y_gm, y_ub, 0, 1, repeats * 8, 0, 0)
    t.vec_sel(64, 2, y_ub, bits, levels, x_ub, repeats, 8, 0, 8)
    t.data_move(z_gm, y_ub, 0, 1, repeats * 8, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[y_gm, z_gm, bits_gm])
    return t


if __name__ == "__main__":
    threshold()
