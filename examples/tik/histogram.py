# SPDX-License-Identifier: Apache-2.0
"""Counts int32 values 0..63: each core counts in its own unified buffer, atomic stores add the counts up."""

from te import tik

BINS, CORES = 64, 4


def histogram(count=192, dtype="float32", kernel_name="histogram"):
    t = tik.Tik()
    each = count // CORES
    x_gm = t.Tensor("int32", (CORES, each), name="x_gm", scope=tik.scope_gm)
    counts_gm = t.Tensor(dtype, (BINS,), name="counts_gm", scope=tik.scope_gm, is_atomic_add=True)
    with t.for_range(0, CORES, block_num=CORES) as core:
        x_ub = t.Tensor("int32", (each,), name="x_ub", scope=tik.scope_ubuf)
        counts = t.Tensor(dtype, (BINS,), name="counts", scope=tik.scope_ubuf)
        t.data_move(x_ub, x_gm[core, 0], 0, 1, each // 8, 0, 0)
        t.vector_dup(BINS, counts, 0, 1, 1, 8)
        value, seen = t.Scalar("int32", name="value"), t.Scalar(dtype, name="seen")
        with t.for_range(0, each) as i:
            value.set_as(x_ub[i])
            with t.if_scope(tik.all(value >= 0, value < BINS)):
                seen.set_as(counts[value])
                counts[value].set_as(seen + 1)
        t.set_atomic_add(dtype)
        t.data_move(counts_gm, counts, 0, 1, BINS // 8, 0, 0)
        t.set_atomic_add(0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[counts_gm])
    return t


if __name__ == "__main__":
    histogram()
