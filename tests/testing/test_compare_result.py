# SPDX-License-Identifier: Apache-2.0
"""What sfumato.compare says: texts, fields, patterns, and what it takes."""

import json
import tracemalloc

import ml_dtypes
import numpy as np
import pytest

import sfumato

RNG = np.random.default_rng(0)
WANT = RNG.normal(size=(16, 128)).astype(np.float32)


def damaged(change, want=WANT):
    got = want.copy()
    change(got)
    return got


def set_at(where, value):
    return lambda got: got.__setitem__(where, value)


FILL = np.frombuffer(b"\xfe" * 4, np.float32)[0]
LINE = WANT.reshape(-1)

PATTERNS = [
    ("fill bytes", damaged(set_at((slice(None), slice(120, None)), FILL)), WANT, {}),
    ("zeros", damaged(set_at((3, slice(None)), 0)), WANT, {}),
    ("shifted by 3", np.roll(LINE, -3), LINE, {}),
    ("shifted by -8", np.roll(LINE, 8).reshape(WANT.shape), WANT, {}),
    ("transposed", WANT.T.reshape(WANT.shape).copy(), WANT, {}),
    ("scaled by 0.5", WANT / 2, WANT, {}),
    ("scaled by -1", -WANT, WANT, {}),
    ("tail of each row", damaged(lambda g: np.add(g[:, 125:], RNG.random((16, 3)), out=g[:, 125:])), WANT, {}),
    (
        "tail of each block",
        damaged(lambda g: g.reshape(8, 256)[:, 250:].__iadd__(RNG.random((8, 6), np.float32)), LINE),
        LINE,
        {"blocks": 8},
    ),
    ("whole block 5", damaged(lambda g: g[10:12].__iadd__(RNG.random((2, 128), np.float32))), WANT, {"blocks": 8}),
    ("whole block 5", damaged(lambda g: g[5].__iadd__(RNG.random(128, np.float32))), WANT, {}),
    (
        "whole blocks 1, 4",
        damaged(lambda g: g[[1, 4]].__class__ and g.__setitem__([1, 4], g[[1, 4]] + RNG.random((2, 128)))),
        WANT,
        {"tile": 128},
    ),
    ("every 7-th", damaged(lambda g: g[3::7].__iadd__(RNG.random(g[3::7].size, np.float32)), LINE), LINE, {}),
]


