# SPDX-License-Identifier: Apache-2.0
"""`sfumato gdb` in batch mode: where it stops, what it prints, what it refuses. All of it twice: with gdb as it is, and with
a gdb that may not call functions, as on CPUs where it cannot."""

import os
import re
import struct
import subprocess
from pathlib import Path

from command_case import main, read_npy
from gdb_case import KERNEL, LINES, GdbCase, line_of
from installation import PREFIX, RELEASE

SCRIPT = PREFIX / "share" / "sfumato" / "gdb" / "sfumato_gdb.py"


class GdbTest(GdbCase):
    def test_stops_at_the_entry_and_steps_by_lines(self):
        entry = line_of("Scale op;")
        text = self.debug("bt 1", "next", "step", "info source", "finish", "delete", "continue")
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
        text = self.debug("step", "step", "step", options=["--break", f"scale.cpp:{here}"], blocks=1)
        for offset in range(4):
            self.assertIn(f"\n{here + offset}\t{LINES[here + offset - 1]}\n", text)

    def test_a_core_that_stands_is_no_core_that_polls(self):
        steps = ["python import time; time.sleep(0.05)", "next"] * 9
        text = self.debug(*steps, "info threads", options=["--break", str(line_of("bytes.SetValue(0"))])
        self.assertEqual(len(re.findall(r'^[* ] +\d+ +Thread .*"', text, re.M)), 2, text)

    def test_prints_tensors_queues_and_numbers(self):
        self.check_shown()

    def test_prints_arrays_bytes_and_the_core(self):
        self.assertEqual(
            self.values(
                "set print elements 4", "print numbers", "print bytes[0]", "print $sfumato_core()", "print $sfumato_block()",
                options=["--break", str(line_of("xGm.GetSize()"))],
            ),
            [
                "{65504, inf, nan(0xfe01), 6e-08}",
                "LocalTensor<unsigned char> VECCALC at UB+0x60, 64 elements, 64 bytes = "
                "{143 '\\217', 113 'q', 254 '\\376', 254 '\\376'...}",
                '"aiv0"',
                "0",
            ],
        )  # fmt: skip

    def test_prints_what_ended_pipes_left(self):
        self.check_ended()

    def test_breaks_where_it_is_told(self):
        muls = line_of("Muls(")
        block = self.values("print x", options=["--break", f"{muls} if $sfumato_block() == 1"])
        self.assertEqual(len(block), 1)
        self.assertTrue(block[0].endswith("= {" + ", ".join(map(str, range(16, 32))) + "}"), block)
        aiv1 = f'{muls} if $_streq($sfumato_core(), "aiv1")'
        self.assertEqual(self.values("print $sfumato_block()", options=["--break", aiv1]), ["1"])
        text = self.debug(options=["--break", "scale.cpp:999", "--break=nowhere"])
        self.assertIn("Breakpoint 1 (scale.cpp:999) was not reached.\nBreakpoint 2 (nowhere) was not reached.\n", text)

    def test_operators_and_accessors_of_tensors(self):
        last = line_of("xGm.GetSize()")
        at_free = {
            "x[3]": "LocalTensor<half> VECIN at UB+0x6, 13 elements, 26 bytes = {3, 4, 5...}",
            "x[16]": "LocalTensor<half> VECIN at UB+0x20, 0 elements, 0 bytes",
            "x(3)": "3",
            "y(1).bits_ + this->xGm(15).bits_": str(0x2E66 + 0x4B80),
            "x.operator()(4)": "4",
            "x.GetValue(5)": "5",
            "x.GetSize()": "16",
            "xGm[2]": "GlobalTensor<half> at x+0x4, 14 elements, 28 bytes = {2, 3, 4...}",
            "xGm[16]": "GlobalTensor<half> at x+0x20, size not given = {16, 17, 18...}",
            "xGm.GetSize()": "16",
            "yGm[31]": "GlobalTensor<half> at y+0x3e, size not given = {nan(0xfefe)}",
            "yGm(1)": "0.1",
        }
        at_last = {
            "nibbles[2]": "LocalTensor<int4b_t> VECCALC at UB+0x61, 126 elements, 63 bytes = {1, 7, -2...}",
            "nibbles(1)": "-8",
            "nibbles.GetValue(2) + 1": "2",
            "bytes(0)": "143 '\\217'",
            "bytes(0) - bytes.GetValue(1)": "30",
            'sizeof("bytes(0)")': "9",
            "given[3]": "LocalTensor<half> VECIN at UB+0x6, 13 elements, 26 bytes = {3, 4, 5...}",
            "given(3)": "3",
            "(1>bytes (1))": "false",
        }
        commands = [f"print {e}" for e in at_free] + [f"tbreak {last} if bytes.GetValue(0) == 0x8f", "continue"]
        commands += [f"print {e}" for e in at_last] + ["p/x bytes(1)"]
        place = ["--break", str(line_of("in.FreeTensor(x)"))]
        values = self.values("set print elements 3", *commands, options=place)
        self.assertEqual(values, [*at_free.values(), *at_last.values(), "0x71"])

    def test_an_index_out_of_a_tensor_is_an_error(self):
        local, odd = (
            "LocalTensor<half>: the {} leads out of the tensor: {}; legal: 0 to {}",
            "LocalTensor<int4b_t>: a tensor",
        )
        world = "GlobalTensor<half>: the {} leads out of the tensor: {}; legal: {} to {}"
        wrong = {
            "x[17]": local.format("offset", 17, 16),
            "x[-1]": local.format("offset", -1, 16),
            "x(16)": local.format("index", 16, 15),
            "x.GetValue(-1)": local.format("index", -1, 15),
            "xGm(16)": world.format("index", 16, 0, 15),
            "xGm[33]": world.format("offset", 33, 0, 32),
            "xGm[-1]": world.format("offset", -1, 0, 32),
            "yGm(32)": world.format("index", 32, 0, 31),
            "nibbles[3]": odd + " starts at whole bytes: 3; legal: an even offset",
            "none[0]": "LocalTensor<float>, nowhere: it has no elements yet",
            "none(0)": "LocalTensor<float>, nowhere: it has no elements yet",
        }
        here = [f"print {e}" for e in wrong if e[0] in "xy"]
        later = [f"print {e}" for e in wrong if e[0] == "n"]
        errors = []
        self.debug(
            *here, f"tbreak {line_of('xGm.GetSize()')}", "continue", *later,
            options=["--break", str(line_of("in.FreeTensor(x)"))], errors=errors,
        )  # fmt: skip
        said = [line.split("'>: ", 1)[1] for line in errors if line.startswith("Python Exception")]
        self.assertEqual(said, list(wrong.values()))

    def test_own_calls_are_the_users(self):
        errors = []
        text = self.debug("print (int)getpid()", "print op", errors=errors)
        if self.GDB:
            self.assertIn("Cannot call functions in the program: may-call-functions is off.", errors)
        else:
            self.assertRegex(text, r"\n\$1 = \d+\n")

    def test_backtraces_end_at_the_kernel(self):
        place = ["--break", str(line_of("Muls("))]
        text = self.debug("bt", options=place)
        frames = re.findall(r"^#\d+ +(?:0x\w+ in )?([\w:?]+)", text, re.M)
        self.assertEqual(
            (frames[:2], frames[-1]), (["Scale::Process", "scale"], "sfumato::runtime::Fibre::Enter"), text
        )
        self.assertNotIn("??", frames)
        self.assertNotIn("Backtrace stopped", text)

    ASKED = ["print in", "print calc", "print pipe", "print x", "print x[3]", "print x(3)", "print $sfumato_core()"]

    def test_a_library_without_symbols_tells_the_same(self):
        place = ["--break", str(line_of("in.FreeTensor(x)"))]
        linked = subprocess.run(["ldd", self.sfumato_path], stdout=subprocess.PIPE, text=True, check=True).stdout
        library = Path(re.search(r"libsfumato\.so\S* => (\S+)", linked)[1])
        folder = Path(self.path("stripped")) / "lib"
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder.parent / "include").exists():
            (folder.parent / "include").symlink_to(PREFIX / "include")
        subprocess.run(["strip", "-o", folder / library.name, library], check=True)
        words = ["-iex", f"set environment LD_LIBRARY_PATH {folder}"]
        more = ["info sharedlibrary libsfumato", "bt"]
        text = self.debug(*self.ASKED, *more, options=place, words=words)
        self.assertIn(f" {folder}/{library.name}\n", text)
        if RELEASE:  # elsewhere a lambda is not inlined, and has no name in a stripped library
            self.assertNotIn("??", text)
        self.assertEqual(
            re.findall(r"^\$.*", text, re.M), re.findall(r"^\$.*", self.debug(*self.ASKED, options=place), re.M)
        )

    def test_a_core_dump_tells_the_same(self):
        place = ["--break", str(line_of("in.FreeTensor(x)"))]
        core = self.path("core")
        text = self.debug(*self.ASKED, f"generate-core-file {core}", options=place)
        asked = [word for command in (*self.ASKED, "bt") for word in ("-ex", command)]
        again = self.run_limited(
            "gdb", "-q", "-batch", *self.GDB, "-x", str(SCRIPT), *asked, os.path.realpath(self.sfumato_path), core
        )
        os.unlink(core)
        self.assertEqual(re.findall(r"^\$.*", again.stdout, re.M), re.findall(r"^\$.*", text, re.M), again.stderr)

    def test_what_cannot_be_told_is_said(self):
        place = ["--break", str(line_of("in.FreeTensor(x)"))]
        errors = []
        text = self.debug(
            "set $in = &in", "set $x = x.view_.address", "thread 1", "print *$in", "print $sfumato_block()", "print $sfumato_core()",
            "thread 2", "set var *(unsigned*)&sfumato_debug = 7", "print in", "print pipe", "print x", "print $sfumato_block()",
            options=place, errors=errors,
        )  # fmt: skip
        unknown = "the library's state is of version 7, and gdb's script reads version 1"
        values = re.findall(r"^\$\d+ = (.*)$", text, re.M)
        self.assertEqual(
            values[:5],
            [
                "TQue, whose state is unknown: the thread runs no kernel",
                "-1",
                '""',
                f"TQue, whose state is unknown: {unknown}",
                f"TPipe, whose state is unknown: {unknown}",
            ],
        )
        self.assertRegex(
            values[5], f"^LocalTensor<half> VECIN at 0x[0-9a-f]+ \\({unknown}\\), 16 elements, 32 bytes = "
        )
        self.assertIn(f"Which core runs is unknown: {unknown}", errors)

    def test_a_thread_is_known_without_its_pointer(self):
        """By the C library's list of threads, or by libthread_db, where gdb does not know the register."""
        forget, unlisted = "python state.REGISTERS = ()", "python state.described = lambda name: None"
        place, core = ["--break", str(line_of("in.FreeTensor(x)"))], "print $sfumato_core()"
        self.assertEqual(self.values(forget, core, unlisted, core, options=place), ['"aiv0"'] * 2)

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
        self.assertEqual(
            self.sfumato("lldb", *kernel, SFUMATO_LLDB="/no/lldb").stderr,
            "error: sfumato lldb needs lldb; /no/lldb: No such file or directory. Install it (Debian: apt-get install "
            "lldb-16), or name one with SFUMATO_LLDB\n",
        )
        self.write("wrong.cpp", KERNEL.replace("Scale op;", "Scael op;"))
        self.assertIn("wrong.cpp:", self.refused("wrong.cpp", "--chip", "Ascend910B1", code=3))
        self.assertIn("`sfumato gdb --help` lists what is legal.\n", self.refused("scale.cpp", "--chop"))


class GdbThatMayNotCallTest(GdbTest):
    GDB = ["-iex", "set may-call-functions off"]


def round_half(value):
    return struct.unpack("<e", struct.pack("<e", value))[0]


if __name__ == "__main__":
    os.environ.pop("SFUMATO_GDB", None)
    main("gdb_test")
