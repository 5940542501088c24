#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/reference-operators.md has every operator of the table, as SFUMATO_REWRITE=1 writes it."""

import os
import unittest
from pathlib import Path

from calls import TABLE, table

PAGE = Path(__file__).resolve().parents[2] / "docs/reference-operators.md"
MARK = "by tests/reference/page_test.py. -->\n"


def rows():
    pages = {w[1]: (w[2], w[4]) for w in map(str.split, TABLE.read_text().splitlines()) if w and w[0] == "op"}
    yield "| function | header, page | parameters |"
    yield "|---|---|---|"
    for name, parameters in table().items():
        header, page = pages[name]
        words = []
        for p in parameters:
            role = "" if p.role in ("in", "attr") else f" ({p.role.replace('-', ' ')})"
            types = f": {', '.join(p.types)}" if p.types and "quant" not in p.name.lower() else ""
            words.append(f"`{p.name}`{role}{types}")
        yield f"| `{name}` | `aclnnop/{header}`, {page} | {'; '.join(words)} |"


class Page(unittest.TestCase):
    maxDiff = None

    def test_table(self):
        before, rest = PAGE.read_text(encoding="utf-8").split(MARK)
        after = rest[rest.index("\n## ") :]
        wanted = before + MARK + "\n" + "\n".join(rows()) + "\n" + after
        if os.environ.get("SFUMATO_REWRITE"):
            PAGE.write_text(wanted, encoding="utf-8")
        self.assertEqual(PAGE.read_text(encoding="utf-8"), wanted)


if __name__ == "__main__":
    unittest.main()
