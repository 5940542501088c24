# SPDX-License-Identifier: Apache-2.0
"""Kernels of the moves that Ascend950 alone has."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "support"))
import raised  # noqa: E402
from schedules import CHIP, builder, run, same  # noqa: E402

__all__ = ["CHIP", "KERNELS", "run", "same"]

raised.keep("moves950")

KERNELS = Path(__file__).with_name("kernels")


@pytest.fixture(scope="session")
def build():
    return builder(KERNELS)
