#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures TIK: vec_adds over 1 Mi halves from global memory and back against NumPy's addition, and building a script.

Times are CPU seconds of the process, in interleaved pairs, both sides on the same core; the table gives the median of the
ratios. The package must be found: PYTHONPATH=build/release/python .venv/bin/python bench/tik.py
"""

import os
import statistics
import sys
import time

import numpy as np

from sfumato import tik

ELEMENTS = 1 << 20
BLOCKS = 8
AT_ONCE = 32768  # elements of a trip: half of UB's 192 KiB with a second buffer for the next trip
STATEMENTS = 2000


def vec_adds():
    """1 Mi elements: GM to UB, vec_adds, UB to GM, 8 blocks, two buffers."""
    tik.set_current_compile_soc_info("Ascend910B1")
    t = tik.Tik()
    src = t.Tensor("float16", (ELEMENTS,), tik.scope_gm, "src")
    dst = t.Tensor("float16", (ELEMENTS,), tik.scope_gm, "dst")
    each = ELEMENTS // BLOCKS
    with t.for_range(0, BLOCKS, block_num=BLOCKS) as block:
        with t.for_range(0, each // AT_ONCE, thread_num=2) as trip:
            ub = t.Tensor("float16", (AT_ONCE,), tik.scope_ubuf, "ub")
            start = block * each + trip * AT_ONCE
            t.data_move(ub, src[start], 0, 1, AT_ONCE // 16, 0, 0)
            # 256 repeats are one more than an instruction has.
            t.vec_adds(128, ub, ub, 1.5, AT_ONCE // 256, 8, 8)
            t.vec_adds(128, ub[AT_ONCE // 2], ub[AT_ONCE // 2], 1.5, AT_ONCE // 256, 8, 8)
            t.data_move(dst[start], ub, 0, 1, AT_ONCE // 16, 0, 0)
    t.BuildCCE("adds", [src], [dst])
    return t


def build():
    """A script of 2,000 statements: declarations, scalars, branches, instructions."""
    t = tik.Tik()
    gm = t.Tensor("float16", (4096,), tik.scope_gm, "gm")
    ub = t.Tensor("float16", (4096,), tik.scope_ubuf, "ub")
    count = t.Scalar("int32", "count", 1)
    for i in range((STATEMENTS - 4) // 4):
        t.vec_adds(128, ub[i], ub[i], 1.0, count, 8, 8) if i % 16 == 0 else t.vec_adds(128, ub, ub, 1.0, count, 8, 8)
        with t.if_scope(count < i):
            count.set_as(count + 1)
        t.data_move(ub, gm, 0, 1, 8, 0, 0)
    t.BuildCCE("statements", [gm], [])


def cpu(run):
    start = time.process_time()
    run()
    return time.process_time() - start


def main():
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    x = (np.random.default_rng(1).normal(size=ELEMENTS) * 8).astype(np.float16)
    kernel = vec_adds()
    scalar = np.float16(1.5)
    if not np.array_equal(kernel.run({"src": x})[0], x + scalar):
        sys.exit("the kernel computes something else than NumPy")
    ours, theirs, builds = [], [], []
    for _ in range(31):
        ours.append(cpu(lambda: kernel.run({"src": x})))
        theirs.append(cpu(lambda: x + scalar))
        if len(builds) < 9:
            builds.append(cpu(build))
    speed = statistics.median(b / a for a, b in zip(ours, theirs))
    seconds = statistics.median(builds)
    print(f"{'name':<34}{'ratio':>8}  {'bound':<8}  ok")
    print(f"{'tik_vec_adds':<34}{speed:8.2f}  {'>= 3':<8}  {'yes' if speed >= 3 else 'NO'}")
    print(
        f"{f'seconds to build {STATEMENTS} statements':<34}{seconds:8.3f}  {'< 1':<8}  {'yes' if seconds < 1 else 'NO'}"
    )
    return 0 if speed >= 3 and seconds < 1 else 1


if __name__ == "__main__":
    sys.exit(main())
