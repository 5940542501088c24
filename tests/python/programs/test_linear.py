# SPDX-License-Identifier: Apache-2.0
"""Linear layers by the high-level Matmul, bit for bit."""

import numpy as np
import pytest
from steps import HALF, gelu, product
from ways import CHIP, F32, integers, library, random, run

import sfumato
from sfumato import tiling


@pytest.fixture(scope="module")
def lib():
    return library("linear")


def halves(*shape, seed=1):
    return random(*shape, seed=seed, dtype=HALF)


def plan(m, n, k, ab="half", c="float", **settings):
    return tiling.Matmul(chip=CHIP, m=m, n=n, k=k, a=ab, b=ab, c=c, **settings)


@pytest.mark.parametrize("first", ["m", "n"])
def test_linear_gelu(lib, first):
    m, n, k = 150, 192, 96
    a, b, bias = halves(m, k), halves(k, n, seed=2), random(n, seed=3)
    t = plan(m, n, k, bias="float", cores=4, single_m=80, single_n=96, base_m=32, base_n=48, first=first)
    c = run(lib.linear_gelu, 2, a, b, bias, np.zeros((m, n), F32), t)[3]
    assert np.array_equal(c, gelu(product(a, b, bias)))


def test_grouped_matmul_dequant(lib):
    ends, n, k = np.array([37, 37, 101, 120], np.int64), 112, 96
    tokens, groups = ends[-1], len(ends)
    x, weights = integers(-99, 99, tokens, k).astype(np.int8), integers(-99, 99, groups, k, n, seed=3).astype(np.int8)
    scales, token_scales = random(groups, n) * F32(0.01), random(tokens, seed=2) * F32(0.01)
    t = plan(32, 64, k, "int8", "int32", org_n=n)
    workspace = np.zeros(4 * 32 * 64, np.int32)
    outputs = np.zeros((tokens, n), HALF), workspace, groups, t
    y = run(lib.grouped_matmul_dequant, 2, x, weights, ends, scales, token_scales, *outputs)[5]
    group = np.searchsorted(ends, np.arange(tokens), side="right")
    sums = np.einsum("tk,tkn->tn", x.astype(np.int64), weights[group].astype(np.int64))
    assert np.array_equal(y, (sums.astype(F32) * scales[group] * token_scales[:, None]).astype(HALF))


def test_anti_quant_matmul(lib):
    m, n, k = 40, 224, 96
    a, weights = halves(m, k), integers(-128, 128, k, n).astype(np.int8)
    offset, scale = integers(-9, 9, n, seed=3).astype(HALF), halves(n, seed=4)
    t = plan(m, n, k, cores=4, single_m=m, single_n=64)
    data = sfumato.Struct(tile=np.uint32(11), mm=t)
    c = run(lib.anti_quant_matmul, 2, a, weights, offset, scale, np.zeros((m, n), F32), np.zeros((k, n), HALF), data)[4]
    assert np.array_equal(c, product(a, (weights.astype(HALF) + offset) * scale))


def test_conv_as_matmul(lib):
    height, width, channels, filters = 9, 11, 16, 80
    image, weights = halves(height, width, channels), halves(9 * channels, filters, seed=2)
    places, k = (height - 2) * (width - 2), 9 * channels
    sizes = {name: np.uint32(v) for name, v in dict(height=height, width=width, channels=channels).items()}
    data = sfumato.Struct(**sizes, mm=plan(places, filters, k, cores=4, single_m=places, single_n=32))
    c = run(lib.conv_as_matmul, 2, image, weights, np.zeros((places, filters), F32), np.zeros((places, k), HALF), data)[
        2
    ]
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), axis=(0, 1)).transpose(0, 1, 3, 4, 2)
    assert np.array_equal(c, product(windows.reshape(places, k), weights))


def test_low_rank(lib):
    rows, k, rank, n = 50, 160, 16, 72
    x, a, b, y = halves(rows, k), halves(k, rank, seed=2), halves(n, rank, seed=3), random(rows, n, seed=4)
    data = sfumato.Struct(
        down=plan(13, rank, k, c="half"),
        up=tiling.Matmul(chip=CHIP, m=13, n=n, k=rank, a="half", b="half transposed", c="float"),
    )
    got = run(lib.low_rank, 2, x, a, b, y, np.zeros((rows, rank), HALF), rows, data)
    middle = product(x, a).astype(HALF)
    assert np.array_equal(got[4], middle)
    assert np.array_equal(got[3], y + product(middle, b.T))


def test_matmul_all_reduce(lib):
    m, n, k = 70, 48, 64
    a, b = halves(m, k), halves(k, n, seed=2)
    t = plan(m, n, k, cores=4, single_m=32, single_n=n)
    c = run(lib.matmul_all_reduce, 2, a, b, np.zeros((m, n), F32), np.zeros((m, n), F32), t)[2]
    assert np.array_equal(c, product(a, b))
