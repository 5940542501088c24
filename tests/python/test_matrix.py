# SPDX-License-Identifier: Apache-2.0
"""The matrix kernels of examples/ against NumPy: bit by bit, under every kind of schedule, guard elements included."""

import csv
import os
import re
import shlex
import subprocess
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from installation import COMMAND

import sfumato

EXAMPLES = Path(__file__).parents[2] / "examples"
SCHEDULES = ["eager", "late", "ahead", "seed:1", "seed:2", "seed:3"]
GUARD = 64  # elements behind an output that no kernel may touch
F16, BF16, F32 = np.float16, ml_dtypes.bfloat16, np.float32

# m, n, k, then base_m, base_n, base_k, step_k: one fractal, one row (GEMV), tails of every kind, rests of 1.
TILINGS = [
    (16, 16, 16, 16, 32, 64, 1),
    (1, 100, 700, 64, 64, 128, 2),
    (100, 90, 150, 48, 64, 64, 2),
    (65, 33, 257, 64, 32, 64, 1),
    (33, 129, 70, 32, 64, 64, 3),
    (130, 72, 192, 128, 64, 64, 2),
]


@pytest.fixture(scope="module")
def library():
    made = {}

    def find(source, chip="Ascend910B1"):
        if source not in made:
            made[source] = sfumato.compile(EXAMPLES / source, chip=chip)
        return made[source]

    return find


with open(Path(__file__).parents[1] / "data" / "known_findings.csv", encoding="utf-8") as lines:
    KNOWN = {row["program"]: row["rule"] for row in csv.DictReader(lines)}


def bytes_of(array):
    return np.ascontiguousarray(array).view(np.uint8)


def check(kernel, before, want, after=(), blocks=3, schedules=SCHEDULES, columns=None, known=None, **options):
    """Launches kernel(*before, output, *after) under each schedule, and again with every check, then without guard
    elements, which are a part that nobody writes: the output is `want`, and nobody found anything.

    columns: only so many of each row count; those behind are what the last fractals held.
    known: the rule that the checks may find broken. The result of the last launch, with them, is returned.
    """
    want_bytes = bytes_of(want[:, :columns] if columns else want)
    for way in [{"schedule": schedule, **more} for more in ({}, {"check": "all"}) for schedule in schedules]:
        out = np.full(want.size + (0 if "check" in way else GUARD), 3, want.dtype)
        result = kernel[blocks].options(strict=not (known and "check" in way), **way, **options)(*before, out, *after)
        got = out[: want.size].reshape(want.shape)
        wrong = np.argwhere(bytes_of(got[:, :columns] if columns else got) != want_bytes)
        assert not len(wrong), f"{way}: {len(wrong)} bytes differ, the first at {wrong[0]}"
        assert (out[want.size :] == 3).all(), f"{way}: wrote past the end"
        unknown = [str(finding) for finding in result.findings if finding.rule != known or "check" not in way]
        assert not unknown, f"{way}: {unknown[0]}"
    return result


def numbers(rng, shape, dtype, kind):
    """Whole numbers, whose sums are exact in any order, or real ones."""
    if kind == "whole":
        return rng.integers(-8, 9, shape).astype(dtype)
    return rng.standard_normal(shape).astype(F32).astype(dtype)


def product(a, b, start=0):
    """float: one product after another along k, each and each sum rounded (the page of Mmad)."""
    acc = np.full((a.shape[0], b.shape[1]), start, F32)
    for k in range(a.shape[1]):
        acc += a[:, k : k + 1].astype(F32) * b[k : k + 1].astype(F32)
    return acc


def integer_product(a, b):
    return (a.astype(np.int64) @ b.astype(np.int64)).astype(np.int32)


def to_half(x):
    """Nearest even; the default overflow policy saturates."""
    with np.errstate(over="ignore"):
        return np.clip(x.astype(F16), F16(-65504), F16(65504))


def to_hf32(x, away):
    """11 bits of mantissa: 12 of float's 23 are rounded away."""
    bits = x.view(np.uint32)
    bits = bits + (np.uint32(0x800) if away else np.uint32(0x7FF) + ((bits >> 12) & 1))
    return (bits & np.uint32(0xFFFFF000)).view(F32)


def case_id(case):
    return "x".join(map(str, case[:3]))


def seed_of(*values):
    return np.random.default_rng(list(values))


FLOATS = [  # source, kernel, type of A and B, of C, A transposed, B transposed
    ("matmul_half.cpp", "matmul_half", F16, F16, False, False),
    ("matmul_half.cpp", "matmul_half_float", F16, F32, False, False),
    ("matmul_half.cpp", "matmul_half_at", F16, F16, True, False),
    ("matmul_half.cpp", "matmul_half_bt", F16, F16, False, True),
    ("matmul_float.cpp", "matmul_bfloat16", BF16, BF16, False, False),
    ("matmul_float.cpp", "matmul_float", F32, F32, False, False),
    ("matmul_float.cpp", "matmul_float_at", F32, F32, True, False),
]


