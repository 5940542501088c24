#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The oldest compilers of kernels, which the build does not use, accept what a user's kernel includes, and their kernels run."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import defaultdict
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SFUMATO_BUILD_DIR", "build/release")).resolve()
OLDEST = 16
# These refuse to be compiled for no chip; the last includes all others.
CHIPS_OWN = ("sfumato/host/chip.h", "sfumato/host/launch.h", "tikicpulib.h", "cpu_debug_launch.h")
# Macros of kernels for what are enumerators of the host, whose tests are compiled with the others.
MACROS = ("sfumato/type_macros.h",)
FOLDERS = ("frontends", "host")
# What a user's kernels are compiled with.
USER = (f"-I{ROOT / 'include'}", f"-I{BUILD / 'generated'}")
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wno-missing-field-initializers"]


def clang():
    """The oldest clang++ we support or a later one, or None."""
    for name in ("clang++-16", "clang++", *(f"clang++-{version}" for version in range(17, 30))):
        if shutil.which(name):
            text = subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout
            found = re.search(r"version (\d+)", text)
            if found and int(found[1]) >= OLDEST:
                return name
    return None


def gcc():
    """The oldest g++ we support, or None."""
    return shutil.which("g++-11")


def settings(command):
    """The definitions and include folders of a compile command."""
    return tuple(re.findall(r"-I\S+|-D(?!GTEST)\S+|-isystem \S+", command.replace('\\"', '"')))


def sources():
    """Sources by the settings the build compiles them with; examples are compiled as a user does."""
    groups, seen = defaultdict(list), set()
    for entry in json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8")):
        path = Path(entry["file"])
        if "-DSFUMATO_ANY_TYPE" in entry["command"]:
            continue  # it reads the headers otherwise than all others
        if any(path.is_relative_to(ROOT / "tests" / folder) for folder in FOLDERS) and path not in seen:
            seen.add(path)
            groups[settings(entry["command"])].append(path)
    alone = [*ROOT.glob("examples/**/*.cpp"), *ROOT.glob("tests/frontends/compile_fail/*.cpp")]
    # The types of an operator's kernel come with the call.
    groups[USER] += sorted(path for path in alone if path.parent.name != "op_kernel")
    return groups


class Compilers(unittest.TestCase):
    def compile(self, compiler, *command):
        done = subprocess.run([compiler, *FLAGS, *map(str, command)], capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stderr)

    def precompile(self, compiler, folder, *flags):
        """All public headers once, instead of in every file; the words that use them."""
        header = Path(folder, "all.h")
        public = sorted(path.relative_to(ROOT / "include") for path in ROOT.glob("include/**/*.h"))
        lines = [f'#include "{path}"\n' for path in public if str(path) not in (*CHIPS_OWN, *MACROS)]
        header.write_text("#include <gtest/gtest.h>\n" + "".join(lines), encoding="utf-8")
        chips_own = header.with_name("chips_own.cpp")
        chips_own.write_text(f"#define __NPU_ARCH__ 2201\n#include <{CHIPS_OWN[-1]}>\n", encoding="utf-8")
        is_clang = "clang" in compiler
        compiled = Path(folder, "all.pch" if is_clang else "all.h.gch")
        self.compile(compiler, *USER, *flags, "-x", "c++-header", header, "-o", compiled)
        return ("-include-pch", compiled) if is_clang else ("-include", header), chips_own

    def runs_a_kernel(self, compiler):
        with tempfile.TemporaryDirectory() as folder:
            command = [BUILD / "tools" / "sfumato" / "sfumato", "run", ROOT / "tests/project/consumer/double.cpp"]
            words = "--chip Ascend910B1 --blocks 2 -- x.npy out:float32[128]=y.npy".split()
            x = np.arange(128, dtype=np.float32)
            np.save(f"{folder}/x.npy", x)
            environment = {**os.environ, "SFUMATO_CXX": compiler, "SFUMATO_CACHE": f"{folder}/cache"}
            done = subprocess.run(
                [*map(str, command), *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
            self.assertEqual(0, done.returncode, done.stdout + done.stderr)
            self.assertTrue(np.array_equal(2 * x, np.load(f"{folder}/y.npy")))

    def test_clang(self):
        self.assertTrue(clang(), f"clang++ {OLDEST} or newer was not found: run `make deps`")
        groups = sources()
        self.assertGreater(sum(map(len, groups.values())), 60)
        with tempfile.TemporaryDirectory() as folder:
            include, chips_own = self.precompile(clang(), folder, "-fpch-instantiate-templates")
            groups[USER].append(chips_own)
            for flags, paths in groups.items():
                words = [word for flag in flags for word in flag.split(" ", 1)]
                self.compile(clang(), *words, *include, "-fsyntax-only", *paths)

    def test_oldest_gcc(self):
        if not gcc():
            self.skipTest("g++ 11 was not found (Debian 12: g++-11)")
        with tempfile.TemporaryDirectory() as folder:
            include, chips_own = self.precompile(gcc(), folder)
            self.compile(gcc(), *USER, "-fsyntax-only", chips_own)
            self.compile(gcc(), *USER, *include, "-fsyntax-only", *sources()[USER])

    def test_their_kernels_run(self):
        if not (BUILD / "tools" / "sfumato" / "sfumato").is_file():
            self.skipTest("the command is not built")
        for compiler in filter(None, (clang(), gcc())):
            with self.subTest(compiler):
                self.runs_a_kernel(compiler)


if __name__ == "__main__":
    sys.exit(unittest.main())
