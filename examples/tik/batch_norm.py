# SPDX-License-Identifier: Apache-2.0
"""Batch normalisation for inference on (C1, H*W, 16): epsilon comes as an InputScalar, factors stay per channel."""

from tbe import tik


def batch_norm(c1=3, area=24, kernel_name="batch_norm"):
    t = tik.Tik()
    x_gm = t.Tensor("float32", (c1, area, 16), name="x_gm", scope=tik.scope_gm)
    stats_gm = [
        t.Tensor("float32", (c1, 16), name=name, scope=tik.scope_gm) for name in ("mean", "variance", "gamma", "beta")
    ]
    epsilon = t.InputScalar("float32", name="epsilon")
    y_gm = t.Tensor("float32", (c1, area, 16), name="y_gm", scope=tik.scope_gm)
    with t.for_range(0, c1, block_num=c1) as i:
        x_ub = t.Tensor("float32", (area, 16), name="x_ub", scope=tik.scope_ubuf)
        mean, variance, gamma, beta = (
            t.Tensor("float32", (16,), name=f"{gm.name}_ub", scope=tik.scope_ubuf) for gm in stats_gm
        )
        t.data_move(x_ub, x_gm[i, 0, 0], 0, 1, area * 2, 0, 0)
        for ub, gm in zip((mean, variance, gamma, beta), stats_gm):
            t.data_move(ub, gm[i, 0], 0, 1, 2, 0, 0)
        # gamma / sqrt(variance + epsilon), then beta - mean * that
        t.vec_adds(16, variance, variance, epsilon, 1, 8, 8)
        t.vsqrt(16, variance, variance, 1, 1, 1, 8, 8)
        t.vdiv(16, gamma, gamma, variance, 1, 1, 1, 1, 8, 8, 8)
        t.vec_mul(16, mean, mean, gamma, 1, 8, 8, 8)
        t.vec_sub(16, beta, beta, mean, 1, 8, 8, 8)
        # A repeat is one pixel: source strides of 0 reuse the 16 factors.
        t.vmul(16, x_ub, x_ub, gamma, area, 1, 1, 1, 2, 2, 0)
        t.vadd(16, x_ub, x_ub, beta, area, 1, 1, 1, 2, 2, 0)
        t.data_move(y_gm[i, 0, 0], x_ub, 0, 1, area * 2, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm, *stats_gm, epsilon], outputs=[y_gm])
    return t


if __name__ == "__main__":
    batch_norm()
