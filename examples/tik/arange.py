# SPDX-License-Identifier: Apache-2.0
"""start, start + step, start + 2 step ... in int32: eight numbers by the scalar unit, then doubled by vec_add."""

from te import tik


def arange(count=256, kernel_name="arange"):
    t = tik.Tik()
    start = t.InputScalar("int32", "start")
    step = t.InputScalar("int32", "step")
    out_gm = t.Tensor("int32", (count,), name="out_gm", scope=tik.scope_gm)
    ub = t.Tensor("int32", (count,), name="ub", scope=tik.scope_ubuf)
    ahead = t.Tensor("int32", (64,), name="ahead", scope=tik.scope_ubuf)
    with t.for_range(0, 8) as i:
        ub[i].set_as(start + i * step)
    have = 8
    while have < count:
        # What is there, moved on by `have` steps, in pieces of a repeat.
        t.vec_dup(64, ahead, step * have, 1, 8)
        for at in range(0, min(have, count - have), 64):
            lanes = min(64, have - at, count - have - at)
            t.vec_add(lanes, ub[have + at], ub[at], ahead, 1, 8, 8, 8)
        have *= 2
    t.data_move(out_gm, ub, 0, 1, count // 8, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[start, step], outputs=[out_gm])
    return t


if __name__ == "__main__":
    arange()
