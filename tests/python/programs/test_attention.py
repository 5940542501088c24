# SPDX-License-Identifier: Apache-2.0
"""Attention of several heads, in tiles and in phases."""

import numpy as np
import pytest
from ways import F32, library, near, random, run, softmax

HALF = np.float16
SLOT = 128 * (128 * 6 + 64 * 4)


@pytest.fixture(scope="module")
def lib():
    return library("attention")


def attention(q, k, v, causal=False):
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    scores = q @ k.transpose(0, 2, 1) / 8
    if causal:
        scores = np.where(np.tri(scores.shape[1], dtype=bool), scores, -1e30)
    return softmax(scores) @ v


@pytest.mark.parametrize("causal", [False, True])
def test_flash_attention(lib, causal):
    shape = 2, 256, 64
    q, k, v = (random(*shape, seed=seed, dtype=HALF) for seed in (1, 2, 3))
    out = run(lib.flash_attention, 3, q, k, v, np.zeros(shape, F32), np.zeros(3 * SLOT, np.uint8), 2, 256, causal)[3]
    near(out, attention(q, k, v, causal), 2e-3)


def test_attention_in_phases(lib):
    shape = 2, 64, 64
    q, k, v = (random(*shape, seed=seed, dtype=HALF) for seed in (1, 2, 3))
    scores, weights = np.zeros((2, 64, 64), F32), np.zeros((2, 64, 64), HALF)
    out = run(lib.attention_in_phases, 2, q, k, v, np.zeros(shape, F32), scores, weights, 2, 64)[3]
    near(out, attention(q, k, v), 2e-3)
