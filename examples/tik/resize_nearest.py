# SPDX-License-Identifier: Apache-2.0
"""Nearest resize of a feature map (H, W, 16) to any size: source positions by integer arithmetic of scalars."""

from te import tik


def resize_nearest(size=(5, 7), to=(8, 12), kernel_name="resize_nearest"):
    tik_instance = tik.Tik()
    (height, width), (tall, wide) = size, to
    x_gm = tik_instance.Tensor("float16", (height, width, 16), name="x_gm", scope=tik.scope_gm)
    y_gm = tik_instance.Tensor("float16", (tall, wide, 16), name="y_gm", scope=tik.scope_gm)
    with tik_instance.for_range(0, tall, block_num=tall) as row:
        x_ub = tik_instance.Tensor("float16", (width, 16), name="x_ub", scope=tik.scope_ubuf)
        y_ub = tik_instance.Tensor("float16", (wide, 16), name="y_ub", scope=tik.scope_ubuf)
        tik_instance.data_move(x_ub, x_gm[row * height // tall, 0, 0], 0, 1, width, 0, 0)
        with tik_instance.for_range(0, wide, name="column") as column:
            source = tik_instance.Scalar("int32", name="source")
            source.set_as(column * width / wide)
            tik_instance.data_move(y_ub[column, 0], x_ub[source, 0], 0, 1, 1, 0, 0)
        tik_instance.data_move(y_gm[row, 0, 0], y_ub, 0, 1, wide, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[y_gm])
    return tik_instance


if __name__ == "__main__":
    resize_nearest()
