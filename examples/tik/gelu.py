# SPDX-License-Identifier: Apache-2.0
"""gelu(x), the fast form x / (1 + exp(-1.702 x)), computed in float and stored in half."""

from tbe import tik


class Gelu:
    """One core's tile at a time; the conversions stand around the arithmetic."""

    TILE = 192

    def __init__(self, tiles):
        self.tik_inst = tik.Tik()
        self.tiles = tiles
        self.x_gm = self.tik_inst.Tensor("float16", (tiles, self.TILE), name="x_gm", scope=tik.scope_gm)
        self.y_gm = self.tik_inst.Tensor("float16", (tiles, self.TILE), name="y_gm", scope=tik.scope_gm)

    def run(self, kernel_name):
        with self.tik_inst.for_range(0, self.tiles, block_num=self.tiles) as i:
            self.one_tile(i)
        self.tik_inst.BuildCCE(kernel_name=kernel_name, inputs=[self.x_gm], outputs=[self.y_gm])
        return self.tik_inst

    def one_tile(self, i):
        t = self.tik_inst
        half_ub = t.Tensor("float16", (self.TILE,), name="half_ub", scope=tik.scope_ubuf)
        x_ub = t.Tensor("float32", (self.TILE,), name="x_ub", scope=tik.scope_ubuf)
        e_ub = t.Tensor("float32", (self.TILE,), name="e_ub", scope=tik.scope_ubuf)
        repeats = self.TILE // 64
        t.data_move(half_ub, self.x_gm[i, 0], 0, 1, self.TILE // 16, 0, 0)
        t.vec_conv(64, "none", x_ub, half_ub, repeats, 8, 4)
        t.vec_muls(64, e_ub, x_ub, -1.702, repeats, 8, 8)
        t.vec_exp(64, e_ub, e_ub, repeats, 8, 8)
        t.vec_adds(64, e_ub, e_ub, 1.0, repeats, 8, 8)
        t.vdiv(64, x_ub, x_ub, e_ub, repeats, 1, 1, 1, 8, 8, 8)
        t.vec_conv(64, "none", half_ub, x_ub, repeats, 4, 8)
        t.data_move(self.y_gm[i, 0], half_ub, 0, 1, self.TILE // 16, 0, 0)


def gelu(tiles=3, kernel_name="gelu"):
    return Gelu(tiles).run(kernel_name)


if __name__ == "__main__":
    gelu()
