# SPDX-License-Identifier: Apache-2.0
"""int16 to int8 by vconv with deqscale: scale and offset in one word, results in the halves of blocks by turns."""

from te import tik


def requantize(scale=0.25, offset=5, kernel_name="requantize"):
    tik_instance = tik.Tik()
    a_gm = tik_instance.Tensor("int16", (128,), name="a_gm", scope=tik.scope_gm)
    b_gm = tik_instance.Tensor("int16", (128,), name="b_gm", scope=tik.scope_gm)
    q_gm = tik_instance.Tensor("int8", (256,), name="q_gm", scope=tik.scope_gm)
    src = tik_instance.Tensor("int16", (2, 128), name="src", scope=tik.scope_ubuf)
    dst = tik_instance.Tensor("int8", (256,), name="dst", scope=tik.scope_ubuf)
    tik_instance.data_move(src, a_gm, 0, 1, 8, 0, 0)
    tik_instance.data_move(src[1, 0], b_gm, 0, 1, 8, 0, 0)
    # 16 results of a to the low half of each block, 16 of b to its high half.
    tik_instance.vconv(128, "", dst, src, 1, 1, 1, 8, 8, (scale, offset), False)
    tik_instance.vconv(128, "", dst, src[1, 0], 1, 1, 1, 8, 8, (scale, offset), True)
    tik_instance.data_move(q_gm, dst, 0, 1, 8, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[a_gm, b_gm], outputs=[q_gm])
    return tik_instance


if __name__ == "__main__":
    requantize()
