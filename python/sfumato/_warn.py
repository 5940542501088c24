# SPDX-License-Identifier: Apache-2.0
"""Warnings of kernels as Python's warnings: KernelWarning, once a place under the usual filters."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ._native import Error

_OURS = (str(Path(__file__).parent) + os.sep,)
_off = False


class KernelWarning(UserWarning):
    """What a launch warns of, and what the compiler says of a kernel that compiles. The report has the details:
    `result.findings`, `lib.warnings`."""


class _Told(str):
    """The text of a warning. Python shows equal texts once a line of the caller: these are equal where their places are,
    though the values that they name change from launch to launch."""

    def __new__(cls, text, place):
        told = super().__new__(cls, text)
        told.place = place
        return told

    def __eq__(self, other):
        return self.place == other.place if isinstance(other, _Told) else NotImplemented

    def __hash__(self):
        return hash(self.place)

    def __reduce__(self):
        return str, (str(self),)


def silence() -> None:
    """For commands and workers, which tell all findings themselves."""
    global _off
    _off = True


def check(value: Any, where: str = "options") -> None:
    if value is not None and not isinstance(value, bool):
        raise Error(f"{where}: warn={value!r} must be True, False or None")


def _wanted(option):
    if _off or option is not None:
        return not _off and option
    word = os.environ.get("SFUMATO_WARN", "1")
    if word not in ("", "0", "1"):
        raise Error(f"SFUMATO_WARN is {word!r}; legal are 1 and 0")
    return word != "0"


def _caller():
    """How many frames above the one that asks the caller of the package is."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS):
        frame, level = frame.f_back, level + 1
    return level


def warn(text: str, place: Any, option: bool | None = None) -> None:
    """place: what makes it another warning than the last one from the same line of the caller."""
    if _wanted(option):
        warnings.warn(_Told(text, place), KernelWarning, stacklevel=_caller())


def findings(found: Iterable[Any], option: bool | None = None, raises: bool = True) -> None:
    """Tells of the warnings among the findings. raises: False where an error follows that matters more."""
    for finding in found:
        if finding.severity != "warning":
            continue
        try:
            warn(
                str(finding).removeprefix("warning "),
                (finding.rule, finding.file, finding.line, finding.operand),
                option,
            )
        except KernelWarning:
            if raises:
                raise
