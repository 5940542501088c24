# SPDX-License-Identifier: Apache-2.0
"""y[i] = x[index[i]] within a row in the unified buffer: vgather takes byte offsets, made by vmuls from indices."""

from tbe import tik


def gather_elements(rows=3, width=128, kernel_name="gather_elements"):
    t = tik.Tik()
    x_gm = t.Tensor("float32", (rows, width), name="x_gm", scope=tik.scope_gm)
    index_gm = t.Tensor("int32", (rows, width), name="index_gm", scope=tik.scope_gm)
    y_gm = t.Tensor("float32", (rows, width), name="y_gm", scope=tik.scope_gm)
    with t.for_range(0, rows, block_num=rows) as row:
        x_ub = t.Tensor("float32", (width,), name="x_ub", scope=tik.scope_ubuf)
        y_ub = t.Tensor("float32", (width,), name="y_ub", scope=tik.scope_ubuf)
        offsets = t.Tensor("int32", (width,), name="offsets", scope=tik.scope_ubuf)
        t.data_move(x_ub, x_gm[row, 0], 0, 1, width // 8, 0, 0)
        t.data_move(offsets, index_gm[row, 0], 0, 1, width // 8, 0, 0)
        t.vmuls(64, offsets, offsets, 4, width // 64, 1, 1, 8, 8)
        t.vgather(64, y_ub, x_ub, offsets, width // 64, 8, 0, 0)
        t.data_move(y_gm[row, 0], y_ub, 0, 1, width // 8, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm, index_gm], outputs=[y_gm])
    return t


if __name__ == "__main__":
    gather_elements()
