# SPDX-License-Identifier: Apache-2.0
"""The verdicts, and which one an exception is, or what a process said last."""

from __future__ import annotations

import json
from typing import NamedTuple

from .. import _native
from .._errors import KernelError, OperatorError, TilingError
from .._native import CompileError, Error


class Kind(NamedTuple):
    exit_code: int  # of `sfumato judge`
    colour: str  # in the report of a sweep
    error: str = ""  # its kind in reports for other programs where nothing ran: an error, not a failure
    passing: bool = False  # another run, on a machine with less to do, may give another: it is not kept


KINDS = {
    "right": Kind(0, "#2e9e5b"),
    "wrong": Kind(5, "#d9534f"),
    "unstable": Kind(5, "#c9a400"),
    "refused": Kind(4, "#8e44ad"),
    "tiling-failed": Kind(4, "#6c5ce7"),
    "no-compile": Kind(3, "#34495e", error="compile"),
    "invalid": Kind(2, "#7f8c8d", error="usage"),
    "timeout": Kind(6, "#e67e22", passing=True),
    "out-of-memory": Kind(6, "#b9770e", passing=True),
    "crashed": Kind(7, "#111111", passing=True),
    "decoy": Kind(5, "#a0522d"),
}


class Ended(Exception):
    """A case came no further: why is a verdict."""

    def __init__(self, why, text, report=None, findings=()):
        super().__init__(text)
        self.why, self.report, self.findings = why, report, list(findings)


def of_error(error: BaseException, running: bool = False) -> Ended:
    """What an exception of a load, or of a launch where it is running, says."""
    report = report_dict(error.report) if isinstance(error, (KernelError, OperatorError)) else None
    if isinstance(error, Ended):
        return error
    if isinstance(error, CompileError):
        return Ended("no-compile", str(error), findings=[report_dict(finding) for finding in error.findings])
    if isinstance(error, TilingError):
        return Ended("tiling-failed", str(error), report)
    if report is not None:
        return of_report(report, str(error))
    return Ended("refused" if running else "invalid", str(error))


def of_report(report: dict, text: str | None = None) -> Ended:
    """What a fault of a launch says."""
    return Ended("timeout" if report["rule"] == "timeout" else "refused", text or report["message"], report)


def last_report(words: bytes) -> dict | None:
    """The fault that ended a process which a kernel ran in, of its last words (become_runner)."""
    if not words:
        return None
    try:
        faults = [finding for finding in _native.unpack_result(words).findings if finding.severity == "fault"]
    except (Error, UnicodeDecodeError):
        return None
    return report_dict(faults[0]) if faults else None


def report_dict(report) -> dict:
    """A report as judgements have it."""
    return json.loads(report.json())


def first_line(text) -> str:
    return (str(text).strip().splitlines() or [""])[0][:400]
