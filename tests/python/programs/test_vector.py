# SPDX-License-Identifier: Apache-2.0
"""Vector programs, and reductions over blocks by atomic stores."""

import numpy as np
import pytest
from ways import F32, integers, library, near, random, run, softmax


@pytest.fixture(scope="module")
def lib():
    return library("vector")


@pytest.mark.parametrize(("count", "blocks"), [(2000, 4), (33, 3)])
def test_add(lib, count, blocks):
    x, y = random(count, dtype=np.float16), random(count, seed=2, dtype=np.float16)
    tiling = np.array([(count, 128)], [("total", np.uint32), ("tile", np.uint32)])
    z = run(lib.add, blocks, x, y, np.zeros_like(x), tiling)[2]
    assert np.array_equal(z, x + y)


def test_layer_norm(lib):
    x, gamma, beta = random(5, 100), random(100, seed=2), random(100, seed=3)
    y = run(lib.layer_norm, 2, x, gamma, beta, np.zeros_like(x), *x.shape, F32(1e-5))[3]
    wide = x.astype(np.float64)
    want = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5) * gamma + beta
    near(y, want)


def test_rms_norm(lib):
    x, gamma = random(5, 80, dtype=np.float16), random(80, seed=2, dtype=np.float16)
    y = run(lib.rms_norm, 2, x, gamma, np.zeros_like(x), *x.shape, F32(1e-6))[2]
    wide = x.astype(np.float64)
    near(y, wide / np.sqrt((wide**2).mean(1, keepdims=True) + 1e-6) * gamma, 1e-3)


@pytest.mark.parametrize("columns", [17, 200])
def test_softmax(lib, columns):
    x = random(5, columns)
    near(run(lib.softmax, 2, x, np.zeros_like(x), *x.shape)[1], softmax(x))


def test_gelu(lib):
    x = random(5, 70)
    wide = x.astype(np.float64)
    want = 0.5 * wide * (1 + np.tanh(np.sqrt(2 / np.pi) * (wide + 0.044715 * wide**3)))
    near(run(lib.gelu, 2, x, np.zeros_like(x), *x.shape)[1], want)


def test_swiglu(lib):
    x = random(5, 2, 64)
    gate, value = x[:, 0].astype(np.float64), x[:, 1]
    y = run(lib.swiglu, 2, x, np.zeros((5, 64), F32), 5, 64)[1]
    near(y, gate / (1 + np.exp(-gate)) * value)


def test_quantise(lib):
    x = random(5, 96)
    got = run(lib.quantise, 2, x, np.zeros((5, 96), np.int8), np.zeros(5, F32), 5, 96)
    scales = F32(127) / np.abs(x).max(1)
    assert np.array_equal(got[2], scales)
    assert np.array_equal(got[1], np.rint((x * scales[:, None]).astype(np.float16)).astype(np.int8))


def test_hard_shrink(lib):
    x = random(5, 128)
    y = run(lib.hard_shrink, 2, x, np.zeros_like(x), 5, 128, F32(0.7))[1]
    assert np.array_equal(y, np.where(np.abs(x) >= F32(0.7), x, F32(0)))


def test_transpose(lib):
    x = random(48, 32, dtype=np.float16)
    assert np.array_equal(run(lib.transpose, 3, x, np.zeros((32, 48), np.float16), 48, 32)[1], x.T)


def test_take_columns(lib):
    x, index = random(5, 90), integers(0, 90, 37)
    y = run(lib.take_columns, 2, x, index, np.zeros((5, 37), F32), 5, 90, 37)[2]
    assert np.array_equal(y, x[:, index])


def test_embedding(lib):
    table, index = random(50, 32, dtype=np.float16), integers(0, 50, 23)
    y = run(lib.embedding, 4, table, index, np.zeros((23, 32), np.float16), 50, 23, 32)[2]
    assert np.array_equal(y, table[index])


def test_sort_rows(lib):
    x = integers(-40, 40, 5, 128).astype(F32)
    got = run(lib.sort_rows, 2, x, np.zeros_like(x), np.zeros(x.shape, np.uint32), *x.shape)
    order = np.argsort(-x, axis=1, kind="stable")
    assert np.array_equal(got[2], order)
    assert np.array_equal(got[1], np.take_along_axis(x, order, 1))


@pytest.fixture(scope="module")
def reduce():
    return library("reduce")


def test_column_sum(reduce):
    x = integers(-1000, 1000, 21, 64)
    assert np.array_equal(run(reduce.column_sum, 5, x, np.zeros(64, np.int32), 21, 64)[1], x.sum(0))


def test_column_max(reduce):
    x = random(21, 64, dtype=np.float16)
    y = run(reduce.column_max, 5, x, np.full(64, -np.inf, np.float16), 21, 64)[1]
    assert np.array_equal(y, x.max(0))


def test_column_min(reduce):
    x = integers(-1000, 1000, 21, 64)
    assert np.array_equal(run(reduce.column_min, 5, x, np.full(64, 2000, np.int32), 21, 64)[1], x.min(0))


def tree(values):
    """The sum of neighbours, level by level; what is missing adds nothing."""
    while len(values) > 1:
        even = values[0::2].copy()
        even[: len(values) // 2] += values[1::2]
        values = even
    return values[0]


def test_total(reduce):
    """Repeats of 64 one after another in a block, then the blocks."""
    x = random(1000)
    want = F32(0)
    for block in np.split(x, [256, 512, 768]):
        part = F32(0)
        for at in range(0, len(block), 64):
            part += tree(block[at : at + 64])
        want += part
    assert run(reduce.total, 4, x, np.zeros(1, F32), 1000)[1][0] == want


def test_histogram(reduce):
    x = integers(0, 64, 1000)
    assert np.array_equal(run(reduce.histogram, 7, x, np.zeros(64, np.int32), 1000)[1], np.bincount(x, minlength=64))
