# SPDX-License-Identifier: Apache-2.0
"""Rows: sums by the documented tree, extremes with indices, softmax and norms."""

import numpy as np
import pytest
from conftest import rounded, rounds, run, same, tree

RNG = np.random.default_rng(17)
LOWEST = np.finfo(np.float32).min


def floats(*shape, dtype=np.float32):
    return (RNG.standard_normal(shape) * 3).astype(dtype)


def sum_of(parts):
    """What a register has summed of a row, round by round, and then lane by lane."""
    lanes = np.zeros((*parts.shape[:-2], parts.shape[-1]), np.float32)
    for i in range(parts.shape[-2]):
        lanes = lanes + parts[..., i, :]
    return tree(lanes)[..., None]


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (3, 40), (4, 64), (2, 100), (3, 128), (2, 193)])
def test_softmax(build, rows, cols):
    x = floats(rows, cols)
    e = rounded(np.exp, x - x.max(axis=1, keepdims=True))
    expected = e / sum_of(rounds(e))
    same(run(build("rows").softmax, x, np.zeros_like(x), rows, cols, outputs=(1,)), expected)


def fma(a, b, c):
    return ((a.astype(np.float64) * b.astype(np.float64)).astype(np.longdouble) + c.astype(np.longdouble)).astype(
        np.float32
    )


@pytest.mark.parametrize(("rows", "cols"), [(1, 8), (3, 50), (2, 64), (3, 200)])
def test_layer_norm(build, rows, cols):
    x, gamma, beta, eps = floats(rows, cols), floats(cols), floats(cols), np.float32(1e-5)
    part = np.float32(1) / np.float32(cols)
    mean = sum_of(rounds(x * part))
    parts = rounds(x - mean)
    lanes = np.zeros((rows, 64), np.float32)
    for i in range(parts.shape[1]):
        lanes = fma(parts[:, i], parts[:, i], lanes)
    inverse = np.float32(1) / np.sqrt(tree(lanes)[:, None] * part + eps)
    expected = fma((x - mean) * inverse, np.broadcast_to(gamma, x.shape), np.broadcast_to(beta, x.shape))
    got = run(build("rows").layer_norm, x, gamma, beta, np.zeros_like(x), rows, cols, float(eps), outputs=(3,))
    same(got, expected)


@pytest.mark.parametrize(("rows", "cols"), [(1, 16), (2, 70), (3, 128), (2, 250)])
def test_rms_norm_of_halves(build, rows, cols):
    x, eps = floats(rows, cols, dtype=np.float16), np.float32(1e-6)
    wide = x.astype(np.float32)
    mean = sum_of(rounds(wide * wide)) * (np.float32(1) / np.float32(cols))
    expected = (wide * (np.float32(1) / np.sqrt(mean + eps))).astype(np.float16)
    same(run(build("rows").rms_norm, x, np.zeros_like(x), rows, cols, float(eps), outputs=(1,)), expected)


EXTREMES = [
    ("max_float", np.float32, np.argmax),
    ("min_half", np.float16, np.argmin),
    ("max_int16", np.int16, np.argmax),
]


@pytest.mark.parametrize(("kernel", "dtype", "place"), EXTREMES)
@pytest.mark.parametrize("cols", [1, 5, 33, 64])
def test_extremes_and_their_index(build, kernel, dtype, place, cols):
    x = RNG.integers(-4, 5, (5, cols)).astype(dtype)  # equal ones: the first counts
    lanes = 32 // np.dtype(dtype).itemsize
    words = np.dtype(f"u{np.dtype(dtype).itemsize}")
    expected = np.zeros((5, lanes), dtype)
    at = place(x, axis=1)
    expected[:, 0] = x[np.arange(5), at]
    expected.view(words)[:, 1] = at
    same(run(getattr(build("rows"), kernel), x, np.zeros((5, lanes), dtype), 5, cols, outputs=(1,)), expected)


def test_extremes_with_nan_infinities_and_signed_zeros(build):
    rows = [
        [1, np.nan, 3, np.nan],
        [-np.inf, -np.inf, -np.inf, -np.inf],
        [-0.0, 0.0, -0.0, 0.0],
        [np.inf, 5, np.inf, 0],
    ]
    got = run(build("rows").max_float, np.array(rows, np.float32), np.zeros((4, 8), np.float32), 4, 4, outputs=(1,))
    assert np.isnan(got[0, 0]) and got[1, 0] == -np.inf and got[3, 0] == np.inf
    assert got[2, 0] == 0 and not np.signbit(got[2, 0])
    assert got.view(np.uint32)[:, 1].tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize(("rows", "cols"), [(4, 30), (9, 64), (5, 65), (3, 200)])
def test_argmax(build, rows, cols):
    x = RNG.integers(-9, 10, (rows, cols)).astype(np.float32)
    got = run(build("rows").argmax, x, np.zeros(rows, np.int32), rows, cols, outputs=(1,))
    same(got, x.argmax(axis=1).astype(np.int32))


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.77, 1])
def test_sums_by_the_tree(build, dtype, share):
    lanes = 256 // np.dtype(dtype).itemsize
    n = max(1, int(lanes * share))
    x = floats(lanes, dtype=dtype)
    on = np.where(np.arange(lanes) < n, x, dtype(0))
    expected = np.zeros((4, lanes), dtype)
    expected[0, 0] = tree(on)
    expected[1, :8] = tree(on.reshape(8, -1))
    expected[2, : lanes // 2] = on[0::2] + on[1::2]
    expected[3, :8] = x.reshape(8, -1).max(axis=1)
    kernel = build("rows").sums_float if dtype is np.float32 else build("rows").sums_half
    same(run(kernel, x, np.zeros((4, lanes), dtype), n, outputs=(1,)), expected)


@pytest.mark.parametrize(("rows", "cols"), [(1, 64), (7, 64), (5, 37)])
def test_running_sum_of_rows(build, rows, cols):
    x = floats(rows, cols)
    expected = np.zeros_like(x)
    total = np.zeros(cols, np.float32)
    for r in range(rows):
        total = total + x[r]
        expected[r] = total
    same(run(build("rows").running, x, np.zeros_like(x), rows, cols, outputs=(1,)), expected)
