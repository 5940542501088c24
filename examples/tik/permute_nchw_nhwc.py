# SPDX-License-Identifier: Apache-2.0
"""NCHW to NHWC in half by vnchwconv: sixteen channels become sixteen neighbours."""

from te import tik


class PermuteNchwNhwc:
    """Channels and H*W are multiples of 16; each image is one core's work."""

    def __init__(self, shape, kernel_name):
        self.n, self.c, self.h, self.w = shape
        self.kernel_name = kernel_name
        self.tik_instance = tik.Tik()
        self.x_gm = self.tik_instance.Tensor("float16", shape, name="x_gm", scope=tik.scope_gm)
        to = (self.n, self.h, self.w, self.c)
        self.y_gm = self.tik_instance.Tensor("float16", to, name="y_gm", scope=tik.scope_gm)

    def compute(self):
        with self.tik_instance.for_range(0, self.n, block_num=self.n) as image:
            self.permute(image)
        self.tik_instance.BuildCCE(kernel_name=self.kernel_name, inputs=[self.x_gm], outputs=[self.y_gm])
        return self.tik_instance

    def permute(self, image):
        t, c, area = self.tik_instance, self.c, self.h * self.w
        x_ub = t.Tensor("float16", (c, area), name="x_ub", scope=tik.scope_ubuf)
        y_ub = t.Tensor("float16", (area, c), name="y_ub", scope=tik.scope_ubuf)
        t.data_move(x_ub, self.x_gm[image * c * area], 0, 1, c * area // 16, 0, 0)
        repeats = area // 16
        # A repeat takes the next 16 places of 16 channels; its results lie 16 rows of y further.
        strides = (repeats, 0 if repeats == 1 else c, 0 if repeats == 1 else 1)
        with t.for_range(0, c // 16) as group:
            src = [x_ub[(group * 16 + i) * area] for i in range(16)]
            dst = [y_ub[i * c + group * 16] for i in range(16)]
            t.vnchwconv(False, False, dst, src, *strides)
        t.data_move(self.y_gm[image * c * area], y_ub, 0, 1, c * area // 16, 0, 0)


def permute_nchw_nhwc(shape=(3, 32, 4, 12), kernel_name="permute_nchw_nhwc"):
    return PermuteNchwNhwc(shape, kernel_name).compute()


if __name__ == "__main__":
    permute_nchw_nhwc()
