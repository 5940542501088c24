#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pictures of docs/machine.md are those tools/pictures.py draws. Standard library only."""

import sys
import unittest
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import pictures  # noqa: E402


class Pictures(unittest.TestCase):
    def test_drawn(self):
        for name, draw in pictures.PICTURES.items():
            with self.subTest(name):
                self.assertEqual(
                    draw().svg(), (pictures.IMAGES / f"{name}.svg").read_text(encoding="utf-8"), "run tools/pictures.py"
                )

    def test_well_formed_and_shown(self):
        page = (ROOT / "docs" / "machine.md").read_text(encoding="utf-8")
        for name, draw in pictures.PICTURES.items():
            ElementTree.fromstring(draw().svg())
            self.assertIn(f"(images/{name}.svg)", page)


if __name__ == "__main__":
    sys.exit(unittest.main())
