# SPDX-License-Identifier: Apache-2.0
"""Max pooling, 2 x 2 with stride 2, of a feature map (C1, H, W, 16): strides of vmax pick the neighbours."""

from te import tik


def max_pool(c1=2, height=6, width=32, kernel_name="max_pool"):
    tik_instance = tik.Tik()
    x_gm = tik_instance.Tensor("float16", (c1, height, width, 16), name="x_gm", scope=tik.scope_gm)
    y_gm = tik_instance.Tensor("float16", (c1, height // 2, width // 2, 16), name="y_gm", scope=tik.scope_gm)
    with tik_instance.for_range(0, c1 * height // 2, thread_num=2, name="pair") as pair:
        rows = tik_instance.Tensor("float16", (2, width, 16), name="rows", scope=tik.scope_ubuf)
        best = tik_instance.Tensor("float16", (width, 16), name="best", scope=tik.scope_ubuf)
        tik_instance.data_move(rows, x_gm[pair * 2 * width * 16], 0, 1, 2 * width, 0, 0)
        # The larger of two rows, then of two columns, which lie a block apart.
        tik_instance.vmax(128, best, rows, rows[1, 0, 0], width // 8, 1, 1, 1, 8, 8, 8)
        tik_instance.vmax(128, rows, best, best[1, 0], width // 16, 1, 2, 2, 8, 16, 16)
        tik_instance.data_move(y_gm[pair * width // 2 * 16], rows, 0, 1, width // 2, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[y_gm])
    return tik_instance


if __name__ == "__main__":
    max_pool()
