#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what an estimate of time costs: CPU of a launch with it against the same launch without, and the memory it takes.

The kernels are those of checked_kernels.cpp. A ratio is the median over interleaved rounds; ns are those of a record that was
issued, flags and barriers included. The package must be found: PYTHONPATH=build/release/python .venv/bin/python bench/timing.py.
Ends with 1 when a bound is missed.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import sfumato

RATIO, RECORD_NS = 1.3, 250  # of matmul and softmax; of other kernels
MEMORY_MB = 16  # more at 10^7 records than at 10^5
# Name, blocks, loops, arguments, whether the ratio is bound.
KERNELS = [
    ("product", 1, 12, ("m", "m", "512x512 float16"), True),
    ("softmax", 2, 3000, ("x", "262144 float32"), True),
    ("cast", 2, 2000, ("h", "524288 int32"), False),
    ("small_tiles", 2, 30000, ("x", "524288 float32"), False),
    ("adds", 2, 200000, ("x", "x"), False),
]


def arrays(names):
    given = {
        "x": np.resize(np.arange(7, dtype=np.float32), 1 << 19),
        "h": np.resize(np.arange(7, dtype=np.float16), 1 << 19),
        "m": np.resize(np.arange(3, dtype=np.float16), (512, 512)),
    }
    for name in names:
        if name in given:
            yield given[name]
        else:
            shape, dtype = name.split()
            yield np.zeros([int(n) for n in shape.split("x")], dtype)


def launcher(name, blocks, names):
    lib = sfumato.compile(Path(__file__).with_name("checked_kernels.cpp"), chip="Ascend910B1")
    kernel, given = lib[name][blocks].options(check="none"), list(arrays(names))

    def launch(loops, timed):
        began = time.process_time()
        if timed:
            kernel.time(*given, loops, gains="none" if timed == "plain" else "small")
            records = 0
        else:
            records = kernel(*given, loops).records
        return time.process_time() - began, records

    return launch


def costs(rounds):
    missed = 0
    print(f"{'':<12}{'ns a record':>12}{'with time':>10}{'more ns':>9}  (modelled gains of hints included: ratio)")
    for name, blocks, loops, names, bound in KERNELS:
        launch = launcher(name, blocks, names)
        launch(1, False)
        launch(1, "plain")
        plain, timed, hinted, records = [], [], [], 0
        for _ in range(rounds):
            seconds, records = launch(loops, False)
            plain.append(seconds)
            timed.append(launch(loops, "plain")[0])
            hinted.append(launch(loops, "hints")[0])
        ratio = statistics.median(b / a for a, b in zip(plain, timed))
        gains = statistics.median(b / a for a, b in zip(plain, hinted))
        more = statistics.median(b - a for a, b in zip(plain, timed)) / records * 1e9
        over = ratio > RATIO if bound else more > RECORD_NS
        missed += over
        each = statistics.median(plain) / records * 1e9
        print(f"{name:<12}{each:12.0f}{ratio:10.2f}{more:9.0f}  {gains:.2f}{'  MISSED' if over else ''}", flush=True)
    return missed


def memory():
    """The largest resident set by the number of records, each in a process of its own."""
    sets = {}
    for loops in (5 * 10**4, 5 * 10**5, 5 * 10**6):
        run = subprocess.run([sys.executable, __file__, "--resident", str(loops)], capture_output=True, text=True)
        sets[loops * 2] = int(run.stdout) / 1024
        print(f"{loops * 2:>10} records: {sets[loops * 2]:.0f} MB", flush=True)
    return max(sets.values()) - sets[10**5] > MEMORY_MB


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--resident", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.resident:
        launcher("adds", 1, ("x", "x"))(options.resident, "hints")
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        return 0
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    missed = costs(options.rounds)
    return bool(missed + memory())


if __name__ == "__main__":
    raise SystemExit(main())
