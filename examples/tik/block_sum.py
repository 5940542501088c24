# SPDX-License-Identifier: Apache-2.0
"""Average pooling along a line in two sizes: 16 neighbours by vcgadd, 2 neighbours by vec_cpadd."""

from te import tik


def block_sum(repeats=4, kernel_name="block_sum"):
    t = tik.Tik()
    x_gm = t.Tensor("float16", (repeats, 128), name="x_gm", scope=tik.scope_gm)
    wide_gm = t.Tensor("float16", (repeats, 8), name="wide_gm", scope=tik.scope_gm)
    pair_gm = t.Tensor("float16", (repeats, 64), name="pair_gm", scope=tik.scope_gm)
    best_gm = t.Tensor("float16", (repeats, 8), name="best_gm", scope=tik.scope_gm)
    x_ub = t.Tensor("float16", (repeats, 128), name="x_ub", scope=tik.scope_ubuf)
    y_ub = t.Tensor("float16", (repeats, 64), name="y_ub", scope=tik.scope_ubuf)
    t.data_move(x_ub, x_gm, 0, 1, repeats * 8, 0, 0)
    t.vcgadd(128, y_ub, x_ub, repeats, 1, 1, 8)
    t.vec_muls(repeats * 8, y_ub, y_ub, 1.0 / 16, 1, 8, 8)
    t.data_move(wide_gm, y_ub, 0, 1, repeats // 2, 0, 0)
    t.vec_cpadd(128, y_ub, x_ub, repeats, 1, 8)
    t.vec_muls(128, y_ub, y_ub, 0.5, repeats // 2, 8, 8)
    t.data_move(pair_gm, y_ub, 0, 1, repeats * 4, 0, 0)
    t.vcgmax(128, y_ub, x_ub, repeats, 1, 1, 8)
    t.data_move(best_gm, y_ub, 0, 1, repeats // 2, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[wide_gm, pair_gm, best_gm])
    return t


if __name__ == "__main__":
    block_sum()
