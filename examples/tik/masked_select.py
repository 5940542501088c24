# SPDX-License-Identifier: Apache-2.0
"""Keeps the positive elements, packed, and how many they are; then splits pairs by the fixed patterns of vreduce."""

from tbe import tik


def masked_select(repeats=3, kernel_name="masked_select"):
    t = tik.Tik()
    x_gm = t.Tensor("float32", (repeats, 64), name="x_gm", scope=tik.scope_gm)
    kept_gm = t.Tensor("float32", (repeats, 64), name="kept_gm", scope=tik.scope_gm)
    count_gm = t.Tensor("int32", (8,), name="count_gm", scope=tik.scope_gm)
    even_gm = t.Tensor("float32", (repeats, 32), name="even_gm", scope=tik.scope_gm)
    odd_gm = t.Tensor("float32", (repeats, 32), name="odd_gm", scope=tik.scope_gm)
    x_ub = t.Tensor("float32", (repeats, 64), name="x_ub", scope=tik.scope_ubuf)
    y_ub = t.Tensor("float32", (repeats, 64), name="y_ub", scope=tik.scope_ubuf)
    zeros = t.Tensor("float32", (64,), name="zeros", scope=tik.scope_ubuf)
    bits = t.Tensor("uint32", (64,), name="bits", scope=tik.scope_ubuf)
    counts = t.Tensor("int32", (8,), name="counts", scope=tik.scope_ubuf)
    t.data_move(x_ub, x_gm, 0, 1, repeats * 8, 0, 0)
    t.vec_dup(64, zeros, 0.0, 1, 8)
    t.vec_dup(64, y_ub, 0.0, repeats, 8)
    t.vec_dup(8, counts, 0, 1, 8)
    kept, total = t.Scalar("uint64", name="kept"), t.Scalar("int32", name="total", init_value=0)
    with t.for_range(0, repeats) as i:
        t.vec_cmpv_gt(bits, x_ub[i, 0], zeros, 1, 8, 8)
        packed = t.Tensor("float32", (64,), name="packed", scope=tik.scope_ubuf)
        t.vreduce(64, packed, x_ub[i, 0], bits, 1, 1, 8, 0, 0, kept, "counter")
        with t.for_range(0, kept, dtype="uint64") as k:
            y_ub[total + k].set_as(packed[k])
        total.set_as(total + kept)
    counts[0].set_as(total)
    t.data_move(kept_gm, y_ub, 0, 1, repeats * 8, 0, 0)
    t.data_move(count_gm, counts, 0, 1, 1, 0, 0)
    for pattern, out_gm in ((1, even_gm), (2, odd_gm)):
        t.vreduce(64, y_ub, x_ub, pattern, repeats, 1, 8, 0)
        t.data_move(out_gm, y_ub, 0, 1, repeats * 4, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[kept_gm, count_gm, even_gm, odd_gm])
    return t


if __name__ == "__main__":
    masked_select()
