# SPDX-License-Identifier: Apache-2.0
"""What is raised at the line of the script that caused it."""

from __future__ import annotations

import csv
import functools
from pathlib import Path
from typing import Any

from .._native import tik as native
from .._native.tik import TikError
from ._where import Where, here

__all__ = ["TikError", "fault"]


@functools.cache
def rows() -> dict[str, dict[str, str]]:
    """faults.tsv: by message what else is always the same of it. Rules are ids of src/report/rules.inc."""
    with (Path(__file__).parent / "faults.tsv").open(encoding="utf-8", newline="") as file:
        return {row.pop("message"): row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


def fault(message: str, *, where: Where | None = None, found: str = "", **given: Any) -> TikError:
    """A TikError of a row of the table. given: further fields, and what stands in braces in the message."""
    file, line = where or here()
    row = rows()[message] | given
    texts = (row["instruction"], row["operand"], found, row["legal"], row["hint"])
    return native.fault(row["rule"], message.format(**row), file, line, *texts)
