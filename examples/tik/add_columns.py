# SPDX-License-Identifier: Apache-2.0
"""Adds the left and the right half of each row by vadd's block strides: no copy tells the halves apart."""

from te import tik


def add_columns(rows=12, kernel_name="add_columns"):
    tik_instance = tik.Tik()
    src_gm = tik_instance.Tensor("float16", (rows, 32), name="src_gm", scope=tik.scope_gm)
    dst_gm = tik_instance.Tensor("float16", (rows, 16), name="dst_gm", scope=tik.scope_gm)
    src_ub = tik_instance.Tensor("float16", (rows, 32), name="src_ub", scope=tik.scope_ubuf)
    dst_ub = tik_instance.Tensor("float16", (rows, 16), name="dst_ub", scope=tik.scope_ubuf)
    tik_instance.data_move(src_ub, src_gm, 0, 1, rows * 2, 0, 0)
    # A row is two blocks: eight rows a repeat, the second source one block further.
    repeats, rest = rows // 8, rows % 8
    if repeats:
        tik_instance.vadd(128, dst_ub, src_ub, src_ub[16], repeats, 1, 2, 2, 8, 16, 16)
    if rest:
        left, right = src_ub[repeats * 8, 0], src_ub[repeats * 8, 16]
        tik_instance.vadd(rest * 16, dst_ub[repeats * 8, 0], left, right, 1, 1, 2, 2, 8, 16, 16)
    tik_instance.data_move(dst_gm, dst_ub, 0, 1, rows, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[src_gm], outputs=[dst_gm])
    return tik_instance


if __name__ == "__main__":
    add_columns()
