#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/names.md says what the headers declare, to g++ and to clang; names refused by name are not declared, and each has a reason."""

import os
import shutil
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import names  # noqa: E402

GENERATED = Path(os.environ.get("SFUMATO_BUILD_DIR", "build/release")).resolve() / "generated"
CXX = os.environ.get("SFUMATO_CXX", "c++")


class Names(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = names.rows()
        cls.declared = names.declared(cls.rows, GENERATED, CXX)

    def test_page(self):
        os.environ["CXX"] = CXX
        text = names.PAGE.read_text(encoding="utf-8")
        self.assertEqual(text, names.page(GENERATED), "build the target names-page")

    def test_clang_agrees(self):
        clang = next((name for name in ("clang++-13", "clang++") if shutil.which(name)), None)
        self.assertTrue(clang, "clang++ was not found: run `make deps`")
        differs = self.declared ^ names.declared(self.rows, GENERATED, clang)
        self.assertEqual([], [self.rows[number]["name"] for number in differs])

    def test_refused_names_are_not_declared(self):
        both = [row["name"] for number, row in enumerate(self.rows) if row["refused"] and number in self.declared]
        self.assertEqual(
            [], both, "a name that the headers declare needs no reason: clear its last column in the table"
        )

    def test_a_probe_can_fail(self):
        kinds = {
            "macro": "macro",
            "method": "AscendC::TPipe",
            "enumerator": "AscendC::HardEvent",
            "func": "AscendC",
            "intrinsic": "global",
        }
        absent = [
            {"name": "sfumatoAbsent", "kind": kind, "scope": scope, "refused": ""} for kind, scope in kinds.items()
        ]
        self.assertEqual(set(), names.declared(absent, GENERATED, CXX))

    def test_the_high_level_api_is_answered_name_by_name(self):
        table = {row["name"]: (number, row) for number, row in enumerate(self.rows)}
        used = names.used_names()
        self.assertGreater(len(used), 150)
        for use in used:
            number, row = table[use["name"]]
            self.assertEqual(use["operators"], row["operators"], use["name"])
            self.assertGreaterEqual(int(use["operators"]), 2, use["name"])
            self.assertTrue(
                number in self.declared or row["refused"], f"{use['name']}: neither supported nor refused with a reason"
            )
        listed = {use["name"] for use in used}
        for row in self.rows:
            if row["family"].startswith("adv/") and int(row["operators"]) >= 2:
                self.assertIn(row["name"], listed)

    def test_names_are_unique(self):
        listed = [row["name"] for row in self.rows]
        self.assertEqual(len(listed), len(set(listed)))


if __name__ == "__main__":
    unittest.main()
