#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an installed wheel brings, used from an empty folder by a user who is not root: command, package, headers, library."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from installation import COMMAND, PREFIX

import sfumato

STAGE = COMMAND.parents[2]
KERNEL = (Path(__file__).parent / "consumer" / "double.cpp").read_text(encoding="utf-8")

PROGRAM = """
import numpy as np, sfumato
x, y = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
sfumato.compile("double.cpp", chip="Ascend910B1").twice[2](x, y)
print((y == 2 * x).all(), sfumato.cmake_dir())
try:
    sfumato.compile("wrong.cpp", chip="Ascend910B1").twice[2](x, y)
except sfumato.KernelError as fault:
    print(fault.report.rule)
"""


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        (cls.folder / "double.cpp").write_text(KERNEL, encoding="utf-8")

    def run_it(self, *words):
        done = subprocess.run([str(w) for w in words], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_the_package_is_the_wheels(self):
        self.assertEqual(Path(sfumato.__file__).parent, PREFIX)
        self.assertNotEqual(os.getuid(), 0, "this test is for another user than root")

    def test_no_file_is_missing_or_replaced(self):
        manifest = json.loads((STAGE / "manifest.json").read_text(encoding="utf-8"))["files"]
        wanted = {n: d for n, d in manifest.items() if n.startswith(("include/", "lib/cmake/", "share/sfumato/"))}
        wrong = [n for n, d in wanted.items() if hashlib.sha256((PREFIX / n).read_bytes()).hexdigest() != d]
        self.assertEqual((len(wanted) > 300, wrong), (True, []))

    def test_kernels_run_and_faults_are_told(self):
        wrong = KERNEL.replace("Muls(b, a, 2.0f, 64)", "Muls(b, a[1], 2.0f, 32)")
        self.assertNotEqual(wrong, KERNEL)
        (self.folder / "wrong.cpp").write_text(wrong, encoding="utf-8")
        self.assertEqual(self.run_it(sys.executable, "-c", PROGRAM), f"True {PREFIX}/lib/cmake/Sfumato\nub-alignment\n")

    def test_the_plugin_of_pytest_is_registered(self):
        (entry_points,) = PREFIX.parent.glob("sfumato-*.dist-info/entry_points.txt")
        self.assertEqual("[pytest11]\nsfumato_pytest = sfumato_pytest\n\n", entry_points.read_text(encoding="utf-8"))

    def test_the_command_and_what_shells_look_for(self):
        self.assertTrue(self.run_it(COMMAND, "--version").startswith("sfumato "))
        self.assertIn(f"{PREFIX}/include/sfumato", self.run_it(COMMAND, "doctor"))
        for name in ("man/man1/sfumato.1", "bash-completion/completions/sfumato", "doc/sfumato/calls/README.md"):
            self.assertTrue((COMMAND.parents[1] / "share" / name).is_file(), name)


if __name__ == "__main__":
    sys.exit(unittest.main())
