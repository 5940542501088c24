# SPDX-License-Identifier: Apache-2.0
"""Cases that are submissions: through sfumato.judging, which keeps them in a sandbox."""

import json
from collections.abc import Mapping
from typing import Any

from ..judging import Judge, Limits
from ._case import Case


class Submissions:
    """A judge for each chip and set of options stays warm; verdicts and compiled objects are in the judge's own cache."""

    def __init__(self, timeout: float, memory: int):
        self._limits = Limits(wall=timeout, memory=memory)
        self._judges: dict[str, Judge] = {}

    def close(self) -> None:
        while self._judges:
            self._judges.popitem()[1].close()

    def run(self, case: Case) -> tuple[dict, dict]:
        """What is found, and the seconds."""
        options = {**case.get("judge", {}), "seed": case.get("seed", 0)}
        sandbox, limits = options.pop("sandbox", "auto"), options.pop("limits", {})
        if isinstance(limits, Mapping):
            of_case = {"wall": case.get("timeout")} if case.get("timeout") else {}
            limits = {**self._limits.to_dict(), **limits, **of_case}
        key = json.dumps([case.get("chip"), sandbox, limits, options], sort_keys=True)
        if key not in self._judges:
            self._judges[key] = Judge(case.get("chip"), limits=limits, options=options, sandbox=sandbox)
        verdict = self._judges[key](case.path(case.get("submission")), case.path(case.get("task"))).to_dict()
        return _found(verdict), verdict["seconds"] or {}


def _found(verdict: Mapping[str, Any]) -> dict:
    output = (verdict["mismatch"] or {}).get("output")
    compared = next(
        ((case["compare"] or {}).get(output) for case in verdict["cases"] if case["verdict"] != "right"), None
    )
    diagnostics = (verdict["compile"] or {}).get("diagnostics") or [None]
    return {
        **{
            name: verdict[name]
            for name in ("verdict", "summary", "report", "findings", "decoy", "cost", "numerics", "repeat")
        },
        "compare": {"output": output, **compared} if compared else None,
        "diagnostic": diagnostics[0],
        "log": verdict["log"] or None,
    }
