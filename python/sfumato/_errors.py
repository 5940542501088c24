# SPDX-License-Identifier: Apache-2.0
"""The exception of a kernel's fault. The others are made by the native module."""

from ._native import Error

FIELDS = ("severity rule chip kernel core instruction index operand message found legal hint file line related").split()


class OperatorError(Error):
    """What is wrong with an operator project, or with a call of it. Has the fields of `report`; str() is its text."""

    def __init__(self, report):
        self.report = report
        for field in FIELDS:
            setattr(self, field, getattr(report, field))
        super().__init__(str(report))


class TilingError(OperatorError):
    """A tiling function that failed, or chose what cannot be launched. The message has what it logged."""


def operator_error(report):
    """The exception for a report of the library."""
    tiling = ("op-tiling", "op-tiling-data", "op-blocks")
    return (TilingError if report.rule in tiling else OperatorError)(report)


class KernelError(Error):
    """A kernel's fault. Has the fields of the report as attributes; str() is its text.

    `report` is the first fault; `result` holds every finding of the launch. `rank`: in a world of ranks.
    """

    def __init__(self, result):
        faults = [finding for finding in result.findings if finding.severity == "fault"]
        self.report = faults[0]
        self.result = result
        for field in FIELDS:
            setattr(self, field, getattr(self.report, field))
        self.rank = self.report.rank
        super().__init__("\n".join(str(fault) for fault in faults))
