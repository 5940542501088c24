# SPDX-License-Identifier: Apache-2.0
"""y[p[i]] = x[i]: vscatter puts each element where its offset says."""

from tbe import tik


def invert_permutation(count=128, kernel_name="invert_permutation"):
    t = tik.Tik()
    x_gm = t.Tensor("float32", (count,), name="x_gm", scope=tik.scope_gm)
    p_gm = t.Tensor("int32", (count,), name="p_gm", scope=tik.scope_gm)
    y_gm = t.Tensor("float32", (count,), name="y_gm", scope=tik.scope_gm)
    x_ub = t.Tensor("float32", (count,), name="x_ub", scope=tik.scope_ubuf)
    y_ub = t.Tensor("float32", (count,), name="y_ub", scope=tik.scope_ubuf)
    p_ub = t.Tensor("int32", (count,), name="p_ub", scope=tik.scope_ubuf)
    t.data_move(x_ub, x_gm, 0, 1, count // 8, 0, 0)
    t.data_move(p_ub, p_gm, 0, 1, count // 8, 0, 0)
    t.vmuls(64, p_ub, p_ub, 4, count // 64, 1, 1, 8, 8)
    t.vscatter(64, y_ub, x_ub, p_ub, count // 64, 8)
    t.data_move(y_gm, y_ub, 0, 1, count // 8, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm, p_gm], outputs=[y_gm])
    return t


if __name__ == "__main__":
    invert_permutation()
