# SPDX-License-Identifier: Apache-2.0
"""Programs in which cube and vector cores work for each other."""

import numpy as np
import pytest
from ways import F32, integers, library, near, random, run

M, N, K = 140, 150, 96
HALF = np.float16


@pytest.fixture(scope="module")
def lib():
    return library("mix")


@pytest.mark.parametrize("name", ["matmul_leaky_1_1", "matmul_leaky_1_2"])
def test_matmul_leaky(lib, name):
    a, b, bias = integers(-5, 6, M, K), integers(-5, 6, K, N, seed=3), integers(-50, 50, N)
    workspace = np.zeros(2 * 2 * 4096, F32)
    c = run(lib[name], 2, a.astype(HALF), b.astype(HALF), bias.astype(F32), np.zeros((M, N), F32), workspace, M, N, K)
    sums = a @ b + bias
    assert np.array_equal(c[3], np.where(sums < 0, sums * 0.25, sums))


def test_matmul_dequantised(lib):
    a, b = integers(-9, 10, M, K), integers(-9, 10, K, N + 10, seed=3)
    rows, columns = random(M), random(N + 10, seed=2)
    c = run(
        lib.matmul_dequantised,
        2,
        *(a.astype(np.int8), b.astype(np.int8), rows, columns, np.zeros((M, N + 10), HALF)),
        *(np.zeros(2 * 2 * 4096, np.int32), M, N + 10, K),
    )[4]
    assert lib.matmul_dequantised.last.task_type == "KERNEL_TYPE_MIX_AIC_1_2"
    assert np.array_equal(c, ((a @ b).astype(F32) * rows[:, None] * columns).astype(HALF))


def test_matmul_widened(lib):
    a, b = integers(-5, 6, 60, 80), integers(-9, 10, 80, 96, seed=3)
    c = run(
        lib.matmul_widened,
        2,
        *(a.astype(HALF), b.astype(np.int8), np.zeros((60, 96), F32), np.zeros((80, 96), HALF)),
        *(60, 96, 80, F32(0.5)),
    )[2]
    assert np.array_equal(c, a @ b * 0.5)


def test_split_k_ordered(lib):
    a, b = random(20, 192, dtype=HALF), random(192, 32, seed=2, dtype=HALF)
    c = run(lib.split_k_ordered, 3, a, b, np.zeros((20, 32), F32), np.zeros((60, 32), F32), 20, 32, 192)
    parts = c[3].reshape(3, 20, 32)
    want = np.zeros((20, 32), F32)
    for part in parts:
        want += part
    assert np.array_equal(c[2], want)
    near(c[2], a.astype(np.float64) @ b.astype(np.float64))


def test_halves(lib):
    x = np.abs(random(7, 64)) + F32(0.1)
    y = run(lib.halves, 3, x, np.zeros_like(x), np.zeros(48, F32), 7, 32)[1]
    near(y, x / x.astype(np.float64).sum(1, keepdims=True))
