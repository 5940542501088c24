#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whoever does what the README and the pages in docs/ show, in their order, gets what they print: tests/support/snippets.py
follows the rendered pages. `--update [NAME...]` writes the real output."""

import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

import snippets
from installation import COMMAND, PREFIX

ROOT = Path(__file__).resolve().parents[2]

SHOWN = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "examples").rglob("*.md")))
# Every page with a session. Those about PyTorch are followed where PyTorch is, by tests/torch/test_docs.py.
OF_TORCH = ("torch.md", "repository-tests.md")
PAGES = [page for page in SHOWN if "```console" in page.read_text() and page.name not in OF_TORCH]


def real_text(text, **more):
    """A page with what its commands really print, with more variables set."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        environment = {
            "PATH": f"{COMMAND.parent}:{os.environ['PATH']}",
            # A wheel has an entry point.
            **({} if any(PREFIX.parent.glob("sfumato-*.dist-info")) else {"PYTEST_PLUGINS": "sfumato_pytest"}),
            # What a command keeps for this user goes with the page.
            "SFUMATO_CACHE": str(scratch / "cache"),
            "XDG_DATA_HOME": str(scratch / "data"),
            **more,
        }
        for variable in ("ASCEND_HOME_PATH", "ASCEND_OPP_PATH"):  # a page that wants them says how to set them
            os.environ.pop(variable, None)
        return snippets.real_text(text, scratch, environment)


class Rendered(unittest.TestCase):
    TEXT = "# A\n<!-- run: true -->\n\nThe file (`a.py`):\n\n```python\n1\n```\n\nRun it:\n\n```console\n$ cd x\n$ ls\na\n```\n"

    def test_blocks_are_what_a_reader_sees(self):
        seen = snippets.rendered(self.TEXT)
        self.assertNotIn("run", seen)
        self.assertEqual(
            [block[:3] for block in snippets.blocks(seen)],
            [("a.py", "python", "1\n"), ("", "console", "$ cd x\n$ ls\na\n")],
        )

    def test_a_page_is_one_shell_in_an_empty_folder(self):
        text = "`d/a`:\n\n```text\nin a\n```\n\n```console\n$ ls\n$ cd d\n$ export A=1\n$ cat a; echo $A\n```\n"
        want = text.replace("$ ls\n", "$ ls\nd\n").replace("echo $A\n", "echo $A\nin a\n1\n")
        self.assertEqual(real_text(text), want)

    def test_only_a_page_that_says_so_is_in_a_clone(self):
        session = "\n\n```console\n$ ls\n```\n"
        self.assertEqual(real_text("Somewhere:" + session), "Somewhere:" + session)
        self.assertIn("$ ls\nexamples\n", real_text("What follows is typed in\na clone:" + session))

    def test_a_prompt_gets_the_answers_that_are_shown(self):
        text = "A session:\n\n```console\n$ python3 -c 'print(input(\"(tikdb) \") * 2)'\n(tikdb) ab\nabab\n$ cat\n```\n"
        self.assertEqual(real_text(text), text)

    def test_commands_stand_in_sessions_alone(self):
        for page in SHOWN:
            for block in snippets.blocks(snippets.rendered(page.read_text())):
                self.assertTrue(
                    block.is_session or not re.search(r"^\$ ", block.body, re.MULTILINE), f"{page.name}: {block.body}"
                )

    def test_what_to_type_is_shown_where_the_table_says(self):
        page = ROOT / "docs/existing-programs.md"
        rows = re.findall(r"^\| [^|]+ \| `([^`]+)` \| \[[^]]*\]\(([^)#]*)[^)]*\) \|$", page.read_text(), re.MULTILINE)
        self.assertGreater(len(rows), 15)
        for command, link in rows:
            shown = (page.parent / link).read_text() if link else page.read_text()
            typed = [b.body for b in snippets.blocks(snippets.rendered(shown)) if b.is_session or b.language == "sh"]
            self.assertIn(command, "".join(typed), link or page.name)

    def test_every_session_is_found(self):
        for page in PAGES:
            text = page.read_text()
            sessions = [block for block in snippets.blocks(snippets.rendered(text)) if block.is_session]
            self.assertEqual(
                len(sessions), text.count("```console\n"), f"{page.name}: an empty line stands above each block"
            )


class Readme(unittest.TestCase):
    maxDiff = None

    def test_snippets_print_what_the_pages_say(self):
        self.assertGreater(len(PAGES), 15)
        for page in PAGES:
            with self.subTest(page=str(page.relative_to(ROOT))):
                text = page.read_text()
                self.assertEqual(
                    snippets.settled(text),
                    snippets.settled(real_text(text)),
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
