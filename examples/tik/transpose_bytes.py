# SPDX-License-Identifier: Apache-2.0
"""Transposes a 32 x 32 matrix of bytes: vnchwconv handles 16 x 16 of them, the high halves of blocks on demand."""

from te import tik


def transpose_bytes(dtype="int8", kernel_name="transpose_bytes"):
    tik_instance = tik.Tik()
    src_gm = tik_instance.Tensor(dtype, (32, 32), name="src_gm", scope=tik.scope_gm)
    dst_gm = tik_instance.Tensor(dtype, (32, 32), name="dst_gm", scope=tik.scope_gm)
    src = tik_instance.Tensor(dtype, (32, 32), name="src", scope=tik.scope_ubuf)
    dst = tik_instance.Tensor(dtype, (32, 32), name="dst", scope=tik.scope_ubuf)
    tik_instance.data_move(src, src_gm, 0, 1, 32, 0, 0)
    for low_rows in (True, False):
        for low_columns in (True, False):
            from_rows = [src[(0 if low_rows else 16) + i, 0] for i in range(16)]
            to_rows = [dst[(0 if low_columns else 16) + i, 0] for i in range(16)]
            tik_instance.vnchwconv(not low_rows, not low_columns, to_rows, from_rows, 1, 0, 0)
    tik_instance.data_move(dst_gm, dst, 0, 1, 32, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[src_gm], outputs=[dst_gm])
    return tik_instance


if __name__ == "__main__":
    transpose_bytes()
