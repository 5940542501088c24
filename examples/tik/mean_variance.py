# SPDX-License-Identifier: Apache-2.0
"""Mean and variance of whole channels of a feature map (C1, H*W, 16): each lane is a channel, rows are added up."""

from tbe import tik


def mean_variance(c1=2, area=40, kernel_name="mean_variance"):
    t = tik.Tik(tik.Dprofile())
    x_gm = t.Tensor("float16", (c1, area, 16), name="x_gm", scope=tik.scope_gm)
    mean_gm = t.Tensor("float32", (c1, 16), name="mean_gm", scope=tik.scope_gm)
    var_gm = t.Tensor("float32", (c1, 16), name="var_gm", scope=tik.scope_gm)
    with t.for_range(0, c1, block_num=c1) as i:
        half_ub = t.Tensor("float16", (area, 16), name="half_ub", scope=tik.scope_ubuf)
        x_ub = t.Tensor("float32", (area, 16), name="x_ub", scope=tik.scope_ubuf)
        sums = t.Tensor("float32", (2, 16), name="sums", scope=tik.scope_ubuf)
        square = t.Tensor("float32", (16,), name="square", scope=tik.scope_ubuf)
        t.data_move(half_ub, x_gm[i * area * 16], 0, 1, area, 0, 0)
        t.vec_conv(64, "", x_ub, half_ub, area * 16 // 64, 8, 4)
        t.vec_dup(32, sums, 0.0, 1, 8)
        with t.for_range(0, area) as row:
            t.vec_add(16, sums, sums, x_ub[row * 16], 1, 8, 8, 8)
            t.vec_mul(16, square, x_ub[row * 16], x_ub[row * 16], 1, 8, 8, 8)
            t.vec_add(16, sums[16], sums[16], square, 1, 8, 8, 8)
        t.vec_muls(32, sums, sums, 1.0 / area, 1, 8, 8)
        t.vec_mul(16, square, sums, sums, 1, 8, 8, 8)
        t.vec_sub(16, sums[16], sums[16], square, 1, 8, 8, 8)
        t.data_move(mean_gm[i * 16], sums, 0, 1, 2, 0, 0)
        t.data_move(var_gm[i * 16], sums[16], 0, 1, 2, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[mean_gm, var_gm])
    return t


if __name__ == "__main__":
    mean_variance()
