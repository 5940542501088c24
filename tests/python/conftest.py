# SPDX-License-Identifier: Apache-2.0
"""What the Python tests share."""

from pathlib import Path

import pytest

import sfumato

CHIP = "Ascend910B1"
KERNELS = Path(__file__).with_name("kernels.cpp")


@pytest.fixture(scope="session")
def lib():
    return sfumato.compile(KERNELS, chip=CHIP)
