# SPDX-License-Identifier: Apache-2.0
"""y = x[1::2, 16:48] of a matrix: the move skips rows and the ends of rows."""

from tbe import tik


def strided_slice(kernel_name="strided_slice"):
    tik_instance = tik.Tik()
    x_gm = tik_instance.Tensor("float16", (14, 80), name="x_gm", scope=tik.scope_gm)
    y_gm = tik_instance.Tensor("float16", (7, 32), name="y_gm", scope=tik.scope_gm)
    ub = tik_instance.Tensor("float16", (7, 32), name="ub", scope=tik.scope_ubuf)
    # Two rows are ten blocks; two of them are taken.
    tik_instance.data_move(ub, x_gm[1, 16], 0, 7, 2, 8, 0)
    tik_instance.data_move(y_gm, ub, 0, 7, 2, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[y_gm])
    return tik_instance


if __name__ == "__main__":
    strided_slice()
