# SPDX-License-Identifier: Apache-2.0
"""Normalisation by high-level calls, bit for bit."""

import numpy as np
import pytest
from steps import HALF, quantise, tree
from ways import F32, library, random, run

import sfumato
from sfumato import tiling

EPSILON = F32(1e-5)


@pytest.fixture(scope="module")
def lib():
    return library("norms")


def test_add_rms_norm_quant(lib):
    rows, tile, width = 16, 4, 144
    x, residual, gamma = random(rows, width, dtype=HALF), random(rows, width, seed=2, dtype=HALF), random(width, seed=3)
    gamma = gamma.astype(HALF)
    data = sfumato.Struct(
        rows=np.uint32(rows),
        tile=np.uint32(tile),
        width=np.uint32(width),
        workspace=np.uint32(16384),
        epsilon=F32(HALF(1e-3)),
        scale=F32(40),
        offset=F32(-3),
        norm=tiling.RmsNorm([1, tile, width], "half"),
    )
    got = run(lib.add_rms_norm_quant, 2, x, residual, gamma, np.zeros((rows, width), np.int8), data)
    total = x + residual
    wide = total.astype(F32)
    root = F32(1) / np.sqrt(tree(wide * wide * F32(1 / width)) + F32(HALF(1e-3)))
    normed = (wide * root[:, None] * gamma.astype(F32)).astype(HALF)
    assert np.array_equal(got[1], total)
    assert np.array_equal(got[3], quantise(normed, 40, -3))


def welford(x, chunk=64):
    mean, square = np.zeros(chunk, F32), np.zeros(chunk, F32)
    counts = np.zeros(chunk, F32)
    for i, first in enumerate(range(0, len(x), chunk)):
        part = x[first : first + chunk]
        n, old = len(part), mean[: len(part)].copy()
        mean[:n] = old + (part - old) * (F32(1) / F32(i + 1))
        square[:n] += (part - old) * (part - mean[:n])
        counts[:n] += 1
    rest = F32(1) / F32(len(x))
    # Without a tail the means count alike.
    whole = tree(mean * counts) * rest if len(x) % chunk else tree(mean) * F32(1 / chunk)
    d = mean - whole
    return whole, tree(square + d * d * counts) * rest


@pytest.mark.parametrize("columns", [300, 192, 40])
def test_welford_norm(lib, columns):
    rows = 5
    x = random(rows, columns)
    y = run(lib.welford_norm, 2, x, np.zeros_like(x), rows, columns, EPSILON)[1]
    for row, got in zip(x, y):
        mean, variance = welford(row)
        assert np.array_equal(got, (row - mean) * (F32(1) / np.sqrt(variance + EPSILON)))


def test_column_moments(lib):
    rows, columns = 37, 120
    x = random(rows, columns)
    y = run(lib.column_moments, 1, x, np.zeros((2, columns), F32), rows, columns)[1]

    def down(a):
        total = a[0].copy()
        for row in a[1:]:
            total += row
        return total * (F32(1) / F32(rows))

    mean = down(x)
    assert np.array_equal(y[0], mean)
    assert np.array_equal(y[1], down((x - mean) * (x - mean)))


def test_scale_bias(lib):
    rows, columns = 21, 48
    x, scale, bias = (
        random(*shape, seed=i, dtype=HALF) for i, shape in enumerate([(rows, columns), (rows,), (columns,)])
    )
    y = run(lib.scale_bias, 2, x, scale, bias, np.zeros_like(x), rows, columns)[3]
    assert np.array_equal(y, x * scale[:, None] + bias)
