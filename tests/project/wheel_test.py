#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel, installs it into a fresh venv and uses what is in it, from a folder that is not the repository."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SFUMATO_BUILD_DIR", ROOT / "build" / "release"))
SIMD = os.environ.get("SFUMATO_SIMD", "one")
LAUNCHER = os.environ.get("SFUMATO_LAUNCHER", "")
# scikit-build-core would take the compiler Python was built with, under a name the compiler cache has not seen.
COMPILER = {"CXX": os.environ["SFUMATO_CXX"]} if "SFUMATO_CXX" in os.environ else {}

PROGRAM = f"""
import numpy as np, sfumato
x, y = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
sfumato.compile({str(ROOT / "tests/project/consumer/double.cpp")!r}, chip="Ascend910B1").twice[2](x, y)
print((y == 2 * x).all(), sfumato.cmake_dir())
"""


def run(*command, **kwargs):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **kwargs)
    if done.returncode:
        raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


class Wheel(unittest.TestCase):
    def test_the_wheel_brings_command_package_headers_and_library(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            # Beside the build tree: paths relative to it are the same, so that a compiler cache has the objects.
            settings = {
                "build-dir": BUILD.with_name(f"{BUILD.name}-wheel"),
                "cmake.define.SFUMATO_SIMD": SIMD,
                "cmake.define.CMAKE_CXX_COMPILER_LAUNCHER": LAUNCHER,
            }
            # Without build isolation: the packages of the test's interpreter are the ones pyproject.toml asks for.
            run(
                sys.executable,
                "-m",
                "pip",
                "wheel",
                ROOT,
                "--quiet",
                "--no-deps",
                "--no-build-isolation",
                "--wheel-dir",
                folder,
                *(f"--config-settings={key}={value}" for key, value in settings.items() if value),
                env={**os.environ, **COMPILER},
            )
            run(sys.executable, "-m", "venv", "--without-pip", folder / "venv")
            (wheel,) = folder.glob("*.whl")
            python = folder / "venv" / "bin" / "python"
            run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", wheel)

            # NumPy is borrowed from the test's interpreter.
            import numpy

            environment = {
                "PATH": os.environ["PATH"],
                "SFUMATO_CACHE": str(folder / "cache"),
                "PYTHONPATH": str(Path(numpy.__file__).parents[1]),
            }
            package = next(folder.glob("venv/lib*/python*/site-packages/sfumato"))
            self.assertEqual(
                run(python, "-c", PROGRAM, env=environment, cwd=folder), f"True {package}/lib/cmake/Sfumato\n"
            )
            (entry_points,) = package.parent.glob("sfumato-*.dist-info/entry_points.txt")
            self.assertEqual("[pytest11]\nsfumato = sfumato_pytest\n\n", entry_points.read_text(encoding="utf-8"))
            command = folder / "venv" / "bin" / "sfumato"
            self.assertTrue(run(command, "--version", env=environment, cwd=folder).startswith("sfumato "))
            self.assertTrue((folder / "venv/share/man/man1/sfumato.1").is_file())
            self.assertTrue((folder / "venv/share/bash-completion/completions/sfumato").is_file())
            self.assertIn(str(package / "include" / "sfumato"), run(command, "doctor", env=environment, cwd=folder))


if __name__ == "__main__":
    sys.exit(unittest.main())