@pytest.mark.parametrize("tiling", TILINGS, ids=case_id)
@pytest.mark.parametrize("case", FLOATS, ids=lambda case: case[1])
@pytest.mark.parametrize("kind", ["whole", "real"])
def test_matmul(library, case, tiling, kind):
    source, kernel, dtype, result, trans_a, trans_b = case
    m, n, k = tiling[:3]
    rng = seed_of(m, n, k)
    a, b = numbers(rng, (m, k), dtype, kind), numbers(rng, (k, n), dtype, kind)
    want = product(a, b)
    if kind == "whole":
        assert np.array_equal(want, a.astype(np.int64) @ b.astype(np.int64))
    want = to_half(want) if result is F16 else want.astype(result)
    stored = [np.ascontiguousarray(x.T) if turned else x for x, turned in ((a, trans_a), (b, trans_b))]
    check(library("matmul/" + source)[kernel], stored, want, [np.array(tiling, np.uint32)])


@pytest.mark.parametrize("tiling", TILINGS, ids=case_id)
def test_linear(library, tiling):
    m, n, k = tiling[:3]
    rng = seed_of(m, n, k)
    a, b, bias = (numbers(rng, shape, F16, "real") for shape in ((m, k), (n, k), -(-n // 16) * 16))
    want = to_half(product(a, b.T, bias[:n].astype(F32)))
    check(library("matmul/matmul_half.cpp").linear_half, (a, b, bias), want, [np.array(tiling, np.uint32)])


@pytest.mark.parametrize("tiling", TILINGS, ids=case_id)
@pytest.mark.parametrize("result", [F16, F32])
@pytest.mark.parametrize("kind", ["whole", "real"])
def test_matmul_on_310p(library, tiling, result, kind):
    m, n, k = tiling[:3]
    rng = seed_of(m, n, k)
    a, b = numbers(rng, (m, k), F16, kind), numbers(rng, (k, n), F16, kind)
    want = np.zeros((m, -(-n // 16) * 16), result)
    want[:, :n] = to_half(product(a, b)) if result is F16 else product(a, b)
    lib = library("matmul/matmul_half_310p.cpp", "Ascend310P3")
    kernel = lib.matmul_half if result is F16 else lib.matmul_half_float
    known = KNOWN["matmul_half_310p.cpp"] if n % 16 else None
    check(kernel, (a, b), want, [np.array(tiling, np.uint32)], columns=n, known=known)


@pytest.mark.parametrize("tiling", TILINGS[2:5], ids=case_id)
@pytest.mark.parametrize("away", [0, 1])
def test_hf32(library, tiling, away):
    m, n, k = tiling[:3]
    rng = seed_of(m, n, k)
    # 12 bits of mantissa: half of the numbers are ties.
    real = (numbers(rng, shape, F32, "real").view(np.uint32) for shape in ((m, k), (k, n)))
    a, b = ((bits & np.uint32(0xFFFFF800)).view(F32) for bits in real)
    want = product(to_hf32(a, away), to_hf32(b, away))
    assert not np.array_equal(want, product(to_hf32(a, 1 - away), to_hf32(b, 1 - away)))
    assert not np.array_equal(want, product(a, b))
    check(library("matmul/matmul_float.cpp").matmul_hf32, (a, b), want, [np.array(tiling, np.uint32), away])


def quantisation(rng, n, offsets):
    """Words of Fixpipe, scales with more bits than count, and what of them counts: 10 bits of mantissa."""
    scale = rng.uniform(1e-4, 2e-3, n).astype(F32)
    offset = rng.integers(-128, 128, n) if offsets else np.zeros(n, np.int64)
    words = np.zeros(-(-n // 16) * 16, np.uint64)
    bits = scale.view(np.uint32)
    words[:n] = bits.astype(np.uint64) | ((offset & 0x1FF).astype(np.uint64) << 37) | np.uint64(1 << 46)
    return words, (bits & np.uint32(0xFFFFE000)).view(F32), offset


@pytest.mark.parametrize("tiling", TILINGS, ids=case_id)
@pytest.mark.parametrize("kernel", ["matmul_int8", "matmul_int8_half", "matmul_int8_int8"])
def test_int8(library, tiling, kernel):
    m, n, k = tiling[:3]
    rng = seed_of(m, n, k)
    a, b = rng.integers(-128, 128, (m, k), np.int8), rng.integers(-128, 128, (k, n), np.int8)
    words, scale, offset = quantisation(rng, n, kernel == "matmul_int8_int8")
    want, before = integer_product(a, b), (a, b)
    if kernel != "matmul_int8":
        before = (a, b, words)
        if kernel == "matmul_int8_half":
            want = to_half(want.astype(np.float64) * scale)  # the exact product, rounded once (cube.md 5.2)
        else:
            want = want.astype(F32) * scale
            want = np.clip(np.clip(np.rint(want), -256, 255) + offset, -128, 127).astype(np.int8)
    check(library("matmul/matmul_int8.cpp")[kernel], before, want, [np.array(tiling, np.uint32)])


@pytest.mark.parametrize("tiling", TILINGS, ids=case_id)
def test_int4(library, tiling):
    m, n, k = tiling[:3]
    k += k % 2
    rng = seed_of(m, n, k)
    a, b = rng.integers(-8, 8, (m, k)), rng.integers(-8, 8, (n, k))
    before = a.astype(ml_dtypes.int4), b.astype(ml_dtypes.int4)
    after = [np.array((m, n, k, *tiling[3:]), np.uint32)]
    check(library("matmul/matmul_int8.cpp").matmul_int4_bt, before, integer_product(a, b.T), after)


BATCHES = [(1, 16, 16, 16), (7, 40, 24, 56), (30, 33, 17, 90), (20, 1, 50, 70), (5, 128, 100, 128)]


@pytest.mark.parametrize("shape", BATCHES)
@pytest.mark.parametrize("kind", ["whole", "real"])
def test_batched(library, shape, kind):
    batch, m, n, k = shape
    rng = seed_of(*shape)
    a, b = numbers(rng, (batch, m, k), F16, kind), numbers(rng, (batch, k, n), F16, kind)
    want = np.stack([to_half(product(x, y)) for x, y in zip(a, b)])
    check(library("matmul/batched_matmul.cpp").batched_matmul, (a, b), want, shape)


def windows_of(fm, kh, kw, strides, dilations, pads):
    """[ho * wo][channels / C0, kh, kw, C0] of a feature map [channels / C0][h][w][C0]."""
    left, right, top, bottom = pads
    groups, _, _, c0 = fm.shape
    padded = np.pad(fm, ((0, 0), (top, bottom), (left, right), (0, 0)))
    ho = (padded.shape[1] - dilations[0] * (kh - 1) - 1) // strides[0] + 1
    wo = (padded.shape[2] - dilations[1] * (kw - 1) - 1) // strides[1] + 1
    rows = np.zeros((ho, wo, groups, kh, kw, c0), fm.dtype)
    for y in range(kh):
        for x in range(kw):
            tap = padded[:, y * dilations[0] :, x * dilations[1] :]
            tap = tap[:, : ho * strides[0] : strides[0], : wo * strides[1] : strides[1]]
            rows[:, :, :, y, x] = tap.transpose(1, 2, 0, 3)
    return rows.reshape(ho * wo, -1)


def convolutions():
    """channels, h, w, kh, kw, cout, strides h w, dilations h w, pads left right top bottom."""
    rng = seed_of(1)
    yield (4, 5, 7, 3, 3, 10, 1, 1, 1, 1, 1, 1, 1, 1)  # the small channels
    yield (16, 9, 9, 1, 1, 20, 1, 1, 1, 1, 0, 0, 0, 0)  # a product of matrices
    yield (16, 5, 13, 1, 1, 33, 1, 1, 1, 1, 0, 0, 0, 0)  # 65 windows: a tile with one
    while True:
        (h, w), (kh, kw) = rng.integers(1, 12, 2), rng.integers(1, 4, 2)
        strides, dilations, pads = rng.integers(1, 4, 2), rng.integers(1, 3, 2), rng.integers(0, 3, 4)
        if h + pads[2] + pads[3] > dilations[0] * (kh - 1) and w + pads[0] + pads[1] > dilations[1] * (kw - 1):
            yield (rng.choice([8, 16, 32, 48]), h, w, kh, kw, rng.integers(1, 80), *strides, *dilations, *pads)


@pytest.mark.parametrize("dtype", [F16, F32])
def test_conv2d(library, dtype):
    lib = library("conv2d/conv2d_load3dv2.cpp")
    kernel = lib.conv2d_half if dtype is F16 else lib.conv2d_float
    rng = seed_of(2)
    found = []
    for i, shape in zip(range(40), convolutions()):
        channels, h, w, kh, kw, cout = shape[:6]
        c0 = min(channels, 32 // np.dtype(dtype).itemsize)
        kind = "real" if i % 2 else "whole"
        fm = numbers(rng, (channels // c0, h, w, c0), dtype, kind)
        we = numbers(rng, (channels * kh * kw, cout), dtype, kind)
        want = product(windows_of(fm, kh, kw, shape[6:8], shape[8:10], shape[10:]), we)
        stored = np.zeros(-(-fm.size // 16) * 16, dtype)
        stored[: fm.size] = fm.reshape(-1)
        schedules = SCHEDULES if i < 6 else [SCHEDULES[i % 6]]
        want = to_half(want) if dtype is F16 else want
        known = KNOWN["test_conv2d"]
        result = check(kernel, (stored, we), want, [np.array(shape, np.uint32).tobytes()], 2, schedules, known=known)
        found += [finding.rule for finding in result.findings]
    assert found == [known]


def test_overflow_of_the_result(library):
    tiling = np.array(TILINGS[2], np.uint32)
    m, n, k = TILINGS[2][:3]
    a, b = np.full((m, k), 100, F16), np.full((k, n), -100, F16)
    for overflow, value in (("saturate", -65504), ("infnan", -np.inf)):
        c = np.zeros((m, n), F16)
        library("matmul/matmul_half.cpp").matmul_half[2].options(overflow=overflow)(a, b, c, tiling)
        assert (c == value).all()


def test_the_other_order(library):
    """mmad_order="k0-block": the exact sum of 16 products is rounded and added."""
    tiling = TILINGS[2]
    m, n, k = tiling[:3]
    rng = seed_of(3)
    a, b = (numbers(rng, shape, F16, "real") for shape in ((m, k), (k, n)))
    a[np.abs(a) < 2**-6] = b[np.abs(b) < 2**-6] = 0.5  # sums of 16 products are exact in double
    want = np.zeros((m, n), F32)
    for at in range(0, k, 16):
        want += (a[:, at : at + 16].astype(np.float64) @ b[at : at + 16].astype(np.float64)).astype(F32)
    assert not np.array_equal(want, product(a, b))
    kernel = library("matmul/matmul_half.cpp").matmul_half_float
    check(kernel, (a, b), want, [np.array(tiling, np.uint32)], mmad_order="k0-block")


COMMANDS = {  # source, type of A and B, and what the command's other inputs hold
    "matmul/matmul_half.cpp": (F16, {}),
    "matmul/matmul_half_310p.cpp": (F16, {}),
    "matmul/matmul_float.cpp": (F32, {}),
    "matmul/matmul_int8.cpp": (np.int8, {"words.npy": np.full(208, np.float32(1).view(np.uint32), np.uint64)}),
    "matmul/batched_matmul.cpp": (F16, {}),
    "conv2d/conv2d_load3dv2.cpp": (F16, {}),
}


@pytest.mark.parametrize("source", COMMANDS)
def test_the_command_of_the_header(source, tmp_path):
    """What the comment of each example says to run, on whole numbers, with every check."""
    text = (EXAMPLES / source).read_text()
    command = " ".join(re.search(r"^//   sfumato (run .*)\n//(.*)", text, re.MULTILINE).groups())
    dtype, inputs = COMMANDS[source]
    rng = seed_of(4)
    if "conv2d" in source:
        fm, we = numbers(rng, (2, 14, 14, 16), dtype, "whole"), numbers(rng, (32 * 9, 40), dtype, "whole")
        want = product(windows_of(fm, 3, 3, (1, 1), (1, 1), (1, 1, 1, 1)), we)
        inputs = {"fm.npy": fm, "we.npy": we}
        np.array([32, 14, 14, 3, 3, 40, 1, 1, 1, 1, 1, 1, 1, 1], np.uint32).tofile(tmp_path / "shape.bin")
    else:
        batch, m, n, k = (64, 40, 24, 56) if "batched" in source else (1, 300, 200, 500)
        a, b = numbers(rng, (batch, m, k), dtype, "whole"), numbers(rng, (batch, k, n), dtype, "whole")
        want = np.concatenate([product(x, y) for x, y in zip(a, b)])
        tiling = np.array([m, n, k, 128, 128, 64, 2], np.uint32)
        inputs = {**inputs, "a.npy": a, "b.npy": b, "tiling.npy": tiling}
    for name, array in inputs.items():
        np.save(tmp_path / name, array)
    command = [COMMAND, *shlex.split(command.replace("examples/", f"{EXAMPLES}/"))]
    every_check = {**os.environ, "SFUMATO_CHECK": "all"}
    done = subprocess.run(command, cwd=tmp_path, env=every_check, capture_output=True, text=True)
    assert done.returncode == 0
    known = KNOWN.get(Path(source).name)
    assert re.findall(r"^\w+ \[(.*)\]", done.stderr, re.MULTILINE) == ([known] if known else [])
    output = next(tmp_path.glob("[cd]*.npy"))
    got = np.load(output).reshape(len(want), -1)[:, : want.shape[1]]
    assert np.array_equal(got, want.astype(got.dtype))
