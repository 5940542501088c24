# SPDX-License-Identifier: Apache-2.0
"""Nearest upsampling of a feature map (C1, H, W, 16) by 2 in both directions; vec_muls scales on the way."""

from tbe import tik


class Upsample:
    """One row of the source at a time becomes two rows of twice the width."""

    def __init__(self, shape, scale):
        self.c1, self.height, self.width = shape
        self.scale = scale
        self.tik_instance = tik.Tik()
        self.x_gm = self.tik_instance.Tensor("float16", (*shape, 16), name="x_gm", scope=tik.scope_gm)
        to = (self.c1, self.height, 2, self.width * 2, 16)
        self.y_gm = self.tik_instance.Tensor("float16", to, name="y_gm", scope=tik.scope_gm)

    def compute(self, kernel_name):
        t, width = self.tik_instance, self.width
        with t.for_range(0, self.c1, block_num=self.c1) as plane:
            with t.for_range(0, self.height, thread_num=2) as row:
                x_ub = t.Tensor("float16", (width, 16), name="x_ub", scope=tik.scope_ubuf)
                y_ub = t.Tensor("float16", (width, 2, 16), name="y_ub", scope=tik.scope_ubuf)
                t.data_move(x_ub, self.x_gm[plane, row, 0, 0], 0, 1, width, 0, 0)
                for side in (0, 1):  # a repeat is one pixel: strides of one and two blocks
                    t.vec_muls(16, y_ub[0, side, 0], x_ub, self.scale, width, 2, 1)
                for down in (0, 1):
                    t.data_move(self.y_gm[plane, row, down, 0, 0], y_ub, 0, 1, 2 * width, 0, 0)
        t.BuildCCE(kernel_name=kernel_name, inputs=[self.x_gm], outputs=[self.y_gm])
        return t


def upsample(shape=(4, 3, 10), scale=0.25, kernel_name="upsample"):
    return Upsample(shape, scale).compute(kernel_name)


if __name__ == "__main__":
    upsample()
