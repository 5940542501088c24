# SPDX-License-Identifier: Apache-2.0
"""Layer normalisation over the last axis with scale and shift; the root by vec_rsqrt_high_preci of one element."""

from tbe import tik

EPSILON = 1e-5


def layer_norm(rows=3, columns=256, kernel_name="layer_norm"):
    t = tik.Tik()
    x_gm = t.Tensor("float32", (rows, columns), name="x_gm", scope=tik.scope_gm)
    gamma_gm = t.Tensor("float32", (columns,), name="gamma_gm", scope=tik.scope_gm)
    beta_gm = t.Tensor("float32", (columns,), name="beta_gm", scope=tik.scope_gm)
    y_gm = t.Tensor("float32", (rows, columns), name="y_gm", scope=tik.scope_gm)
    repeats, burst = columns // 64, columns // 8
    gamma = t.Tensor("float32", (columns,), name="gamma", scope=tik.scope_ubuf)
    beta = t.Tensor("float32", (columns,), name="beta", scope=tik.scope_ubuf)
    t.data_move(gamma, gamma_gm, 0, 1, burst, 0, 0)
    t.data_move(beta, beta_gm, 0, 1, burst, 0, 0)
    with t.for_range(0, rows) as row:
        x = t.Tensor("float32", (columns,), name="x", scope=tik.scope_ubuf)
        square = t.Tensor("float32", (columns,), name="square", scope=tik.scope_ubuf)
        work = t.Tensor("float32", (8,), name="work", scope=tik.scope_ubuf)
        precise = t.Tensor("float32", (32,), name="precise", scope=tik.scope_ubuf)
        moment = t.Tensor("float32", (8,), name="moment", scope=tik.scope_ubuf)
        value = t.Scalar("float32", name="value")
        t.data_move(x, x_gm[row, 0], 0, 1, burst, 0, 0)
        t.vec_reduce_add(64, moment, x, work, repeats, 8)
        t.vec_muls(1, moment, moment, -1.0 / columns, 1, 8, 8)
        value.set_as(moment[0])
        t.vec_adds(64, x, x, value, repeats, 8, 8)
        t.vec_mul(64, square, x, x, repeats, 8, 8, 8)
        t.vec_reduce_add(64, moment, square, work, repeats, 8)
        t.vec_muls(1, moment, moment, 1.0 / columns, 1, 8, 8)
        t.vec_adds(1, moment, moment, EPSILON, 1, 8, 8)
        t.vec_rsqrt_high_preci(1, moment, moment, precise, 1, 8, 8)
        value.set_as(moment[0])
        t.vec_muls(64, x, x, value, repeats, 8, 8)
        t.vec_mul(64, x, x, gamma, repeats, 8, 8, 8)
        t.vec_add(64, x, x, beta, repeats, 8, 8, 8)
        t.data_move(y_gm[row, 0], x, 0, 1, burst, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm, gamma_gm, beta_gm], outputs=[y_gm])
    return t


if __name__ == "__main__":
    layer_norm()
