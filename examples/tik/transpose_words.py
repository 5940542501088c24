# SPDX-License-Identifier: Apache-2.0
"""Transposes 16 x (8 n) words of 32 bits: n repeats of one vec_trans_scatter."""

from tbe import tik


def transpose_words(columns=40, dtype="int32", kernel_name="transpose_words"):
    t = tik.Tik()
    src_gm = t.Tensor(dtype, (16, columns), name="src_gm", scope=tik.scope_gm)
    dst_gm = t.Tensor(dtype, (columns, 16), name="dst_gm", scope=tik.scope_gm)
    src = t.Tensor(dtype, (16, columns), name="src", scope=tik.scope_ubuf)
    dst = t.Tensor(dtype, (columns, 16), name="dst", scope=tik.scope_ubuf)
    t.data_move(src, src_gm, 0, 1, 2 * columns, 0, 0)
    # A row of dst is two blocks: the block list walks 8 rows, the next repeat the 8 below.
    t.vec_trans_scatter(
        False, False, [dst[8 * i] for i in range(16)], [src[i, 0] for i in range(16)], columns // 8, 16, 1
    )
    t.data_move(dst_gm, dst, 0, 1, 2 * columns, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[src_gm], outputs=[dst_gm])
    return t


if __name__ == "__main__":
    transpose_words()
