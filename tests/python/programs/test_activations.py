# SPDX-License-Identifier: Apache-2.0
"""Gated activations, dropout, rotary embedding, running sums and heads, bit for bit."""

import numpy as np
import pytest
from steps import HALF, exp, sigmoid, swish
from ways import F32, integers, library, random, run

import sfumato
from sfumato import tiling


@pytest.fixture(scope="module")
def lib():
    return library("activations")


def test_swiglu_dynamic_quant(lib):
    rows, width = 9, 160
    x = random(rows, 2 * width)
    got = run(lib.swiglu_dynamic_quant, 2, x, np.zeros((rows, width), np.int8), np.zeros(rows, F32), rows, width)
    gated = x[:, width:] * swish(x[:, :width])
    scale = np.abs(gated).max(1) * F32(1 / 127)
    assert np.array_equal(got[2], scale)
    assert np.array_equal(got[1], np.rint((gated / scale[:, None]).astype(HALF)).astype(np.int8))


def test_geglu(lib):
    rows, width = 9, 144
    x = random(rows, 2 * width, dtype=HALF)
    y = run(lib.geglu, 2, x, np.zeros((rows, width), HALF), rows, width)[1]
    value, gate = x[:, :width], x[:, width:]
    t = (gate * gate + HALF(22.363860002236)) * gate * HALF(-0.0713548162726)
    assert np.array_equal(y, value * (gate / (exp(t) + HALF(1))))


def test_sigmoid_gate(lib):
    gate, x = random(11, 64, dtype=HALF), random(11, 64, seed=2, dtype=HALF)
    assert np.array_equal(run(lib.sigmoid_gate, 2, gate, x, 11, 64)[1], sigmoid(gate) * x)


@pytest.mark.parametrize(("width", "mask_width"), [(256, 32), (72, 32)])
def test_dropout(lib, width, mask_width):
    rows, keep = 10, F32(0.7)
    x, mask = random(rows, width), integers(0, 256, rows, mask_width, dtype=np.uint8)
    y = run(lib.dropout, 2, x, mask, np.zeros_like(x), rows, width, mask_width, keep)[2]
    kept = np.unpackbits(mask, axis=1, bitorder="little")[:, :width] == 1
    assert np.array_equal(y, np.where(kept, x, F32(0)) * F32(1 / np.float64(keep)))


def test_rotary(lib):
    rows, width = 33, 128
    x, frequencies = random(rows, width), (10000.0 ** (-np.arange(64) / 64)).astype(F32)
    y = run(lib.rotary, 3, x, frequencies, np.zeros_like(x), rows, width)[2]
    angle = (np.arange(rows, dtype=F32)[:, None] * frequencies).astype(np.float64)
    cosine, sine = np.cos(angle).astype(F32), np.sin(angle).astype(F32)
    a, b = x[:, :64], x[:, 64:]
    assert np.array_equal(y, np.concatenate([a * cosine - b * sine, b * cosine + a * sine], axis=1))


def test_gelu_tanh(lib):
    x = random(12, 120)
    y = run(lib.gelu_tanh, 2, x, np.zeros_like(x), 12, 120)[1]
    cube = (x.astype(np.float64) ** 3).astype(F32)
    t = (cube * F32(0.044715) + x) * F32(0.79788456)
    assert np.array_equal(y, x * F32(0.5) * (np.tanh(t.astype(np.float64)).astype(F32) + F32(1)))


def test_running_sums(lib):
    x = random(14, 48, dtype=HALF)
    got = run(lib.running_sums, 2, x, np.zeros_like(x), np.zeros(14, HALF), 14, 48)
    sums = np.cumsum(x.astype(F32), axis=1, dtype=F32)
    assert np.array_equal(got[1], sums.astype(HALF))
    assert np.array_equal(got[2], sums[:, -1].astype(HALF))


def test_running_rows(lib):
    x = random(29, 40)
    y = run(lib.running_rows, 1, x, np.zeros_like(x), 29, 40)[1]
    assert np.array_equal(y, np.cumsum(x, axis=0, dtype=F32))


def test_merge_heads(lib):
    batches, heads, rows, columns = 3, 2, 32, 48
    x = random(batches, heads, columns // 16, rows, 16, dtype=HALF)
    data = sfumato.Struct(
        batches=np.uint32(batches),
        elements=np.uint32(heads * rows * columns),
        transpose=tiling.Transpose([1, heads, rows, columns], "half", 1),
    )
    y = run(lib.merge_heads, 2, x, np.zeros((batches, rows, heads, columns), HALF), data)[1]
    assert np.array_equal(y, x.transpose(0, 3, 1, 2, 4).reshape(y.shape))


def test_transpose_keys(lib):
    x = random(4, 32, 80)
    data = sfumato.Struct(
        batches=np.uint32(4), elements=np.uint32(32 * 80), transpose=tiling.Transpose([32, 80], "float", 7)
    )
    y = run(lib.transpose_keys, 3, x, np.zeros((4, 80, 32), F32), data)[1]
    assert np.array_equal(y, x.transpose(0, 2, 1))
