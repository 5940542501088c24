# SPDX-License-Identifier: Apache-2.0
"""Many cases of operators, kernels and submissions: sweep runs them, generate makes them (docs/sweeping.md)."""

from ._generate import generate
from ._journal import read_results
from ._sweep import Sweep, sweep

__all__ = ["Sweep", "generate", "read_results", "sweep"]
