# SPDX-License-Identifier: Apache-2.0
"""Launches under random Ctrl-C, timeouts, crashes and forks: nothing leaks, nothing hangs, and every result is right.

python3 control_stress.py LAUNCHES [SEED] runs them; a test runs a few."""

import contextlib
import faulthandler
import os
import random
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import sfumato

SOURCE = """\
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, int32_t n, int32_t rounds) {
    GlobalTensor<int32_t> in, out;
    in.SetGlobalBuffer((__gm__ int32_t*)x + GetBlockIdx() * 64, 64);
    out.SetGlobalBuffer((__gm__ int32_t*)y + GetBlockIdx() * 64, 64);
    TPipe pipe; TBuf<> buffer; pipe.InitBuffer(buffer, 256);
    LocalTensor<int32_t> t = buffer.Get<int32_t>();
    DataCopy(t, in, 64);
    for (int32_t i = 0; i < rounds || rounds < 0; ++i) Adds(t, t, n, 64);
    DataCopy(out, t, 64);
    SyncAll();
}
__attribute__((noinline)) static int Deep(int n) {
    volatile char b[999]; b[n % 999] = 1; return n ? Deep(n + 1) + b[n % 999] : 0;
}
extern "C" __global__ __aicore__ void crash(__gm__ int32_t* x, int32_t how) {
    if (how == 0) *(volatile int*)nullptr = 1;
    if (how == 1) x[0] = 7 / (how - 1);
    if (how == 2) std::terminate();
    if (how == 3) x[0] = Deep(1);
    if (how == 4) syscall(SYS_exit_group, 7);
    if (how == 5) raise(SIGKILL);
}
"""
CRASHES = ["raw-pointer", "arithmetic-trap", "abort", "stack-overflow", "process-lost", "process-lost"]
BLOCKS = 4


class Stress:
    def __init__(self, folder, seed):
        path = Path(folder, "stress.cpp")
        path.write_text(SOURCE)
        self.lib = sfumato.compile(path, chip="Ascend910B1")
        self.random = random.Random(seed)
        self.x = np.arange(64 * BLOCKS, dtype=np.int32)
        self.done = dict.fromkeys(("plain", "interrupt", "timeout", "crash", "fork"), 0)

    def one(self):
        kind = self.random.choice(list(self.done))
        getattr(self, kind)(self.random.random() < 0.5)
        self.done[kind] += 1

    def plain(self, isolated):
        y, n = np.zeros_like(self.x), self.random.randrange(1000)
        self.lib.add[BLOCKS].options(isolated=isolated)(self.x, y, n, 3)
        assert (y == self.x + 3 * n).all()

    def interrupt(self, isolated):
        """Whenever Ctrl-C comes, the launch has ended by it, or is right."""
        y, ended = np.zeros_like(self.x), threading.Event()
        rounds = self.random.choice([-1, 3000])

        def press():
            time.sleep(self.random.random() * 0.03)
            os.kill(os.getpid(), signal.SIGINT)
            ended.set()

        presses = threading.Thread(target=press)
        try:
            presses.start()
            self.lib.add[BLOCKS].options(isolated=isolated)(self.x, y, 1, rounds)
            assert rounds > 0 and (y == self.x + rounds).all()
            ended.wait()
            time.sleep(0.01)  # the handler runs
            raise AssertionError("Ctrl-C is lost")
        except KeyboardInterrupt as interrupt:
            cause = interrupt.__cause__
            assert cause is None or cause.rule == "interrupted"
            assert not y.any() or (y == self.x + rounds).all()
        ended.wait()

    def timeout(self, isolated):
        y = np.zeros_like(self.x)
        try:
            self.lib.add[BLOCKS].options(isolated=isolated, timeout=0.001 + self.random.random() * 0.03)(
                self.x, y, 1, -1
            )
            raise AssertionError("it has ended")
        except sfumato.KernelError as error:
            assert error.rule == "timeout" and not y.any()

    def crash(self, _):
        how = self.random.randrange(len(CRASHES))
        y = np.zeros(8, np.int32)
        try:
            self.lib.crash[1].options(isolated=True)(y, how)
            raise AssertionError("it has not crashed")
        except sfumato.KernelError as error:
            assert error.rule == CRASHES[how], (error.rule, how)
        assert not y.any()

    def fork(self, isolated):
        child = os.fork()
        if child == 0:
            code = 1
            with contextlib.suppress(BaseException):
                self.plain(isolated)
                self.plain(False)
                code = 0
            os._exit(code)
        assert os.waitpid(child, 0)[1] == 0


def held():
    """What a process may leak: open files, maps of shared memory, threads."""
    maps = Path("/proc/self/maps").read_text().count("memfd:sfumato")
    return len(os.listdir("/proc/self/fd")), maps, len(os.listdir("/proc/self/task"))


def descendants(parent):
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                children.setdefault(
                    int(Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()[1]), []
                ).append(int(entry))
    found, queue = [], [parent]
    while queue:
        more = children.get(queue.pop(), [])
        found += more
        queue += more
    return found


def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def run(launches, seed):
    with tempfile.TemporaryDirectory() as folder:
        stress = Stress(folder, seed)
        for isolated in (False, True):
            stress.plain(isolated)
        warm = max(10, launches // 10)
        for i in range(launches):
            faulthandler.dump_traceback_later(60, exit=True)  # it hangs
            stress.one()
            faulthandler.cancel_dump_traceback_later()
            if i == warm:
                files, maps, threads = held()
                memory = resident()
        for isolated in (False, True):
            stress.plain(isolated)
        after = held()
        processes = len(descendants(os.getpid()))
        assert after[0] <= files + 4, (files, after)  # a runner at rest has four
        assert after[1] <= maps + 1 and after[2] <= threads + 4, (maps, threads, after)
        assert processes <= 2, processes  # the server, a runner
        assert resident() < memory + (64 << 20), (memory, resident())
        from sfumato import _isolated

        _isolated._server.end()
        assert descendants(os.getpid()) == [] and held()[1] == 0
    return stress.done


if __name__ == "__main__":
    print(run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
