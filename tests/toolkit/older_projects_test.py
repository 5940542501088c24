#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Operator projects with a build folder of their own (older/) under `sfumato env`: built by build.sh, installed by the package,
called by a program with the calls of the samples. sfumato build-op takes them, too."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from installation import COMMAND, TOOLKIT

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from older_table import AT_HOME, OLDER, inputs, write  # noqa: E402


class Projects(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def run_it(self, *words, cwd, chip="", expect=0, **more):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("SFUMATO_", "ASCEND", "DDK"))}
        environment.update(XDG_DATA_HOME=str(self.folder / "data"), SFUMATO_CACHE=str(self.folder / "cache"), **more)
        command = [str(COMMAND), "env", *(["--chip", chip] if chip else []), "--", *map(str, words)]
        done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, expect, f"{words}\n{said[-6000:]}")
        return said

    def called(self, row, project):
        """What the caller writes, compared bit by bit."""
        caller = project / "caller"
        x, y = inputs(row)
        x.tofile(caller / "x.bin")
        if not row.optional:
            y.tofile(caller / "y.bin")
        self.assertIn("done", self.run_it("bash", "run.sh", cwd=caller, chip=row.chip))
        got = np.fromfile(caller / "z.bin", x.dtype)
        want = row.want(x, y, x.dtype.type(row.factor)).astype(x.dtype)
        self.assertEqual(got.tobytes(), want.tobytes(), f"{got[:8]} {want[:8]}")

    def check(self, row):
        project = write(row, self.folder / row.op)
        environment = {k: v.replace("@TOOLKIT@", str(TOOLKIT)) for k, v in row.environment.items()}
        if row.toolkit == AT_HOME:
            environment["HOME"] = str(self.folder / "home")
            home = self.folder / "home/Ascend"
            self.assertIn("linked", self.run_it("sfumato", "toolkit", "link", home, cwd=project, **environment))
        self.run_it("bash", "build.sh", cwd=project, **environment)
        (package,) = project.glob("build_out/*.run")
        self.assertEqual(self.run_it(package, "--quiet", cwd=self.folder), "")
        vendor = self.folder / "data/sfumato/opp/vendors" / row.vendor
        for file in (
            f"op_api/include/aclnn_{row.file}.h",
            "op_proto/inc/op_proto.h",
            f"op_impl/ai_core/tbe/config/{row.units.split(';')[0]}/aic-{row.units.split(';')[0]}-ops-info.json",
        ):
            self.assertTrue((vendor / file).is_file(), file)
        kernels = list(vendor.glob("op_impl/ai_core/tbe/kernel/*/*/*.json"))
        self.assertEqual(len(kernels), len(row.types) * len(row.units.split(";")))
        # The sources are in the library: those of the project are not needed.
        (project / "op_kernel").rename(project / "gone")
        self.called(row, project)

    def test_options_of_the_package(self):
        row = OLDER[0]
        project = write(row, self.folder / "project")
        self.run_it("sfumato", "build-op", ".", cwd=project)
        (package,) = project.glob("build_out/custom_opp_*.run")
        own = self.folder / "own"
        self.run_it(package, "--quiet", f"--install-path={own}", cwd=self.folder)
        self.assertTrue((own / "vendors/customize/op_api/lib/libcust_opapi.so").is_file())
        self.run_it(package, f"--extract={self.folder / 'unpacked'}", cwd=self.folder)
        self.assertTrue((self.folder / "unpacked/packages/vendors/customize/op_api/lib/libcust_opapi.so").is_file())
        self.run_it(package, "--noexec", "--quiet", cwd=self.folder)
        self.assertFalse((self.folder / "data/sfumato/opp/vendors/customize").exists())
        self.run_it(package, "--quiet", "--force", "--nox11", cwd=self.folder)
        self.called(row, project)


def _add(row):
    setattr(Projects, f"test_{row.op}", lambda self: self.check(row))


for _row in OLDER:
    _add(_row)

if __name__ == "__main__":
    unittest.main()
