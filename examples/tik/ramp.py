# SPDX-License-Identifier: Apache-2.0
"""x + i * slope along each row: vci counts, once for all rows."""

from tbe import tik


def ramp(rows=5, slope=0.25, kernel_name="ramp"):
    t = tik.Tik()
    x_gm = t.Tensor("float32", (rows, 64), name="x_gm", scope=tik.scope_gm)
    y_gm = t.Tensor("float32", (rows, 64), name="y_gm", scope=tik.scope_gm)
    x_ub = t.Tensor("float32", (rows, 64), name="x_ub", scope=tik.scope_ubuf)
    index = t.Tensor("float32", (64,), name="index", scope=tik.scope_ubuf)
    t.data_move(x_ub, x_gm, 0, 1, rows * 8, 0, 0)
    t.vci(64, index, 0.0, 1, 1, 8)
    t.vaxpy(64, x_ub, index, slope, rows, 1, 1, 8, 0)
    t.data_move(y_gm, x_ub, 0, 1, rows * 8, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[y_gm])
    return t


if __name__ == "__main__":
    ramp()
