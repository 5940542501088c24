# SPDX-License-Identifier: Apache-2.0
"""sfumato.sweep: cases to results, over workers, with a journal."""

from __future__ import annotations

import contextlib
import functools
import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .. import golden
from .._cases.verdicts import KINDS
from .._files import write_files
from .._full_disk import FullDisk
from .._native import Error
from .._processes import system
from ._case import Case, make, read
from ._journal import Folder, read_results
from ._names import again
from ._progress import Progress
from ._sources import Sources
from ._workers import Workers

ONLY = ("failed", *(verdict for verdict in KINDS if verdict != "right"))


@dataclass(frozen=True)
class Sweep:
    """What a sweep found. `results` are those of its cases, sorted by id; `ran` of them ran now, the others before."""

    results: list[dict] = field(repr=False)
    ran: int
    seconds: float
    folder: Path

    @property
    def ok(self) -> bool:
        """Every case is right."""
        return all(result["ok"] for result in self.results)

    @property
    def counts(self) -> dict[str, int]:
        """Cases by verdict, the most first."""
        return dict(Counter(result["verdict"] for result in self.results).most_common())

    @property
    def failed(self) -> list[dict]:
        return [result for result in self.results if not result["ok"]]

    def __str__(self) -> str:
        from ._summary import table

        return table(self.results)


def sweep(
    cases: str | os.PathLike | Iterable[Any] | None,
    *,
    out: str | os.PathLike,
    workers: int | None = None,
    shard: tuple[int, int] = (1, 1),
    only: str | None = None,
    case: str | Iterable[str] = (),
    timeout: float = 60.0,
    memory: int = 4 << 30,
    ray: str | bool | None = None,
    progress: bool = True,
    report: bool = True,
) -> Sweep:
    """Runs cases and keeps their results in a folder: what has a result there does not run again.

    cases     a file of JSON lines, or objects; arrays may stand for inputs (docs/sweeping.md); None: those of the folder
    out       the folder: journals, results.jsonl, failed.txt, report.html
    workers   processes; None: as many as cores may be used
    shard     (i, n): the i-th of n parts of the cases, from 1, the same on every machine
    only      "failed", or a verdict: the cases run again whose result is that
    case      an id or several, or how they begin: these cases alone, which run again
    timeout   seconds for a launch, where the case says none
    memory    bytes that a worker may use beyond what it starts with
    ray       an address of a Ray cluster, or True for the one found or begun: the cases run there (docs/cluster.md)
    progress  False: nothing is printed
    report    False: no report.html

    Raises Error for a case that cannot be read, before any runs; and where a disk that cases need is full: what ran is
    kept then, and the next call goes on. OSError where the folder cannot be written.
    """
    if only is not None and only not in ONLY:
        raise Error(f"sweep: only={only!r} is not known; there are {', '.join(ONLY)}")
    ids = [case] if isinstance(case, str) else list(case)
    chosen = [one for one in read(_held(out) if cases is None else cases) if _in_shard(one, shard)]
    chosen = _named(chosen, ids) if ids else chosen
    file = None if cases is None or not isinstance(cases, (str, os.PathLike)) else os.fspath(cases)
    folder = Folder(out, shard)
    folder.open()
    try:
        chosen = [_with_arrays(one, folder.path) for one in chosen]
        sources = Sources()
        hashes = {one.id: sources.of(one) for one in chosen}
        commands = {one.id: again(one, file, os.fspath(out), timeout=timeout, memory=memory) for one in chosen}
        held = folder.latest()
        left = [one for one in chosen if ids or _to_run(held.get(one.id), hashes[one.id], only)]
        # Cases of one operator and its types one after another: what is compiled is warm.
        left.sort(key=lambda one: (_kin(one), one.id))
        show = Progress(len(left), len(chosen) - len(left), progress)
        try:
            with contextlib.closing(_run(left, workers, timeout, memory, ray)) as found:
                for result in found:
                    if "full" in result:
                        raise FullDisk(f"a disk is full, and the case {result['id']} did not run: {result['full']}")
                    result["again"] = commands[result["id"]]
                    folder.append(result, hashes[result["id"]])
                    show.add(result)
        finally:
            show.close()
    finally:
        folder.close()
    everything = folder.write_results()
    results = [result for result in everything if result["id"] in commands]
    done = Sweep(results, len(left), show.seconds, folder.path)
    if report:
        from ._report import write_report

        write_report(everything, folder.path / "report.html")
    return done


def _run(cases, workers, timeout, memory, ray):
    if not cases:
        return
    if ray is not None and ray is not False:
        from ..ray import run_cases

        yield from run_cases(
            cases, address=None if ray is True else ray, workers=workers, timeout=timeout, memory=memory
        )
        return
    with Workers(workers or system.processors(), timeout, memory) as pool:
        yield from pool.run(cases)


def _held(out):
    """The cases of a folder; relative paths start where the command runs."""
    return [result["case"] for result in read_results(out)]


def _named(cases, ids):
    chosen = []
    for name in ids:
        found = [case for case in cases if case.id.startswith(name)]
        if len(found) != 1 or not name:
            what = (
                f"{len(found)} cases begin so: {', '.join(one.id for one in found[:4])}" if found else "there is none"
            )
            raise Error(f"sweep: case {name!r}: {what}; it is an id of these {len(cases)} cases, or how one begins")
        chosen += found
    return chosen


def _in_shard(case, shard):
    number, count = shard
    if not 1 <= number <= count:
        raise Error(f"sweep: shard {number}/{count}: the first number is 1 to the second")
    return int(case.id, 16) % count == number - 1


def _to_run(line, sources, only):
    if only is None:
        return line is None or line["sources"] != sources
    if line is None:
        return False
    return not line["result"]["ok"] if only == "failed" else line["result"]["verdict"] == only


def _kin(case: Case):
    specs = json.dumps(case.get("inputs", {}), sort_keys=True) if case.kind == "submission" else ""
    types = [part.get("dtype") for part in case.parts if part]
    return (case.kind, str(case.get(case.kind)), case.get("chip", ""), str(types), specs)


def _with_arrays(case, folder):
    """Keeps the arrays of a case, so that its result can be had again; reads those that only their hash names."""
    named = {part["array"]: part.get("dtype") for part in case.parts if part and "array" in part}
    if not named:
        return case
    arrays = dict(case.arrays)
    for name, dtype in named.items():
        path = folder / "arrays" / f"{name}.npy"
        if name in arrays:
            if not path.exists():
                path.parent.mkdir(exist_ok=True)
                write_files([(path, functools.partial(np.save, arr=arrays[name]))])
        elif path.exists():
            arrays[name] = golden.read(path, dtype=dtype)
        else:
            raise Error(f"sweep: a case names the array {name}, which is not in {path.parent}")
    return Case(case.fields, case.base, case.id, arrays)


__all__ = ["Sweep", "make", "sweep"]
