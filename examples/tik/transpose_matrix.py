# SPDX-License-Identifier: Apache-2.0
"""Transposes a matrix of halves by tiles of 16 x 16: strided moves cut the tiles out, vec_trans turns them."""

from tbe import tik


def transpose_matrix(height=48, width=32, kernel_name="transpose_matrix"):
    t = tik.Tik()
    src_gm = t.Tensor("float16", (height, width), name="src_gm", scope=tik.scope_gm)
    dst_gm = t.Tensor("float16", (width, height), name="dst_gm", scope=tik.scope_gm)
    tall = height // 16
    with t.for_range(0, width // 16, block_num=width // 16) as column:
        tiles = t.Tensor("float16", (tall, 16, 16), name="tiles", scope=tik.scope_ubuf)
        turned = t.Tensor("float16", (tall, 16, 16), name="turned", scope=tik.scope_ubuf)
        t.data_move(tiles, src_gm[column * 16], 0, height, 1, width // 16 - 1, 0)
        t.vec_trans(turned, tiles, tall, 1, 1)
        with t.for_range(0, tall) as row:
            t.data_move(dst_gm[column * 16, row * 16], turned[row * 256], 0, 16, 1, 0, height // 16 - 1)
    t.BuildCCE(kernel_name=kernel_name, inputs=[src_gm], outputs=[dst_gm])
    return t


if __name__ == "__main__":
    transpose_matrix()
