# SPDX-License-Identifier: Apache-2.0
"""`sfumato run` with --timeout and under Ctrl-C: the report, the exit code, and that no output is written."""

import os
import re
import signal
import subprocess

from command_case import CommandCase, main, npy
from raised import raised

LOOPS = r"""
#include "kernel_operator.h"
using namespace AscendC;
__aicore__ inline LocalTensor<int32_t> Begin(TPipe& pipe, TBuf<>& buffer) {
    pipe.InitBuffer(buffer, 256);
    LocalTensor<int32_t> tensor = buffer.Get<int32_t>();
    Duplicate(tensor, 5, 64);
    AscendC::printf("begun\n");
    return tensor;
}
extern "C" __global__ __aicore__ void forever(GM_ADDR x) {
    TPipe pipe; TBuf<> buffer; LocalTensor<int32_t> tensor = Begin(pipe, buffer);
    for (;;) Adds(tensor, tensor, 1, 64);
}
extern "C" __global__ __aicore__ void no_instructions(GM_ADDR x) {
    TPipe pipe; TBuf<> buffer; Begin(pipe, buffer);
    volatile bool stay = true;
    while (stay) {}
}
"""

TIMEOUT = """\
fault [timeout] the launch took longer than its timeout of 0.1 s
  where:  loops.cpp:13, kernel forever, core aiv0, instruction N (Ascend910B)
  found:  aiv0, aiv1: at Adds, loops.cpp:13
  legal:  an end within 0.1 s
  do:     look for a loop or a wait that never ends where the cores stood; a launch that only needs longer gets a higher timeout
1 fault, 0 warnings, 0 notes
"""

STUCK = """\
fault [timeout] the launch took longer than its timeout of 0.1 s
  where:  loops.cpp:15, kernel no_instructions (Ascend910B1)
  found:  aiv0: in code without instructions, after 1 of them
  legal:  an end within 0.1 s
  do:     look for a loop in scalar or host code that never ends: it cannot be stopped at an instruction
1 fault, 0 warnings, 0 notes
"""


class ControlTest(CommandCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.write("loops.cpp", LOOPS)
        cls.write("x.npy", npy("|u1", (4,), bytes(4)))

    def line(self, kernel, *options):
        return ["run", "loops.cpp", "--chip", "Ascend910B1", "--kernel", kernel, *options, "--", "inout:x.npy=out.npy"]

    def assert_nothing_written(self):
        self.assertFalse([name for name in os.listdir(self.dir) if name.startswith("out.npy")])

    def interrupted(self, kernel):
        """Ctrl-C of a terminal reaches all processes of the command."""
        process = subprocess.Popen(
            [self.sfumato_path, *self.line(kernel)],
            cwd=self.dir,
            env={**os.environ, "SFUMATO_CACHE": self.cache},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.assertEqual(process.stdout.readline(), "[AIV Block 0/1] begun\n")
        os.killpg(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        return process.returncode, re.sub(r"instruction \d+", "instruction N", stderr)

    def test_a_timeout(self):
        result = self.sfumato(*self.line("forever", "--timeout", "0.1", "--blocks", "2"))
        self.assertEqual(result.returncode, 4)
        self.assertEqual(re.sub(r"instruction \d+", "instruction N", result.stderr), TIMEOUT)
        raised("timeout")
        self.assert_nothing_written()

    def test_code_without_instructions(self):
        result = self.sfumato(*self.line("no_instructions", "--timeout", "0.1"))
        self.assertEqual((result.returncode, result.stderr), (4, STUCK))
        self.assert_nothing_written()

    def test_ctrl_c(self):
        code, text = self.interrupted("forever")
        self.assertEqual(code, 130)
        self.assertEqual(
            text.splitlines()[:3],
            [
                "fault [interrupted] the launch was interrupted",
                "  where:  loops.cpp:13, kernel forever, core aiv0, instruction N (Ascend910B)",
                "  found:  aiv0: at Adds, loops.cpp:13",
            ],
        )
        raised("interrupted")
        self.assert_nothing_written()

    def test_ctrl_c_in_code_without_instructions(self):
        code, text = self.interrupted("no_instructions")
        self.assertEqual(code, 130)
        self.assertIn("found:  aiv0: in code without instructions, after 1 of them", text)
        self.assert_nothing_written()

    def test_no_time(self):
        for value in ("0", "-1", "nan"):
            result = self.sfumato(*self.line("forever", f"--timeout={value}"))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("is not legal; legal: seconds above 0", result.stderr)


if __name__ == "__main__":
    main("control_test")
