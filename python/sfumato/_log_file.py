# SPDX-License-Identifier: Apache-2.0
"""--log of commands: a line per instruction, on standard error or in a file; and --time, which goes with it."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ._files import replaced
from ._native import Error


def add_to(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--log",
        nargs="?",
        const="-",
        metavar="FILE",
        help="write a line for each instruction to standard error, or to a file; executed or executed:FILE: in the order of execution",
    )
    parser.add_argument(
        "--time",
        nargs="?",
        const="-",
        metavar="FILE",
        help="estimate how long the kernel would take on a board (docs/timing.md), as text, or as JSON in a file",
    )


class LogFile:
    """Grows while the kernel runs, in place: it is most wanted when the kernel does not end well.

    said     of --log: "-", "FILE", "executed" or "executed:FILE"; None: there is no log
    options  of the launch that fills it
    """

    def __init__(self, said: str | None):
        executed = said == "executed" or (said or "").startswith("executed:")
        self._where = (said.partition(":")[2] or "-") if executed else said
        self._file, self._lost = None, None
        self.options: dict[str, Any] = {}
        if self._where is None:
            return
        self.options = {"log": self._write, "log_order": "executed" if executed else "issued"}
        try:
            if self._where != "-":
                replaced(self._where)  # raises for what cannot be one
                self._file = open(self._where, "w", encoding="utf-8")  # noqa: SIM115 - closed by finish
        except OSError as error:
            raise Error(f"cannot write the log {self._where}: {error.strerror}") from None

    def _write(self, line):
        try:
            (self._file or sys.stderr).write(line + "\n")
        except OSError as error:
            self._lost = error

    def finish(self) -> str | None:
        """After the last line: what is missing of it, or None."""
        try:
            if self._file:
                self._file.close()
        except OSError as error:
            self._lost = error
        return f"cannot write all of the log {self._where}: {self._lost.strerror}" if self._lost else None
