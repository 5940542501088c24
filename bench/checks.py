#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what the checks of --check cost: CPU time and memory of the command against --check none.

The kernels are those of checked_kernels.cpp. A time is the CPU time of a run less that of the same run with no loops; a
ratio is the median over interleaved rounds. Memory is what the largest resident set grows by, against global memory and the
memories of the cores. The last table has the time of a record, from 10^3 to 10^7 of them. Ends with 1 when a bound is missed.
"""

import argparse
import math
import os
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

CHECKS = ["default", "races", "init", "outputs", "sync", "numbers", "raw", "all"]
TIME = {"default": (1.2, 1.2), "all": (4, 8)}  # of kernels, and of loops of one instruction
MEMORY = {"default": 1.3, "all": 2.5}  # of global memory and memories of cores
MEMORY_LEAST = 64 << 20
LINEAR = 1.5  # of the time of a record, against any number of records below
NOISE = 0.01  # seconds
VECTOR_CORE = 192 << 10  # bytes of Ascend910B1: UB
CUBE_CORE = (512 + 64 + 64 + 128) << 10  # L1, L0A, L0B, L0C


@dataclass
class Kernel:
    name: str
    loops: int
    records: int  # of a loop
    arguments: list
    one: bool = False  # one instruction a loop
    blocks: int = 2
    gm: int = 0  # bytes
    core: int = VECTOR_CORE

    @property
    def memory(self):
        return self.gm + self.blocks * self.core


SMALL = ["x", "out:float32[524288]"]
# Where the bounds are missed: a store that other cores may see takes a locked instruction; queues set and take eight tokens a
# tile, each a step of the order; a scalar access without checks is a few instructions in the kernel, and with all of them a
# record; and two cores that answer each other hand over under a lock.
KERNELS = [
    Kernel("cast", 3000, 4, ["h", "out:int32[524288]"], gm=3 << 20),
    Kernel("large", 1024, 4, ["l", "out:int32[8388608]"], gm=48 << 20),
    Kernel("softmax", 6000, 15, ["x", "out:float32[262144]"], gm=3 << 20),
    Kernel("product", 12, 2000, ["m", "m", "out:float16[512,512]"], blocks=1, gm=3 << 19, core=CUBE_CORE),
    Kernel("small_tiles", 100000, 7, SMALL, gm=4 << 20),
    Kernel("adds", 1000000, 2, ["x", "x"], one=True, gm=2 << 20),
    Kernel("duplicate", 1000000, 2, ["x", "x"], one=True, gm=2 << 20),
    Kernel("store", 1000000, 1, SMALL, one=True, gm=4 << 20),
    Kernel("scalars", 4000000, 1, ["x", "x"], one=True, gm=2 << 20),
    Kernel("polls", 50000, 1, ["x", "inout:f"], one=True, gm=2 << 20),
]


def write_npy(path, descr, shape, pattern):
    """An array that repeats a pattern. Without NumPy: a child's largest resident set is never below this process's."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    size = math.prod(shape) * int(descr[2:])
    data = (pattern * (size // len(pattern) + 1))[:size]
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


class Bench:
    def __init__(self, sfumato, folder):
        self.sfumato, self.folder = sfumato, folder
        self.env = {**os.environ, "SFUMATO_CACHE": str(folder / "cache")}
        write_npy(folder / "x.npy", "<f4", (1 << 19,), struct.pack("<7f", *range(7)))
        write_npy(folder / "h.npy", "<f2", (1 << 19,), struct.pack("<7e", *range(7)))
        write_npy(folder / "l.npy", "<f2", (1 << 23,), struct.pack("<7e", *range(7)))
        write_npy(folder / "m.npy", "<f2", (512, 512), struct.pack("<3e", *range(3)))
        write_npy(folder / "f.npy", "<i4", (64,), bytes(4))

    def run(self, kernel, check, loops):
        """CPU seconds and the largest resident set in bytes."""
        arguments = []
        for text in kernel.arguments:
            if text.startswith("out:"):
                arguments.append(f"{text}={self.folder / 'z.npy'}")
            elif text.startswith("inout:"):
                arguments.append(f"inout:{self.folder / text[6:]}.npy={self.folder / 'z.npy'}")
            else:
                arguments.append(str(self.folder / f"{text}.npy"))
        command = [self.sfumato, "run", str(Path(__file__).with_name("checked_kernels.cpp")), "--chip", "Ascend910B1"]
        command += ["--kernel", kernel.name, "--blocks", str(kernel.blocks), "--check", check, "--", *arguments]
        output = self.folder / "output.txt"
        with open(output, "w") as file:
            child = subprocess.Popen([*command, f"uint32:{loops}"], env=self.env, stdout=file, stderr=file)
            _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        text = output.read_text()
        # With few loops outputs stay unwritten.
        if child.returncode != 0 or "warning [" in text.replace("warning [output-unwritten]", ""):
            sys.exit(f"{' '.join(command)} ended with {child.returncode}:\n{text}")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024

    def measure(self, kernel, checks, rounds):
        """For each check: seconds of the loops in every round, and the median of the largest resident sets."""
        seconds, memory = {c: [] for c in checks}, {c: [] for c in checks}
        for check in checks:  # compiled before, once for raw and once for the others
            self.run(kernel, check, 0)
        for _ in range(rounds):
            for check in checks:
                empty, _ = self.run(kernel, check, 0)
                full, size = self.run(kernel, check, kernel.loops)
                seconds[check].append(max(full - empty, 1e-6))
                memory[check].append(size)
        return seconds, {c: statistics.median(m) for c, m in memory.items()}


def costs(bench, kernels, checks, rounds):
    """Prints a row a kernel; the number of bounds missed."""
    print(f"{'time / none':<14}{'ns a record':>12}" + "".join(f"{c:>10}" for c in checks) + "  missed")
    missed, rows = 0, []
    for kernel in kernels:
        seconds, memory = bench.measure(kernel, ["none", *checks], rounds)
        each = statistics.median(seconds["none"]) / (kernel.loops * kernel.records * kernel.blocks) * 1e9
        row, over = f"{kernel.name:<14}{each:12.0f}", []
        for check in checks:
            ratio = statistics.median(a / b for a, b in zip(seconds[check], seconds["none"]))
            row += f"{ratio:10.2f}"
            if check in TIME and ratio > TIME[check][kernel.one]:
                over.append(f"{check} <= {TIME[check][kernel.one]}")
                missed += 1
        print(row + "  " + ", ".join(over), flush=True)
        rows.append((kernel, memory))
    print(f"\n{'MB above none':<14}{'MB of both':>12}" + "".join(f"{c:>10}" for c in checks) + "  missed")
    for kernel, memory in rows:
        row, over = f"{kernel.name:<14}{kernel.memory / 1e6:12.1f}", []
        for check in checks:
            more = memory[check] - memory["none"]
            row += f"{more / 1e6:10.1f}"
            if check in MEMORY and more > max(MEMORY_LEAST, MEMORY[check] * kernel.memory):
                over.append(check)
        print(row + "  " + ", ".join(over))
        missed += len(over)
    return missed


def linearity(bench, checks, rounds, most):
    """Prints the time of a record for numbers of records; the number of bounds missed."""
    kernel = next(k for k in KERNELS if k.name == "small_tiles")
    counts = [10**n for n in range(3, most + 1)]
    print(f"\n{'ns a record of':<16}" + "".join(f"{n:>11}" for n in counts) + "  missed")
    missed = 0
    for check in ["none", *checks]:
        row, seconds, over = f"{check:<16}", {}, []
        for count in counts:
            loops = -(-count // (kernel.records * kernel.blocks))
            part = Kernel(kernel.name, loops, kernel.records, kernel.arguments)
            seconds[count] = statistics.median(bench.measure(part, [check], rounds)[0][check])
            row += f"{seconds[count] / count * 1e9:11.0f}"
            if any(seconds[count] > LINEAR * count / n * (seconds[n] + NOISE) for n in seconds if n < count):
                over.append(str(count))
        print(row + "  " + ", ".join(over), flush=True)
        missed += len(over)
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sfumato", default=shutil.which("sfumato"), help="the command; default: the one on PATH")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--checks", default=",".join(CHECKS), help="with commas between; default: all of them")
    parser.add_argument("--kernels", default="", help="with commas between; default: all of them")
    parser.add_argument("--most", type=int, default=7, help="the last row of numbers of records is 10^MOST; 0: none")
    arguments = parser.parse_args()
    if not arguments.sfumato:
        parser.error("no sfumato on PATH: give --sfumato build/release/tools/sfumato/sfumato")
    names = arguments.kernels.split(",") if arguments.kernels else [k.name for k in KERNELS]
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(arguments.sfumato, Path(name))
        missed = costs(bench, [k for k in KERNELS if k.name in names], arguments.checks.split(","), arguments.rounds)
        if arguments.most:
            missed += linearity(bench, ["default", "all"], arguments.rounds, arguments.most)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
