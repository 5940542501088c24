# SPDX-License-Identifier: Apache-2.0
"""Conjugates complex numbers (re, im, re, im ...) and zeroes the last one of each eight: masks as lists of bits."""

from tbe import tik

ODD = 0xAAAAAAAAAAAAAAAA
LAST_PAIRS = 0xC000C000C000C000


def conjugate(repeats=2, kernel_name="conjugate"):
    tik_instance = tik.Tik()
    z_gm = tik_instance.Tensor("float16", (repeats, 64, 2), name="z_gm", scope=tik.scope_gm)
    out_gm = tik_instance.Tensor("float16", (repeats, 64, 2), name="out_gm", scope=tik.scope_gm)
    ub = tik_instance.Tensor("float16", (repeats, 64, 2), name="ub", scope=tik.scope_ubuf)
    tik_instance.data_move(ub, z_gm, 0, 1, repeats * 8, 0, 0)
    tik_instance.vec_muls([ODD, ODD], ub, ub, -1.0, repeats, 8, 8)
    tik_instance.vec_dup([LAST_PAIRS, LAST_PAIRS], ub, 0.0, repeats, 8)
    tik_instance.data_move(out_gm, ub, 0, 1, repeats * 8, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[z_gm], outputs=[out_gm])
    return tik_instance


if __name__ == "__main__":
    conjugate()
