#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sources are as `make format` leaves them: clang-format over C++, ruff over Python, which finds mistakes too."""

import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("bench", "examples", "include", "python", "src", "tests", "tools")
# Another version breaks lines elsewhere; this one is Debian 12's.
CLANG_FORMAT = "14"


def output(*command):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def clang_format():
    """The program of that version, or None."""
    for name in (f"clang-format-{CLANG_FORMAT}", "clang-format"):
        if shutil.which(name) and re.search(rf"version {CLANG_FORMAT}\.", output(name, "--version")[1]):
            return name
    return None


class Format(unittest.TestCase):
    def clean(self, *command):
        status, text = output(*command)
        self.assertEqual(0, status, f"`make format` may mend this:\n{text}")

    @unittest.skipUnless(clang_format(), f"clang-format {CLANG_FORMAT} is not installed, and others format otherwise")
    def test_clang_format(self):
        files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in {".h", ".cpp"}]
        self.assertGreater(len(files), 100)
        self.clean(clang_format(), "--dry-run", "--Werror", *sorted(files))

    def test_ruff_format(self):
        self.clean(sys.executable, "-m", "ruff", "format", "--no-cache", "--diff", ".")

    def test_ruff_check(self):
        self.clean(sys.executable, "-m", "ruff", "check", "--no-cache", ".")


if __name__ == "__main__":
    sys.exit(unittest.main())
