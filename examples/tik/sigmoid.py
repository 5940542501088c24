# SPDX-License-Identifier: Apache-2.0
"""sigmoid(x) = 1 / (1 + exp(-x)) in half, by vec_exp and vec_rec_high_preci (vec_rec is an estimate): runs on every product."""

from tbe import tik


def sigmoid(shape=(6, 128), kernel_name="sigmoid"):
    rows, lanes = shape
    tik_instance = tik.Tik(tik.Dprofile())
    x_gm = tik_instance.Tensor("float16", shape, name="x_gm", scope=tik.scope_gm)
    y_gm = tik_instance.Tensor("float16", shape, name="y_gm", scope=tik.scope_gm)
    ub = tik_instance.Tensor("float16", shape, name="ub", scope=tik.scope_ubuf)
    work = tik_instance.Tensor("float32", (4 * rows * lanes,), name="work", scope=tik.scope_ubuf)
    tik_instance.data_move(ub, x_gm, 0, 1, rows * lanes // 16, 0, 0)
    y_ub = tik_instance.Tensor("float16", shape, name="y_ub", scope=tik.scope_ubuf)
    strides = (rows, lanes // 16, lanes // 16)
    tik_instance.vec_muls(lanes, ub, ub, -1.0, *strides)
    tik_instance.vec_exp(lanes, ub, ub, *strides)
    tik_instance.vec_adds(lanes, ub, ub, 1.0, *strides)
    tik_instance.vec_rec_high_preci(lanes, y_ub, ub, work, *strides)
    tik_instance.data_move(y_gm, y_ub, 0, 1, rows * lanes // 16, 0, 0)
    tik_instance.BuildCCE(kernel_name, [x_gm], [y_gm])
    return tik_instance


if __name__ == "__main__":
    sigmoid()
