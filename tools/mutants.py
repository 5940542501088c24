#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws mutants of the product by a seed, and finds which level of tests kills each. Kinds and levels: mutants.toml.

    tools/mutants.py draw TABLE [--seed 28] [--count 60]
    tools/mutants.py run TABLE --tree WORKTREE [--minutes 60] [--level "front ends"]

TABLE has a mutant a line: kind, file:line, the line, what it becomes, the levels it survived, and what kills it. `run` goes
through the levels in rising cost, each with all that live, and goes on where it stopped; WORKTREE is a clean one, configured
in build/release. A mutant whose line is gone is told as such: to judge a later commit, empty the last two columns.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import time
import tomllib
from dataclasses import astuple, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = tomllib.loads((ROOT / "tools" / "mutants.toml").read_text(encoding="utf-8"))
HEAD = "# kind\tplace\tline\tbecomes\tsurvived\tkilled by"
ONE_TEST = "900"  # seconds; who takes longer is dead, too
ADDED = re.compile(r'^add_test\(\[=\[(\w+)\]=\] "([^"]+)"', re.MULTILINE)


@dataclass
class Mutant:
    kind: str
    place: str
    line: str
    becomes: str
    survived: str = ""
    killed: str = ""

    @property
    def path(self):
        return self.place.rsplit(":", 1)[0]


def edited(match, into):
    """The line of a match as it becomes. A table of beginnings: the first that the match has."""
    if isinstance(into, str):
        return match.expand(into)
    text = match.group(0)
    indent = text[: len(text) - len(text.lstrip())]
    return indent + next(new for old, new in into.items() if text.lstrip().startswith(old))


def sites(kind):
    """Every mutant of a kind."""
    for files in kind["files"]:
        for path in sorted(ROOT.glob(files)):
            text = path.read_text(encoding="utf-8")
            for match in re.finditer(kind["pattern"], text, re.MULTILINE):
                first = text.rfind("\n", 0, match.start()) + 1
                last = text.find("\n", match.end())
                line = text[first:last]
                if line.lstrip().startswith(("//", "#", '"')) or "\n" in line:
                    continue
                becomes = line[: match.start() - first] + edited(match, kind["into"]) + line[match.end() - first :]
                place = f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, first) + 1}"
                yield Mutant(kind["name"], place, line.strip(), becomes.strip())


def draw(seed, count):
    """The kinds in turn, of each the next of its sites in a random order."""
    orders = []
    for kind in DATA["kind"]:
        found = list(sites(kind))
        random.Random(f"{seed} {kind['name']}").shuffle(found)
        orders.append(found)
    drawn = []
    while len(drawn) < count and any(orders):
        drawn += [order.pop(0) for order in orders if order]
    return drawn[:count]


def read(table):
    lines = table.read_text(encoding="utf-8").splitlines()
    return [Mutant(*line.split("\t")) for line in lines if not line.startswith("#")]


def write(table, mutants):
    text = "\n".join([HEAD, *("\t".join(astuple(mutant)) for mutant in mutants)])
    table.write_text(text + "\n", encoding="utf-8")


class Tree:
    """The worktree in which mutants live."""

    def __init__(self, folder):
        self.folder, self.build = folder, folder / "build" / "release"
        if self.output("git", "status", "--porcelain", "--untracked-files=no"):
            sys.exit(f"mutants.py: {folder} has changes: give a clean worktree")

    def output(self, *words):
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=True).stdout

    def passes(self, words, log):
        """Whether the command succeeds; its output goes to the log."""
        variables = {**os.environ, "GTEST_FAIL_FAST": "1", "PYTEST_ADDOPTS": "-x"}
        with open(log, "w", encoding="utf-8") as file:
            done = subprocess.run(
                words, cwd=self.folder, env=variables, stdin=subprocess.DEVNULL, stdout=file, stderr=file, check=False
            )
        return done.returncode == 0

    def targets(self, pattern):
        """What builds the programs of tests with these names: ctest itself tells none that is not built yet."""
        found = set()
        for file in self.build.rglob("CTestTestfile.cmake"):
            for name, program in ADDED.findall(file.read_text(encoding="utf-8")):
                if re.search(pattern, name):
                    program = Path(program)
                    own = program.is_relative_to(self.build)
                    found.add(str(program.relative_to(self.build)) if own else "sfumato_installable")
        return sorted(found)

    def change(self, mutant):
        """Writes the mutant's line; false if there is no such line any more."""
        path, at = self.folder / mutant.path, int(mutant.place.rsplit(":", 1)[1]) - 1
        if not path.exists():
            return False
        lines = path.read_text(encoding="utf-8").split("\n")
        found = [number for number, line in enumerate(lines) if line.strip() == mutant.line]
        if not found:
            return False
        number = min(found, key=lambda n: abs(n - at))
        indent = lines[number][: len(lines[number]) - len(lines[number].lstrip())]
        lines[number] = indent + mutant.becomes
        path.write_text("\n".join(lines), encoding="utf-8")
        return True

    def restore(self, mutant):
        subprocess.run(["git", "checkout", "-q", "--", mutant.path], cwd=self.folder, check=True)

    def judge(self, mutant, pattern, log):
        """What kills the mutant: a test, "no program", "the line is gone"; nothing."""
        if not self.change(mutant):
            return "the line is gone"
        try:
            build = ["ninja", "-C", str(self.build), "-j1", *self.targets(pattern)]
            if not self.passes(build, log):
                return "no program"
            test = ["ctest", "--test-dir", str(self.build), "-R", pattern, "--stop-on-failure", "--timeout", ONE_TEST]
            if self.passes(test, log):
                return ""
            failed = re.search(
                r"Test +#\d+: (\S+) \.*\**(?:Failed|Exception|Timeout|Subprocess|Not Run)", log.read_text("utf-8")
            )
            return failed[1] if failed else "ctest"
        finally:
            self.restore(mutant)


def run(table, tree, minutes, only):
    end = time.monotonic() + 60 * minutes
    mutants = read(table)
    log = tree.build / "mutant.log"
    for level in DATA["level"]:
        if only and level["name"] != only:
            continue
        for mutant in mutants:
            pattern = next((tests for start, tests in level["tests"] if mutant.path.startswith(start)), "")
            if mutant.killed or level["name"] in mutant.survived.split(", ") or not pattern:
                continue
            if time.monotonic() > end:
                return
            began = time.monotonic()
            killer = tree.judge(mutant, pattern, log)
            if killer:
                outside = killer in ("no program", "the line is gone")
                mutant.killed = killer if outside else f"{level['name']}: {killer}"
            else:
                mutant.survived = ", ".join(filter(None, [mutant.survived, level["name"]]))
            write(table, mutants)
            told = mutant.killed or f"survives {level['name']}"
            print(f"{time.monotonic() - began:5.0f} s  {mutant.place}  {mutant.becomes[:60]}  {told}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("draw", "run"))
    parser.add_argument("table", type=Path)
    parser.add_argument("--seed", type=int, default=28)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--tree", type=Path)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--level", choices=[level["name"] for level in DATA["level"]])
    options = parser.parse_args()
    if options.what == "draw":
        print(f"seed {options.seed}")
        write(options.table, draw(options.seed, options.count))
    else:
        if not options.tree:
            parser.error("run needs --tree")
        run(options.table, Tree(options.tree.resolve()), options.minutes, options.level)
    killed = read(options.table)
    lives = [m for m in killed if not m.killed]
    print(f"{len(killed)} mutants, {len(killed) - len(lives)} decided, {len(lives)} live")


if __name__ == "__main__":
    sys.exit(main())
