# SPDX-License-Identifier: Apache-2.0
"""Kernels under `sfumato gdb` and `sfumato lldb` in batch mode: what their tests run them with, and what both show."""

import os
import re
import struct
import subprocess

from command_case import CommandCase, npy
import limited

LIMIT_SECONDS = 150  # of one gdb, the compilation of its kernel included

KERNEL = r"""#include "kernel_operator.h"
using namespace AscendC;
class Scale {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        xGm.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * 16, 16);
        yGm.SetGlobalBuffer((__gm__ half*)y + GetBlockIdx() * 16);
        pipe.InitBuffer(in, 2, 32);
        pipe.InitBuffer(out, 1, 32);
        pipe.InitBuffer(calc, 64);
    }
    __aicore__ inline void Process() {
        LocalTensor<half> x = in.AllocTensor<half>();
        DataCopy(x, xGm, 16);
        in.EnQue(x);
        x = in.DeQue<half>();
        LocalTensor<half> y = out.AllocTensor<half>();
        half factor = 0.1;
        Muls(y, x, factor, 16);
        out.EnQue(y);
        y = out.DeQue<half>();
        DataCopy(yGm, y, 16);
        in.FreeTensor(x);
        out.FreeTensor(y);
        Look(x);
    }
    __aicore__ inline void Look(const LocalTensor<half>& given) {
        LocalTensor<int4b_t> nibbles = calc.Get<int4b_t>();
        LocalTensor<uint8_t> bytes = calc.Get<uint8_t>();
        bytes.SetValue(0, 0x8F);
        bytes.SetValue(1, 0x71);
        LocalTensor<float> none;
        bfloat16_t third = 1.0f / 3;
        half numbers[4] = {half(65504), half::FromBits(0x7C00), half::FromBits(0xFE01), half::FromBits(1)};
        int4b_t four = -4;
        TQue<TPosition::VECIN, 1> unused;
        TBufPool<TPosition::VECCALC, 4> pool;
        pipe.InitBufPool(pool, 96);
        TBuf<TPosition::VECCALC> inner;
        pool.InitBuffer(inner, 32);
        xGm.GetSize();
    }
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> calc;
    GlobalTensor<half> xGm, yGm;
};
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y) {
    Scale op;
    op.Init(x, y);
    op.Process();
}
"""
LINES = KERNEL.splitlines()

ENDED = r"""#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void ended(GM_ADDR x, GM_ADDR y) {
    TQue<TPosition::VECIN, 1> old, in;
    TBuf<TPosition::VECCALC> buf;
    TPipe first;
    first.InitBuffer(old, 1, 64);
    first.InitBuffer(buf, 32);
    first.Destroy();
    TPipe second;
    second.InitBuffer(in, 1, 64);
    second.Destroy();
}
"""


def line_of(text):
    return next(i for i, line in enumerate(LINES, 1) if text in line)


