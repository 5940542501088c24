# SPDX-License-Identifier: Apache-2.0
"""Surrounds each plane of a feature map (C1, H, W, 16) with a border of a constant."""

from te import tik


def pad_border(shape=(3, 5, 6), border=(1, 2), value=-1.5, kernel_name="pad_border"):
    c1, height, width = shape
    top, side = border
    tik_instance = tik.Tik()
    wide, tall = width + 2 * side, height + 2 * top
    x_gm = tik_instance.Tensor("float16", (c1, height, width, 16), name="x_gm", scope=tik.scope_gm)
    y_gm = tik_instance.Tensor("float16", (c1, tall, wide, 16), name="y_gm", scope=tik.scope_gm)
    with tik_instance.for_range(0, c1, block_num=c1) as plane:
        ub = tik_instance.Tensor("float16", (tall, wide, 16), name="ub", scope=tik.scope_ubuf)
        count = tall * wide * 16
        tik_instance.vector_dup(128, ub, value, count // 128, 1, 8)
        if count % 128:
            tik_instance.vector_dup(count % 128, ub[count // 128 * 128], value, 1, 1, 8)
        # The rows land inside the border: a gap of both sides from row to row.
        tik_instance.data_move(ub[top, side, 0], x_gm[plane, 0, 0, 0], 0, height, width, 0, 2 * side)
        tik_instance.data_move(y_gm[plane, 0, 0, 0], ub, 0, 1, tall * wide, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[y_gm])
    return tik_instance


if __name__ == "__main__":
    pad_border()
