#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the snippets of the README and of pages in docs/ and compares their output; `--update [NAME...]` writes the real output.

`<!-- file: NAME -->` before a block: the block is that file. `<!-- run -->` or `<!-- run: COMMAND -->` before a console
block: the lines after `$` are run in the files' folder, COMMAND silently before them, and must print what follows them.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

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
            "mistakes",
            "new-project",
            "operators",
            "tik",
            "tiling",
            "toolkit",
            "tutorial",
        )
    ),
]
BUILD = Path(os.environ.get("SFUMATO_BUILD_DIR", ROOT / "build" / "release"))

BLOCK = re.compile(r"<!-- (file|run)(?:: (.*?))? -->\n```\w+\n(.*?)```\n", re.DOTALL)


def shell(command, folder):
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{BUILD / 'tools' / 'sfumato'}:{os.environ['PATH']}",
        "PYTHONPATH": str(BUILD / "python"),
        "SFUMATO_CACHE": str(folder / "cache"),
        "SFUMATO_BUILD_DIR": str(BUILD),
        "XDG_DATA_HOME": str(folder / "data"),
        "SFUMATO_SOURCE_DIR": str(ROOT),
        "ASCEND_HOME_PATH": str(folder / "prefix/share/sfumato/ascend"),
    }
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout


def real_text(text):
    """A page with what its commands really print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def block(match):
            kind, argument, body = match.groups()
            if kind == "file":
                (folder / argument).parent.mkdir(exist_ok=True)
                (folder / argument).write_text(body)
                return match[0]
            if argument:
                shell(argument, folder)
            commands = [line for line in body.splitlines() if line.startswith("$ ")]
            printed = "".join(f"{line}\n{shell(line[2:], folder)}" for line in commands)
            return match[0][: -len(body) - len("```\n")] + printed + "```\n"

        return BLOCK.sub(block, text)


class Readme(unittest.TestCase):
    maxDiff = None

    def test_snippets_print_what_the_pages_say(self):
        for page in PAGES:
            with self.subTest(page=page.name):
                text = page.read_text()
                self.assertGreater(len(BLOCK.findall(text)), 1)
                self.assertEqual(text, real_text(text), "run readme_test.py --update, and look at what changed")


if __name__ == "__main__":
    if "--update" in sys.argv:
        names = sys.argv[2:]  # none: all
        for page in PAGES:
            if not names or page.stem in names:
                page.write_text(real_text(page.read_text()))
    else:
        sys.exit(unittest.main())
