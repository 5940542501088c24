# SPDX-License-Identifier: Apache-2.0
"""Every rule of sfumato.compare against a plain Python loop, over random and special values; ulp over all of half and bfloat16."""

import math

import ml_dtypes
import numpy as np
import oracle
import pytest

import sfumato
from sfumato.comparing import _rules
from sfumato.comparing._piece import Piece

FLOATS = [np.dtype(t) for t in (np.float16, ml_dtypes.bfloat16, np.float32, np.float64)]
FLOATS += [np.dtype(t) for t in (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)]
INTEGERS = [np.dtype(t) for t in (np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32)]
INTEGERS += [np.dtype(t) for t in (np.int64, np.uint64, ml_dtypes.int4, ml_dtypes.uint4)]
SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0, 65504.0, 65520.0, 6e-8, 6.1e-5, 1e-3, 3e38, 5e-324]


def named(dtype):
    return dtype.name


def floats(dtype, seed):
    """Pairs near each other, far from each other, of all bits, and of all special values."""
    rng = np.random.default_rng(seed)
    n = 400
    with np.errstate(over="ignore"):
        want = (rng.normal(size=n) * 10.0 ** rng.integers(-6, 4, n)).astype(dtype)
        near = (want.astype(np.float64) * (1 + rng.normal(size=n) * 10.0 ** rng.integers(-8, 0, n))).astype(dtype)
        special = np.array(SPECIAL).astype(dtype)
    word = np.dtype(f"u{dtype.itemsize}")
    bits = rng.integers(0, np.iinfo(word).max, (2, 200), word, endpoint=True).view(dtype)
    got = np.concatenate([near, bits[0], np.repeat(special, special.size)])
    want = np.concatenate([want, bits[1], np.tile(special, special.size)])
    return got, want


def integers(dtype, seed):
    rng = np.random.default_rng(seed)
    if dtype == np.bool_:
        return rng.random(300) < 0.5, rng.random(300) < 0.5
    limits = ml_dtypes.iinfo(dtype)
    low, high = int(limits.min), int(limits.max)
    edges = [low, low + 1, 0, 1, high - 1, high]
    want = [*(rng.integers(low, high, 300, np.uint64 if low == 0 else np.int64, endpoint=True)), *edges * 6]
    got = [min(high, max(low, int(w) + int(d))) for w, d in zip(want, rng.integers(-3, 4, len(want)))]
    got[-36:] = [e for e in edges for _ in edges]
    wide = np.uint64 if low == 0 else np.int64
    return np.array(got, wide).astype(dtype), np.array([int(w) for w in want], wide).astype(dtype)


def pairs(dtype, seed=0):
    return floats(dtype, seed) if oracle.is_float(dtype) else integers(dtype, seed)


def agrees(dtype, rule, good, **options):
    """Element by element, and all at once."""
    got, want = pairs(dtype)
    expected = [bool(good(a, b)) for a, b in zip(got, want)]
    judge = _rules.make(rule, dtype, "compute", options.get("equal_nan"), False)
    for a, b, is_good, is_marked in zip(got, want, expected, judge.marks(Piece(0, got, want))):
        assert is_marked == (not is_good), f"{rule}: {a!r} for {b!r}"
    result = sfumato.compare(got, want, rule, **options)
    assert result.mismatches == expected.count(False) > 0
    assert result.first.offset == expected.index(False)
    assert not result.ok


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS], ids=named)
def test_exact(dtype):
    agrees(dtype, "exact", oracle.exact)


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS], ids=named)
def test_ulp(dtype, n):
    if dtype == np.bool_ and n:
        return  # all is good
    agrees(dtype, f"ulp:{n}", oracle.within_ulp(n))


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS[1:]], ids=named)
def test_allclose(dtype):
    agrees(dtype, "allclose:0.001,0.01", oracle.allclose(1e-3, 1e-2))
    agrees(dtype, "allclose:0,1", oracle.allclose(0, 1))
    if oracle.is_float(dtype):
        agrees(dtype, "allclose:0.001,0.01", oracle.allclose(1e-3, 1e-2, True), equal_nan=True)


@pytest.mark.parametrize("dtype", [d for d in FLOATS if d.itemsize > 1], ids=named)
def test_allclose_is_numpys(dtype):
    got, want = pairs(dtype, 3)
    for a, b in zip(got.astype(np.float64), want.astype(np.float64)):
        with np.errstate(over="ignore", invalid="ignore"):
            expected = np.allclose(a, b, rtol=1e-3, atol=1e-4)
        assert sfumato.compare(a, b, "allclose:1e-3,1e-4").ok == expected


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS], ids=named)
def test_close(dtype):
    agrees(dtype, "close", oracle.isclose(*oracle.CLOSE.get(dtype.name, (0, 0))))


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS[1:]], ids=named)
def test_the_benchmarks(dtype):
    tolerance = 1e-2 if dtype.name in ("float16", "bfloat16") else 1e-4
    agrees(dtype, "kernelbench", oracle.isclose(tolerance, tolerance))
    agrees(dtype, "mkb", oracle.isclose(1e-4, 1e-4))
    agrees(dtype, "npukernelbench", oracle.npukernelbench)


