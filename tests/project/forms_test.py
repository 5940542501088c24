#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A form or an instruction that a layer forgets does not compile, or lacks a function to link. Standard library only."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CXX = os.environ.get("SFUMATO_CXX", "c++")
# Rooms that go by the columns of a form and an instruction, and what names one all the same.
ROOMS = ("sanitize", "timing", "trace")
NAMES = re.compile(r"\bForm::k|\bOpcode::|\bdefault:|\bIf<|\bget_if\b|\bform\(\) *[=!]=")
# A form of data on the vector pipe and one of control.
STRUCTS = "namespace sfumato::isa { struct NewForm {}; struct NewFlag {}; }\n"
COLUMNS = 'SFUMATO_NO_LANES, SFUMATO_USUAL, SFUMATO_NAMES("dst", "src"), {}'
FORMS = f"""SFUMATO_FORM(NewForm, NewForm, kElement, kPads, {COLUMNS})
SFUMATO_FORM(NewFlag, NewFlag, kNothing, kNone, {COLUMNS})
"""
INSTRUCTIONS = """SFUMATO_INSTRUCTION(new_form, "NewForm", "new_form", kNewForm, kV, kNothingNew)
SFUMATO_INSTRUCTION(new_flag, "NewFlag", "new_flag", kNewFlag, kByOperands, kNothingNew)
"""
VISITS = '#include "{}"\nusing namespace sfumato;\nvoid Visit(const isa::Record& r, {}) {{ VisitForm(r, [&](const auto& p) {{ {}; }}); }}\n'
# By layer: what asks for the overloads of a form.
ASKS = {
    "check": VISITS.format("check/parts.h", "const check::Context& c", "check::Check(r, p, c)"),
    "exec": VISITS.format("exec/meaning.h", "const isa::MemoryMap& m", "exec::Execute(r, p, m)"),
    "sanitize": VISITS.format("sanitize/init_flow.h", "const sanitize::Flow& f", "sanitize::Flows(f, p)"),
}
LINKED = {"check": "check::Check", "exec": "exec::Execute", "sanitize": "sanitize::Flows"}
# By source: the overloads that it lacks.
COMPILED = {
    "sanitize/numbers_results.cpp": {"VisitResults": "NewForm"},
    "sanitize/init_core.cpp": {"LeavesGaps": "NewForm"},
    "sanitize/core_order.cpp": {"Pass": "NewFlag"},
    "sanitize/core_races.cpp": {"OrdersGm": "NewFlag"},
    "timing/cost.cpp": {"RepeatsIn": "NewForm", "PriceIn": "NewFlag"},
    "trace/core_steps.cpp": {"Pass": "NewFlag"},
}


class Rooms(unittest.TestCase):
    def test_none_names_a_form(self):
        for path in sorted(path for room in ROOMS for path in (ROOT / "src" / room).glob("*.[ch]*")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                with self.subTest(f"{path.relative_to(ROOT)}:{number}"):
                    self.assertIsNone(NAMES.search(line.split("//")[0]), line)


class Newcomers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "isa").mkdir()
        (self.folder / "structs.h").write_text(STRUCTS, encoding="utf-8")
        self.add("forms.inc", FORMS)
        self.add("instructions.inc", INSTRUCTIONS)

    def add(self, table, rows):
        text = (ROOT / "src" / "isa" / table).read_text(encoding="utf-8")
        (self.folder / "isa" / table).write_text(text + rows, encoding="utf-8")

    def compile(self, source, *flags):
        folders = [f"-I{folder}" for folder in (self.folder, ROOT / "src", ROOT / "include")]
        command = [CXX, "-std=c++20", *folders, "-include", self.folder / "structs.h", *flags, source]
        return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})

    def ask(self, layer):
        source = self.folder / f"{layer}.cpp"
        source.write_text(ASKS[layer], encoding="utf-8")
        return source

    def test_columns_are_asked_for(self):
        rows = (("forms.inc", FORMS, ", kElement, kPads"), ("instructions.inc", INSTRUCTIONS, ", kNothingNew"))
        for table, right, columns in rows:
            with self.subTest(table):
                self.add(table, right.replace(columns, ""))
                said = self.compile(self.ask("check"), "-fsyntax-only")
                self.assertRegex(said.stderr, r"macro .?SFUMATO_(FORM|INSTRUCTION)")
                self.add(table, right)

    def test_overloads_are_linked(self):
        for layer, name in LINKED.items():
            with self.subTest(layer):
                built = self.compile(self.ask(layer), "-c", "-o", self.folder / "object.o")
                self.assertEqual(built.returncode, 0, built.stderr)
                lacks = subprocess.run(
                    ["nm", "-uC", self.folder / "object.o"], capture_output=True, text=True, check=True
                )
                for form in ("NewForm", "NewFlag"):
                    self.assertRegex(lacks.stdout, rf"sfumato::{name}\(.*sfumato::isa::{form} const&")

    def test_overloads_are_asked_for(self):
        for source, overloads in COMPILED.items():
            said = self.compile(ROOT / "src" / source, "-fsyntax-only")
            for name, form in overloads.items():
                with self.subTest(source, overload=name):
                    self.assertRegex(
                        said.stderr,
                        rf"error: no matching (?:member )?function for call to .*\b{name}\b.*(?:\n.*){{0,20}}{form}\b",
                    )


if __name__ == "__main__":
    sys.exit(unittest.main())
