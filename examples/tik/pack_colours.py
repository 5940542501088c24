# SPDX-License-Identifier: Apache-2.0
"""Packs red, green and blue into 16 bits (5, 6, 5) and takes the green out again: vshl, vshr, vor, vand."""

from te import tik


def pack_colours(pixels=128, kernel_name="pack_colours"):
    t = tik.Tik()
    planes_gm = t.Tensor("uint16", (3, pixels), name="planes_gm", scope=tik.scope_gm)
    packed_gm = t.Tensor("uint16", (pixels,), name="packed_gm", scope=tik.scope_gm)
    green_gm = t.Tensor("uint16", (pixels,), name="green_gm", scope=tik.scope_gm)
    planes = t.Tensor("uint16", (3, pixels), name="planes", scope=tik.scope_ubuf)
    mask = t.Tensor("uint16", (pixels,), name="mask", scope=tik.scope_ubuf)
    full = (pixels // 128, 1, 1, 1, 8, 8, 8)
    t.data_move(planes, planes_gm, 0, 1, 3 * pixels // 16, 0, 0)
    for i, (drop, place) in enumerate(((3, 11), (2, 5), (3, 0))):
        t.vshr(128, planes[i, 0], planes[i, 0], drop, pixels // 128, 1, 1, 8, 8)
        t.vshl(128, planes[i, 0], planes[i, 0], place, pixels // 128, 1, 1, 8, 8)
    t.vor(128, planes, planes, planes[1, 0], *full)
    t.vor(128, planes, planes, planes[2, 0], *full)
    t.data_move(packed_gm, planes, 0, 1, pixels // 16, 0, 0)
    t.vector_dup(128, mask, 0x3F << 5, pixels // 128, 1, 8)
    t.vand(128, mask, planes, mask, *full)
    t.vshr(128, mask, mask, 5, pixels // 128, 1, 1, 8, 8)
    t.data_move(green_gm, mask, 0, 1, pixels // 16, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[planes_gm], outputs=[packed_gm, green_gm])
    return t


if __name__ == "__main__":
    pack_colours()
