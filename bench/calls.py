# SPDX-License-Identifier: Apache-2.0
"""Whole calls from Python against NumPy in the same run, on one CPU core: CPU time, the least of several runs.

PYTHONPATH=build/release/python python bench/calls.py
"""

import os
import time
from pathlib import Path

import numpy as np

import sfumato

COUNT = 16 * 1024 * 1024
BLOCKS = 8


def least(call, runs):
    """Milliseconds of CPU time."""
    times = []
    for _ in range(runs + 2):
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    return min(times[2:]) * 1e3


def main():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    lib = sfumato.compile(Path(__file__).with_name("calls.cpp"), chip="Ascend910B1")
    rng = np.random.default_rng(1)
    x, y = rng.random(COUNT, np.float32), rng.random(COUNT, np.float32)
    z, total = np.zeros_like(x), np.zeros(8, np.float32)
    print(f"{COUNT >> 20} Mi floats, {BLOCKS} blocks   sfumato ms   numpy ms   ratio")
    rows = [
        ("x + y", lambda: lib.add[BLOCKS](x, y, z, COUNT), lambda: x + y),
        ("add(out=)", lambda: lib.add[BLOCKS](x, y, z, COUNT), lambda: np.add(x, y, out=z)),
        ("sum by atomics", lambda: lib.sum[BLOCKS](x, total, COUNT), lambda: x.sum()),
    ]
    for name, ours, theirs in rows:
        a, b = least(ours, 9), least(theirs, 9)
        print(f"{name:26} {a:10.2f} {b:10.2f} {a / b:7.2f}")
    for blocks in (1, 8, 48):
        print(f"empty kernel, {blocks:2} blocks {least(lib.empty[blocks], 300) * 1e3:13.1f} us")


main()
