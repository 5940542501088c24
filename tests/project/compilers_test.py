#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The oldest compilers of kernels, which the build does not use, accept what a user's kernel includes, and their kernels run; the page
lists what they must know."""

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
sys.path.insert(0, str(ROOT / "tests" / "support"))
import language  # noqa: E402

BUILD = Path(os.environ.get("SFUMATO_BUILD_DIR", "build/release")).resolve()
# What is tried: the oldest of each kind that is here; all that are here where SFUMATO_COMPILERS is "all". `make compilers` puts the g++
# that Debian 12 does not have into a folder.
PATH = os.pathsep.join((str(ROOT / "build" / "compilers" / "usr" / "bin"), os.environ.get("PATH", "")))
CLANG = {name: ("-std=c++20",) for name in (*(f"clang++-{version}" for version in range(13, 30)), "clang++")}
GCC = {"g++-9": ("-std=c++2a", "-fconcepts", "-Wno-attributes"), "g++-10": ("-std=c++20",), "g++-11": ("-std=c++20",)}
# These refuse to be compiled for no chip; the last includes all others.
CHIPS_OWN = ("sfumato/host/chip.h", "sfumato/host/launch.h", "tikicpulib.h", "cpu_debug_launch.h")
# Macros of kernels for what are enumerators of the host, whose tests are compiled with the others.
MACROS = ("sfumato/type_macros.h",)
FOLDERS = ("frontends", "host")
# What a user's kernels are compiled with.
USER = (f"-I{ROOT / 'include'}", f"-I{BUILD / 'generated'}")
FLAGS = ["-Wall", "-Wextra", "-Wno-missing-field-initializers"]
PAGE = ROOT / "docs" / "packages.md"


def tried(names):
    """The programs of these that are here, oldest first, and their words for C++20."""
    here = {program: words for name, words in names.items() if (program := shutil.which(name, path=PATH))}
    return dict(list(here.items())[: None if os.environ.get("SFUMATO_COMPILERS") == "all" else 1])


def version(compiler):
    words = subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True, check=True).stdout
    return int(words.split(".")[0])


def takes(compiler, path):
    """Whether a file has nothing that this compiler lacks."""
    return "clang" in Path(compiler).name or language.oldest_gcc(Path(path)) <= version(compiler)


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
    alone.append(ROOT / "tests/numeric/half_compile.cpp")
    # The types of an operator's kernel come with the call.
    groups[USER] += sorted(path for path in alone if path.parent.name != "op_kernel")
    return groups


class Compilers(unittest.TestCase):
    maxDiff = None

    def compile(self, compiler, *command):
        words = [compiler, *{**CLANG, **GCC}[Path(compiler).name], *FLAGS, *map(str, command)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        return done.stderr

    def precompile(self, compiler, folder, *flags):
        """All public headers once, instead of in every file; the words that use them."""
        header = Path(folder, "all.h")
        public = [path for path in sorted(ROOT.glob("include/**/*.h")) if takes(compiler, path)]
        names = [str(path.relative_to(ROOT / "include")) for path in public]
        lines = [f'#include "{name}"\n' for name in names if name not in (*CHIPS_OWN, *MACROS)]
        header.write_text("#include <gtest/gtest.h>\n" + "".join(lines), encoding="utf-8")
        chips_own = header.with_name("chips_own.cpp")
        chips_own.write_text(f"#define __NPU_ARCH__ 2201\n#include <{CHIPS_OWN[-1]}>\n", encoding="utf-8")
        is_clang = "clang" in Path(compiler).name
        compiled = Path(folder, "all.pch" if is_clang else "all.h.gch")
        self.assertEqual("", self.compile(compiler, *USER, *flags, "-x", "c++-header", header, "-o", compiled))
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
        self.assertTrue(tried(CLANG), "no clang++ was found: run `make deps`")
        groups = sources()
        self.assertGreater(sum(map(len, groups.values())), 60)
        for compiler in tried(CLANG):
            with self.subTest(compiler), tempfile.TemporaryDirectory() as folder:
                include, chips_own = self.precompile(compiler, folder, "-fpch-instantiate-templates")
                for flags, paths in groups.items():
                    words = [word for flag in flags for word in flag.split(" ", 1)]
                    more = [chips_own] if flags == USER else []
                    self.compile(compiler, *words, *include, "-fsyntax-only", *paths, *more)

    def test_gcc(self):
        if not tried(GCC):
            self.skipTest("no g++ older than 12 was found: run `make compilers`")
        for compiler in tried(GCC):
            with self.subTest(compiler), tempfile.TemporaryDirectory() as folder:
                include, chips_own = self.precompile(compiler, folder)
                self.compile(compiler, *USER, "-fsyntax-only", chips_own)
                paths = [path for path in sources()[USER] if takes(compiler, path)]
                self.compile(compiler, *USER, *include, "-fsyntax-only", *paths)

    def test_their_kernels_run(self):
        if not (BUILD / "tools" / "sfumato" / "sfumato").is_file():
            self.skipTest("the command is not built")
        for compiler in (*tried(CLANG), *tried(GCC)):
            with self.subTest(compiler):
                self.runs_a_kernel(compiler)

    def test_the_page_lists_what_headers_need(self):
        page = PAGE.read_text(encoding="utf-8").split("## Beyond C++17\n")[1].split("\n## ")[0]
        self.assertEqual(list(language.rows()), [line for line in page.splitlines() if line.startswith("| ")][1:])
        newest = [name for name, path in language.public().items() if language.oldest_gcc(path) == 10]
        self.assertIn("g++ 10: " + ", ".join(f"`{name}`" for name in newest), page)

    def test_what_the_table_does_not_know_is_cpp_17(self):
        plain = [name for name, path in language.public().items() if not language.oldest_gcc(path)]
        self.assertGreater(len(plain), 100)
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "plain.cpp")
            lines = [f"#include <{name}>\n" for name in plain if name not in MACROS and "/libc/" not in name]
            source.write_text("".join(lines), encoding="utf-8")
            compiler = os.environ.get("SFUMATO_CXX") or "c++"
            words = [compiler, "-std=c++17", "-pedantic-errors", *USER, "-D__NPU_ARCH__=2201", "-fsyntax-only", source]
            done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
            self.assertEqual((0, ""), (done.returncode, done.stderr))


if __name__ == "__main__":
    sys.exit(unittest.main())
