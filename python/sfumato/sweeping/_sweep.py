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
from ._case import Case, make, read
from ._journal import Folder
from ._workers import Workers
from ._progress import Progress
from ._sources import Sources

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
    cases: str | os.PathLike | Iterable[Any],
    *,
    out: str | os.PathLike,
    workers: int | None = None,
    shard: tuple[int, int] = (1, 1),
    only: str | None = None,
    timeout: float = 60.0,
    memory: int = 4 << 30,
    ray: str | bool | None = None,
    progress: bool = True,
    report: bool = True,
) -> Sweep:
    """Runs cases and keeps their results in a folder: what has a result there does not run again.

    cases     a file of JSON lines, or objects; arrays may stand for inputs (docs/sweeping.md)
    out       the folder: journals, results.jsonl, report.html
    workers   processes; None: as many as cores may be used
    shard     (i, n): the i-th of n parts of the cases, from 1, the same on every machine
    only      "failed", or a verdict: the cases run again whose result is that
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
    chosen = [case for case in read(cases) if _in_shard(case, shard)]
    folder = Folder(out, shard)
    folder.open()
    try:
        chosen = [_with_arrays(case, folder.path) for case in chosen]
        sources = Sources()
        hashes = {case.id: sources.of(case) for case in chosen}
        held = folder.latest()
        left = [case for case in chosen if _to_run(held.get(case.id), hashes[case.id], only)]
        # Cases of one operator and its types one after another: what is compiled is warm.
        left.sort(key=lambda case: (_kin(case), case.id))
        show = Progress(len(left), len(chosen) - len(left), progress)
        try:
            with contextlib.closing(_run(left, workers, timeout, memory, ray)) as found:
                for result in found:
                    if "full" in result:
                        raise FullDisk(f"a disk is full, and the case {result['id']} did not run: {result['full']}")
                    folder.append(result, hashes[result["id"]])
                    show.add(result)
        finally:
            show.close()
    finally:
        folder.close()
    ids = {case.id for case in chosen}
    everything = folder.write_results()
    done = Sweep([result for result in everything if result["id"] in ids], len(left), show.seconds, folder.path)
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
    with Workers(workers or len(os.sched_getaffinity(0)), timeout, memory) as pool:
        yield from pool.run(cases)


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
