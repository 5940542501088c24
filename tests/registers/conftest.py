# SPDX-License-Identifier: Apache-2.0
"""Kernels of vector functions, and what the references of them share."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[1] / "support"))
import raised  # noqa: E402
from schedules import CHIP, builder, run, same  # noqa: E402

__all__ = ["CHIP", "KERNELS", "rounded", "rounds", "run", "same", "tree"]

raised.keep("registers")

KERNELS = Path(__file__).with_name("kernels")


@pytest.fixture(scope="session")
def build():
    return builder(KERNELS)


def tree(lanes):
    """The sum of the last axis by pairs of neighbours, each sum rounded to the type."""
    while lanes.shape[-1] > 1:
        lanes = (lanes[..., 0::2] + lanes[..., 1::2]).astype(lanes.dtype)
    return lanes[..., 0]


def rounds(rows, lanes=64):
    """Rows as (row, round, lane), of which those behind the end are 0."""
    count = -(-rows.shape[-1] // lanes)
    filled = np.zeros((*rows.shape[:-1], count * lanes), rows.dtype)
    filled[..., : rows.shape[-1]] = rows
    return filled.reshape(*rows.shape[:-1], count, lanes)


def rounded(function, x, dtype=np.float32):
    """A function of exact arguments, rounded once; subnormal results are zeros."""
    wide = function(np.asarray(x).astype(np.longdouble))
    narrow = wide.astype(dtype)
    return np.where(np.abs(narrow) < np.finfo(dtype).tiny, np.copysign(dtype(0), narrow), narrow).astype(dtype)
