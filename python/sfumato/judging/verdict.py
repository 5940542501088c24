# SPDX-License-Identifier: Apache-2.0
"""What judging found: one verdict of a closed list, with its reasons as JSON (docs/judge.schema.json)."""

from __future__ import annotations

import json
from typing import Any

from .._cases.verdicts import KINDS

SCHEMA = 1
VERDICTS = {name: kind.exit_code for name, kind in KINDS.items()}
_FIELDS = (
    "schema submission verdict ok chip kind summary task_error compile report findings cases mismatch decoy process limits seconds cost numerics "
    "estimate estimate_reason sandbox sandbox_lacking versions seed submission_hash task_hash log repeat"
).split()


class Verdict:
    """The fields of the JSON as attributes; true where it is `right`. index: of the pair in judge_many.

    verdict      one of VERDICTS
    summary      one line
    cached       whether it comes from the cache of verdicts
    The others are told in docs/judging.md.
    """

    def __init__(self, fields: dict[str, Any], index: int = 0, cached: bool = False):
        self._fields = {name: fields.get(name) for name in _FIELDS}
        self.index, self.cached = index, cached

    def __getattr__(self, name):
        try:
            return self.__dict__["_fields"][name]
        except KeyError:
            raise AttributeError(f"a verdict has no {name!r}; it has {', '.join(_FIELDS)}") from None

    def __bool__(self):
        return self._fields["ok"]

    @property
    def exit_code(self) -> int:
        return VERDICTS[self._fields["verdict"]]

    def to_dict(self) -> dict[str, Any]:
        """The JSON as a mapping of its own."""
        return json.loads(self.to_json())

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self._fields, indent=indent, allow_nan=False)

    def __repr__(self):
        return f"<sfumato.Verdict {self._fields['verdict']}: {self._fields['summary']}>"

    def __str__(self):
        """The verdict with its reason, in a few lines."""
        lines = [f"{self._fields['verdict']}: {self._fields['summary']}"]
        report, compile, mismatch = (self._fields[name] for name in ("report", "compile", "mismatch"))
        if report:
            place = f"{report['file']}:{report['line']}" if report.get("line") else report.get("file")
            rows = [("where", place), *((name, report.get(name)) for name in ("found", "legal"))]
            lines += [f"  {name + ':':<8}{text}" for name, text in (*rows, ("do", report.get("hint"))) if text]
        for found in (compile or {}).get("diagnostics", [])[:5]:
            lines.append(f"  {found['file']}:{found['line']}: {found['text']}")
        if mismatch:
            rows = {name: mismatch[name] for name in ("got", "want", "bits_got", "bits_want")}
            lines.append(
                f"  first:  {mismatch['output']}{mismatch['index']} got {rows['got']} ({rows['bits_got']}), want "
                f"{rows['want']} ({rows['bits_want']})"
            )
        estimate = self._fields["estimate"] or {"cases": []}
        for case, told in zip(self._fields["cases"], estimate["cases"]):
            within = "" if told["low_us"] is None else f"{told['low_us']:.4g} to {told['high_us']:.4g} us, "
            lines.append(
                f"  estimate of {case['name']}: {told['core_us']:.4g} us of core time ({within}class {told['class']}), "
                f"{told['task_us']:.4g} us with the launch"
            )
        if self._fields["estimate_reason"]:
            lines.append(f"  {self._fields['estimate_reason']}")
        for found in self._fields["findings"] or []:
            if found["rule"] == "reference-operator":
                lines.append(f"  note:   {found['message']}")
        if self._fields["repeat"]:
            lines.append(f"  again:  {self._fields['repeat']}")
        return "\n".join(lines)
