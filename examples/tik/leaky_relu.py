# SPDX-License-Identifier: Apache-2.0
"""leaky_relu as max(x, slope * x), and relu beside it: no product lacks these calls in half."""

from tbe import tik


def leaky_relu(slope=0.125, repeats=3, kernel_name="leaky_relu"):
    tik_instance = tik.Tik()
    shape = (repeats, 128)
    x_gm = tik_instance.Tensor("float16", shape, name="x_gm", scope=tik.scope_gm)
    leaky_gm = tik_instance.Tensor("float16", shape, name="leaky_gm", scope=tik.scope_gm)
    relu_gm = tik_instance.Tensor("float16", shape, name="relu_gm", scope=tik.scope_gm)
    x_ub = tik_instance.Tensor("float16", shape, name="x_ub", scope=tik.scope_ubuf)
    y_ub = tik_instance.Tensor("float16", shape, name="y_ub", scope=tik.scope_ubuf)
    tik_instance.data_move(x_ub, x_gm, 0, 1, repeats * 8, 0, 0)
    tik_instance.vec_muls(128, y_ub, x_ub, slope, repeats, 8, 8)
    tik_instance.vec_max(128, y_ub, y_ub, x_ub, repeats, 8, 8, 8)
    tik_instance.data_move(leaky_gm, y_ub, 0, 1, repeats * 8, 0, 0)
    tik_instance.vec_relu(128, y_ub, x_ub, repeats, 8, 8)
    tik_instance.data_move(relu_gm, y_ub, 0, 1, repeats * 8, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[leaky_gm, relu_gm])
    return tik_instance


if __name__ == "__main__":
    leaky_relu()
