# SPDX-License-Identifier: Apache-2.0
"""An image with its channels side by side (HWC) to planes (CHW) and back, by v4dtrans."""

from te import tik


def image_to_planes(dtype="uint8", pixels=96, channels=3, kernel_name="image_to_planes"):
    t = tik.Tik()
    size = 1 if dtype == "uint8" else 2
    blocks = pixels * channels * size // 32
    image_gm = t.Tensor(dtype, (pixels, channels), name="image_gm", scope=tik.scope_gm)
    planes_gm = t.Tensor(dtype, (channels, pixels), name="planes_gm", scope=tik.scope_gm)
    again_gm = t.Tensor(dtype, (pixels, channels), name="again_gm", scope=tik.scope_gm)
    image = t.Tensor(dtype, (pixels, channels), name="image", scope=tik.scope_ubuf)
    planes = t.Tensor(dtype, (channels, pixels), name="planes", scope=tik.scope_ubuf)
    t.data_move(image, image_gm, 0, 1, blocks, 0, 0)
    t.v4dtrans(False, planes, image, pixels, channels)
    t.data_move(planes_gm, planes, 0, 1, blocks, 0, 0)
    t.v4dtrans(True, image, planes, pixels, channels)
    t.data_move(again_gm, image, 0, 1, blocks, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[image_gm], outputs=[planes_gm, again_gm])
    return t


if __name__ == "__main__":
    image_to_planes()
