# SPDX-License-Identifier: Apache-2.0
"""Conversions: layouts of Cast, loads that widen, stores that narrow, quantisation, rounding modes, Pack and UnPack."""

import ml_dtypes
import numpy as np
import pytest
from conftest import run, same

RNG = np.random.default_rng(8)


@pytest.mark.parametrize("n", [1, 17, 63, 64, 65, 128, 300])
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_square_in_float(build, n, dtype):
    x = (RNG.standard_normal(n) * 40).astype(dtype)
    wide = x.astype(np.float32)
    kernel = build("casts").square_half if dtype is np.float16 else build("casts").square_bf16
    same(run(kernel, x, np.zeros(n, dtype), n, outputs=(1,)), (wide * wide + wide).astype(dtype))


def test_square_overflows_to_infinity(build):
    x = np.array([255, 256, -300, 65504, np.inf, -np.inf, np.nan, -0.0, 2**-24], np.float16)
    wide = x.astype(np.float32)
    with np.errstate(invalid="ignore", over="ignore"):
        expected = (wide * wide + wide).astype(np.float16)
    got = run(build("casts").square_half, x, np.zeros(9, np.float16), 9, outputs=(1,))
    assert np.isnan(got[[5, 6]]).all()  # inf - inf, and nan
    same(np.delete(got, [5, 6]), np.delete(expected, [5, 6]))


def test_layouts_of_cast(build):
    x = (RNG.standard_normal(256) * 4).astype(np.float16)
    scale = np.float32(1.7)
    wide, narrow = run(
        build("casts").layouts,
        x,
        np.zeros(256, np.float32),
        np.zeros(256, np.float16),
        float(scale),
        256,
        outputs=(1, 2),
    )
    same(wide, x.astype(np.float32) * scale)
    same(narrow, (x.astype(np.float32) * scale).astype(np.float16))


@pytest.mark.parametrize("n", [1, 31, 64, 100, 256])
def test_quantise_and_back(build, n):
    x = (RNG.standard_normal(n) * 60).astype(np.float32)
    scale, offset = np.float32(1.3), np.float32(-7)
    expected = np.clip(np.rint(x * scale + offset), -128, 127).astype(np.int8)
    quantised = run(build("casts").quantise, x, np.zeros(n, np.int8), float(scale), float(offset), n, outputs=(1,))
    same(quantised, expected)
    back = run(
        build("casts").dequantise,
        quantised,
        np.zeros(n, np.float32),
        float(scale),
        float(offset),
        n,
        outputs=(1,),
    )
    same(back, (quantised.astype(np.float32) - offset) * scale)


def test_rounding_modes_and_the_ends_of_int32(build):
    x = np.zeros(64, np.float32)
    halves = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.3, -0.3, 0.7, -0.7, -0.0, 1e-30, -1e-30, 8388607.5, -8388607.5, 7]
    ends = [3e9, -3e9, np.inf, -np.inf, np.nan, 2147483520, -2147483648]
    x[: len(halves)] = halves
    x[16 : 16 + len(ends)] = ends
    whole, cut = run(
        build("casts").rounding, x, np.zeros((5, 64), np.int32), np.zeros((5, 64), np.float32), outputs=(1, 2)
    )
    wide = x.astype(np.float64)
    away = np.copysign(np.floor(np.abs(wide) + 0.5), wide)
    modes = [np.rint(wide), away, np.floor(wide), np.ceil(wide), np.trunc(wide)]
    for got, got_cut, mode in zip(whole, cut, modes, strict=True):
        # What becomes a zero keeps its sign; zeros lose theirs.
        exact = np.where(wide == 0, 0.0, np.copysign(mode, wide))
        same(got, np.where(np.isnan(mode), 0, np.clip(mode, -(2.0**31), 2.0**31 - 1)).astype(np.int64).astype(np.int32))
        assert np.isnan(got_cut[20])
        same(np.delete(got_cut, 20), np.delete(exact, 20).astype(np.float32))


def test_pack_and_unpack(build):
    x = RNG.integers(-(2**31), 2**31, 128, np.int64).astype(np.int32)
    packed, back = run(build("casts").pack_unpack, x, np.zeros(128, np.uint16), np.zeros(128, np.int32), outputs=(1, 2))
    same(packed, x.astype(np.uint16))
    same(back, x.astype(np.int16).astype(np.int32))


def test_round_modes_of_hif8(build):
    """From 16 to 256 two bits of the fraction are kept; half away looks at the next one, hybrid at more."""
    kernel = build("casts").to_hif8

    def codes(x):
        return run(kernel, x, np.zeros(64, np.uint8), np.zeros(64, np.uint8), outputs=(1, 2))

    x = np.exp2(RNG.uniform(4, 7.8, 64)).astype(np.float32) * RNG.choice([-1, 1], 64).astype(np.float32)
    x[:3] = 18, 17.99, 20  # half way, below it, a value of the type: 0 reaches a threshold of 0
    bits = x.view(np.uint32)
    kept = bits & ~np.uint32(0x1FFFFF)
    away = (kept + ((bits >> 20 & 1) << 21)).view(np.float32)
    hybrid = (kept + (((bits >> 7 & 0x3FFF) >= (bits & 0x3FFF)).astype(np.uint32) << 21)).view(np.float32)
    assert (away != hybrid).any()
    got = codes(x)
    same(got[0], codes(away)[0])
    same(got[1], codes(hybrid)[0])


@pytest.mark.parametrize("name", ["e4m3fn", "e5m2"])
@pytest.mark.parametrize("n", [32, 64, 100, 300])
def test_tensors_of_8_bit_floats(build, name, n):
    dtype = np.dtype(getattr(ml_dtypes, f"float8_{name}"))
    x = (RNG.standard_normal(n) * 20).astype(np.float32)
    kernel = getattr(build("casts"), f"to_{name.removesuffix('fn')}")
    got, back = run(kernel, x, np.zeros(n + 1, dtype), np.zeros(n, np.float32), n, outputs=(1, 2))
    expected = np.append(x, np.float32(2.5)).astype(dtype)
    same(got, expected)
    same(back, expected[:n].astype(np.float32))
