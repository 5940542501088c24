# SPDX-License-Identifier: Apache-2.0
"""The exception of a kernel's fault."""

import json

import torch

from . import _C


def last_report():
    """The report of the last launch that failed or was refused, its fields by name; None when there was none."""
    _, text = _C.last_fault()
    return json.loads(text) if text else None


class KernelFault(getattr(torch, "AcceleratorError", RuntimeError)):
    """A kernel's fault: str() is its report, `report` the report's fields by name.

    PyTorch's AcceleratorError where that exists, else RuntimeError.
    """

    def __init__(self, *arguments):
        # Without arguments: raised behind the launch, with what waits there.
        super().__init__(*(arguments or (_C.collect_faults(),)))
        self.report = last_report()
