#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rows of tables that lack their other half, which no compiler asks for. Standard library only."""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Fields of LaunchOptions without a row: what is launched, functions, and an estimate, which each of its options asks for.
WITHOUT_ROW = set(
    "chip groups kernel route tiling_key system_workspace log print progress interrupt stuck time".split()
)


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def sources(*folders):
    return "".join(path.read_text(encoding="utf-8") for folder in folders for path in (ROOT / folder).rglob("*.[ch]*"))


def fields(header, struct):
    body = re.search(rf"struct {struct} {{\n(.*?)\n}};", text(header), re.DOTALL)[1]
    return set(re.findall(r"(\w+)(?: = [^;]+)?;", re.sub(r"//.*|enum class .*|static .*", "", body)))


class Options(unittest.TestCase):
    def setUp(self):
        self.rows = text("include/sfumato/launch_options.inc")

    def test_every_field_has_a_row(self):
        launch = fields("include/sfumato/launch.h", "LaunchOptions") - WITHOUT_ROW
        self.assertEqual(launch, set(re.findall(r"\bo\.(\w+) = ", self.rows)))
        self.assertEqual(
            fields("include/sfumato/estimate.h", "TimeOptions"), set(re.findall(r"\bof\(o\)\.(\w+) = ", self.rows))
        )

    def test_every_field_is_read(self):
        read = set(re.findall(r"\boptions_?(?:\.|->)(\w+)\b(?! = )", sources("src")))
        written = set(re.findall(r"\bo(?:f\(o\))?\.(\w+) = ", self.rows))
        self.assertEqual(written - read, set(), "no source reads options.FIELD")

    def test_every_option_is_set_by_a_test(self):
        tests = [path for path in (ROOT / "tests").rglob("*") if path.suffix in {".cpp", ".py", ".txt"}]
        tests = "".join(path.read_text(encoding="utf-8") for path in tests if "recorded" not in path.parts)
        for name in re.findall(r"^SFUMATO_OPTION\((\w+),", self.rows, re.MULTILINE):
            with self.subTest(name):
                self.assertTrue(re.search(rf"\b{name} ?=|--{name.replace('_', '-')}\b|\"{name}\"", tests))


class Facts(unittest.TestCase):
    def test_every_fact_has_a_value_and_a_reader(self):
        chips = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "chips").glob("*.toml"))
        read = set(re.findall(r"(?:\.|->|::)(\w+)\b", sources("src", "tools", "python/src")))
        for fact in re.findall(r"^SFUMATO_(?:REDUCE_)?FACT\(\w+, (\w+),", text("src/soc/facts.inc"), re.MULTILINE):
            with self.subTest(fact):
                self.assertTrue(f"\n{fact} = " in chips, "no chip's file says it")
                self.assertTrue(fact in read, "no source reads it")


if __name__ == "__main__":
    sys.exit(unittest.main())
