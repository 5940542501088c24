# SPDX-License-Identifier: Apache-2.0
"""Findings for other programs: one JSON object, SARIF 2.1.0, JUnit XML (docs/findings.md).

result = lib.kernel[8].check(src, dst)
Path("findings.sarif").write_text(sfumato.reports.sarif(result))

A run is what a launch returned, the KernelError or CompileError it raised, a TikError, or a list of findings; Run names
what these do not know. A result of a sweep and a verdict of judge are runs, too: Path("tests.xml").write_text(reports.junit(*done.results)).
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from . import _native
from ._cases.verdicts import KINDS
from ._errors import KernelError
from ._native import CompileError, Error, LaunchResult, Reading, Report

__all__ = ["Run", "json", "junit", "sarif"]


_OF_A_LAUNCH = ("kernel", "chip", "blocks", "seconds")  # what a result knows where Python launched it


@dataclasses.dataclass
class Run:
    """One run for the functions below: its findings, and what stands with them."""

    findings: Sequence[Report] = ()
    name: str = ""  # what people know the run by; the kernel where there is none
    source: str = ""
    line: int = 0  # of the source, where it is not right
    chip: str = ""
    kernel: str = ""
    blocks: int = 0
    schedule: str = ""
    task_type: str = ""
    task_type_from: str = ""
    records: int = 0
    checked: Sequence[str] = ()  # the names of the checks that were on
    ranks: int = 0  # of a world of ranks; 0: one device
    groups: Sequence[str] = ()  # of ranks, with names
    rests_on: Sequence[Reading] | None = None  # where the run was asked for it
    error_kind: str = ""  # "usage" or "compile": it did not start; where `judged` a verdict, "wrong"
    error: str = ""
    judged: bool = False  # it ran, and its result is not right
    again: str = ""  # the command that runs it again
    seconds: float | None = None  # that it took on this machine
    date: str = ""  # of its end, "2026-12-01T09:30:00Z"; empty: the present

    @classmethod
    def of(cls, run: Any, **about: Any) -> Run:
        """The run that something is; `about` wins over what it knows."""
        if isinstance(run, Run):
            return dataclasses.replace(run, **about)
        if isinstance(run, KernelError):
            run = run.result
        if isinstance(run, LaunchResult):
            known = {name: getattr(run, name) for name in ("records", "task_type", "task_type_from")}
            known |= {name: value for name, value in vars(run).items() if name in _OF_A_LAUNCH}
            return cls(**{"findings": run.findings, **known, **about})
        if isinstance(run, CompileError):
            return cls(**{"findings": run.findings, "error_kind": "compile", "error": str(run), **about})
        if isinstance(getattr(run, "report", None), Report):
            return cls(**{"findings": [run.report], "error_kind": "compile", "error": str(run), **about})
        verdict = run.to_dict() if hasattr(run, "verdict") and hasattr(run, "to_dict") else run
        if isinstance(verdict, Mapping) and "verdict" in verdict and "summary" in verdict:
            return cls(**{**_of_verdict(verdict), **about})
        if isinstance(run, Sequence) and all(isinstance(finding, Report) for finding in run):
            return cls(**{"findings": run, **about})
        raise Error(
            f"reports: {type(run).__name__} is no run; pass a result, a list of findings, an error of a launch or a "
            "reports.Run"
        )

    def _native(self):
        about = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        findings = list(about.pop("findings"))
        names = {finding.kernel for finding in findings if finding.kernel}
        chips = {finding.chip for finding in findings if finding.chip}
        about["kernel"] = about["kernel"] or (names.pop() if len(names) == 1 else "")
        about["chip"] = about["chip"] or (chips.pop() if len(chips) == 1 else "")
        about["rests_on"] = None if self.rests_on is None else list(self.rests_on)
        return {**about, "checked": list(self.checked), "groups": list(self.groups)}, findings


def _of_verdict(verdict):
    """Of a verdict the finding it rests on; where there is none and it is not right, what it says."""
    case = verdict.get("case") or {}
    shown = [verdict["report"]] if verdict.get("report") else verdict.get("findings") or []
    known = {"source": case.get("op") or case.get("kernel") or case.get("submission") or verdict.get("kind") or ""}
    named = verdict.get("name") or verdict.get("id") or verdict.get("submission_hash") or ""
    known |= {"name": " ".join(named.split()), "kernel": case.get("entry") or ""}
    known |= {"chip": case.get("chip") or verdict.get("chip") or "", "blocks": verdict.get("blocks") or 0}
    known |= {"schedule": verdict.get("schedule") or "", "records": (verdict.get("cost") or {}).get("records") or 0}
    known |= {"seconds": (verdict.get("seconds") or {}).get("total"), "date": _date(verdict)}
    if not verdict["ok"]:
        known["again"] = verdict.get("again") or verdict.get("repeat") or ""
    findings = [_native.report_of(dict(fields)) for fields in shown]
    kind = KINDS.get(verdict["verdict"])
    if kind is not None and (error := kind.error):
        known |= {"error_kind": error, "error": "\n".join(map(str, findings)) or verdict["summary"]}
    elif not verdict["ok"] and not verdict.get("report"):
        known |= {"error_kind": verdict["verdict"], "error": verdict["summary"], "judged": True}
    return {"findings": findings, **known}


def _date(verdict):
    return (verdict.get("seconds") or {}).get("ended") or ""


def _runs(given):
    """Runs, of which those of one name have their ids in it."""
    runs = [Run.of(run) for run in given]
    named = Counter(run.name for run in runs)
    for number, (run, told) in enumerate(zip(runs, given)):
        if run.name and named[run.name] > 1 and isinstance(told, Mapping) and told.get("id"):
            runs[number] = dataclasses.replace(run, name=f"{run.name} #{told['id'][:8]}")
    return [run._native() for run in runs]


def json(*runs: Any, **about: Any) -> str:
    """The object that --json writes; of several runs one, with the findings of all."""
    return _native.findings_text("json", [Run.of(run, **about)._native() for run in runs])


def sarif(*runs: Any) -> str:
    """A SARIF log with the findings of all runs. Of an operator's case the place is the file of its kernel, where known."""
    given = _runs(runs)
    for (about, _), run in zip(given, runs):
        if isinstance(run, Mapping) and run.get("source"):
            about["source"] = run["source"]
    return _native.findings_text("sarif", given)


def junit(*runs: Any) -> str:
    """A JUnit file with a testcase for each run."""
    return _native.findings_text("junit", _runs(runs))
