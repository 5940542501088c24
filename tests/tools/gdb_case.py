# SPDX-License-Identifier: Apache-2.0
"""Kernels under `sfumato gdb` in batch mode: what gdb_test.py runs them with."""

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


class GdbCase(CommandCase):
    maxDiff = None
    GDB = []  # further words for gdb

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

    def gdb(self, *commands, options=(), blocks=2, file="scale.cpp", errors=None, words=(), **env):
        """What gdb prints on its standard output; errors gets the lines of the other, of commands that failed."""
        asked = [word for command in commands for word in ("-ex", command)]
        result = self.run_limited(
            self.sfumato_path, "gdb", file, "--chip", "Ascend910B1", "--blocks", str(blocks), *options,
            "--", "h.npy", "out:float16[32]=y.npy", "--", "-batch", *self.GDB, *words, *asked, **env,
        )  # fmt: skip
        if errors is None:
            self.assertEqual(result.returncode, 0, result.stderr)
        else:
            errors += result.stderr.splitlines()
        return result.stdout

    def values(self, *commands, **more):
        """Of each `print`, the text behind $N = ."""
        return re.findall(r"^\$\d+ = (.*)$", self.gdb(*commands, **more), re.M)
