# SPDX-License-Identifier: Apache-2.0
"""x / |x| for rows of 64 floats; the sums of a group of rows stand side by side, so one root serves eight.

vrsqrt is an estimate of eight bits (docs/last-bits.md): the high-precision call takes its place.
"""

from te import tik


def l2_normalize(groups=2, kernel_name="l2_normalize"):
    tik_instance = tik.Tik()
    x_gm = tik_instance.Tensor("float32", (groups, 8, 64), name="x_gm", scope=tik.scope_gm)
    y_gm = tik_instance.Tensor("float32", (groups, 8, 64), name="y_gm", scope=tik.scope_gm)
    with tik_instance.for_range(0, groups, thread_num=2, name="group") as group:
        x_ub = tik_instance.Tensor("float32", (8, 64), name="x_ub", scope=tik.scope_ubuf)
        square = tik_instance.Tensor("float32", (8, 64), name="square", scope=tik.scope_ubuf)
        norm = tik_instance.Tensor("float32", (8,), name="norm", scope=tik.scope_ubuf)
        work = tik_instance.Tensor("float32", (32,), name="work", scope=tik.scope_ubuf)
        tik_instance.data_move(x_ub, x_gm[group, 0, 0], 0, 1, 64, 0, 0)
        tik_instance.vmul(64, square, x_ub, x_ub, 8, 1, 1, 1, 8, 8, 8)
        tik_instance.vcadd(64, norm, square, 8, 1, 1, 8)
        tik_instance.vadds(8, norm, norm, 1e-12, 1, 1, 1, 8, 8)
        tik_instance.vec_rsqrt_high_preci(8, norm, norm, work, 1, 8, 8)
        with tik_instance.for_range(0, 8) as row:
            scale = tik_instance.Scalar("float32", name="scale")
            scale.set_as(norm[row])
            tik_instance.vmuls(64, x_ub[row, 0], x_ub[row, 0], scale, 1, 1, 1, 8, 8)
        tik_instance.data_move(y_gm[group, 0, 0], x_ub, 0, 1, 64, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[y_gm])
    return tik_instance


if __name__ == "__main__":
    l2_normalize()
