#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The runner of outside repositories, on clones made here; and its table: every row whole, and docs/outside.md what it says."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
import facts  # noqa: E402
import run  # noqa: E402

# `sfumato env --chip CHIP [--torch] -- COMMAND` alone, so that the runner is tested without an installation.
SFUMATO = '#!/bin/sh\nshift 3\n[ "$1" = --torch ] && shift\n[ "$1" = -- ] && shift\nexec "$@"\n'
OVERRUN = "fault [ub-overrun] Add: past the end\\n  where:  op_kernel/add.cpp:7, kernel add"
TRIES = f"""
[[try]]
repository = "a/right"
form = "asc language"
chip = "Ascend910B1"
steps = ["sub: echo 1 > made", "sub: cat made; echo test pass => test pass"]
[[try]]
repository = "a/runs"
form = "asc language"
chip = "Ascend310B1"
steps = ["true"]
[[try]]
repository = "a/finding"
form = "kernel only"
chip = "Ascend310B1"
steps = ["printf '{OVERRUN}'; exit 4"]
finding = [{{shows = 'ub-overrun[^$]*op_kernel/add.cpp:7', cause = "past a tensor", known = "op_kernel/add.cpp:7: the page limits the count"}}]
[[try]]
repository = "a/fault"
name = "quiet"
form = "kernel only"
chip = "Ascend310B1"
steps = ["printf 'a program tells of {OVERRUN}'", "echo never"]
[[try]]
repository = "a/fault"
name = "golden"
form = "kernel only"
chip = "Ascend310B1"
steps = ["echo error result => test pass"]
finding = [{{shows = "no such words", known = "nowhere:1"}}]
[[try]]
repository = "a/refused"
form = "kernel only"
chip = "Ascend950"
steps = ["echo no chip Ascend950; false"]
exception = [{{shows = "no chip Ascend950", cause = "Ascend950", known = "build.sh:1 names it alone"}}]
[[try]]
repository = "a/slow"
form = "kernel only"
chip = "Ascend310B1"
limit = 1
steps = ["sleep 60"]
[[try]]
repository = "a/older"
form = "asc language"
chip = "Ascend310B1"
python = "torch 2.1"
steps = ["command -v python => /home/python/bin/python"]
[[try]]
repository = "a/absent"
form = "kernel only"
chip = "Ascend310B1"
steps = ["true"]
"""
RIGHT = {
    "right": ("right", "2/2", ""),
    "runs": ("runs", "1/1", ""),
    "older": ("not there", "0/1", "no Python with torch 2.1 (--python)"),
    "finding": ("finding", "0/1", "past a tensor"),
    "fault golden": ("fault", "0/1", "result differs"),
    "fault quiet": ("fault", "0/2", "report of a rule"),
    "refused": ("exception", "0/1", "Ascend950"),
    "slow": ("fault", "0/1", "no end within the time limit"),
    "absent": ("not there", "0/1", "no clone of it"),
}


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "prefix/bin").mkdir(parents=True)
        command = self.folder / "prefix/bin/sfumato"
        command.write_text(SFUMATO)
        command.chmod(0o755)
        for name in ("right", "runs", "older", "finding", "fault", "refused", "slow"):
            (self.folder / f"clones/a+{name}/sub").mkdir(parents=True)
        (self.folder / "tries.toml").write_text(TRIES)

    def run_all(self, *words):
        arguments = ["run.py", str(self.folder / "clones"), "--prefix", str(self.folder / "prefix"), "--logs", str(self.folder / "logs"),
                     "--tries", str(self.folder / "tries.toml"), "--facts", str(self.folder / "facts.tsv"), *words]  # fmt: skip
        printed = io.StringIO()
        with mock.patch.object(sys, "argv", arguments), contextlib.redirect_stdout(printed):
            return run.main(), printed.getvalue()

    def test_every_verdict_is_recognised(self):
        code, _ = self.run_all("--write", "after")
        self.assertEqual(code, 1)
        rows = facts.read(self.folder / "facts.tsv")
        got = {f"{r['repository'][2:]} {r['try']}".strip(): (r["after"], r["passed"], r["after_cause"]) for r in rows}
        self.assertEqual(got, RIGHT)
        known = {r["known"] for r in rows if r["after"] in ("finding", "exception")}
        self.assertEqual(known, {"op_kernel/add.cpp:7: the page limits the count", "build.sh:1 names it alone"})

    def test_a_try_has_the_python_that_it_names(self):
        code, said = self.run_all("--only", "a/older", "--python", f"torch 2.1={sys.executable}")
        self.assertEqual((code, said.split()[:2]), (0, ["right", "1/1"]))

    def test_clones_stay_as_they_are(self):
        self.run_all("--only", "a/right")
        self.assertEqual(os.listdir(self.folder / "clones/a+right/sub"), [])

    def test_summary_counts_repositories(self):
        self.run_all("--write", "after")
        text = facts.summary(facts.read(self.folder / "facts.tsv"))
        self.assertIn("| after | 2 | 2 | 0 | 1 | 1 | 1 | 1 | 0 | 3 of 5, 60 % |", text)
        self.assertIn("| kernel only | 0 | 2 | 1 | 5 |", text)


class Table(unittest.TestCase):
    rows = facts.read(HERE / "facts.tsv")

    def test_rows_are_whole(self):
        for row in self.rows:
            with self.subTest(row["repository"], name=row["try"]):
                self.assertIn(row["before"] or "not tried", facts.VERDICTS)
                self.assertIn(row["after"] or "not tried", facts.VERDICTS)
                self.assertRegex(row["commit"], "^[0-9a-f]{40}$|^$")
                if row["after"] == "finding":
                    self.assertRegex(row["known"], r"^[\w./+-]+:\d+: ")

    def test_few_exceptions(self):
        excepted = [name for name, verdict in facts.worst(self.rows, "after").items() if verdict == "exception"]
        self.assertLessEqual(len(excepted), 25)

    def test_the_page_says_what_the_table_says(self):
        done = subprocess.run([sys.executable, str(HERE / "run.py"), "--check-page"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""), "run tests/outside/run.py --page")


if __name__ == "__main__":
    unittest.main()
