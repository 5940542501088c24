# SPDX-License-Identifier: Apache-2.0
"""Dropout by a mask of bits from global memory: each 16 bytes go to the comparison register and steer a select."""

from tbe import tik


def dropout(keep=0.75, tiles=4, kernel_name="dropout"):
    tik_instance = tik.Tik()
    x_gm = tik_instance.Tensor("float16", (tiles, 128), name="x_gm", scope=tik.scope_gm)
    # 32 bytes a tile: the select takes the first 16.
    mask_gm = tik_instance.Tensor("uint8", (tiles, 32), name="mask_gm", scope=tik.scope_gm)
    y_gm = tik_instance.Tensor("float16", (tiles, 128), name="y_gm", scope=tik.scope_gm)
    zeros = tik_instance.Tensor("float16", (128,), name="zeros", scope=tik.scope_ubuf)
    tik_instance.vector_dup(128, zeros, 0, 1, 1, 8)
    with tik_instance.for_range(0, tiles) as tile:
        x_ub = tik_instance.Tensor("float16", (128,), name="x_ub", scope=tik.scope_ubuf)
        mask_ub = tik_instance.Tensor("uint8", (32,), name="mask_ub", scope=tik.scope_ubuf)
        tik_instance.data_move(x_ub, x_gm[tile, 0], 0, 1, 8, 0, 0)
        tik_instance.data_move(mask_ub, mask_gm[tile, 0], 0, 1, 1, 0, 0)
        tik_instance.vmuls(128, x_ub, x_ub, 1.0 / keep, 1, 1, 1, 8, 8)
        kept = tik_instance.mov_tensor_to_cmpmask(mask_ub)
        tik_instance.vsel(128, 0, x_ub, kept, x_ub, zeros, 1, 1, 1, 1, 8, 8, 8)
        tik_instance.data_move(y_gm[tile, 0], x_ub, 0, 1, 8, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[x_gm, mask_gm], outputs=[y_gm])
    return tik_instance


if __name__ == "__main__":
    dropout()
