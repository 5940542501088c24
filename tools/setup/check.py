#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make quick`, `make check`, `make check-all`: builds and runs the tests, and says where the time went.

Each test runs once, those of the product's surface on an installation (tests/installed.py). `check` adds a third of the runs
under the sanitizers, drawn by HEAD's hash; `check-all` all of them, and the build that finds two definitions of one name.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
SLOWEST = 12  # tests that are named at the end


@dataclass
class Step:
    """A step of the run. wall, cpu: minutes."""

    name: str
    wall: float
    cpu: float
    passed: int = 0
    failed: int = 0
    skipped: int = 0


@dataclass
class Case:
    """A test that ran. seconds: elapsed."""

    preset: str
    name: str
    label: str
    seconds: float


class Run:
    def __init__(self, jobs: int):
        self.jobs, self.steps, self.cases = jobs, [], []
        ccache = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        self.settings = [f"-DPython_EXECUTABLE={ROOT / '.venv/bin/python'}", *ccache]

    def step(self, name: str, command: list[str]) -> Step:
        """Runs a command and notes its time. A command that fails ends the run, unless it is of tests."""
        print(f"--- {name}: {' '.join(command)}", flush=True)
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        step = Step(name, (time.monotonic() - began) / 60, cpu / 60)
        self.steps.append(step)
        if done.returncode and command[0] != "ctest":
            self.tell()
            sys.exit(f"{name} failed: {' '.join(command)}")
        step.failed = int(done.returncode != 0)
        return step

    def build(self, preset: str, targets: list[str]) -> None:
        if not (ROOT / "build" / preset / "build.ninja").exists():
            self.step(f"configure {preset}", ["cmake", "--preset", preset, *self.settings])
        chosen = ["--target", *targets] if targets else []
        self.step(f"build {preset}", ["cmake", "--build", f"build/{preset}", "-j", str(self.jobs), *chosen])

    def test(self, preset: str, chosen: list[str]) -> None:
        told = ROOT / "build" / preset / "tests.xml"
        told.unlink(missing_ok=True)
        words = [
            "--test-dir",
            f"build/{preset}",
            "--output-on-failure",
            "-j",
            str(self.jobs),
            "--output-junit",
            str(told),
        ]
        step = self.step(f"test {preset}", ["ctest", *words, *chosen])
        if not told.exists():
            return  # ctest said why
        step.failed = 0
        folders = self.folders(preset)
        for case in ElementTree.parse(told).getroot().iter("testcase"):
            status = case.get("status")
            step.passed += status == "run"
            step.failed += status == "fail"
            step.skipped += status not in ("run", "fail")
            self.cases.append(Case(preset, case.get("name"), folders[case.get("name")], float(case.get("time") or 0)))

    def folders(self, preset: str) -> dict[str, str]:
        """Of each test its folder of tests/, which is one of its labels; else its name."""
        words = ["ctest", "--test-dir", f"build/{preset}", "--show-only=json-v1"]
        listed = json.loads(subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
        found = {}
        for test in listed["tests"]:
            labels = next((p["value"] for p in test["properties"] if p["name"] == "LABELS"), [])
            found[test["name"]] = next((label for label in labels if (ROOT / "tests" / label).is_dir()), test["name"])
        return found

    def tell(self) -> bool:
        """Where the time went, and the closing line. True if no test failed."""
        print("\nstep                      wall min   CPU min   passed  failed  skipped")
        rows = [*self.steps, Step("all", *(sum(getattr(s, key) for s in self.steps) for key in ("wall", "cpu")))]
        for s in rows[:-1]:
            for key in ("passed", "failed", "skipped"):
                setattr(rows[-1], key, getattr(rows[-1], key) + getattr(s, key))
        for s in rows:
            counts = f"{s.passed:9}{s.failed:8}{s.skipped:9}" if s.passed + s.failed + s.skipped else ""
            print(f"{s.name:24}{s.wall:10.1f}{s.cpu:10.1f}{counts}")
        folders = defaultdict(lambda: [0, 0.0])
        for case in self.cases:
            row = folders[f"{case.preset}, {case.label}"]
            row[0], row[1] = row[0] + 1, row[1] + case.seconds / 60
        print("\ntests of                      number   minutes, each test's added up")
        for name, (number, minutes) in sorted(folders.items(), key=lambda item: -item[1][1]):
            print(f"{name:30}{number:6}{minutes:10.1f}")
        slowest = sorted(self.cases, key=lambda case: -case.seconds)[:SLOWEST]
        print("\nthe slowest, seconds: " + ", ".join(f"{c.preset}/{c.name} {c.seconds:.0f}" for c in slowest))
        total = rows[-1]
        print(f"\n{total.passed} passed, {total.failed} failed, {total.skipped} skipped", flush=True)
        return not total.failed


def head() -> str:
    """The commit that is checked out; without git zeros."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "0" * 40


def metrics() -> None:
    """What the house measures, beside the last commit that other branches went into: to read, and no gate."""
    landing = ["git", "log", "-1", "--merges", "--format=%H", "HEAD~1"]
    commit = subprocess.run(landing, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    since = ["--since", commit] if commit else []
    print(f"\n--- tools/metrics.py {' '.join(since)}", flush=True)
    subprocess.run([sys.executable, "tools/metrics.py", *since], cwd=ROOT, check=False)


def sanitized(run: Run, presets: tuple[str, ...], choice: str) -> None:
    """choice: `drawable`, all of them, or a third."""
    for preset in presets:
        run.build(preset, [f"{choice}_tests"])
        run.test(preset, ["-L", f"^{choice}$"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("quick", "check", "check-all", "asan", "tsan"))
    parser.add_argument("-j", "--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument(
        "--third", type=int, choices=(0, 1, 2), help="of the sanitizer runs of `check`, instead of HEAD's"
    )
    options = parser.parse_args()
    run = Run(options.jobs)
    if options.what == "quick":
        run.build("dev", ["quick_tests"])
        run.test("dev", ["-L", "^quick$"])
    elif options.what in ("asan", "tsan"):
        sanitized(run, (options.what,), "drawable")
    else:
        run.build("release", [])
        run.test("release", [])
    if options.what == "check":
        commit = head()
        third = int(commit, 16) % 3 if options.third is None else options.third
        drawn = f"the sanitizer runs are third {third} of 0, 1, 2, drawn by commit {commit[:12]}"
        print(drawn, flush=True)
        sanitized(run, ("asan", "tsan"), f"third{third}")
    elif options.what == "check-all":
        sanitized(run, ("asan", "tsan"), "drawable")
        run.step("odr", ["make", "--no-print-directory", "odr"])
    passed = run.tell()
    if options.what == "check":
        print(drawn, flush=True)
        metrics()
    return not passed


if __name__ == "__main__":
    sys.exit(main())
