#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A user's project is built against the installation and runs; what lies where."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from installation import CMAKE, COMMAND, PREFIX

CONSUMER = Path(__file__).with_name("consumer")


def run(*command, expect=0, **kwargs):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **kwargs)
    if (done.returncode == 0) != (expect == 0):
        raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout + done.stderr


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.environment = {key: value for key, value in os.environ.items() if not key.startswith("SFUMATO_")}
        cls.environment["SFUMATO_CACHE"] = str(Path(cls.folder.name, "cache"))

    def configure(self, name, *arguments, expect=0):
        build = Path(self.folder.name, name)
        output = run(
            CMAKE,
            "-G",
            "Ninja",
            "-S",
            CONSUMER,
            "-B",
            build,
            f"-DCMAKE_PREFIX_PATH={PREFIX}",
            *arguments,
            expect=expect,
        )
        return build, output

    def test_a_project_finds_it_and_its_kernels_run(self):
        build, _ = self.configure("consumer")
        run(CMAKE, "--build", build, "-j", "2")
        self.assertEqual(
            run(build / "host", env=self.environment),
            "ICPU_RUN_KF on Ascend910B1, __NPU_ARCH__ 2201: 128 of 128\nLaunch: ok, 128 of 128\nleave: process-end at line 7\n",
        )
        self.assertEqual(
            run(build / "host_310p", env=self.environment),
            "ICPU_RUN_KF on ascend310p3, __NPU_ARCH__ 2002: 128 of 128\nLaunch: ok, 128 of 128\nleave: process-end at line 7\n",
        )

    def test_a_wrong_chip_is_refused_with_the_list(self):
        # unknown; known, but TIK only
        for chip, near in (("Ascend911", "; did you mean Ascend910?"), ("Ascend310", "")):
            _, output = self.configure(f"wrong_{chip}", f"-DCHIP={chip}", expect=1)
            text = " ".join(output.split())
            self.assertIn(f"no chip with Ascend C is called '{chip}'{near}; legal: Ascend910, Ascend910A", text)

    def test_the_man_page_and_completion_are_where_shells_look(self):
        share = PREFIX / "share"
        for name in (
            "man/man1/sfumato.1",
            "bash-completion/completions/sfumato",
            "zsh/site-functions/_sfumato",
            "fish/vendor_completions.d/sfumato.fish",
        ):
            self.assertTrue((share / name).is_file(), name)

    def test_the_installed_command_runs_a_kernel(self):
        output = run(
            COMMAND,
            "run",
            CONSUMER / "double.cpp",
            "--chip",
            "Ascend910B1",
            "--blocks",
            "2",
            "--",
            "out:float32[128]=x.npy",
            "out:float32[128]=y.npy",
            env=self.environment,
            cwd=self.folder.name,
        )
        self.assertNotIn("fault [", output)
        self.assertTrue(Path(self.folder.name, "y.npy").exists())

    def test_every_cmake_file_is_relative(self):
        """Nothing names the folder it was installed to, so that a prefix may be moved and packed."""
        for path in PREFIX.rglob("*.cmake"):
            self.assertNotIn(str(PREFIX), path.read_text(encoding="utf-8"), path)


if __name__ == "__main__":
    sys.exit(unittest.main())
