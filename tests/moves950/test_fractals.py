# SPDX-License-Identifier: Apache-2.0
"""Columns to fractals, seen through a product of matrices: all numbers are small integers, so that sums are exact."""

import numpy as np
import pytest
from conftest import run, same

RNG = np.random.default_rng(3510)


@pytest.mark.parametrize(("k", "pitch"), [(16, 16), (48, 16), (33, 20), (1, 16), (100, 50)])
def test_columns_to_fractals(build, k, pitch):
    a = RNG.integers(-3, 4, (k, pitch)).astype(np.float16)
    b = RNG.integers(-3, 4, (16, k)).astype(np.float16)
    expected = a[:, :16].T.astype(np.float32) @ b.T.astype(np.float32)
    same(run(build("fractals").columns, a, b, np.zeros((16, 16), np.float32), k, pitch, outputs=(2,)), expected)


@pytest.mark.parametrize("pitch", [16, 24, 100])
def test_compact_blocks_to_l1(build, pitch):
    a = RNG.integers(-3, 4, (16, 16)).astype(np.float16)
    b = RNG.integers(-3, 4, (16, pitch)).astype(np.float16)
    expected = a.T.astype(np.float32) @ b[:, :16].T.astype(np.float32)
    same(run(build("fractals").blocks, a, b, np.zeros((16, 16), np.float32), pitch, outputs=(2,)), expected)
