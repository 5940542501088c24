# SPDX-License-Identifier: Apache-2.0
"""Loads and stores that change places: by distribution, by index, by blocks, at any address."""

import numpy as np
import pytest
from conftest import run, same

RNG = np.random.default_rng(23)


def floats(*shape, dtype=np.float32):
    return RNG.standard_normal(shape).astype(dtype)


@pytest.mark.parametrize(("rows", "cols"), [(1, 128), (3, 256)])
def test_rope(build, rows, cols):
    x, angle = floats(rows, cols), floats(cols // 2)
    cos, sin = np.cos(angle), np.sin(angle)
    expected = np.empty_like(x)
    a, b = x[:, 0::2], x[:, 1::2]
    expected[:, 0::2] = a * cos - b * sin
    expected[:, 1::2] = b * cos + a * sin
    same(run(build("moves").rope, x, cos, sin, np.zeros_like(x), rows, cols, outputs=(3,)), expected)


@pytest.mark.parametrize("n", [1, 40, 64, 100, 128, 300])
def test_gather(build, n):
    for kernel, dtype, index in (("gather_float", np.float32, np.uint32), ("gather_half", np.float16, np.uint16)):
        x, at = floats(500, dtype=dtype), RNG.integers(0, 500, n).astype(index)
        same(run(getattr(build("moves"), kernel), x, at, np.zeros(n, dtype), 500, n, outputs=(2,)), x[at])
    x, at = RNG.integers(0, 256, 500).astype(np.uint8), RNG.integers(0, 500, n).astype(np.uint16)
    got = run(build("moves").gather_bytes, x, at, np.zeros(n, np.uint16), 500, n, outputs=(2,))
    same(got, x[at].astype(np.uint16))


@pytest.mark.parametrize(("size", "n"), [(64, 64), (300, 100), (200, 7)])
def test_scatter(build, size, n):
    x, at = RNG.integers(0, 9999, n).astype(np.int32), RNG.permutation(size)[:n].astype(np.uint32)
    expected = np.full(size, -1, np.int32)
    expected[at] = x
    same(run(build("moves").scatter, x, at, np.zeros(size, np.int32), size, n, outputs=(2,)), expected)


@pytest.mark.parametrize("blocks", [1, 5, 8])
def test_gather_blocks(build, blocks):
    x, chosen = floats(20, 16, dtype=np.float16), RNG.integers(0, 20, 8)
    expected = np.where((np.arange(8) < blocks)[:, None], x[chosen], np.float16(0)).reshape(-1)
    got = run(
        build("moves").gather_blocks,
        x,
        (chosen * 32).astype(np.uint32),
        np.zeros(128, np.float16),
        320,
        blocks,
        outputs=(2,),
    )
    same(got, expected)


@pytest.mark.parametrize(("log_rows", "cols"), [(0, 5), (3, 8), (4, 17), (5, 33)])
def test_transpose_by_gather(build, log_rows, cols):
    x = floats(1 << log_rows, cols)
    got = run(build("moves").transpose, x, np.zeros((cols, 1 << log_rows), np.float32), log_rows, cols, outputs=(1,))
    same(got, x.T)


@pytest.mark.parametrize("count", [1, 3])
def test_tiles_by_blocks(build, count):
    x = floats(16, count * 16, dtype=np.float16)
    expected = x.reshape(16, count, 16).transpose(1, 0, 2)
    same(run(build("moves").tiles, x, np.zeros((count, 16, 16), np.float16), count, outputs=(1,)), expected)


@pytest.mark.parametrize(
    ("start", "to", "n"), [(0, 0, 256), (1, 0, 100), (0, 3, 64), (5, 2, 300), (7, 7, 1), (13, 22, 191)]
)
def test_any_address(build, start, to, n):
    for kernel, x in (
        ("shifted_float", floats(400)),
        ("shifted_bytes", RNG.integers(0, 256, 400).astype(np.uint8)),
    ):
        y = x[::-1].copy()
        expected = y.copy()
        expected[to : to + n] = x[start : start + n]
        same(run(getattr(build("moves"), kernel), x, y, 400, start, to, n, outputs=(1,)), expected)


@pytest.mark.parametrize(("rows", "cols"), [(1, 3), (5, 7), (4, 16), (3, 100), (6, 127)])
def test_rows_packed_by_unaligned_stores(build, rows, cols):
    x = RNG.integers(-999, 999, (rows, cols)).astype(np.int16)
    same(run(build("moves").pack_rows, x, np.zeros_like(x), rows, cols, outputs=(1,)), x)


@pytest.mark.parametrize(("rows", "cols"), [(1, 8), (4, 40), (3, 56)])
def test_what_nobody_wrote_is_covered_by_the_next_store(build, rows, cols):
    x = floats(rows, cols)
    same(run(build("moves").covered, x, np.zeros_like(x), rows, cols, outputs=(1,)), x)
