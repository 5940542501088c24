# SPDX-License-Identifier: Apache-2.0
"""Gates of a mixture of experts, bit for bit."""

import numpy as np
import pytest
from steps import sigmoid, softmax_parts, tree
from ways import CHIP, F32, library, random, run

import sfumato
from sfumato import tiling

ROWS, TILE, EXPERTS = 21, 8, 96


@pytest.fixture(scope="module")
def lib():
    return library("gates")


def data(k, scale):
    numbers = dict(rows=ROWS, tile=TILE, experts=EXPERTS, k=k)
    return sfumato.Struct(
        **{name: np.uint32(value) for name, value in numbers.items()},
        scale=F32(scale),
        softmax=tiling.SoftMax([TILE, EXPERTS], "float"),
        topk=tiling.TopK(chip=CHIP, inner=EXPERTS, outter=TILE, k=k, type="float"),
    )


def shares(scores, chosen, scale):
    values = np.take_along_axis(scores, chosen, 1)
    return values / tree(values)[:, None] * F32(scale)


@pytest.mark.parametrize("k", [1, 6, 8])
def test_gate_softmax(lib, k):
    x = random(ROWS, EXPERTS)
    got = run(lib.gate_softmax, 2, x, np.zeros((ROWS, k), F32), np.zeros((ROWS, k), np.int32), data(k, 1))
    scores = softmax_parts(x)[0]
    chosen = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    assert np.array_equal(got[2], chosen)
    assert np.array_equal(got[1], shares(scores, chosen, 1))


@pytest.mark.parametrize("k", [5, 8])
def test_gate_sigmoid(lib, k):
    x, bias = random(ROWS, EXPERTS), random(EXPERTS, seed=2)
    got = run(lib.gate_sigmoid, 2, x, bias, np.zeros((ROWS, k), F32), np.zeros((ROWS, k), np.int32), data(k, 2.5))
    scores = sigmoid(x)
    chosen = np.argsort(-(scores + bias), axis=1, kind="stable")[:, :k]
    assert np.array_equal(got[3], chosen)
    assert np.array_equal(got[2], shares(scores, chosen, 2.5))
