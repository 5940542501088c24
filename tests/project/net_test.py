#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The net (tests/net) tells what is lost or changed, and each kind of mutant finds places. Standard library only."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tools"), str(ROOT / "tests" / "net")]
import compare  # noqa: E402
import mutants  # noqa: E402
import surface  # noqa: E402
import texts  # noqa: E402

ROWS = [
    ("gtest", "a", "One"),
    ("gtest", "a", "Two"),
    ("gtest", "b", "One"),
    ("gtest", "b", "Two"),
    ("ctest", "a"),
    ("ctest", "a"),
]
LAUNCH = "pair\tx right\toutputs a = = = = =\tfindings b = = = = c\tlog - = = = = =\ttrace d = = = = ="


class Net(unittest.TestCase):
    def lost(self, rows, launch, dearer=100):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            for name, mine, line, cost in (("old", ROWS, LAUNCH, 100), ("new", rows, launch, dearer)):
                place = Path(folder, name)
                place.mkdir()
                for inventory in compare.INVENTORIES:
                    (place / f"{inventory}.txt").write_text("\n".join(texts.pack(mine)) + "\n", encoding="utf-8")
                (place / "launches.txt").write_text(f"{line}\n", encoding="utf-8")
                (place / "compile.txt").write_text(f"every\t{cost}\t100\n", encoding="utf-8")
            return compare.compare(Path(folder, "old"), Path(folder, "new"))

    def test_rows_are_packed_and_unpacked(self):
        self.assertEqual(["ctest", "\ta\ta", "gtest ; a", "gtest ; b", "\tOne\tTwo"], texts.pack(ROWS))
        self.assertEqual(len(ROWS), texts.unpack("\n".join(texts.pack(ROWS))).total())

    def test_what_is_lost_or_changed_is_told(self):
        self.assertEqual(0, self.lost(ROWS, LAUNCH))
        self.assertEqual(0, self.lost([*ROWS, ("gtest", "c", "One")], LAUNCH.replace("log -", "log e")))
        self.assertEqual(len(compare.INVENTORIES), self.lost(ROWS[1:], LAUNCH))
        self.assertEqual(1, self.lost(ROWS, LAUNCH.replace("c\tlog", "d\tlog")))
        self.assertEqual(1, self.lost(ROWS, LAUNCH.replace("x right", "y right")))
        self.assertEqual([0, 1], [self.lost(ROWS, LAUNCH, dearer) for dearer in (101, 102)])

    def test_places_are_words(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "k.cpp").write_text("\n  Add(z, x, y);\n", encoding="utf-8")
            self.assertEqual("at «Add(z, x, y);» in /x", texts.normal(f"at k.cpp:2 in {folder}/x", [folder], folder))


class Surface(unittest.TestCase):
    def test_declarations_are_told_without_bodies(self):
        text = """namespace A { template <typename T, int n = 2> void F(const T& x = {}) { if (x) { } }
            struct S { S(int a) : a_{a}, b_(a) { go(); } int a_ = 1, b_; enum class E { kA, kB }; private: void G() const; };
            using std::x, std::y; inline constexpr int k[] = {1, 2}; enum { kOne = 1 }; }"""
        tokens = [match[0] for match in surface.TOKEN.finditer(text)]
        told = [f"{'::'.join(scope)}: {' '.join(words)}" for scope, words in surface.declarations(tokens)]
        self.assertEqual(
            [
                "A: template < typename T , int n = 2 > void F ( const T & x = { } )",
                "A: struct S",
                "A::S: S ( int a ) : a_ { a } , b_ ( a )",
                "A::S: int a_ = 1 , b_",
                "A::S: enum class E { kA , kB }",
                "A::S: void G ( ) const",
                "A: using std :: x",
                "A: using std :: y",
                "A: inline constexpr int k [ ] = { 1 , 2 }",
                "A: enum { kOne = 1 }",
            ],
            told,
        )


class Mutants(unittest.TestCase):
    def test_every_kind_has_places(self):
        for kind in mutants.DATA["kind"]:
            with self.subTest(kind["name"]):
                found = list(mutants.sites(kind))
                self.assertGreater(len(found), 4)
                self.assertTrue(all(mutant.line != mutant.becomes for mutant in found))

    def test_every_file_has_a_level(self):
        for kind in mutants.DATA["kind"]:
            for mutant in mutants.sites(kind):
                tests = [start for level in mutants.DATA["level"] for start, _ in level["tests"]]
                self.assertTrue(any(mutant.path.startswith(start) for start in tests), mutant.place)


if __name__ == "__main__":
    sys.exit(unittest.main())
