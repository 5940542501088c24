# SPDX-License-Identifier: Apache-2.0
"""A package of operators that a test builds once, and programs that run under `sfumato env` with an opp folder of its own."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from installation import COMMAND

HERE = Path(__file__).resolve().parent


class Packages(unittest.TestCase):
    maxDiff = None
    sources = ("project",)

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name).resolve()
        cls.environment = {k: v for k, v in os.environ.items() if not k.startswith(("SFUMATO_", "ASCEND"))}
        cls.environment.update(XDG_DATA_HOME=str(cls.folder / "data"), SFUMATO_CACHE=str(cls.folder / "cache"))
        cls.project = cls.folder / "project"
        for folder in cls.sources:
            shutil.copytree(HERE / folder, cls.project, dirs_exist_ok=True)
        cls.built = cls.run_it("sfumato", "build-op", "project", "-Dvendor_name=mine")
        (cls.run_file,) = cls.project.glob("build_out/custom_opp_*.run")

    @classmethod
    def run_it(cls, *command, expect=0, chip="Ascend910B1", **env):
        words = [COMMAND, "env", "--chip", chip, "--", *command]
        done = subprocess.run(
            [str(word) for word in words],
            cwd=cls.folder,
            env={**cls.environment, **env},
            capture_output=True,
            text=True,
        )
        if done.returncode != expect:
            raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout if expect == 0 else done.stderr
