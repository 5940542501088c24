# SPDX-License-Identifier: Apache-2.0
"""The exception of a kernel's fault. The others are made by the native module."""

from ._native import Error

FIELDS = (
    "severity",
    "rule",
    "chip",
    "kernel",
    "core",
    "instruction",
    "index",
    "operand",
    "message",
    "found",
    "legal",
    "hint",
    "file",
    "line",
    "related",
)


class KernelError(Error):
    """A kernel's fault. Has the fields of the report as attributes; str() is its text.

    `report` is the first fault; `result` holds every finding of the launch.
    """

    def __init__(self, result):
        faults = [finding for finding in result.findings if finding.severity == "fault"]
        self.report = faults[0]
        self.result = result
        for field in FIELDS:
            setattr(self, field, getattr(self.report, field))
        super().__init__("\n".join(str(fault) for fault in faults))
