# SPDX-License-Identifier: Apache-2.0
"""Elements one by one: tails of every length, the ways to begin a vector function, several blocks."""

import numpy as np
import pytest
from conftest import rounded, run, same

RNG = np.random.default_rng(950)


def floats(n, dtype=np.float32):
    return (RNG.standard_normal(n) * 8).astype(dtype)


def fma(a, b, c):
    """a * b + c in one rounding: the product is exact in double, and long doubles hold the sum."""
    return (np.float64(a) * b.astype(np.float64)).astype(np.longdouble) + c.astype(np.longdouble)


@pytest.mark.parametrize("tail", range(0, 64, 8))
def test_add_float_of_every_tail(build, tail):
    for n in [*range(max(tail, 1), tail + 8), *range(tail + 64, tail + 72)]:
        x, y = floats(n), floats(n)
        same(run(build("elementwise").add_float, x, y, np.zeros(n, np.float32), n, outputs=(2,)), x + y)


@pytest.mark.parametrize("tail", range(0, 128, 16))
def test_add_half_of_every_tail(build, tail):
    for n in [*range(max(tail, 1), tail + 16), tail + 128, tail + 143]:
        x, y = floats(n, np.float16), floats(n, np.float16)
        same(run(build("elementwise").add_half, x, y, np.zeros(n, np.float16), n, outputs=(2,)), x + y)


@pytest.mark.parametrize("n", [1, 31, 32, 33, 255, 256, 257, 1000])
def test_add_of_integers_wraps(build, n):
    x, y = (RNG.integers(-128, 128, n).astype(np.int8) for _ in range(2))
    same(run(build("elementwise").add_int8, x, y, np.zeros(n, np.int8), n, outputs=(2,)), x + y)
    x, y = (RNG.integers(-(2**63), 2**63, n, np.int64) for _ in range(2))
    same(run(build("elementwise").add_int64, x, y, np.zeros(n, np.int64), n, outputs=(2,)), x + y)


@pytest.mark.parametrize(
    ("n", "tile", "blocks"), [(64, 64, 1), (1000, 128, 1), (1000, 128, 3), (777, 256, 2), (5, 64, 2)]
)
def test_mul_in_tiles(build, n, tile, blocks):
    for kernel, dtype in (("mul_float", np.float32), ("mul_half", np.float16)):
        x, y, z = floats(n, dtype), floats(n, dtype), np.zeros(n, dtype)
        same(run(getattr(build("elementwise"), kernel), x, y, z, n, tile, outputs=(2,), blocks=blocks), x * y)


@pytest.mark.parametrize("n", [1, 63, 64, 65, 127, 128, 129, 500])
def test_axpy_rounds_once(build, n):
    x, y, z, a = floats(n), floats(n), np.zeros(n, np.float32), np.float32(1 / 3)
    same(run(build("elementwise").axpy_float, x, y, z, float(a), n, outputs=(2,)), fma(a, x, y).astype(np.float32))
    x, y, z = floats(n, np.float16), floats(n, np.float16), np.zeros(n, np.float16)
    # Products and sums of halves are exact in double.
    expected = (np.float64(np.float16(a)) * x.astype(np.float64) + y.astype(np.float64)).astype(np.float16)
    same(run(build("elementwise").axpy_half, x, y, z, float(a), n, outputs=(2,)), expected)


@pytest.mark.parametrize("n", [7, 64, 200])
def test_scaled_add(build, n):
    x, y, scale = floats(n), floats(n), floats(1)
    same(run(build("elementwise").scaled_add, x, y, scale, np.zeros(n, np.float32), n, outputs=(3,)), x + y * scale)


@pytest.mark.parametrize("n", [3, 64, 333])
def test_clip(build, n):
    x = floats(n)
    expected = np.minimum(np.maximum(x, np.float32(-2.5)), np.float32(3.25))
    same(run(build("elementwise").clip, x, np.zeros(n, np.float32), -2.5, 3.25, n, outputs=(1,)), expected)


@pytest.mark.parametrize("n", [5, 128, 300])
def test_leaky_relu_by_select_and_by_its_own_call(build, n):
    x = floats(n, np.float16)
    expected = np.where(x < 0, x * np.float16(0.1), x)
    zeros = np.zeros(n, np.float16)
    by_select, own = run(build("elementwise").leaky_relu, x, zeros, zeros.copy(), 0.1, n, outputs=(1, 2))
    same(by_select, expected)
    same(own, expected)


@pytest.mark.parametrize("n", [2, 64, 130])
def test_where_with_masks_of_two_comparisons(build, n):
    x, y = (RNG.integers(-3, 4, n).astype(np.int32) for _ in range(2))
    expected = np.where(x == y, np.where(x >= y, x, y) + 1, 0).astype(np.int32)
    same(run(build("elementwise").where, x, y, np.zeros(n, np.int32), n, outputs=(2,)), expected)


@pytest.mark.parametrize("n", [1, 64, 200])
def test_sigmoid_and_root_are_rounded_correctly(build, n):
    x = floats(n)
    one = np.float32(1)
    zeros = np.zeros(n, np.float32)
    y, root = run(build("elementwise").sigmoid, x, zeros, zeros.copy(), n, outputs=(1, 2))
    same(y, one / (rounded(np.exp, -x) + one))
    same(root, one / np.sqrt(np.abs(x)))
