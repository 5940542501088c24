# SPDX-License-Identifier: Apache-2.0
"""NCHW to NC1HWC0 (C0 = 16) for any number of channels: the missing ones are zero rows in the unified buffer."""

from tbe import tik


def nchw_to_nc1hwc0(channels=20, area=64, kernel_name="nchw_to_nc1hwc0"):
    t = tik.Tik()
    c1 = (channels + 15) // 16
    x_gm = t.Tensor("float16", (channels, area), name="x_gm", scope=tik.scope_gm)
    y_gm = t.Tensor("float16", (c1, area, 16), name="y_gm", scope=tik.scope_gm)
    with t.for_range(0, c1, name="group") as group:
        x_ub = t.Tensor("float16", (16, area), name="x_ub", scope=tik.scope_ubuf)
        y_ub = t.Tensor("float16", (area, 16), name="y_ub", scope=tik.scope_ubuf)
        t.vec_dup(128, x_ub, 0.0, 16 * area // 128, 8)
        rows = t.Scalar("int32", name="rows")
        rows.set_as(channels - group * 16)
        with t.if_scope(rows > 16):
            rows.set_as(16)
        t.data_move(x_ub, x_gm[group * 16 * area], 0, rows, area // 16, 0, 0)
        t.vec_trans_scatter(
            False, False, [y_ub[16 * i] for i in range(16)], [x_ub[i, 0] for i in range(16)], area // 16, 16, 1
        )
        t.data_move(y_gm[group * area * 16], y_ub, 0, 1, area, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[y_gm])
    return t


if __name__ == "__main__":
    nchw_to_nc1hwc0()
