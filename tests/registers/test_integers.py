# SPDX-License-Identifier: Apache-2.0
"""Integers: carries, products, shifts, logic, counts of values."""

import numpy as np
import pytest
from conftest import run, same

RNG = np.random.default_rng(41)


def integers(n, dtype):
    info = np.iinfo(dtype)
    values = RNG.integers(info.min, info.max, n, dtype, endpoint=True)
    values[:2] = info.min, info.max
    return values


def test_64_bits_by_carries(build):
    x, y = integers(128, np.uint64), integers(128, np.uint64)
    y[:4] = [1, 1, 2**32, 2**32 - 1]
    x[2:4] = [2**32 - 1, 1]
    for kernel, expected in (("add64", x + y), ("sub64", x - y)):
        same(run(getattr(build("integers"), kernel), x, y, np.zeros(128, np.uint64), 128, outputs=(2,)), expected)


@pytest.mark.parametrize("n", [1, 63, 64, 100])
def test_registers_in_pairs(build, n):
    x, y = integers(max(n, 2), np.int64)[:n], integers(max(n, 2), np.int64)[:n][::-1].copy()
    same(run(build("integers").pairs, x, y, np.zeros(n, np.int64), n, outputs=(2,)), np.maximum(x * y, y))


@pytest.mark.parametrize(
    ("kernel", "dtype", "wide"), [("mull_signed", np.int32, np.int64), ("mull_unsigned", np.uint32, np.uint64)]
)
def test_products_of_64_bits(build, kernel, dtype, wide):
    x, y = integers(64, dtype), integers(64, dtype)
    got = run(getattr(build("integers"), kernel), x, y, np.zeros(128, dtype), outputs=(2,))
    same(got.view(wide), x.astype(wide) * y.astype(wide))


def shifted_left(x, by):
    """Signed: the sign bit stays and the others move (arch950.md 2.10, decided)."""
    bits = np.iinfo(x.dtype).bits
    top = 1 << (bits - 1)
    result = []
    for v, count in zip(x.tolist(), by, strict=True):
        pattern = v & (2 * top - 1)
        if count >= bits:
            moved = 0
        elif np.iinfo(x.dtype).min < 0:
            moved = (pattern & top) | (pattern << count) & (top - 1)
        else:
            moved = (pattern << count) & (2 * top - 1)
        result.append(moved - 2 * top if np.iinfo(x.dtype).min < 0 and moved >= top else moved)
    return np.array(result, x.dtype)


SHIFTS = [
    ("shift_uint32", np.uint32, np.int32),
    ("shift_int32", np.int32, np.int32),
    ("shift_uint8", np.uint8, np.int8),
]
SHIFTS += [("shift_int16", np.int16, np.int16)]


@pytest.mark.parametrize(("kernel", "dtype", "counts"), SHIFTS)
@pytest.mark.parametrize("count", [0, 1, 5])
def test_shifts(build, kernel, dtype, counts, count):
    lanes = 256 // np.dtype(dtype).itemsize
    x, by = integers(lanes, dtype), RNG.integers(0, np.iinfo(dtype).bits, lanes).astype(counts)
    expected = [
        x >> dtype(count),
        x >> by.astype(dtype),
        shifted_left(x, [count] * lanes),
        shifted_left(x, by.tolist()),
    ]
    got = run(getattr(build("integers"), kernel), x, by, np.zeros((4, lanes), dtype), count, outputs=(2,))
    for row, want in zip(got, expected, strict=True):
        same(row, want)


@pytest.mark.parametrize("n", [1, 64, 99])
def test_hash(build, n):
    x = integers(max(n, 2), np.uint32)[:n]
    v = x.copy()
    for _ in range(2):
        v = (v ^ (v >> np.uint32(16))) * np.uint32(0x7FEB352D)
    same(
        run(build("integers").hash, x, np.zeros(n, np.uint32), n, outputs=(1,)),
        (~v & np.uint32(0xFF)) | np.uint32(0x100),
    )


@pytest.mark.parametrize("n", [1, 256, 300, 2000])
def test_histograms(build, n):
    x = RNG.integers(0, 256, n).astype(np.uint8)
    zeros = np.zeros(256, np.uint16)
    counts, sums = run(build("integers").histogram, x, zeros, zeros.copy(), n, outputs=(1, 2))
    same(counts, np.bincount(x, minlength=256).astype(np.uint16))
    same(sums, np.cumsum(np.bincount(x, minlength=256)).astype(np.uint16))


def test_running_sum_within_a_register(build):
    x = integers(64, np.int32)
    zeros = np.zeros(64, np.int32)
    y, ones = run(build("integers").prefix, x, zeros, zeros.copy(), outputs=(1, 2))
    same(y, np.cumsum(x, dtype=np.int32))
    same(ones, (np.cumsum(x > 0) - (x > 0)).astype(np.int32))
