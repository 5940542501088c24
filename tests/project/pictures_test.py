#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pictures of docs/machine.md: well-formed, shown, nothing outside their frame or from elsewhere. Standard library only."""

import sys
import unittest
from pathlib import Path
from xml.etree import ElementTree

DOCS = Path(__file__).resolve().parents[2] / "docs"


class Pictures(unittest.TestCase):
    def test_well_formed_and_shown(self):
        page = (DOCS / "machine.md").read_text(encoding="utf-8")
        found = sorted((DOCS / "images").glob("machine-*.svg"))
        self.assertEqual(6, len(found))
        for path in found:
            picture = ElementTree.fromstring(path.read_text(encoding="utf-8"))
            width, height = int(picture.get("width")), int(picture.get("height"))
            for part in picture.iter():
                x, y, w, h = (float(part.get(name, 0)) for name in ("x", "y", "width", "height"))
                inside = 0 <= x and x + w <= width and 0 <= y and y + h <= height
                self.assertTrue(inside or part is picture, f"{path.name}: {part.attrib}")
            self.assertNotIn("href", path.read_text(encoding="utf-8"))
            self.assertIn(f"(images/{path.name})", page)


if __name__ == "__main__":
    sys.exit(unittest.main())
