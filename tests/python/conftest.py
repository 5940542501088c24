# SPDX-License-Identifier: Apache-2.0
"""What the Python tests share."""

import sys
from pathlib import Path

import pytest

import sfumato

sys.path.append(str(Path(__file__).parents[1] / "support"))
import raised  # noqa: E402

raised.keep("python")

CHIP = "Ascend910B1"
KERNELS = Path(__file__).with_name("kernels.cpp")


@pytest.fixture(scope="session")
def lib():
    return sfumato.compile(KERNELS, chip=CHIP)
