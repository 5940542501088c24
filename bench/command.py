#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the command: a cold compile against an empty translation unit, a cached run against /bin/true.

Times are CPU seconds of the child and all it started, in interleaved pairs; the table gives the medians of the ratios.
"""

import argparse
import os
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void cast_kernel(GM_ADDR src, GM_ADDR dst) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    GlobalTensor<half> x;
    GlobalTensor<int32_t> y;
    x.SetGlobalBuffer((__gm__ half*)src, 512);
    y.SetGlobalBuffer((__gm__ int32_t*)dst, 512);
    pipe.InitBuffer(in, 1, 512 * sizeof(half));
    pipe.InitBuffer(out, 1, 512 * sizeof(int32_t));
    LocalTensor<half> a = in.AllocTensor<half>();
    DataCopy(a, x, 512);
    in.EnQue(a);
    a = in.DeQue<half>();
    LocalTensor<int32_t> b = out.AllocTensor<int32_t>();
    Cast(b, a, RoundMode::CAST_CEIL, 512);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<int32_t>();
    DataCopy(y, b, 512);
    out.FreeTensor(b);
}
"""


def cpu_seconds(command, env):
    """CPU time of one run of the command, which must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, env=env, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_halves(path, count):
    """A .npy file of ordinary float16 values."""
    header = f"{{'descr': '<f2', 'fortran_order': False, 'shape': ({count},), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    values = struct.pack(f"<{count}e", *(i / 7 - 30 for i in range(count)))
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sfumato", default=shutil.which("sfumato"), help="the command; default: the one on PATH")
    parser.add_argument("--pairs", type=int, default=9)
    arguments = parser.parse_args()
    if not arguments.sfumato:
        parser.error("no sfumato on PATH: give --sfumato build/release/tools/sfumato/sfumato")
    compiler = os.environ.get("CXX", "c++")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "cast.cpp").write_text(KERNEL)
        (folder / "empty.cpp").write_text("#include <string>\n#include <vector>\n")
        write_halves(folder / "src.npy", 512)
        env = {**os.environ, "SFUMATO_CACHE": str(folder / "cache")}
        run = [
            arguments.sfumato,
            "run",
            str(folder / "cast.cpp"),
            "--chip",
            "Ascend910B1",
            "--kernel",
            "cast_kernel",
            "--blocks",
            "1",
            "--",
            str(folder / "src.npy"),
            f"out:int32[512]={folder / 'dst.npy'}",
        ]
        # The flags of the compile step that decide how long an empty unit takes.
        empty = [
            compiler,
            "-std=c++20",
            "-O1",
            "-g1",
            "-fPIC",
            "-shared",
            "-pipe",
            str(folder / "empty.cpp"),
            "-o",
            str(folder / "empty.so"),
        ]
        compiles, empties, cached, trues = [], [], [], []
        for _ in range(arguments.pairs):
            shutil.rmtree(folder / "cache", ignore_errors=True)
            cold = cpu_seconds(run, env)
            cached.append(cpu_seconds(run, env))
            trues.append(cpu_seconds(["/bin/true"], env))
            compiles.append(cold - cached[-1])
            empties.append(cpu_seconds(empty, env))
    rows = [("compile_cold", compiles, empties, 4, 2.5), ("run_cached", cached, trues, 10, 0.05)]
    print(f"{'name':<20}{'ratio':>8}  {'bound':<8}{'seconds':>10}  guide    ok")
    failed = False
    for name, ours, theirs, bound, guide in rows:
        ratio = statistics.median(a / b for a, b in zip(ours, theirs))
        failed |= ratio > bound
        print(
            f"{name:<20}{ratio:8.2f}  <= {bound:<5}{statistics.median(ours):10.4f}  < {guide:<5}  {'yes' if ratio <= bound else 'NO'}"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
