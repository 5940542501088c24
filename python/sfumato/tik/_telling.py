# SPDX-License-Identifier: Apache-2.0
"""How the command tells what it found: on standard error, and in the files of --json, --sarif and --junit."""

from __future__ import annotations

import itertools
import os
import sys

from .. import reports
from .._exit import FAULT, OK, UNWRITTEN
from .._files import write_text
from .._native import check_names


class Refused(Exception):
    """A mistake in the command line or a file."""


def say(text):
    sys.stderr.write(text + os.linesep)


class Telling:
    """Tells the end of one command; each method returns its exit code."""

    def __init__(self, options):
        self._options = options
        targets = {"json": options.json, "sarif": options.sarif, "junit": options.junit}
        self._files = {name: path for name, path in targets.items() if path is not None}

    def error(self, code: int, text: str, error: Exception | None = None) -> int:
        """It did not start; `error` has a report."""
        say(text)
        source = self._options.script
        if error is None:
            run = reports.Run(source=source, error_kind="usage", error=text)
        else:
            run = reports.Run.of(error, source=source)
        self._write([run])
        return code

    def runs(self, launched, code: int, error: Exception | None = None) -> int:
        """What the runs of kernels found, the one that ended with a KernelError last."""
        runs = [self._about(kernel, result, options) for kernel, result, options in launched]
        if error is not None:
            checked = check_names(self._options.check or "")
            runs.append(reports.Run.of(error, source=self._options.script, checked=checked))
        found = [finding for run in runs for finding in run.findings]
        if self._options.json is None:
            for finding in found:
                say(str(finding))
        severities = [finding.severity for finding in found]
        if self._options.check is not None:
            counts = ", ".join(_plural(severities.count(name), name) for name in ("fault", "warning", "note"))
            names = ", ".join(check_names(self._options.check)) or "none"
            say(f"checked: {names}: {counts if found else 'no findings'}")
        _say_readings([run.rests_on for run in runs if run.rests_on is not None])
        complete = self._write(runs)
        if code == OK and self._options.fail_on == "warning" and "warning" in severities:
            return FAULT
        return code if complete or code != OK else UNWRITTEN

    def _about(self, kernel, result, options):
        return reports.Run.of(
            result,
            source=self._options.script,
            chip=kernel.soc.product,
            kernel=kernel.kernel_name,
            blocks=kernel._program.info()["block_dim"],
            schedule=options.get("schedule", "eager"),
            checked=check_names(options["check"]),
            rests_on=result.rests_on if options.get("rests_on") else None,
        )

    def _write(self, runs) -> bool:
        """Whether every file could be written."""
        texts = {"json": lambda: reports.json(*runs or [reports.Run(source=self._options.script)])}
        texts["sarif"] = lambda: reports.sarif(*runs)
        texts["junit"] = lambda: reports.junit(*runs)
        return all([_write(path, texts[name]()) for name, path in self._files.items()])


def _say_readings(of_runs):
    """Nothing where no run that ended was asked for them."""
    readings = list(itertools.chain.from_iterable(of_runs))
    for reading in readings:
        say(str(reading))
    if of_runs:
        say(f"rests on {_plural(len(readings), 'reading')}" if readings else "documented throughout")


def _plural(count, word):
    return f"{count} {word}{'' if count == 1 else 's'}"


def _write(path, text) -> bool:
    if path == "-":
        sys.stdout.write(text)
        return True
    try:
        write_text(path, text)
        return True
    except OSError as error:
        say(f"sfumato: the findings: cannot write {path}: {error.strerror}")
        return False
