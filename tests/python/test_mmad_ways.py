# SPDX-License-Identifier: Apache-2.0
"""The ways in which Mmad may add (docs/last-bits.md): every member against whole numbers of Python, bytes compared."""

import itertools
import re
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from conftest import CHIP
from mmad_oracle import Element, bits

import sfumato
from sfumato import golden

F32 = np.float32
TYPES = {"half": np.float16, "bfloat16": ml_dtypes.bfloat16, "float": F32}
WIDTHS = (24, 25, 26, 27, 28, 30, 32)


def ways(unit):
    """The 87 of the page."""
    groups = (2, 4, unit, 2 * unit, 4 * unit)
    names = ["sequential-rounded", "sequential-fused"]
    names += [f"{kind}:{n}" for n in groups for kind in ("exact-with-c", "exact-then-c", "tree")]
    return names + [f"aligned:{n}:{w}:{r}" for n in groups for w in WIDTHS for r in ("trunc", "rn")]


def numbers(rng, shape, dtype, kind):
    """Random numbers of a type. kind: near one another; of every exponent; those with inf, NaN, zeros of both signs and the
    largest and smallest there are."""
    limits = ml_dtypes.finfo(dtype)
    x = rng.standard_normal(shape).astype(dtype)
    if kind == "near":
        return x
    low, high = int(np.log2(float(limits.smallest_subnormal))), int(np.log2(float(limits.max)))
    span = (low, high) if kind == "edge" else (low // 3, high // 3)
    with np.errstate(over="ignore", under="ignore"):
        x = (np.asarray(x, np.float64) * 2.0 ** rng.integers(*span, shape)).astype(dtype)
    if kind == "edge":
        odd = np.array(
            [0, -0.0, limits.max, -float(limits.max), limits.smallest_subnormal, np.inf, -np.inf, np.nan], dtype
        )
        x = np.where(rng.random(shape) < 0.08, rng.choice(odd, shape), x)
    return x


def expected(way, a, b, c, unit, k_of_call=None, saturate=False):
    rows, columns = np.asarray(a, F32).tolist(), np.asarray(b, F32).T.tolist()
    start = np.broadcast_to(np.asarray(c, F32), (len(rows), len(columns))).tolist()
    element = Element(way, unit, saturate)
    k = len(rows[0])
    step = k_of_call or k
    for i, j in itertools.product(range(len(rows)), range(len(columns))):
        for at in range(0, k, step):
            start[i][j] = element.of(rows[i][at : at + step], columns[j][at : at + step], start[i][j])
    return np.array([[bits(v) for v in row] for row in start], np.uint32)


def test_the_names():
    for name, unit in (("half", 16), ("bfloat16", 16), ("float", 8)):
        assert sorted(sfumato._native.ways_to_add(name)) == sorted(ways(unit)) and len(set(ways(unit))) == 87


@pytest.mark.parametrize("kind", ["near", "wide", "edge"])
@pytest.mark.parametrize("name", TYPES)
def test_every_way(name, kind):
    """Groups that are not whole, what the sums start from, calls of a few k, the policy saturate."""
    dtype, unit = TYPES[name], 8 if name == "float" else 16
    rng = np.random.default_rng(len(name) + 10 * len(kind) + ord(kind[0]))
    for way in [
        *ways(unit),
        "k0-block",
        "sequential",
        "tree:3",
        "exact-with-c:128",
        "aligned:7:48:rn",
        "aligned:16:8:trunc",
    ]:
        k = int(rng.integers(1, 80))
        a, b, c = numbers(rng, (2, k), dtype, kind), numbers(rng, (k, 3), dtype, kind), numbers(rng, (1, 3), F32, kind)
        for k_of_call, saturate in ((None, False), (int(rng.integers(1, k + 1)), True)):
            got = golden.matmul(a, b, c, order=way, k_of_call=k_of_call, saturate=saturate)
            want = expected(way, a, b, c, unit, k_of_call, saturate)
            assert got.view(np.uint32).tolist() == want.tolist(), (way, k, k_of_call, saturate)


@pytest.mark.parametrize("ties", ["even", "away"])
def test_hf32(ties):
    rng = np.random.default_rng(3)
    x = np.concatenate(
        [numbers(rng, 500, F32, "wide"), F32(1) + np.arange(64, dtype=F32) * F32(2**-12), [np.inf, np.nan]]
    )
    x = x.astype(F32)
    got = golden.matmul(x[:, None], np.ones((1, 1), F32), order="sequential-rounded", hf32=ties)[:, 0]
    for value, result in zip(x.tolist(), got.tolist(), strict=True):
        if not np.isfinite(value) or value == 0:
            assert result == value or value != value
            continue
        scale = 2.0 ** (np.floor(np.log2(abs(value))) - 11)
        quotient = abs(value) / scale
        whole = round(quotient) if ties == "even" else int(quotient + 0.5)
        assert abs(result) == whole * scale and (result < 0) == (value < 0), value


def test_members_differ():
    """No two are one function, but those whose products, and sums of two products, are rounded once either way."""
    rng = np.random.default_rng(11)
    for dtype, unit in ((np.float16, 16), (F32, 8)):
        sets = [(numbers(rng, (8, 200), dtype, k), numbers(rng, (200, 8), dtype, k)) for k in ("near", "wide")]
        # Ties that a term far below breaks.
        powers = np.array([1, -1, 2.0**-12, -(2.0**-12), 2.0**-20, 0, 0, 0], dtype)
        sets.append((rng.choice(powers, (32, 200)), rng.choice(powers, (200, 32))))
        seen = {}
        for way in ways(unit):
            results = b"".join(golden.matmul(a, b, F32(0.1), order=way).tobytes() for a, b in sets)
            seen.setdefault(results, []).append(way)
        twins = sorted(names for names in seen.values() if len(names) > 1)
        exact = [["exact-then-c:2", "tree:2"], ["sequential-rounded", "sequential-fused"]]
        assert twins == (exact if dtype == np.float16 else [])


# --- in a kernel ----------------------------------------------------------------------------------------------------------
SOURCE = """#include "kernel_operator.h"
using namespace AscendC;
// m up to 16 by n up to 32; A and B come as fractals. The k of a first call, and of the second one.
template <class T>
__aicore__ inline void Product(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, __gm__ uint32_t* s) {
    const uint32_t m = s[0], n = s[1], k = s[2], first = s[3], biased = s[4], hf32 = s[5];
    constexpr uint32_t k0 = 32 / sizeof(T), fractal = 16 * k0;
    const uint32_t k1 = (k + k0 - 1) / k0, n1 = (n + 15) / 16;
    GlobalTensor<T> ag, bg;
    GlobalTensor<float> cg, rowg;
    ag.SetGlobalBuffer((__gm__ T*)a, k1 * fractal), bg.SetGlobalBuffer((__gm__ T*)b, k1 * n1 * fractal);
    cg.SetGlobalBuffer((__gm__ float*)c, m * n), rowg.SetGlobalBuffer((__gm__ float*)bias, 32);
    TPipe pipe;
    TBuf<TPosition::A1> l1;
    TBuf<TPosition::A2> l0a;
    TBuf<TPosition::B2> l0b;
    TBuf<TPosition::CO1> l0c;
    TBuf<TPosition::C1> row1;
    TBuf<TPosition::C2> row2;
    pipe.InitBuffer(l1, 8192 * 8), pipe.InitBuffer(l0a, 16384), pipe.InitBuffer(l0b, 32768);
    pipe.InitBuffer(l0c, 2048), pipe.InitBuffer(row1, 128), pipe.InitBuffer(row2, 128);
    LocalTensor<T> both = l1.Get<T>(), a2 = l0a.Get<T>(), b2 = l0b.Get<T>();
    LocalTensor<float> sum = l0c.Get<float>(), far = row1.Get<float>(), near = row2.Get<float>();
    DataCopy(both, ag, k1 * fractal), DataCopy(both[k1 * fractal], bg, k1 * n1 * fractal), DataCopy(far, rowg, 32);
    PipeBarrier<PIPE_ALL>();
    LoadData(a2, both, LoadData2DParams(0, k1, 1, 0, 0, false, 0));
    LoadData(b2, both[k1 * fractal], LoadData2DParams(0, k1 * n1, 1, 0, 0, false, 0));
    DataCopy(near, far, 32);
    PipeBarrier<PIPE_ALL>();
    if (hf32) SetHF32Mode(HF32Mode::ENABLE), SetHF32TransMode(hf32 == 1 ? HF32TransMode::NEAREST_EVEN : HF32TransMode::NEAREST_ZERO);
    if (biased) Mmad(sum, a2, b2, near, MmadParams(m, n, first, 0, true, false));
    else Mmad(sum, a2, b2, MmadParams(m, n, first, 0, false, true));
    PipeBarrier<PIPE_ALL>();
    if (first < k)
        Mmad(sum, a2[first / k0 * fractal], b2[first / k0 * n1 * fractal], MmadParams(m, n, k - first, 0, false, false));
    PipeBarrier<PIPE_ALL>();
    Fixpipe(cg, sum, FixpipeParamsV220(n, m, 16, n, false));
}
#define KERNEL(name, T) extern "C" __global__ __aicore__ void name( \\
    GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, __gm__ uint32_t* s) { Product<T>(a, b, bias, c, s); }
KERNEL(of_half, half)
KERNEL(of_bfloat16, bfloat16_t)
KERNEL(of_float, float)
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory):
    source = tmp_path_factory.mktemp("ways") / "ways.cpp"
    source.write_text(SOURCE)
    return sfumato.compile(source, chip=CHIP)


def fractals(a, b, unit):
    """A in Zz and B in Zn; what is behind the last k, row and column is NaN, which nobody may read."""
    m, k, n = *a.shape, b.shape[1]
    k1, n1 = -(-k // unit), -(-n // 16)
    left, right = np.full((16, k1 * unit), np.nan, a.dtype), np.full((k1 * unit, n1 * 16), np.nan, a.dtype)
    left[:m, :k], right[:k, :n] = a, b
    zz = left.reshape(16, k1, unit).transpose(1, 0, 2)
    zn = right.reshape(k1, unit, n1, 16).transpose(0, 2, 3, 1)
    return np.ascontiguousarray(zz).ravel(), np.ascontiguousarray(zn).ravel()


def run(lib, name, a, b, bias, first, hf32=0, **options):
    unit = 8 if name == "float" else 16
    c = np.zeros((a.shape[0], b.shape[1]), F32)
    row = np.zeros(32, F32)
    row[: b.shape[1]] = bias if bias is not None else 0
    sizes = np.array([*a.shape[:1], b.shape[1], a.shape[1], first, bias is not None, hf32], np.uint32)
    kernel = getattr(lib, f"of_{name}")[1].options(core="aic", overflow="infnan", **options)
    return c, kernel(*fractals(a, b, unit), row, c, sizes)


@pytest.mark.parametrize("name", [*TYPES, "hf32"])
def test_a_kernel(lib, name):
    """Tails of m, n and k, a bias, two calls."""
    hf32, name = name == "hf32", "float" if name == "hf32" else name
    dtype, unit = TYPES[name], 8 if name == "float" else 16
    rng = np.random.default_rng(len(name) + hf32)
    a, b = numbers(rng, (13, 70), dtype, "near"), numbers(rng, (70, 19), dtype, "near")
    bias = numbers(rng, 19, F32, "near")
    first = 3 * unit
    for at, way in enumerate([*ways(unit), "k0-block", "sequential"]):
        biased, ties = at % 2 == 0, ("even", "away")[at // 2 % 2] if hf32 else None
        got, _ = run(
            lib, name, a, b, bias if biased else None, first, {None: 0, "even": 1, "away": 2}[ties], mmad_order=way
        )
        start = golden.matmul(a[:, :first], b[:first], bias if biased else None, order=way, hf32=ties)
        want = golden.matmul(a[:, first:], b[first:], start, order=way, hf32=ties)
        assert got.tobytes() == want.tobytes(), way
    assert got.tobytes() != run(lib, name, a, b, None, first, mmad_order="tree:4")[0].tobytes()


def test_a_type_at_a_time(lib):
    rng = np.random.default_rng(5)
    for name, own in (("half", "tree:4"), ("bfloat16", "exact-with-c:16"), ("float", "exact-with-c:8")):
        a, b = numbers(rng, (16, 64), TYPES[name], "near"), numbers(rng, (64, 16), TYPES[name], "near")
        for text in (
            "half=tree:4,bfloat16=exact-with-c:16,exact-with-c:8",
            "exact-with-c:8+bfloat16=exact-with-c:16+half=tree:4",
        ):
            got, _ = run(lib, name, a, b, None, 64, mmad_order=text)
            assert got.tobytes() == golden.matmul(a, b, order=own).tobytes()


LEGAL = (
    "is no way to add products; legal are sequential, k0-block, sequential-rounded, sequential-fused, exact-with-c:N, "
    "exact-then-c:N, tree:N, aligned:N:W:trunc and aligned:N:W:rn, with N from 2 to 128 products and W from 8 to 48 bits "
    "(docs/last-bits.md)"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (name, f"mmad_order: '{name}' {LEGAL}")
        for name in (
            "random",
            "k0",
            "tree",
            "tree:1",
            "tree:129",
            "tree:04",
            "tree:4:4",
            "sequential:2",
            "aligned:16:25",
        )
        + ("aligned:16:25:up", "aligned:16:7:rn", "aligned:16:49:rn", "aligned:16:25:rn:", "exact-with-c:x", "Tree:4")
    ]
    + [
        ("half=tree", f"mmad_order: half: 'tree' {LEGAL}"),
        *(
            (
                f"{more}",
                f"mmad_order: '{part}' of '{more}' says nothing new; legal are one way to add for all, and TYPE=WAY once for "
                "half, bfloat16, float and hf32",
            )
            for more, part in (
                ("tree:2,tree:4", "tree:4"),
                ("half=tree:2,half=tree:4", "half=tree:4"),
                ("int8=tree:2", "int8=tree:2"),
            )
        ),
    ],
)
def test_wrong_names(lib, text, message):
    with pytest.raises(sfumato.Error) as caught:
        lib.of_half[1].options(mmad_order=text)
    assert str(caught.value) == message


def test_spread():
    """The extremes of the members, and what a page says of them."""
    rng = np.random.default_rng(9)
    for dtype, unit in ((np.float16, 16), (ml_dtypes.bfloat16, 16), (F32, 8)):
        a, b = numbers(rng, (4, 100), dtype, "near"), numbers(rng, (100, 5), dtype, "near")
        spread = golden.matmul_spread(a, b, F32(0.1), k_of_call=64)
        all_of_them = np.stack([golden.matmul(a, b, F32(0.1), order=way, k_of_call=64) for way in ways(unit)])
        assert (spread.low == all_of_them.min(0)).all() and (spread.high == all_of_them.max(0)).all()
        assert spread.holds(all_of_them[5]).all() and not spread.holds(all_of_them[5] + 1).any()
        assert (spread.low < spread.high).any()
    few = golden.matmul_spread(a, b, orders=["tree:8"])
    assert (few.low == few.high).all()
    assert golden.matmul_spread(np.full((1, 1), np.nan, F32), np.ones((1, 1), F32)).holds(np.nan).all()


@pytest.mark.parametrize(
    ("arguments", "words", "message"),
    [
        (
            (np.ones((2, 3)), np.ones((3, 2))),
            {},
            "matmul: A is float64, B is float64; legal are two of float16, bfloat16, float32",
        ),
        (
            (np.ones((2, 3), F32), np.ones((3, 2), np.float16)),
            {},
            "matmul: A is float32, B is float16; legal are two of float16, bfloat16, float32",
        ),
        (
            (np.ones((2, 3), F32), np.ones((2, 3), F32)),
            {},
            "matmul: A is (2, 3), B is (2, 3); legal are (m, k) and (k, n)",
        ),
        (
            (np.ones((2, 3), F32), np.ones((3, 2), F32), np.ones(5, F32)),
            {},
            "matmul: C is (5,); it must broadcast to (2, 2)",
        ),
        (
            (np.ones((2, 3), np.float16), np.ones((3, 2), np.float16)),
            {"hf32": "even"},
            "matmul: hf32='even' with float16; legal are None, and 'even' and 'away' with float32",
        ),
        (
            (np.ones((2, 3), F32), np.ones((3, 2), F32)),
            {"k_of_call": 0},
            "matmul: k_of_call=0 must be an int above 0, or None",
        ),
        (
            (np.ones((2, 3), F32), np.ones((3, 2), F32)),
            {"orders": []},
            "matmul_spread: orders is empty; None stands for all",
        ),
        ((np.ones((2, 3), F32), np.ones((3, 2), F32)), {"orders": ["t"]}, f"order: 't' {LEGAL}"),
    ],
)
def test_wrong_products(arguments, words, message):
    with pytest.raises(sfumato.Error) as caught:
        golden.matmul_spread(*arguments, **words)
    assert str(caught.value) == message


# --- how far outputs move -------------------------------------------------------------------------------------------------
def test_the_check(lib):
    """--check mmad-order: of each output how many elements move, the furthest, and by which way."""
    rng = np.random.default_rng(21)
    a, b = numbers(rng, (13, 70), np.float16, "near"), numbers(rng, (70, 19), np.float16, "near")
    plain, kernel = run(lib, "half", a, b, None, 70)
    got, checked = run(lib, "half", a, b, None, 70, check="mmad-order")
    assert got.tobytes() == plain.tobytes()
    (finding,) = [f for f in checked.findings if f.rule.startswith("last-bit")]
    assert (finding.rule, finding.severity, finding.instruction) == ("last-bit", "note", "Mmad")
    results = {way: golden.matmul(a, b, order=way) for way in ways(16)}
    moved = np.any([r != plain for r in results.values()], axis=0)
    assert finding.found.startswith(
        f"over 87 ways to add, of which {sum((r != plain).any() for r in results.values())} change something; "
        f"'c' (float): {moved.sum()} of {plain.size} elements move, by at most "
    )
    distance = {way: np.abs(r.astype(np.float64) - plain) for way, r in results.items()}
    furthest = max(distance, key=lambda way: distance[way].max())
    element = int(distance[furthest].argmax())
    assert f"by at most {distance[furthest].max()} ({furthest}, element {element}), and by at most " in finding.found
    with pytest.raises(sfumato.Error, match="check mmad-order: the schedule 'all' is many runs"):
        run(lib, "half", a, b, None, 70, check="mmad-order", schedule="all")
    whole = run(lib, "half", np.ones_like(a), np.ones_like(b), None, 70, check="mmad-order")[1]
    assert not [f for f in whole.findings if f.rule.startswith("last-bit")]  # exact in every way


def test_the_page():
    """What docs/last-bits.md shows as a tolerance."""
    page = (Path(__file__).parents[2] / "docs" / "last-bits.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(from sfumato import golden.*?)```", page, re.DOTALL)
    rng = np.random.default_rng(2)
    a, b, bias = numbers(rng, (4, 64), F32, "near"), numbers(rng, (64, 5), F32, "near"), numbers(rng, 5, F32, "near")
    for way in ("tree:8", "aligned:16:25:trunc"):
        exec(code, {"a": a, "b": b, "bias": bias, "y": golden.matmul(a, b, bias, order=way)})
    with pytest.raises(AssertionError):
        exec(code, {"a": a, "b": b, "bias": bias, "y": golden.matmul(a, b, bias) + 1})
    for name in ways(16) + ["sequential", "k0-block"]:
        assert f"`{re.sub(':[0-9]+', ':W', re.sub(':[0-9]+', ':N', name, count=1))}`" in page
