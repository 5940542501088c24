#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The README and pages in docs/ print what they say; `--update [NAME...]` writes the real output. How: tests/support/snippets.py."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

import snippets
from installation import COMMAND, PREFIX, TOOLKIT

ROOT = Path(__file__).resolve().parents[2]

PAGES = [
    ROOT / "README.md",
    *(
        ROOT / "docs" / f"{name}.md"
        for name in (
            "arguments",
            "ascendc",
            "checks",
            "contract",
            "debugging",
            "existing-programs",
            "judging",
            "mistakes",
            "new-project",
            "operators",
            "testing",
            "tik",
            "tiling",
            "toolkit",
            "tutorial",
        )
    ),
]


def real_text(text, **more):
    """A page with what its commands really print, with more variables set."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {
            "PATH": f"{COMMAND.parent}:{os.environ['PATH']}",
            # A wheel has an entry point.
            **({} if any(PREFIX.parent.glob("sfumato-*.dist-info")) else {"PYTEST_PLUGINS": "sfumato_pytest"}),
            "PYTEST_ADDOPTS": "-p no:cacheprovider",
            "SFUMATO_CACHE": str(folder / "cache"),
            "XDG_DATA_HOME": str(folder / "data"),
            "SFUMATO_SOURCE_DIR": str(ROOT),
            "ASCEND_HOME_PATH": str(TOOLKIT),
            **more,
        }
        return snippets.real_text(text, folder, environment)


class Readme(unittest.TestCase):
    maxDiff = None

    def test_snippets_print_what_the_pages_say(self):
        for page in PAGES:
            with self.subTest(page=page.name):
                text = page.read_text()
                self.assertGreater(len(snippets.BLOCK.findall(text)), 1)
                printed = real_text(text)
                self.assertEqual(
                    snippets.settled(text),
                    snippets.settled(printed),
                    "run readme_test.py --update, and look at what changed",
                )

    def test_a_gdb_that_may_not_call_functions_prints_the_same(self):
        text = (ROOT / "docs/debugging.md").read_text()
        with tempfile.TemporaryDirectory() as folder:
            gdb = Path(folder, "gdb")
            gdb.write_text("#!/bin/sh\nexec gdb -iex 'set may-call-functions off' \"$@\"\n")
            gdb.chmod(0o755)
            self.assertEqual(text, real_text(text, SFUMATO_GDB=str(gdb)))


if __name__ == "__main__":
    if "--update" in sys.argv:
        names = sys.argv[2:]  # none: all
        for page in PAGES:
            if not names or page.stem in names:
                page.write_text(real_text(page.read_text()))
    else:
        sys.exit(unittest.main())