@pytest.mark.parametrize("name, got, want, options", PATTERNS, ids=[f"{i}-{p[0]}" for i, p in enumerate(PATTERNS)])
def test_patterns(name, got, want, options):
    result = sfumato.compare(got, want, "exact", **options)
    assert result.pattern == name, str(result)
    assert result.patterns[0]["explains"] >= 0.9
    # With one in twelve of the differences elsewhere it still explains 90 percent; with one in four it does not.
    where = np.flatnonzero((got != want).reshape(-1))
    others = np.setdiff1d(np.arange(got.size), where)
    for share, holds in ((12, True), (4, False)):
        noisy = got.copy().reshape(-1)
        # Where all differs, differences elsewhere are other values in place of these.
        places = RNG.permutation(others)[: where.size // share]
        if places.size < where.size // share:
            places = RNG.permutation(where)[: got.size // share]
        noisy[places] = want.reshape(-1)[places] + RNG.random(places.size) + 1
        found = [p["pattern"] for p in sfumato.compare(noisy.reshape(got.shape), want, "exact", **options).patterns]
        if holds:
            assert name in found
        elif "block" not in name:  # a block with other blocks' noise is still the block
            assert name not in found


def test_what_was_written_and_where():
    got = damaged(set_at((slice(None), slice(120, None)), FILL))
    assert [p["pattern"] for p in sfumato.compare(got, WANT, fill=0xFE).patterns] == ["fill bytes", "tail of each row"]
    assert [p["pattern"] for p in sfumato.compare(got, WANT, fill=0x11).patterns] == ["tail of each row"]


def test_noise_has_no_pattern():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        got = WANT.copy()
        got.reshape(-1)[rng.permutation(WANT.size)[:200]] += rng.random(200).astype(np.float32)
        assert sfumato.compare(got, WANT, "exact").patterns == ()
    assert sfumato.compare(rng.normal(size=(16, 128)).astype(np.float32), WANT, "exact").patterns == ()


def test_text():
    want = np.arange(64, dtype=np.float16).reshape(4, 16)
    got = want.copy()
    got[1:, 15] = 0
    assert str(sfumato.compare(got, want, "ulp:1", blocks=2)) == (
        "different by ulp:1: 3 of 64 elements (4.69%), float16 (4, 16)\n"
        "  first   [1, 15] (offset 31, block 0, row 1): got 0.0 (0x0000), want 31.0 (0x4fc0), 20416 ulp\n"
        "  worst   [3, 15] (offset 63, block 1, row 3): got 0.0 (0x0000), want 63.0 (0x53e0), 21472 ulp\n"
        "  largest 63, relative 1, 21472 ulp\n"
        "  errors  MERE 0.04687, MARE 1, RMSE 10.56, cosine 0.957262\n"
        "  ulp     0: 61, 16385..32768: 3\n"
        "  pattern zeros: 100% of the mismatches"
    )
    assert repr(sfumato.compare(want, want)) == "<sfumato.Comparison: equal by ascend: 64 elements, float16 (4, 16)>"
    assert str(sfumato.compare(got[:2], want)) == "different: got has the shape (2, 16), want (4, 16)"
    assert str(sfumato.compare(got.astype(np.float32), want, "exact")) == (
        "different: got is float32, want is float16: exact compares one type"
    )
    assert str(sfumato.compare(want + np.float16(2**-9), want, "ascend")).splitlines()[0] == (
        "equal by ascend, which allows 1 of 64 elements (1.56%), float16 (4, 16)"
    )


def test_text_is_short():
    got = np.full((3000, 7), np.nan, np.float32)
    got[:, 3:] = RNG.normal(size=(3000, 4)) * 10.0 ** RNG.integers(-30, 30, (3000, 4))
    got[5, 5] = np.inf
    want = np.zeros_like(got)
    result = sfumato.compare(got, want, "ascend", third=want)
    assert len(str(result).splitlines()) <= 12
    assert max(map(len, str(result).splitlines())) <= 160


def test_fields():
    got = np.array([1, 2, np.nan, np.inf, np.nan, 0], np.float32)
    want = np.array([1, 4, np.nan, np.inf, 1, np.inf], np.float32)
    result = sfumato.compare(got, want, "exact", tile=2)
    assert (result.ok, result.mismatches, result.share, result.count) == (False, 3, 0.5, 6)
    assert (result.max_abs, result.max_rel, result.max_ulp) == (2.0, 0.5, 0x7F800000)
    assert (result.nan, result.inf) == (
        {"got": 2, "want": 1, "disagree": 1},
        {"got": 1, "want": 2, "disagree": 1},
    )
    assert result.histogram == {"0": 2, "4194305..8388608": 1, "1073741825..2147483648": 1}
    first = result.first
    assert (first.index, first.offset, first.block, first.row, first.got, first.want) == ((1,), 1, 0, None, 2.0, 4.0)
    assert (first.bits_got, first.bits_want, first.abs, first.rel) == ("0x40000000", "0x40800000", 2.0, 0.5)
    assert (result.worst.offset, result.worst.ulp) == (4, None)
    read = json.loads(result.to_json())
    assert read == result.to_dict()
    assert read["worst"]["got"] == "NaN" and read["first"]["index"] == [1]


def test_metrics_are_those_of_numpy():
    got, want = RNG.normal(size=(2, 100000)).astype(np.float32)
    result = sfumato.compare(got, want)
    g, w = got.astype(np.float64), want.astype(np.float64)
    r = abs(g - w) / (abs(w) + 1e-7)
    expected = (r.mean(), r.max(), np.sqrt(((g - w) ** 2).mean()), g @ w / np.sqrt((g @ g) * (w @ w)))
    np.testing.assert_allclose((result.mere, result.mare, result.rmse, result.cosine), expected, rtol=1e-12)
    assert result.max_abs == abs(g - w).max()


def test_integers_are_exact():
    for dtype in (np.int64, np.uint64):
        limits = np.iinfo(dtype)
        result = sfumato.compare(np.array([limits.max, 5], dtype), np.array([limits.min, 5], dtype))
        assert result.max_abs == result.first.abs == result.max_ulp == 2**64 - 1
    near = sfumato.compare(np.array([2**62 + 1]), np.array([2**62]), "exact")
    assert (near.ok, near.first.got, near.first.want, near.max_abs) == (False, 2**62 + 1, 2**62, 1)


def test_empty_and_scalar():
    assert sfumato.compare(np.zeros((0, 4), np.float32), np.zeros((0, 4), np.float32))
    result = sfumato.compare(np.float32(1), np.float32(2), "exact")
    assert (result.shape, result.first.index) == ((), ())
    assert sfumato.compare([1, 2], [1, 2])


def test_views_and_byte_order():
    for view in (lambda a: a[::2, ::-1], lambda a: a.T, lambda a: a.astype(">f4")):
        got, want = view(damaged(set_at((2, 5), 7))), view(WANT)
        result = sfumato.compare(got, want, "exact")
        assert (result.mismatches, result.first.got) == (1, 7.0)
        assert got[result.first.index] == 7


class Exported:
    """What has DLPack and nothing else."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def test_dlpack():
    assert sfumato.compare(Exported(WANT), WANT, "exact")
    assert sfumato.compare(WANT, Exported(damaged(set_at((0, 0), 9))), "exact").mismatches == 1


def test_no_large_copy():
    got = np.ones(1 << 24, np.float32)  # 64 MiB
    want = got.copy()
    want[::5] = 2
    for view in (slice(None), slice(None, None, 2), np.s_[5:]):
        tracemalloc.start()
        sfumato.compare(got[view], want[view], "ulp:1", blocks=8)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 16 << 20


def test_golden_of_higher_precision():
    want = RNG.normal(size=1000)
    got = want.astype(ml_dtypes.bfloat16)
    assert sfumato.compare(got, want, "ascend")
    assert sfumato.compare(got, want, "ulp:0")
    assert sfumato.compare(got, want.astype(np.float32), "allclose:1e-2,0")
    assert not sfumato.compare(got, want.astype(np.float32), "exact")


def test_notebook():
    text = sfumato.compare(damaged(set_at((0, 0), 9)), WANT, "exact")._repr_html_()
    assert text.startswith("<p>&#10007; different by exact: 1 of 2048 elements") and "<th" in text
