# SPDX-License-Identifier: Apache-2.0
"""Softmax and what is built on it, bit for bit."""

import numpy as np
import pytest
from steps import HALF, blocks, exp, log, softmax_parts, tree
from ways import F32, integers, library, random, run

import sfumato
from sfumato import tiling


@pytest.fixture(scope="module")
def lib():
    return library("softmax")


def data(rows, tile, width, dtype):
    sizes = dict(rows=np.uint32(rows), tile=np.uint32(tile), width=np.uint32(width))
    return sfumato.Struct(**sizes, softmax=tiling.SoftMax([tile, width], dtype))


def test_masked_softmax(lib):
    rows, width = 21, 96
    x, mask = random(rows, width, dtype=HALF), integers(0, 3, rows, width, dtype=np.uint8)
    got = run(lib.masked_softmax, 2, x, mask, np.zeros_like(x), data(rows, 4, width, "half"))[2]
    masked = np.where(mask == 0, x, HALF(-10000)).astype(F32)
    assert np.array_equal(got, softmax_parts(masked)[0].astype(HALF))


def test_attention_weights(lib):
    rows, width = 19, 128
    x = random(rows, width) * 9
    x[3] = x[4] = x[18] = -np.inf
    got = run(lib.attention_weights, 2, x, np.zeros_like(x), data(rows, 8, width, "float"))[1]
    with np.errstate(invalid="ignore"):
        weights = softmax_parts(x * F32(0.125))[0]
    weights[[3, 4, 18]] = 0
    assert np.array_equal(got, weights)


def test_softmax_and_its_gradient(lib):
    rows, width = 22, 72
    x, grad = random(rows, width), random(rows, width, seed=2)
    side = np.zeros((rows, 8), F32)
    plan = data(rows, 4, width, "float")
    _, y, sums, maxima, _ = run(lib.softmax_stored, 3, x, np.zeros_like(x), side, side, plan)
    weights, want_sums, want_maxima = softmax_parts(x)
    assert np.array_equal(y, weights)
    assert np.array_equal(sums, blocks(want_sums))
    assert np.array_equal(maxima, blocks(want_maxima))
    got = run(lib.softmax_backward, 2, x, sums, maxima, grad, np.zeros_like(x), plan)[4]
    assert np.array_equal(got, (grad - tree(grad * weights)[:, None]) * weights)


def log_softmax(x):
    shifted = x - x.max(1, keepdims=True)
    return shifted - log(tree(exp(shifted)))[:, None]


def test_log_softmax(lib):
    x = random(21, 200) * 5
    assert np.array_equal(run(lib.log_softmax, 3, x, np.zeros_like(x), 21, 200)[1], log_softmax(x))


def test_cross_entropy(lib):
    rows, width = 19, 80
    x, labels = random(rows, width) * 3, integers(0, width, rows)
    labels[7] = -100
    loss = run(lib.cross_entropy, 2, x, labels, np.zeros(rows, F32), rows, width, -100)[2]
    want = -log_softmax(x)[np.arange(rows), labels % width]
    want[7] = 0
    assert np.array_equal(loss, want)
