#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures verdicts an hour about a small vector kernel, three schedules: compiling, with its objects cached, and with the verdict
cached, on one worker and two; and where the time goes.

The package must be found: PYTHONPATH=build/release/python .venv/bin/python bench/judge.py [--count N]
"""

import argparse
import resource
import shutil
import tempfile
import time
from pathlib import Path

import sfumato
from sfumato.judging import Limits, Options

CHIP = "Ascend910B1"
TASK = """import numpy as np

outputs = ["z"]
compare = "exact"


def cases(rng):
    yield {"x": rng.normal(size=1024).astype(np.float32), "y": rng.normal(size=1024).astype(np.float32)}


def reference(x, y):
    return x + y


launch = {"blocks": 4, "arguments": ["x", "y", "z", "n"], "values": {"n": 256}}
"""
KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
// attempt NUMBER
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    GlobalTensor<float> a, b, c;
    a.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * n, n);
    b.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * n, n);
    c.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * n, n);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, n * sizeof(float));
    pipe.InitBuffer(out, 1, n * sizeof(float));
    LocalTensor<float> l = in.AllocTensor<float>(), r = in.AllocTensor<float>(), s = out.AllocTensor<float>();
    DataCopy(l, a, n);
    DataCopy(r, b, n);
    in.EnQue(l);
    in.EnQue(r);
    l = in.DeQue<float>();
    r = in.DeQue<float>();
    Add(s, l, r, n);
    out.EnQue(s);
    in.FreeTensor(l);
    in.FreeTensor(r);
    s = out.DeQue<float>();
    DataCopy(c, s, n);
    out.FreeTensor(s);
}
"""
# Verdicts an hour on two cores.
GOALS = {"compiling": 10_000, "compile cached": 100_000, "verdict cached": 1_000_000}


def _cpu():
    """Seconds of this process and of all that ended below it, the start of workers included."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measure(name, count, workers, cache):
    if name != "verdict cached":
        shutil.rmtree(cache / "verdicts", ignore_errors=True)
    if name == "compiling":
        shutil.rmtree(cache / "compiled", ignore_errors=True)
    spent, before = {"compile": 0.0, "run": 0.0}, _cpu()
    with sfumato.Judge(CHIP, workers=workers, limits=Limits(), options=Options(), cache=cache) as judge:
        judge(KERNEL.replace("NUMBER", "-1"), TASK)  # the workers start
        began = time.perf_counter()
        pairs = ((KERNEL.replace("NUMBER", str(number)), TASK) for number in range(count))
        for verdict in judge.many(pairs):
            assert verdict.ok and verdict.cached == (name == "verdict cached"), verdict
            for part in spent:
                spent[part] += verdict.seconds[part]
        elapsed = time.perf_counter() - began
    rate = count / elapsed * 3600
    used = 1000 * (_cpu() - before) / count
    where = ""
    if name != "verdict cached":
        each = 1000 * workers * elapsed / count
        rest = each - 1000 * (spent["compile"] + spent["run"]) / count
        where = (
            f"; of {each:.1f} ms of a worker compile {1000 * spent['compile'] / count:.1f}, fork, walls and runs "
            f"{1000 * spent['run'] / count:.1f}, waiting for the caller {rest:.1f}"
        )
    print(f"{name:16} {workers} workers {rate:10,.0f} verdicts an hour, {used:.1f} ms of CPU each{where}", flush=True)
    return rate


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60, help="submissions to compile")
    options = parser.parse_args()
    rates = {}
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        for workers in (1, 2):
            for name in GOALS:
                rates[name, workers] = measure(name, options.count, workers, cache)
    for name, goal in GOALS.items():
        reached = rates[name, 2]
        scaling = reached / rates[name, 1]
        print(f"{name:16} {reached:10,.0f} an hour on 2 workers, goal {goal:,}; {scaling:.2f} times that of 1")
    return any(rates[name, 2] < goal for name, goal in GOALS.items())


if __name__ == "__main__":
    raise SystemExit(main())