ELEMENTS = ", ".join(map(str, range(16)))
# Where both debuggers stop in KERNEL; how many elements they show there, and of which variables what.
SHOWN = [
    ("in.FreeTensor(x)", 200, {
        "x": f"LocalTensor<half> VECIN at UB+0x0, 16 elements, 32 bytes = {{{ELEMENTS}}}",
        "factor": "0.1",
        "in": "TQue, GM -> VECIN, depth 1, 2 x 32 bytes: 1 free, 1 dequeued = {"
        f"[0] = dequeued at UB+0x0, since scale.cpp:{line_of('in.DeQue')}, [1] = free at UB+0x20}}",
        "out": "TQue, VECOUT -> GM, depth 1, 1 x 32 bytes: 0 free, 1 dequeued = {"
        f"[0] = dequeued at UB+0x40, since scale.cpp:{line_of('out.DeQue')}}}",
        "calc": "TBuf, VECCALC, 64 bytes at UB+0x60",
        "pipe": "TPipe, UB 160 of 196608 bytes = {queue 0 = GM -> VECIN, depth 1, 2 x 32 bytes: 1 free, 1 dequeued, "
        "queue 1 = VECOUT -> GM, depth 1, 1 x 32 bytes: 0 free, 1 dequeued, "
        "buffer 0 = VECCALC, 64 bytes at UB+0x60}",
    }),
    ("in.FreeTensor(x)", 3, {
        "y": "LocalTensor<half> VECOUT at UB+0x40, 16 elements, 32 bytes = {0, 0.1, 0.2...}",
        "xGm": "GlobalTensor<half> at x+0x0, 16 elements, 32 bytes = {0, 1, 2...}",
        "yGm": "GlobalTensor<half> at y+0x0, size not given = {0, 0.1, 0.2...}",
    }),
    ("xGm.GetSize()", 4, {
        "nibbles": "LocalTensor<int4b_t> VECCALC at UB+0x60, 128 elements, 64 bytes = {-1, -8, 1, 7...}",
        "none": "LocalTensor<float>, nowhere",
        "third": "0.334",
        "four": "-4",
        "unused": "TQue, not initialised",
        "pool": "TBufPool, UB, 1 of 4 buffers, 32 of 96 bytes used",
        "inner": "TBuf, VECCALC, 32 bytes at UB+0xa0",
    }),
]  # fmt: skip
# In ENDED, behind the second pipe.
ENDED_SHOWN = {
    "old": "TQue, GM -> VECIN, depth 1, 1 x 64 bytes: 1 free (its memory was handed out again) = {[0] = free at UB+0x0}",
    "buf": "TBuf, VECCALC, 32 bytes at UB+0x40",
    "first": "TPipe, not initialised, or destroyed",
    "in": "TQue, GM -> VECIN, depth 1, 1 x 64 bytes: 1 free = {[0] = free at UB+0x0}",
    "second": "TPipe, UB 64 of 196608 bytes = {queue 1 = GM -> VECIN, depth 1, 1 x 64 bytes: 1 free}",
}
ENDED_LINE = next(i for i, line in enumerate(ENDED.splitlines(), 1) if "second.Destroy" in line)


class DebuggerCase(CommandCase):
    """VERB: the debugger; QUIET, EXECUTE: words of its command line."""

    maxDiff = None
    GDB = []  # further words for the debugger

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.write("scale.cpp", KERNEL)
        cls.write("ended.cpp", ENDED)
        cls.write("h.npy", npy("<f2", (32,), struct.pack("<32e", *range(32))))

    def run_limited(self, *words, **env):
        return limited.run(
            words, LIMIT_SECONDS, cwd=self.dir, env={**os.environ, "SFUMATO_CACHE": self.cache, **env},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def debug(self, *commands, options=(), blocks=2, file="scale.cpp", errors=None, words=(), **env):
        """What the debugger prints on its standard output; errors gets the lines of the other, of commands that failed."""
        asked = [word for command in commands for word in (self.EXECUTE, command)]
        result = self.run_limited(
            self.sfumato_path, self.VERB, file, "--chip", "Ascend910B1", "--blocks", str(blocks), *options,
            "--", "h.npy", "out:float16[32]=y.npy", "--", *self.QUIET, *self.GDB, *words, *asked, **env,
        )  # fmt: skip
        if errors is None:
            self.assertEqual(result.returncode, 0, result.stderr)
        else:
            errors += result.stderr.splitlines()
        return result.stdout

    def values(self, *commands, **more):
        """The text of each variable that was printed."""
        return re.findall(self.VALUE, self.debug(*commands, **more), re.M)

    def check_shown(self):
        commands, here, expected = [], SHOWN[0][0], []
        for place, limit, variables in SHOWN:
            if place != here:
                commands += [self.STOP.format(line_of(place)), "continue"]
                here = place
            commands += [self.LIMIT.format(limit), *(f"{self.PRINT} {name}" for name in variables)]
            expected += variables.values()
        self.assertEqual(self.values(*commands, options=["--break", str(line_of(SHOWN[0][0]))]), expected)

    def check_ended(self):
        asked = [f"{self.PRINT} {name}" for name in ENDED_SHOWN]
        found = self.values(*asked, file="ended.cpp", options=["--break", str(ENDED_LINE)], blocks=1)
        self.assertEqual(found, list(ENDED_SHOWN.values()))


class GdbCase(DebuggerCase):
    VERB, QUIET, EXECUTE = "gdb", ["-batch"], "-ex"
    PRINT, LIMIT, STOP = "print", "set print elements {}", "tbreak {}"
    VALUE = r"^\$\d+ = (.*)$"


class LldbCase(DebuggerCase):
    VERB, QUIET, EXECUTE = "lldb", ["--batch"], "-o"
    PRINT, LIMIT, STOP = "v", "settings set target.max-children-count {}", "sfumato-break scale.cpp:{}"
    VALUE = r"^\([^()]*\) \w+ = (.*)$"
