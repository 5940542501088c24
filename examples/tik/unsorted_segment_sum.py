# SPDX-License-Identifier: Apache-2.0
"""Sums of rows by segment number; numbers outside drop their rows. Each core owns some columns."""

from tbe import tik


def unsorted_segment_sum(rows=20, segments=5, kernel_name="unsorted_segment_sum"):
    t = tik.Tik()
    room = (rows + 7) // 8 * 8
    x_gm = t.Tensor("float32", (rows, 4, 16), name="x_gm", scope=tik.scope_gm)
    id_gm = t.Tensor("int32", (room,), name="id_gm", scope=tik.scope_gm)
    y_gm = t.Tensor("float32", (segments, 4, 16), name="y_gm", scope=tik.scope_gm)
    with t.for_range(0, 4, block_num=4) as part:
        id_ub = t.Tensor("int32", (room,), name="id_ub", scope=tik.scope_ubuf)
        x_ub = t.Tensor("float32", (rows, 16), name="x_ub", scope=tik.scope_ubuf)
        sums = t.Tensor("float32", (segments, 16), name="sums", scope=tik.scope_ubuf)
        t.data_move(id_ub, id_gm, 0, 1, room // 8, 0, 0)
        t.data_move(x_ub, x_gm[0, part, 0], 0, rows, 2, 6, 0)
        t.vec_dup(16, sums, 0.0, segments, 2)
        with t.for_range(0, rows) as row:
            segment = t.Scalar("int32", name="segment")
            segment.set_as(id_ub[row])
            with t.if_scope(tik.any(segment < 0, segment >= segments)):
                t.tik_continue()
            t.vec_add(16, sums[segment, 0], sums[segment, 0], x_ub[row, 0], 1, 8, 8, 8)
        t.data_move(y_gm[0, part, 0], sums, 0, segments, 2, 0, 6)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm, id_gm], outputs=[y_gm])
    return t


if __name__ == "__main__":
    unsorted_segment_sum()
