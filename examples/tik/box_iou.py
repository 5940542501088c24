# SPDX-License-Identifier: Apache-2.0
"""Intersection over union of boxes with one reference box: vmax, vmin, vrelu as max(0, w), vdiv."""

from tbe import tik


def box_iou(repeats=2, kernel_name="box_iou"):
    t = tik.Tik()
    boxes_gm = t.Tensor("float16", (4, repeats, 128), name="boxes_gm", scope=tik.scope_gm)
    reference_gm = t.Tensor("float16", (16,), name="reference_gm", scope=tik.scope_gm)
    iou_gm = t.Tensor("float16", (repeats, 128), name="iou_gm", scope=tik.scope_gm)
    boxes = t.Tensor("float16", (4, repeats, 128), name="boxes", scope=tik.scope_ubuf)
    reference = t.Tensor("float16", (16,), name="reference", scope=tik.scope_ubuf)
    edge = t.Tensor("float16", (4, 128), name="edge", scope=tik.scope_ubuf)
    low, high, cut, area = (
        t.Tensor("float16", (repeats, 128), name=name, scope=tik.scope_ubuf) for name in ("low", "high", "cut", "area")
    )
    t.data_move(boxes, boxes_gm, 0, 1, 4 * repeats * 8, 0, 0)
    t.data_move(reference, reference_gm, 0, 1, 1, 0, 0)
    corner = t.ScalarArray("float16", 4, "corner")
    with t.for_range(0, 4) as i:
        corner[i].set_as(reference[i])
        t.vec_dup(128, edge[i, 0], corner[i], 1, 8)
    full = (repeats, 1, 1, 1, 8, 8, 8)
    for axis in (0, 1):  # x1 y1 x2 y2
        t.vmax(128, low, boxes[axis, 0, 0], edge[axis, 0], repeats, 1, 1, 1, 8, 8, 0)
        t.vmin(128, high, boxes[axis + 2, 0, 0], edge[axis + 2, 0], repeats, 1, 1, 1, 8, 8, 0)
        t.vsub(128, high, high, low, *full)
        t.vrelu(128, high, high, repeats, 1, 1, 8, 8)
        t.vsub(128, low, boxes[axis + 2, 0, 0], boxes[axis, 0, 0], *full)
        if axis == 0:
            t.vadds(128, cut, high, 0, repeats, 1, 1, 8, 8)
            t.vadds(128, area, low, 0, repeats, 1, 1, 8, 8)
        else:
            t.vmul(128, cut, cut, high, *full)
            t.vmul(128, area, area, low, *full)
    # The reference's own area, as vectors as well.
    t.vsub(128, edge, edge[2, 0], edge, 1, 1, 1, 1, 8, 8, 8)
    t.vsub(128, edge[1, 0], edge[3, 0], edge[1, 0], 1, 1, 1, 1, 8, 8, 8)
    t.vmul(128, edge, edge, edge[1, 0], 1, 1, 1, 1, 8, 8, 8)
    t.vadd(128, area, area, edge, repeats, 1, 1, 1, 8, 8, 0)
    t.vsub(128, area, area, cut, *full)
    t.vdiv(128, cut, cut, area, *full)
    t.data_move(iou_gm, cut, 0, 1, repeats * 8, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[boxes_gm, reference_gm], outputs=[iou_gm])
    return t


if __name__ == "__main__":
    box_iou()
