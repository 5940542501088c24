# SPDX-License-Identifier: Apache-2.0
"""Kernels that end, stop, replace or leave the process that runs them."""

import os
import re
import subprocess
import time
import unittest

from command_case import CommandCase, main
from installation import SANITIZE
from raised import raised

SOURCE = r"""
#include <csignal>
#include <cstdlib>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include "kernel_operator.h"
#define KERNEL extern "C" __global__ __aicore__ void
extern "C" long syscall(long, ...) noexcept;
KERNEL exits(GM_ADDR x) { syscall(SYS_exit_group, 0); }
KERNEL stops(GM_ADDR x) { raise(SIGSTOP); }
KERNEL terminates(GM_ADDR x) { raise(SIGTERM); }
KERNEL kills(GM_ADDR x) { raise(SIGKILL); }
KERNEL interrupts(GM_ADDR x) { kill(getpid(), SIGINT); for (volatile bool still = true; still;) AscendC::PipeBarrier<PIPE_ALL>(); }
KERNEL execs(GM_ADDR x) { execl("/bin/true", "true", nullptr); }
KERNEL becomes(GM_ADDR x) {
    const char* words[] = {"sleep", "1234", nullptr};
    syscall(SYS_execve, "/bin/sleep", words, nullptr);
}
KERNEL forks(GM_ADDR x) { fork(); }
KERNEL stays(GM_ADDR x) { if (syscall(SYS_fork) == 0) for (;;) sleep(1); x[0] = 1; }
KERNEL threads(GM_ADDR x) { std::thread([] { for (;;) sleep(1); }).detach(); x[0] = 1; }
KERNEL joins(GM_ADDR x) { std::thread([x] { x[0] = 1; }).join(); }
KERNEL asks(GM_ADDR x) { x[0] = *(char*)malloc(size_t{1} << 60); }
KERNEL grows(GM_ADDR x) { x[0] = *(volatile char*)new char[size_t{1} << 60]; }
static void Quiet() noexcept { AscendC::Trap(); }
struct Last { ~Last() { AscendC::Trap(); } };
KERNEL quiet(GM_ADDR x) { Last last; Quiet(); }
KERNEL last(GM_ADDR x) { Last last; x[0] = 1; }
KERNEL sorted(GM_ADDR x) {
    int numbers[] = {2, 1};
    qsort(numbers, 2, sizeof(int), [](const void*, const void*) noexcept { AscendC::Trap(); return 0; });
}
"""


class EndsTest(CommandCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.write("leave.cpp", SOURCE)

    def ends(self, kernel, rule, *words, code=4):
        run = ["run", "leave.cpp", "--chip", "Ascend910B1", "--kernel", kernel, "--", "out:uint8[1]=left.npy"]
        result = self.sfumato(*run)
        self.assert_refused(result, f"fault [{rule}]", code)
        for text in words:
            self.assertIn(text, result.stderr)
        self.assertFalse(os.path.exists(self.path("left.npy")))
        raised(rule)

    def test_the_process_is_gone(self):
        self.ends("exits", "process-lost", "ended itself", "exit code 0 before the run was over")
        self.ends("terminates", "process-lost", "was ended by signal 15 (Terminated)")
        self.ends("kills", "process-lost", "was ended by signal 9 (Killed)")
        self.ends("interrupts", "interrupted", code=130)

    def test_the_process_goes_no_further(self):
        self.ends("stops", "process-lost", "was stopped by signal 19")
        self.ends("becomes", "process-lost", "became another program")
        self.assertEqual(running("sleep 1234"), [])

    def test_calls_that_copy_or_replace_it(self):
        self.ends("execs", "process-end", "leave.cpp:15", "found:  execl()")
        self.ends("forks", "process-end", "leave.cpp:20", "found:  fork()")

    def test_what_it_leaves_running(self):
        self.ends("stays", "left-behind", "a process that it started ran on")
        self.ends("threads", "left-behind", "a thread that it started ran on")
        self.assertEqual(running("leave.cpp"), [])
        run = ["run", "leave.cpp", "--chip", "Ascend910B1", "--kernel", "joins", "--", "out:uint8[1]=joined.npy"]
        self.assertEqual(self.sfumato(*run).returncode, 0)

    def test_faults_that_no_exception_can_carry(self):
        self.ends("quiet", "trap", "leave.cpp:26, kernel quiet,")
        self.ends("last", "trap", "leave.cpp:27, kernel last,")
        self.ends("sorted", "trap", "leave.cpp:32, kernel sorted,")

    @unittest.skipIf(SANITIZE, "a sanitizer ends the process that asks for so much")
    def test_memory_of_the_host(self):
        self.ends("asks", "kernel-memory", "leave.cpp:24", "malloc of 1152921504606846976 bytes")
        self.ends("grows", "kernel-memory", "std::bad_alloc")

    def test_a_compile_that_is_killed_leaves_nothing(self):
        temporary = self.path("temporary")
        os.mkdir(temporary)
        environment = {**os.environ, "SFUMATO_CACHE": self.path("own"), "TMPDIR": temporary}
        words = [
            "run",
            "leave.cpp",
            "--chip",
            "Ascend910B1",
            "--kernel",
            "joins",
            "-D",
            "ANOTHER",
            "--",
            "out:uint8[1]=x",
        ]
        process = subprocess.Popen(
            [self.sfumato_path, *words],
            cwd=self.dir,
            env=environment,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        deadline = time.monotonic() + 60
        while not os.listdir(temporary) and time.monotonic() < deadline:
            time.sleep(0.01)
        os.killpg(process.pid, 2)
        self.assertEqual(process.wait(), 130)
        self.assertEqual(os.listdir(temporary), [])
        self.assertFalse([name for name in os.listdir(self.path("own")) if name.startswith("new-")])


def running(words):
    told = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=False).stdout
    return [line for line in told.splitlines() if re.search(f"(^|[ /]){words}( |$)", line)]


class NumbersTest(CommandCase):
    def test_numbers_with_a_sign(self):
        for option, value, legal in (
            ("--tiling-key", "-5", "no key: 0 to 2^64 - 1"),
            ("--tiling-key", "18446744073709551616", "no key: 0 to 2^64 - 1"),
            ("--fill", "-1", "not legal; legal: 0 to 255"),
        ):
            result = self.run_kernel("copy", options=[f"{option}={value}"])
            self.assert_refused(result, f"{option} '{value}' is {legal}")


if __name__ == "__main__":
    main("ends_test")
