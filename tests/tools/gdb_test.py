# SPDX-License-Identifier: Apache-2.0
"""`sfumato gdb` in batch mode: where it stops, what it prints, what it refuses. Usage: gdb_test.py PATH_OF_SFUMATO"""

import os
import re
import struct

from command_case import CommandCase, main, npy, read_npy

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
        Look();
    }
    __aicore__ inline void Look() {
        LocalTensor<int4b_t> nibbles = calc.Get<int4b_t>();
        LocalTensor<uint8_t> bytes = calc.Get<uint8_t>();
        bytes.SetValue(0, 0x8F);
        bytes.SetValue(1, 0x71);
        LocalTensor<float> none;
        bfloat16_t third = 1.0f / 3;
        half numbers[4] = {half(65504), half::FromBits(0x7C00), half::FromBits(0xFE01), half::FromBits(1)};
        int4b_t four = -4;
        TQue<TPosition::VECIN, 1> unused;
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


def line_of(text):
    return next(i for i, line in enumerate(LINES, 1) if text in line)


class GdbTest(CommandCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.write("scale.cpp", KERNEL)
        cls.write("h.npy", npy("<f2", (32,), struct.pack("<32e", *range(32))))

    def gdb(self, *commands, options=(), blocks=2, **env):
        """What gdb prints, without the lines about threads and processes."""
        asked = [word for command in commands for word in ("-ex", command)]
        result = self.sfumato(
            "gdb", "scale.cpp", "--chip", "Ascend910B1", "--blocks", str(blocks), *options,
            "--", "h.npy", "out:float16[32]=y.npy", "--", "-batch", *asked, process={"stdin": -3}, **env,
        )  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def values(self, *commands, **more):
        """Of each `print`, the text behind $N = ."""
        return re.findall(r"^\$\d+ = (.*)$", self.gdb(*commands, **more), re.M)

    def test_stops_at_the_entry_and_steps_by_lines(self):
        entry = line_of("Scale op;")
        text = self.gdb("bt 1", "next", "step", "info source", "finish", "delete", "continue")
        self.assertIn('Thread 2 "aiv0" hit Breakpoint 1, scale (', text)
        self.assertIn(f"at scale.cpp:{entry}\n{entry}\t    Scale op;\n[block 0 of 2 on aiv0]\n#0  scale (", text)
        self.assertIn(f"\n{entry + 1}\t    op.Init(x, y);\n", text)
        first = line_of("xGm.SetGlobalBuffer")
        self.assertIn("Scale::Init (this=", text)
        self.assertIn(f"at scale.cpp:{first}\n{first}\t        xGm.SetGlobalBuffer", text)
        self.assertRegex(text, r"Inferior 1 \(process \d+\) exited normally")
        values = [value for i in range(32) for value in [round_half(i * struct.unpack("<e", b"\x66\x2e")[0])]]
        self.assertEqual(read_npy(self.path("y.npy")), ("<f2", (32,), struct.pack("<32e", *values)))

    def test_steps_over_what_headers_define(self):
        here = line_of("DataCopy(x, xGm")
        text = self.gdb("step", "step", "step", options=["--break", f"scale.cpp:{here}"], blocks=1)
        for offset in range(4):
            self.assertIn(f"\n{here + offset}\t{LINES[here + offset - 1]}\n", text)

    def test_a_core_that_stands_is_no_core_that_polls(self):
        steps = ["python import time; time.sleep(0.05)", "next"] * 9
        text = self.gdb(*steps, "info threads", options=["--break", str(line_of("bytes.SetValue(0"))])
        self.assertEqual(len(re.findall(r'^[* ] +\d+ +Thread .*"', text, re.M)), 2, text)

    def test_prints_tensors_queues_and_numbers(self):
        free, last = line_of("in.FreeTensor(x)"), line_of("xGm.GetSize()")
        elements = ", ".join(map(str, range(16)))
        self.assertEqual(
            self.values(
                "print x", "print factor", "print in", "print out", "print calc", "print pipe",
                "set print elements 3", "print y", "print xGm", "print yGm", "set print elements 4", f"tbreak {last}", "continue",
                "print nibbles", "print none", "print third", "print numbers", "print four", "print unused",
                "print bytes[0]", "print $sfumato_core()", "print $sfumato_block()",
                options=["--break", str(free)],
            ),
            [
                f"LocalTensor<half> VECIN at UB+0x0, 16 elements, 32 bytes = {{{elements}}}",
                "0.1",
                "TQue, GM -> VECIN, depth 1, 2 x 32 bytes: 1 free, 1 dequeued = {"
                f"[0] = dequeued at UB+0x0, since scale.cpp:{line_of('in.DeQue')}, [1] = free at UB+0x20}}",
                "TQue, VECOUT -> GM, depth 1, 1 x 32 bytes: 0 free, 1 dequeued = {"
                f"[0] = dequeued at UB+0x40, since scale.cpp:{line_of('out.DeQue')}}}",
                "TBuf, VECCALC, 64 bytes at UB+0x60",
                "TPipe, UB 160 of 196608 bytes = {queue 0 = GM -> VECIN, depth 1, 2 x 32 bytes: 1 free, 1 dequeued, "
                "queue 1 = VECOUT -> GM, depth 1, 1 x 32 bytes: 0 free, 1 dequeued, "
                "buffer 0 = VECCALC, 64 bytes at UB+0x60}",
                "LocalTensor<half> VECOUT at UB+0x40, 16 elements, 32 bytes = {0, 0.1, 0.2...}",
                "GlobalTensor<half> at x+0x0, 16 elements, 32 bytes = {0, 1, 2...}",
                "GlobalTensor<half> at y+0x0, size not given = {0, 0.1, 0.2...}",
                "LocalTensor<int4b_t> VECCALC at UB+0x60, 128 elements, 64 bytes = {-1, -8, 1, 7...}",
                "LocalTensor<float>, nowhere",
                "0.334",
                "{65504, inf, nan(0xfe01), 6e-08}",
                "-4",
                "TQue, not initialised",
                '"aiv0"',
                "0",
            ],
        )  # fmt: skip

    def test_breaks_where_it_is_told(self):
        muls = line_of("Muls(")
        block = self.values("print x", options=["--break", f"{muls} if $sfumato_block() == 1"])
        self.assertEqual(len(block), 1)
        self.assertTrue(block[0].endswith("= {" + ", ".join(map(str, range(16, 32))) + "}"), block)
        text = self.gdb(options=["--break", "scale.cpp:999", "--break=nowhere"])
        self.assertIn("Breakpoint 1 (scale.cpp:999) was not reached.\nBreakpoint 2 (nowhere) was not reached.\n", text)

    def refused(self, *words, code=2, **env):
        result = self.sfumato("gdb", *words, **env)
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        return result.stderr

    def test_refuses_in_a_sentence(self):
        kernel = ["scale.cpp", "--chip", "Ascend910B1", "--", "h.npy", "out:float16[32]=y.npy"]
        self.assertEqual(
            self.refused(*kernel, SFUMATO_GDB="/no/gdb"),
            "error: sfumato gdb needs gdb; /no/gdb: No such file or directory. Install it (Debian: apt-get install "
            "gdb), or name one with SFUMATO_GDB\n",
        )
        for place in ("0", "scale.cpp:0", ""):
            self.assertEqual(
                self.refused("--break", place, *kernel),
                f"error: --break '{place}': there is no line 0: LINE, FILE:LINE or a function\n",
            )
        self.assertEqual(
            self.refused("script.py"),
            "error: script.py is a TIK script, which has a debugger of its own: sfumato tik script.py --debug\n",
        )
        self.assertEqual(
            self.refused("scale.cpp", "--chip", "Ascend910B1", "--", "absent.npy"),
            self.sfumato("run", "scale.cpp", "--chip", "Ascend910B1", "--", "absent.npy").stderr,
        )
        self.write("wrong.cpp", KERNEL.replace("Scale op;", "Scael op;"))
        self.assertIn("wrong.cpp:", self.refused("wrong.cpp", "--chip", "Ascend910B1", code=3))
        self.assertIn("`sfumato gdb --help` lists what is legal.\n", self.refused("scale.cpp", "--chop"))


def round_half(value):
    return struct.unpack("<e", struct.pack("<e", value))[0]


if __name__ == "__main__":
    os.environ.pop("SFUMATO_GDB", None)
    main("gdb_test")
