#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tests of an installed package in the working folder, some of every file, and tells how many by folder.

trial.py MOST FOLDERS...    of each file at most MOST tests, spread evenly over it (0: all). Ends with 1 where one failed.
"""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as Xml
from collections import Counter, defaultdict

# The tests say themselves where they want the package's plugin.
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:sfumato_pytest")


def collected(folders: list[str]) -> dict[str, list[str]]:
    """The names of tests by file."""
    words = [*PYTEST, "--collect-only", *folders]
    files: dict[str, list[str]] = defaultdict(list)
    for line in subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False).stdout.splitlines():
        if "::" in line and not line.startswith("ERROR"):
            files[line.split("::")[0]].append(line)
    return files


def spread(tests: list[str], most: int) -> list[str]:
    """At most `most` of them, the first and the last among them."""
    if not most or len(tests) <= most:
        return tests
    return [tests[i * (len(tests) - 1) // max(most - 1, 1)] for i in range(most)]


def main() -> int:
    most, folders = int(sys.argv[1]), sys.argv[2:]
    chosen = [test for tests in collected(folders).values() for test in spread(tests, most)]
    words = [*PYTEST, "--junit-xml=trial.xml", *chosen]
    code = subprocess.run(words, check=False).returncode
    counts: dict[str, Counter] = defaultdict(Counter)
    for case in Xml.parse("trial.xml").iter("testcase"):
        kinds = {child.tag for child in case} & {"failure", "error", "skipped"}
        folder = "/".join(case.get("classname", "").split(".")[:2])
        counts[folder][kinds.pop() if kinds else "passed"] += 1
    for folder, count in sorted(counts.items()):
        print(f"{folder}: " + ", ".join(f"{number} {kind}" for kind, number in sorted(count.items())))
    return code


if __name__ == "__main__":
    sys.exit(main())
