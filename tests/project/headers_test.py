#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The installation holds what the sources hold, nothing replaced, and every public header works alone, to g++ and to clang.

What is expected comes from source and build tree, not from the installation: the stage's manifest (tests/support/manifest.py).
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from installation import CXX, PREFIX

INCLUDE = PREFIX / "include" / "sfumato"
MANIFEST = json.loads((PREFIX.parent / "manifest.json").read_text(encoding="utf-8"))
HEADERS = MANIFEST["headers"]
FORWARDERS = MANIFEST["forwarders"]
CLANG = next(filter(shutil.which, ("clang++-13", "clang++")), None)
# Headers that are compiled for a chip, as a program that launches kernels is.
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-D__NPU_ARCH__=2201", "-fsyntax-only"]


def uses(name):
    """Lines that compile only where `name` has been declared."""
    if name.startswith("#"):
        return f"#ifndef {name[1:]}\n#error {name[1:]} is not defined\n#endif\n"
    return f"namespace user {{ using {name}; }}\n"


class Headers(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def test_no_file_is_missing_or_replaced(self):
        wrong = []
        for name, digest in MANIFEST["files"].items():
            found = next(PREFIX.glob(name), None)
            if found is None:
                wrong.append(f"{name} is missing")
            elif hashlib.sha256(found.read_bytes()).hexdigest() != digest:
                wrong.append(f"{name} is another file than the source's")
        self.assertEqual(wrong, [])
        headers = {path.relative_to(INCLUDE).as_posix() for path in INCLUDE.rglob("*.h")}
        self.assertEqual(headers - set(HEADERS), set(), "headers that no source is")

    def test_every_header_gives_something(self):
        self.assertEqual([name for name, given in HEADERS.items() if not given], [])

    def compiled(self, compiler, name):
        """A program that includes this header alone and uses what it gives. The compiler's words, empty if it compiles."""
        source = self.folder / f"{name.replace('/', '_')}.{Path(compiler).name}.cpp"
        include = name.removeprefix("sfumato/libc/")  # these stand before the system's
        source.write_text(f"#include <{include}>\n{uses(HEADERS[name])}", encoding="utf-8")
        done = subprocess.run(
            [compiler, *FLAGS, f"-I{INCLUDE}", "-isystem", INCLUDE / "sfumato" / "libc", source],
            capture_output=True,
            text=True,
            check=False,
        )
        return f"{compiler}, {name}: {done.stderr}" if done.returncode or done.stderr else ""

    def test_each_compiles_alone(self):
        self.assertTrue(CLANG, "clang++ was not found: run `make deps`")
        own = [name for name in HEADERS if name not in FORWARDERS]
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            words = list(pool.map(self.compiled, [CXX] * len(own) + [CLANG] * len(own), own * 2))
        self.assertEqual([text for text in words if text], [])

    def test_each_forwarder_leads_where_it_should(self):
        """One program includes all of them, with a stand-in for what they lead to, which says that it was reached."""
        forwarders, aims = self.folder / "forwarders", self.folder / "aims"
        lines = []
        for number, (name, aim) in enumerate(FORWARDERS.items()):
            copy = forwarders / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(INCLUDE / name, copy)
            os.utime(copy, (number, number))  # g++ takes files alike, of one time, for one file
            (aims / aim).parent.mkdir(parents=True, exist_ok=True)
            (aims / aim).write_text(f"struct REACHED {{ static constexpr char kAim[] = {json.dumps(aim)}; }};\n")
            lines += [f"#define REACHED Through{number}", f"#include <{name}>", "#undef REACHED"]
            lines += [f"static_assert(sizeof(Through{number}::kAim) == sizeof({json.dumps(aim)}), {json.dumps(name)});"]
        source = self.folder / "all.cpp"
        source.write_text("\n".join(lines) + "\n", encoding="utf-8")
        for compiler in (CXX, CLANG):
            done = subprocess.run(
                [compiler, *FLAGS, f"-I{forwarders}", f"-I{aims}", source], capture_output=True, text=True, check=False
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    sys.exit(unittest.main())
