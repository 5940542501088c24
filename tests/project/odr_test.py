#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make odr` finds what it is for: types that differ, and bodies. Standard library only."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import odr  # noqa: E402

CXX = os.environ.get("SFUMATO_CXX", "c++")
PRESETS = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]
FLAGS = next(p for p in PRESETS if p["name"] == "lto")["cacheVariables"]["CMAKE_CXX_FLAGS_DEBUG"].split()

HEADER = """
namespace n {
enum class Kind { kOne, LAST };
inline const char* Word(int i) {
    switch (i) {
        case 0: return "none"; case 1: return "one"; case 2: return "two"; case 3: return "three"; case 4: return "four";
        default: return WORD;
    }
}
inline double Part(double x) { return x * PART; }
template <class T> T Sum(T a, T b) { return a SIGN b; }
inline int table[] = {1, 2, ENTRY};
struct Base { virtual ~Base() = default; virtual int Get() const { static int last = 3; return last++; } };
inline int Catch(int i) { try { if (i > 9) throw i; return i; } catch (int) { return 0; } }
inline int All(Kind kind, int i) { return *Word(i) + int(Part(i)) + Sum(i, 2) + table[i] + Base().Get() + Catch(i) + int(kind); }
}
"""
# What only one of the files has must not matter.
FIRST = '#include "shared.h"\nconst char* own = "none of it"; int First(n::Kind k) { return n::All(k, *own) + int(2.5 * *own); }\n'
SECOND = '#include "shared.h"\nint First(n::Kind); int main(int i, char**) { return First(n::Kind()) + n::All(n::Kind(), i); }\n'
SAME = {"LAST": "kTwo", "WORD": '"many"', "PART": "0.1", "SIGN": "+", "ENTRY": "3"}


def said_by(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@unittest.skipUnless("Free Software Foundation" in said_by(CXX, "--version"), "-Wodr is g++'s")
class Odr(unittest.TestCase):
    def built(self, **other):
        """What is said of the types, and the names of the bodies, of two files whose second has `other` in place of SAME."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "shared.h").write_text(HEADER, encoding="utf-8")
            objects = []
            for name, text, words in (("first", FIRST, SAME), ("second", SECOND, SAME | other)):
                source = Path(folder, f"{name}.cpp")
                source.write_text(text, encoding="utf-8")
                objects.append(source.with_suffix(".o"))
                macros = [f"-D{word}={value}" for word, value in words.items()]
                said_by(CXX, "-std=c++20", *FLAGS, *macros, "-c", source, "-o", objects[-1])
            return odr.types(CXX, objects, Path(folder, "both.o")), sorted(odr.bodies(objects)[0])

    def test_the_same_is_silent(self):
        self.assertEqual(self.built(), ("", []))

    def test_types_that_differ(self):
        said, _ = self.built(LAST="kThree")
        self.assertRegex(said, r"n::Kind.* violates the C\+\+ One Definition Rule")

    def test_bodies_that_differ(self):
        for other, name in (
            ({"SIGN": "-"}, "_ZN1n3SumIiEET_S1_S1_"),
            ({"WORD": '"more"'}, "_ZN1n4WordEi"),
            ({"PART": "0.2"}, "_ZN1n4PartEd"),
            ({"ENTRY": "4"}, "_ZN1n5tableE"),
        ):
            with self.subTest(name):
                self.assertEqual(self.built(**other), ("", [name]))


if __name__ == "__main__":
    sys.exit(unittest.main())
