#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two records of record.py: tests/net/compare.py OLD NEW. Exits with 1 when the new one lacks or changes anything.

Inventories may grow. A launch of both has the same hashes, but where either says `-`: there it gives no two times the same.
"""

import argparse
import sys
from pathlib import Path

from texts import SCHEDULES, unpack

INVENTORIES = ("tests", "reports", "coverage", "pairs", "refused", "surface")
# Under eager cores run as they get threads, and log and trace tell them in that order: serial has both in one order.
OF_THREADS = ("eager", ("log", "trace"))
DEARER = 1.01  # how much more a compile may take
SHOWN = 20  # lines of each kind


def read(folder, name):
    return (folder / f"{name}.txt").read_text(encoding="utf-8")


def hashes(folder):
    """{(route, launch, column): hash of each schedule}."""
    found = {}
    for line in read(folder, "launches").splitlines():
        route, name, *columns = line.split("\t")
        for column, first, *others in map(str.split, columns):
            found[route, name, column] = [first, *(first if digits == "=" else digits for digits in others)]
    return found


def costs(folder):
    """{program: (millions of instructions, KiB)} of compiles."""
    rows = (line.split("\t") for line in read(folder, "compile").splitlines())
    return {name: tuple(map(int, numbers)) for name, *numbers in rows}


def tell(what, found):
    if found:
        print(f"{len(found)} {what}")
        print("".join(f"  {line}\n" for line in found[:SHOWN]), end="")


def compare(old, new):
    """Tells what is lost or changed; how much."""
    lost = 0
    for name in INVENTORIES:
        if not (old / f"{name}.txt").exists():
            print(f"{name}: not in the old record")
            continue
        before, after = unpack(read(old, name)), unpack(read(new, name))
        missing = sorted((before - after).elements())
        tell(f"of {name} are missing", missing)
        print(f"{name}: {before.total()} before, {after.total()} now, {(after - before).total()} new")
        lost += len(missing)
    before, after = costs(old), costs(new)
    dearer = [
        f"{name}: {was}, now {now}"
        for name, numbers in before.items()
        for was, now in zip(numbers, after.get(name, (0, 0)), strict=True)
        if now == 0 or now > was * DEARER
    ]
    tell("compiles take more than 1 % more instructions (in millions) or KiB", dearer)
    before, after = hashes(old), hashes(new)
    gone = sorted({key[:2] for key in before} - {key[:2] for key in after})
    changed = [
        f"{' '.join(key)} {schedule}: {was}, now {now}"
        for key in before
        if key in after
        for schedule, was, now in zip(SCHEDULES, before[key], after[key], strict=True)
        if was != now and "-" not in (was, now) and not (schedule == OF_THREADS[0] and key[2] in OF_THREADS[1])
    ]
    tell("launches are missing", [" ".join(key) for key in gone])
    tell("hashes changed", changed)
    print(f"launches: {len(before) // 4} before, {len(after) // 4} now")
    return lost + len(dearer) + len(gone) + len(changed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    options = parser.parse_args()
    return int(compare(options.old, options.new) > 0)


if __name__ == "__main__":
    sys.exit(main())
