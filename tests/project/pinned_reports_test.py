#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports are pinned as text files: the words in tests' sources only become fewer, and no text outlives its program.

pinned_reports.txt says how many reports each file had as literals when this began. Standard library only.
"""

import os
import re
import sys
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
RECORDED = Path(__file__).with_name("pinned_reports.txt")

# A field of a report, or the text of one, unless its beginning alone is looked for.
LITERAL = re.compile(r'\.message\s*=\s*"|(?<!starts_with\()(?<!find\()"\(?(?:fault|warning|note) \[')
RULE = 'docs/adding.md, "A rule"'


def literals():
    """{path: reports in its literals} of the sources, but of the tests of the text itself."""
    found = {}
    for path in sorted(TESTS.rglob("*")):
        name = path.relative_to(TESTS).as_posix()
        if path.suffix in {".cpp", ".h"} and not name.startswith("report/"):
            found[name] = len(LITERAL.findall(path.read_text(encoding="utf-8")))
    return {name: count for name, count in found.items() if count}


def recorded():
    rows = (line.split() for line in RECORDED.read_text(encoding="utf-8").splitlines())
    return {name: int(count) for count, name in rows}


class PinnedReports(unittest.TestCase):
    def test_literals_become_fewer(self):
        now, before = literals(), recorded()
        if "SFUMATO_REWRITE" in os.environ:
            fewer = {name: min(count, now[name]) for name, count in before.items() if name in now}
            RECORDED.write_text("".join(f"{count} {name}\n" for name, count in fewer.items()), encoding="utf-8")
            before = fewer
        for name in sorted(now.keys() | before.keys()):
            count, most = now.get(name, 0), before.get(name, 0)
            with self.subTest(name):
                self.assertLessEqual(
                    count,
                    most,
                    f"tests/{name} pins {count} reports as literals, and had {most}: a new one is pinned as text, "
                    f"without words in the source ({RULE})",
                )
                self.assertEqual(count, most, f"fewer than recorded: SFUMATO_REWRITE=1 {Path(__file__).name} says so")

    def test_every_text_has_a_program(self):
        for text in sorted(TESTS.rglob("reports/*.txt")):
            folder = text.parents[1]
            if folder == TESTS / "sanitize/pairs":  # compared as whole files
                continue
            programs = (path for path in sorted(folder.iterdir()) if path.suffix in {".cpp", ".py", ".txt"})
            sources = "".join(path.read_text(encoding="utf-8") for path in programs)
            for name in set(re.findall(r"^(\S.*?): ", text.read_text(encoding="utf-8"), re.MULTILINE)):
                word = name.split()[-1]
                if word.isdigit():  # one of those that the program counts
                    continue
                with self.subTest(text=text.name, name=name):
                    self.assertRegex(
                        sources,
                        rf'"{re.escape(word)}"|, {re.escape(word)}\)|(?m:^(?:=== )?{re.escape(name)}$)',
                        "no program has this name any more: remove its text",
                    )


if __name__ == "__main__":
    sys.exit(unittest.main())
