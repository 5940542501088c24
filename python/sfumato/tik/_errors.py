# SPDX-License-Identifier: Apache-2.0
"""What is raised at the line of the script that caused it."""

from __future__ import annotations

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
    """A TikError of the surface, with the fields and the text of a report."""
    file, line = where or here()
    message = f"{instruction}: {message}" if instruction else message
    subject = f"{operand}: {found}" if operand and found else operand or found
    lines = [f"fault [{rule}] {message}"]
    for label, value in (("where:", f"{file}:{line}"), ("found:", subject), ("legal:", legal), ("do:", hint)):
        if value:
            lines.append(f"  {label:<7} {value}")
    error = TikError("\n".join(lines))
    fields = {
        "severity": "fault",
        "rule": rule,
        "chip": "",
        "kernel": "",
        "core": "",
        "instruction": instruction,
        "index": 0,
        "operand": operand,
        "message": message,
        "found": found,
        "legal": legal,
        "hint": hint,
        "file": file,
        "line": line,
    }
    for name, value in fields.items():
        setattr(error, name, value)
    return error
