# SPDX-License-Identifier: Apache-2.0
"""Programs of the cube cores; data are small integers, whose products and sums are exact."""

import ml_dtypes
import numpy as np
import pytest
from ways import F32, integers, library, near, random, run

M, N, K = 50, 72, 100


@pytest.fixture(scope="module")
def lib():
    return library("cube")


@pytest.mark.parametrize(
    ("name", "dtype", "out", "trans_b"),
    [
        ("matmul_half", np.float16, F32, False),
        ("matmul_half_to_half", np.float16, np.float16, False),
        ("matmul_half_transposed", np.float16, F32, True),
        ("matmul_bf16", ml_dtypes.bfloat16, ml_dtypes.bfloat16, False),
        ("matmul_int8", np.int8, np.int32, False),
        ("matmul_float", F32, F32, True),
    ],
)
def test_matmul(lib, name, dtype, out, trans_b):
    a = integers(-5, 6, M, K)
    b = integers(-5, 6, N, K, seed=3) if trans_b else integers(-5, 6, K, N, seed=3)
    c = run(lib[name], 3, a.astype(dtype), b.astype(dtype), np.zeros((M, N), out), M, N, K)[2]
    assert c.tobytes() == (a @ (b.T if trans_b else b)).astype(out).tobytes()


def test_real_numbers(lib):
    a, b = random(M, K, dtype=np.float16), random(K, N, seed=2, dtype=np.float16)
    c = run(lib.matmul_half, 3, a, b, np.zeros((M, N), F32), M, N, K)[2]
    near(c, a.astype(np.float64) @ b.astype(np.float64))


def test_batched(lib):
    a, b = integers(-5, 6, 7, 20, 40), integers(-5, 6, 7, 40, 24, seed=3)
    c = run(
        lib.matmul_batched, 3, a.astype(np.float16), b.astype(np.float16), np.zeros((7, 20, 24), F32), 7, 20, 24, 40
    )[2]
    assert np.array_equal(c, a @ b)


def test_split_k(lib):
    a, b = integers(-5, 6, 40, 200), integers(-5, 6, 200, 48, seed=3)
    c = run(lib.split_k, 4, a.astype(np.float16), b.astype(np.float16), np.zeros((40, 48), F32), 40, 48, 200)[2]
    assert np.array_equal(c, a @ b)


def test_split_k_of_real_numbers(lib):
    """What the blocks add, in the order of their indices: each sums its products one after another."""
    a, b = random(40, 200, dtype=np.float16), random(200, 48, seed=2, dtype=np.float16)
    c = run(lib.split_k, 4, a, b, np.zeros((40, 48), F32), 40, 48, 200)[2]
    want = np.zeros((40, 48), F32)
    for begin in range(0, 200, 64):
        part = np.zeros((40, 48), F32)
        for k in range(begin, min(begin + 64, 200)):
            part += np.outer(a[:, k].astype(F32), b[k].astype(F32))
        want += part
    assert np.array_equal(c, want)


def test_grouped(lib):
    ends = np.array([20, 20, 75, 80], np.int32)
    a, b = integers(-5, 6, 80, 64), integers(-5, 6, 4, 64, 48, seed=3)
    c = run(
        lib.matmul_grouped, 4, a.astype(np.float16), b.astype(np.float16), ends, np.zeros((80, 48), F32), 4, 80, 48, 64
    )[3]
    want = np.concatenate([part @ b[g] for g, part in enumerate(np.split(a, ends[:-1]))])
    assert np.array_equal(c, want)
