#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an instruction or a high-level call needs beside its row, which no compiler asks for (docs/adding.md). Standard library only."""

import functools
import os
import re
import sys
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GENERATED = Path(os.environ["SFUMATO_BUILD_DIR"]) / "generated"
CALLS = GENERATED / "sfumato/ascendc/calls"

# Instructions without a value: they order others, or stand for the calls between them (tests/exec/registers).
WITHOUT_VALUES = set("wait_flag pipe_barrier ffts_cross_core_sync wait_flag_dev vf_call".split())
# Instructions of the vector unit without a rate, and why.
WITHOUT_RATE = {
    "no figure is published; estimates with them say what they assume": "vexpm1 vcopy vcbd vpadding vscatter vbi",
    "they move a register": "set_cmpmask get_cmpmask",
    "they are moves, with costs of their own": "tensor_mov broadcast_ub_to_l0c",
    "they split themselves into instructions that have one": "vec_reduce_add vec_reduce_max vec_reduce_min",
    "its chips have no figures": "vf_call",
    "region proposals are of chips that have no figures": "vconcat vextract vrpsort16 vmrgsort4",
}
# Calls whose temporary buffer is the one that another call's function tells.
SIZE_OF = {
    "SimpleSoftMax": "SoftMax",
    "SoftmaxGradFront": "SoftMaxGrad",
    "ClampMax": "Clamp",
    "ClampMin": "Clamp",
}
# Names that the entry of another call tells of.
PAGE_OF = {
    "Broadcast": "BroadCast",
    "DropOutBitModeInit": "DropOut",
    "Select": "SelectWithBytesMask",
    "Transpose": "ConfusionTranspose",
}


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


@functools.cache
def instructions():
    """{opcode: its row}"""
    rows = re.findall(
        r"^SFUMATO_INSTRUCTION\((\w+), (.*?)\)$", text("src/isa/instructions.inc"), re.MULTILINE | re.DOTALL
    )
    return dict(rows)


@functools.cache
def high_level():
    return {call["name"]: call for call in tomllib.loads(text("chips/calls.toml"))["call"]}


def declared(*tables):
    """The names of the functions that the headers of these tables of calls declare."""
    headers = "".join((CALLS / f"{table}.h").read_text(encoding="utf-8") for table in tables)
    return set(re.findall(r"^(?!//| |requires)[\w:<>&* ]*?[ *&](\w+)\(", headers, re.MULTILINE))


class Instructions(unittest.TestCase):
    def test_the_table_is_read(self):
        self.assertGreater(len(instructions()), 100)

    def test_each_has_its_values_compared(self):
        tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("conformance/*.cpp"))
        tests += "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("exec/*.cpp"))
        for opcode in instructions():
            with self.subTest(opcode):
                named = re.search(rf"\b{opcode}\b", tests) is not None
                self.assertNotEqual(
                    named, opcode in WITHOUT_VALUES, "a line of tests/conformance, or of WITHOUT_VALUES"
                )

    def test_each_has_a_rate_or_a_reason(self):
        rated = set()
        for path in (ROOT / "chips").glob("ascend*.toml"):
            for row in tomllib.loads(path.read_text(encoding="utf-8")).get("timing", {}).get("rates", []):
                rated |= set(row["calls"])
        excused = set(" ".join(WITHOUT_RATE.values()).split())
        for opcode, row in instructions().items():
            if "kHighLevel" in row or not re.search(r"\bkV\b", row):
                continue
            with self.subTest(opcode):
                has = bool({opcode, re.match(r'"(\w*)"', row)[1]} & rated)
                self.assertNotEqual(has, opcode in excused, "a row of rates in chips/*.toml, or a word of WITHOUT_RATE")

    def test_each_tik_spelling_has_its_call(self):
        calls = text("src/frontends/tik/calls.inc") + text("src/frontends/tik/calls.cpp")
        calls += "".join(text(path) for path in ("python/sfumato/tik/signatures.tsv", "python/sfumato/tik/_scalar.py"))
        for opcode, row in instructions().items():
            name = re.match(r'"\w*", "(\w*)"', row)[1]
            if name:
                with self.subTest(opcode):
                    self.assertTrue(re.search(rf"\b{name}(_|\b)", calls), f"{name} is no call of TIK")


class HighLevelCalls(unittest.TestCase):
    def test_each_of_the_tables_has_an_entry(self):
        self.assertGreater(len(high_level()), 80)
        by_hand = {path.stem for path in (ROOT / "include/sfumato/ascendc/adv").glob("*.h")} - {"elementwise"}
        tables = {"adv_elementwise"} | {path.stem for path in CALLS.glob("*.h") if path.stem in by_hand}
        self.assertGreater(len(tables), 8)
        for name in declared(*sorted(tables)):
            with self.subTest(name):
                self.assertIn(PAGE_OF.get(name, name), set(high_level()), "an entry of chips/calls.toml")

    def test_each_has_its_values_compared(self):
        oracles = text("tests/oracle/calls.inc")
        for name in high_level():
            with self.subTest(name):
                self.assertTrue(re.search(rf"\b{name}\b", oracles), "a row of tests/oracle/calls.inc")

    def test_each_has_its_headers(self):
        for name, call in high_level().items():
            for path in (f"{folder}/{header}" for header in call["headers"] for folder in ("lib", "adv_api")):
                with self.subTest(name, header=path):
                    self.assertTrue((GENERATED / path).exists() or (ROOT / "include" / path).exists())

    def test_each_buffer_has_a_function_that_tells_its_size(self):
        sizes = {name.lower() for name in declared("host_vector_tiling") if name.endswith("TmpSize")}
        for name, call in high_level().items():
            if not any("sharedTmpBuffer" in form for form in call["ascendc"]):
                continue
            base = SIZE_OF.get(name, name)
            told = {f"get{base}{words}tmpsize".lower() for words in ("MaxMin", "Max", "Min", "")}
            with self.subTest(name):
                self.assertTrue(told & sizes, "a row of tmp_sizes.inc, or a function of calls/host_vector_tiling.txt")


if __name__ == "__main__":
    sys.exit(unittest.main())
