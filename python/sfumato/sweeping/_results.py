# SPDX-License-Identifier: Apache-2.0
"""The result of a case, a line of the results."""

from __future__ import annotations

from collections.abc import Mapping

from .. import _native, _options
from .._cases.launches import COSTS
from .._cases.outputs import repeat_of
from ._case import Case
from ._names import name_of


def result_line(
    case: Case, found: dict, runs: list[dict] | None = None, spent: Mapping[str, float] | None = None
) -> dict:
    """The fields of a result in their order; those of time are in `seconds` alone."""
    spent = spent or {}
    # Places are those of the case, so that results are the same wherever it runs.
    found, runs = (_below(part, f"{case.base}/") for part in (found, runs))
    first = runs[0] if runs else {}
    return {
        "id": case.id,
        "name": case.get("name") or name_of(case.fields),
        "verdict": found["verdict"],
        "ok": found["verdict"] == "right",
        "summary": found["summary"],
        "report": found.get("report"),
        "findings": found.get("findings") or first.get("findings", [])[:4],
        "compare": found.get("compare"),
        "schedule": found.get("schedule") or first.get("schedule"),
        "source": first.get("source"),
        "blocks": first.get("blocks"),
        "tiling_key": first.get("tiling_key"),
        "repeat": found.get("repeat") or repeat_of(runs or [], found.get("schedule")),
        "again": None,  # for who started the sweep to say
        "version": _native.__version__,
        "cost": found.get("cost") or first.get("cost") or dict.fromkeys(COSTS),
        "numerics": found.get("numerics") or _options.numerics(case.get("options") or {}),
        "decoy": found.get("decoy"),
        "diagnostic": found.get("diagnostic"),
        "log": found.get("log"),
        "seconds": {"run": spent.get("run"), "total": spent.get("total"), "ended": _native.utc()},
        "case": dict(case.fields),
    }


def _below(value, base):
    if isinstance(value, str):
        return value.replace(base, "")
    if isinstance(value, dict):
        return {name: part if name == "outputs" else _below(part, base) for name, part in value.items()}
    return [_below(part, base) for part in value] if isinstance(value, list) else value
