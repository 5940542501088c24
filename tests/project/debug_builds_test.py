#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels run on the same cores whether their project is built for release or for debugging."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from installation import CMAKE, CXX, TOOLKIT
from raised import keep, raised

PROJECT = Path(__file__).with_name("debug_builds")
RIGHT = """\
on_vector 1 1 0 0, 0 cube cores
on_both 2 2 2 2, 2 cube cores
declared_mixed 2 2 2 2, 2 cube cores
declared_vector 1 1 0 0, 0 cube cores
"""
WARNING = """\
warning [cores-derived-unoptimised] the kernel runs on cube and vector cores because its unoptimised code calls both units; calls that never run count, too
  where:  {where}, kernel {kernel} (Ascend910B)
  found:  calls of the cube unit (SetHf32) and of the vector unit (vector_dup)
  legal:  cores that the source declares, or that are derived from optimised code
  do:     declare KERNEL_TASK_TYPE_DEFAULT in the kernel, or build with -O2
"""


class DebugBuilds(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        cls.environment = {k: v for k, v in os.environ.items() if not k.startswith(("SFUMATO_", "CXXFLAGS"))}
        cls.environment.update(ASCEND_HOME_DIR=str(TOOLKIT), TERM="dumb", XDG_DATA_HOME=str(cls.folder), CXX=CXX)

    def run_in(self, *command):
        done = subprocess.run(
            [str(word) for word in command], cwd=self.folder, env=self.environment, capture_output=True, text=True
        )
        return done.returncode, done.stdout, done.stderr

    def build(self, build_type, **settings):
        """The host program and what the build said."""
        name = "_".join([build_type, *settings.values()])
        options = [f"-D{key}={value}" for key, value in settings.items()]
        code, out, err = self.run_in(
            CMAKE, "-G", "Ninja", "-S", PROJECT, "-B", name, f"-DCMAKE_BUILD_TYPE={build_type}",
            f"-DASCEND_CANN_PACKAGE_PATH={TOOLKIT}", *options
        )  # fmt: skip
        self.assertEqual(code, 0, out + err)
        code, out, err = self.run_in(CMAKE, "--build", name, "-j", "2")
        self.assertEqual(code, 0, out + err)
        return self.folder / name / "host", out + err

    def test_each_build_type_runs_on_the_same_cores(self):
        for build_type in ("Release", "Debug"):
            for mode in ({"MODE": "npu"}, {"MODE": "npu", "KIND": "SHARED"}, {"MODE": "cpu"}, {"MODE": "own"}):
                with self.subTest(build_type=build_type, mode=mode):
                    host, said = self.build(build_type, **mode)
                    self.assertNotIn("warning", said)
                    self.assertEqual(self.run_in(host), (0, RIGHT, ""))

    def test_stripped_libraries_know_their_cores(self):
        host, _ = self.build("Debug", MODE="npu", KIND="SHARED")
        (library,) = host.parent.glob("lib/libkernels.so")
        self.assertEqual(self.run_in("strip", library)[0], 0)
        self.assertEqual(self.run_in(host), (0, RIGHT, ""))

    def where(self, line):
        text = (PROJECT / "host.cpp").read_text()
        return f"{PROJECT}/host.cpp:{text[: text.rindex(line)].count(chr(10)) + 1}"

    def test_without_notes_an_unoptimised_launch_is_told(self):
        host, _ = self.build("Debug", MODE="bare", KIND="SHARED")
        code, out, err = self.run_in(host)
        self.assertEqual(code, 0)
        self.assertIn("on_vector 2 2 2 2, 2 cube cores\n", out)
        self.assertIn("declared_vector 1 1 0 0, 0 cube cores\n", out)
        raised("cores-derived-unoptimised")
        kernels = ("on_vector", "on_both")
        self.assertEqual(err, "".join(WARNING.format(where=self.where(f"RUN({k})"), kernel=k) for k in kernels))

    def test_a_twin_that_does_not_compile_is_told(self):
        host, said = self.build("Debug", MODE="npu", SOURCE="only_debug.cpp")
        self.assertIn("warning: it does not compile with optimisation", said)
        self.assertIn("this source is for debug builds", said)
        code, out, err = self.run_in(host)
        self.assertEqual((code, out), (0, "only_debug 2 2 2 2, 2 cube cores\n"))
        # The launch is made in the library; who called it is not known there.
        self.assertEqual(err, WARNING.format(where="aclrtlaunch:2", kernel="::only_debug"))


if __name__ == "__main__":
    keep("debug_builds_test")
    sys.exit(unittest.main())
