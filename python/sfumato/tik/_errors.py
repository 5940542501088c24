# SPDX-License-Identifier: Apache-2.0
"""What is raised at the line of the script that caused it."""

from __future__ import annotations

from .._native import tik as native
from .._native.tik import TikError
from ._where import Where, here

__all__ = ["TikError", "fault"]


def fault(
    rule: str,
    message: str,
    *,
    where: Where | None = None,
    instruction: str = "",
    operand: str = "",
    found: str = "",
    legal: str = "",
    hint: str = "",
) -> TikError:
    """A TikError of the surface, by the id of its rule (src/report/rules.inc)."""
    file, line = where or here()
    return native.fault(rule, message, file, line, instruction, operand, found, legal, hint)