def test_bool_is_exact_for_the_benchmarks():
    for rule in ("kernelbench", "mkb", "npukernelbench", "close", "ascend", "auto"):
        assert sfumato.compare([True, False], [True, False], rule)
        assert sfumato.compare([True, True], [True, False], rule).mismatches == 1


@pytest.mark.parametrize("dtype", FLOATS[:4], ids=named)
def test_share(dtype):
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(300):
        want = rng.normal(size=50).astype(dtype)
        got = want.copy()
        bad = rng.random(50) < rng.choice([0, 0.02, 0.1, 0.3])
        got[bad] = (got[bad].astype(np.float64) * (1 + rng.choice([1e-4, 1e-2]))).astype(dtype)
        if rng.random() < 0.2:
            got[rng.integers(50)] = rng.choice([np.nan, np.inf])
            want[rng.integers(50)] = rng.choice([np.nan, np.inf])
        result = sfumato.compare(got, want, "share:1e-3,1e-3,0.1")
        assert result.ok == oracle.share(1e-3, 1e-3, 0.1, got, want)
        seen.add(result.ok)
        if not result.ok:
            assert result.first is not None
    assert seen == {True, False}


ASCEND = [d for d in FLOATS if d.name in oracle.T]


@pytest.mark.parametrize("third", [False, True])
@pytest.mark.parametrize("dtype", ASCEND, ids=named)
def test_ascend(dtype, third):
    rng = np.random.default_rng(6)
    seen = set()
    for _ in range(400):
        want = rng.normal(size=40) * 10.0 ** rng.integers(-6, 4)
        error = oracle.T[dtype.name] * 10.0 ** rng.integers(-2, 2)
        other = want * (1 + rng.normal(size=40) * error)
        got = want * (1 + rng.normal(size=40) * error * rng.choice([0, 1], 40, p=[0.8, 0.2]))
        for values in (got, want, other):
            if rng.random() < 0.1:
                values[rng.integers(40)] = rng.choice([np.nan, np.inf, -np.inf, 1e30, 0.0])
        with np.errstate(over="ignore"):
            got, other = got.astype(dtype), other.astype(dtype)
        result = sfumato.compare(got, want, "ascend", **({"third": other} if third else {}))
        assert result.ok == oracle.ascend(got, want, other if third else None), str(result)
        seen.add(result.ok)
        assert result.ok or result.first is not None
    assert seen == {True, False}


@pytest.mark.parametrize("level", ["L0", "L1", "L2"])
def test_ascend_ratio(level):
    limits = {"L0": (10, 2, 2), "L1": (5, 1.5, 1.5), "L2": (2, 1.2, 1.2)}[level]
    rng = np.random.default_rng(7)
    seen = set()
    for _ in range(200):
        want = rng.normal(size=30)
        third = (want * (1 + rng.normal(size=30) * 1e-4)).astype(np.float32)
        got = (want * (1 + rng.normal(size=30) * 1e-4 * rng.choice([0.5, 1, 1.5, 3]))).astype(np.float32)
        result = sfumato.compare(got, want, f"ascend-ratio:{level}", third=third)
        assert result.ok == oracle.ratio(limits, got, want, third), str(result)
        seen.add(result.ok)
        assert result.ok or result.first is not None
    assert seen == {True, False}


@pytest.mark.parametrize("dtype", FLOATS[:2], ids=named)
def test_ulp_of_all_neighbours(dtype):
    codes = np.arange(1 << 16, dtype=np.uint16).view(dtype)
    numbers = codes[~np.isnan(codes.astype(np.float32))]
    line = numbers[np.lexsort((~np.signbit(numbers.astype(np.float32)), numbers.astype(np.float32)))]
    assert [line[i].view(np.uint16) for i in (0, -1)] == [
        np.array(-np.inf, dtype).view(np.uint16),
        np.array(np.inf, dtype).view(np.uint16),
    ]
    for step in (1, 2, 3, 100, 40000):
        result = sfumato.compare(line[:-step], line[step:], f"ulp:{step}")
        assert result.ok and result.max_ulp == step and sum(result.histogram.values()) == line.size - step
        assert sfumato.compare(line[:-step], line[step:], f"ulp:{step - 1}").mismatches == line.size - step
        assert [oracle.ulp(a, b) for a, b in zip(line[:-step:97], line[step::97])] == [step] * len(line[:-step:97])


def test_signed_zero():
    got, want = np.array([0.0, -0.0], np.float16), np.array([-0.0, 0.0], np.float16)
    assert sfumato.compare(got, want, "exact").mismatches == 2
    assert sfumato.compare(got, want, "exact", signed_zero=False).ok
    assert sfumato.compare(got, want, "ulp:0").max_ulp == 1
    assert sfumato.compare(got, want, "ulp:0", signed_zero=False).ok


def test_auto():
    f = np.ones(3, np.float32)
    assert sfumato.compare(f, f).rule == "ascend"
    assert sfumato.compare(f.astype(np.float64), f.astype(np.float64)).rule == "close"
    assert sfumato.compare(f.astype(np.int8), f.astype(np.int8)).rule == "exact"
    assert sfumato.compare(f > 0, f > 0).rule == "exact"
    for kind in ("elementwise", "movement"):
        assert sfumato.compare(f, f, kind=kind).rule == "exact"
