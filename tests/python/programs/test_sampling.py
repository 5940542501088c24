# SPDX-License-Identifier: Apache-2.0
"""Sampling, positions and the gradient of a table, bit for bit."""

import numpy as np
import pytest
from steps import log, softmax_parts, tree
from ways import CHIP, F32, integers, library, random, run

import sfumato
from sfumato import tiling


@pytest.fixture(scope="module")
def lib():
    return library("sampling")


def test_nucleus(lib):
    rows, n, share = 7, 192, F32(0.7)
    x = random(rows, n) * 2
    plans = dict(softmax=tiling.SoftMax([1, n], "float"), topk=tiling.TopK(chip=CHIP, inner=n, k=n, type="float"))
    data = sfumato.Struct(rows=np.uint32(rows), width=np.uint32(n), share=share, **plans)
    got = run(lib.nucleus, 2, x, np.zeros_like(x), np.zeros((rows, n), np.int32), data)
    chances = softmax_parts(x)[0]
    places = np.argsort(-chances, axis=1, kind="stable")
    taken = np.take_along_axis(chances, places, 1)
    before = np.cumsum(taken, axis=1, dtype=F32) - taken
    taken = np.where(before < share, taken, F32(0))
    assert np.array_equal(got[2], places)
    assert np.array_equal(got[1], taken / tree(taken)[:, None])


def test_normal_pairs(lib):
    rows, width = 6, 104
    x = (np.random.default_rng(1).integers(1, 1 << 24, (rows, 2 * width)) / (1 << 24)).astype(F32)
    y = run(lib.normal_pairs, 2, x, np.zeros_like(x), rows, width)[1]
    radius = np.sqrt(log(x[:, :width]) * F32(-2))
    angle = (x[:, width:] * F32(6.2831855)).astype(np.float64)
    assert np.array_equal(
        y, np.concatenate([np.cos(angle).astype(F32) * radius, np.sin(angle).astype(F32) * radius], 1)
    )


def test_positions(lib):
    rows, width = 21, 128
    y = run(lib.positions, 3, np.zeros((rows, width), F32), rows, width)[0]
    exponent = np.arange(width // 2, dtype=F32) * F32(-2 / width)
    frequency = (10000.0 ** exponent.astype(np.float64)).astype(F32)
    angle = (np.arange(rows, dtype=F32)[:, None] * frequency).astype(np.float64)
    assert np.array_equal(y, np.concatenate([np.sin(angle).astype(F32), np.cos(angle).astype(F32)], 1))


def test_table_gradient(lib):
    rows, entries, width = 50, 13, 24
    x, indices = integers(-9, 10, rows, width).astype(F32), integers(0, entries, rows, seed=3)
    table = run(lib.table_gradient, 4, x, indices, np.full((entries, width), 7, F32), rows, entries, width)[2]
    want = np.zeros((entries, width), F32)
    np.add.at(want, indices, x)
    assert np.array_equal(table, want)
