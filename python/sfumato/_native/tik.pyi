# SPDX-License-Identifier: Apache-2.0
# What users have of the native module's TIK programs.
from typing import Any

from . import Error, Report

def __getattr__(name: str) -> Any: ...

class TikError(Error):
    severity: str
    rule: str
    chip: str
    kernel: str
    core: str
    instruction: str
    index: int
    operand: str
    message: str
    found: str
    legal: str
    hint: str
    file: str
    line: int
    report: Report
