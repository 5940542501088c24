# SPDX-License-Identifier: Apache-2.0
"""tanh(x) = (1 - e) / (1 + e), e = exp(-2x): the legacy calls, one tensor reused for the denominator."""

from te import tik


def tanh(rows=5, kernel_name="tanh"):
    tik_instance = tik.Tik()
    x = tik_instance.Tensor("float32", (rows, 64), tik.scope_gm, "x")
    y = tik_instance.Tensor("float32", (rows, 64), tik.scope_gm, "y")
    e = tik_instance.Tensor("float32", (rows, 64), tik.scope_ubuf, "e")
    bottom = tik_instance.Tensor("float32", (rows, 64), tik.scope_ubuf, "bottom")
    tik_instance.data_move(e, x, 0, rows, 8, 0, 0)
    tik_instance.vmuls(64, e, e, -2.0, rows, 1, 1, 8, 8)
    tik_instance.vexp(64, e, e, rows, 1, 1, 8, 8)
    tik_instance.vadds(64, bottom, e, 1.0, rows, 1, 1, 8, 8)
    tik_instance.vmuls(64, e, e, -1.0, rows, 1, 1, 8, 8)
    tik_instance.vadds(64, e, e, 1.0, rows, 1, 1, 8, 8)
    tik_instance.vdiv(64, e, e, bottom, rows, 1, 1, 1, 8, 8, 8)
    tik_instance.data_move(y, e, 0, rows, 8, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[x], outputs=[y])
    return tik_instance


if __name__ == "__main__":
    tanh()
