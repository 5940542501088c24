# SPDX-License-Identifier: Apache-2.0
"""`sfumato lldb` in batch mode: it shows what gdb shows, and stops where it is told."""

import shutil
import unittest

from command_case import main
from gdb_case import LldbCase, line_of

PROGRAMS = [f"lldb-{version}" for version in range(20, 15, -1)]


@unittest.skipUnless(any(map(shutil.which, PROGRAMS)), "lldb 16 or newer was not found (Debian 12: lldb-16)")
class LldbTest(LldbCase):
    def test_prints_tensors_queues_and_numbers(self):
        self.check_shown()

    def test_prints_what_ended_pipes_left(self):
        self.check_ended()

    def test_prints_arrays_and_bytes(self):
        limit = "settings set target.max-children-count 4"
        values = self.values(limit, "v numbers", "v bytes", options=["--break", str(line_of("xGm.GetSize()"))])
        self.assertEqual(
            values,
            [
                "([0] = 65504, [1] = inf, [2] = nan(0xfe01), [3] = 6e-08)",
                "LocalTensor<unsigned char> VECCALC at UB+0x60, 64 elements, 64 bytes = {143, 113, 254, 254...}",
            ],
        )

    def test_stops_at_the_entry_and_steps_by_lines(self):
        entry = line_of("Scale op;")
        text = self.debug("next", "step", "finish", "breakpoint delete --force", "continue")
        self.assertIn("[block 0 of 2 on aiv0]\n", text)
        self.assertIn("thread #2, name = 'aiv0', stop reason = breakpoint 1.1\n", text)
        self.assertIn("scale(x=x+0x0, y=y+0x0) at scale.cpp:", text)
        for line in (entry, entry + 1, line_of("xGm.SetGlobalBuffer")):
            self.assertIn(f" at scale.cpp:{line}:", text)
        self.assertRegex(text, r"Process \d+ exited with status = 0 ")

    def test_conditions_know_the_core(self):
        muls = line_of("Muls(")
        for condition in (
            "$sfumato_block() == 1",
            '$sfumato_core() == "aiv1"',
            "$sfumato_block() && x.view_.size == 16",
        ):
            values = self.values("v x", options=["--break", f"{muls} if {condition}"])
            self.assertEqual([value[-7:] for value in values], [" 30, 31}"[1:]], condition)

    def test_what_cannot_be_told_is_said(self):
        place = ["--break", str(line_of("in.FreeTensor(x)"))]
        self.assertEqual(
            self.values("script address = lldb.target.FindSymbols('sfumato_debug')[0].symbol.addr.GetLoadAddress(lldb.target)",
                        "script lldb.process.WriteMemory(address, bytes([7]), lldb.SBError())", "v in", options=place),
            ["TQue, whose state is unknown: the library's state is of version 7, and lldb's script reads version 1"],
        )  # fmt: skip


if __name__ == "__main__":
    main("lldb_test")
