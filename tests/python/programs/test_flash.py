# SPDX-License-Identifier: Apache-2.0
"""Attention by the high-level Matmul and SoftmaxFlashV2, bit for bit."""

import numpy as np
import pytest
from steps import HALF, exp, product, tree
from ways import CHIP, F32, library, near, random, run, softmax

import sfumato
from sfumato import tiling

HEADS, WIDTH, ROWS, COLUMNS = 3, 64, 32, 48
SCALE = F32(0.125)


@pytest.fixture(scope="module")
def lib():
    return library("flash")


def data(queries, keys):
    sizes = dict(heads=HEADS, queries=queries, keys=keys, width=WIDTH, rows=ROWS, columns=COLUMNS)
    kinds = dict(chip=CHIP, a="half", c="float")
    return sfumato.Struct(
        **{name: np.uint32(value) for name, value in sizes.items()},
        scale=SCALE,
        scores=tiling.Matmul(m=ROWS, n=COLUMNS, k=WIDTH, b="half transposed", **kinds),
        values=tiling.Matmul(m=ROWS, n=WIDTH, k=COLUMNS, b="half", **kinds),
        softmax=tiling.SoftMax([ROWS, COLUMNS], "float", workspace=16 * 1024),
    )


def flash(q, k, v):
    """One head, the steps in order."""
    for first in range(0, len(k), COLUMNS):
        scores = product(q, k[first : first + COLUMNS].T) * SCALE
        row_max = scores.max(1, keepdims=True)
        maxima, old = (row_max, None) if first == 0 else (np.maximum(maxima, row_max), maxima)  # noqa: F821
        weights = exp(scores - maxima)
        part = tree(weights)[:, None]
        values = product(weights.astype(HALF), v[first : first + COLUMNS])
        if first == 0:
            sums, total = part, values
        else:
            factor = exp(old - maxima)
            sums, total = factor * sums + part, total * factor + values
    return (total / sums).astype(HALF)


@pytest.mark.parametrize(("queries", "keys"), [(96, 144), (80, 112), (16, 48)])
def test_flash_attention_v2(lib, queries, keys):
    q = random(HEADS, queries, WIDTH, dtype=HALF)
    k, v = (random(HEADS, keys, WIDTH, seed=seed, dtype=HALF) for seed in (2, 3))
    slots = np.zeros(4 * (6 * ROWS * COLUMNS + 4 * ROWS * WIDTH), np.uint8)
    out = run(lib.flash_attention_v2, 2, q, k, v, np.zeros_like(q), slots, data(queries, keys))[3]
    for head in range(HEADS):
        assert np.array_equal(out[head], flash(q[head], k[head], v[head]))
    scores = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) / 8
    near(out, softmax(scores) @ v.astype(np.float64), 3e-3)
