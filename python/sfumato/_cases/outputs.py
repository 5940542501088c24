# SPDX-License-Identifier: Apache-2.0
"""Whether the outputs of runs are right, and whether every run gave the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from .._native import Error
from ..comparing import Comparison, compare
from .launches import same


def compared(
    run: dict, want: Mapping[str, Any], rule: Callable[[str], Any], **more: Any
) -> Iterator[tuple[str, Comparison]]:
    """The outputs of a run with what is right; more: as of compare."""
    for name, right in want.items():
        for got, wanted in _pairs(name, run["outputs"][name], right):
            yield name, compare(got, wanted, rule(name), fill=run["fill"], **more)


def said(name: str, found: Comparison) -> str:
    return f"{name}: {str(found).splitlines()[0]}"


def differing(runs: list[dict], names: Iterable[str] | None = None) -> tuple[dict, str, Any, Any] | None:
    """Of another legal run of the first that gave other bytes: the run, the output, what it gave, what the first did."""
    first = runs[0]["outputs"]
    for run in runs[1:]:
        for name in first if names is None else names:
            both = run["outputs"][name], first[name]
            for got, right in zip(*both) if isinstance(both[0], list) else [both]:
                if not same(got, right):
                    return run, name, got, right
    return None


def repeat_of(runs: list[dict], schedule: str | None) -> Any:
    """The command of the run that decided: the one under the schedule of a verdict, else the first."""
    same = (run for run in reversed(runs) if run["schedule"] == schedule)
    return next(same, runs[0] if runs else {}).get("repeat")


def _pairs(name, got, want):
    if isinstance(got, list):
        if not isinstance(want, (list, tuple)) or len(want) != len(got):
            raise Error(f"what is right has no list of {len(got)} arrays for {name}")
        return zip(got, want)
    if got is None or want is None:
        raise Error(f"{name}: an absent output cannot be compared")
    return [(got, np.asarray(want) if not hasattr(want, "__dlpack__") else want)]
