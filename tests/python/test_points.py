# SPDX-License-Identifier: Apache-2.0
"""Public numbers of boards and pages (docs/last-bits.md): how many each call reproduces, and why the others are none."""

import csv
import ctypes
import os
import platform
from collections import Counter
from pathlib import Path

import ml_dtypes  # noqa: F401
import numpy as np
import pytest
from conftest import CHIP

import sfumato

POINTS = Path(__file__).parents[1] / "data" / "board_points.tsv"
GIVEN = POINTS.with_name("board_points_given.tsv")  # of which docs/truth.md is made
TYPES = {"half": np.float16, "float": np.float32}
OLD = "Ascend910A"  # of pages from the time of Ascend310 and 910

# Of each call and type: points, and those that come out. What does not is a CPU's golden.
REPRODUCED = {
    "Reciprocal half": (6, 6),
    "Reciprocal float": (6, 6),
    "Rsqrt half": (10, 10),
    "Rsqrt float": (1, 1),
    "Exp half": (4, 4),
    "Ln half": (4, 3),
    "Sqrt half": (4, 4),
    "Gelu half": (32, 32),
    "FasterGelu half": (16, 16),
    "FasterGeluV2 half": (32, 32),
    "Swish half": (32, 32),
    "Log float": (4, 4),
    "Log2 float": (4, 4),
    "Log10 float": (4, 4),
    "Power float": (9, 9),
    "Sigmoid float": (32, 28),
    "Silu float": (32, 29),
    "SoftMax float": (64, 49),
    "LogSoftMax float": (64, 48),
    "Cast float to half": (3, 3),
}
# Aggregates that say what this test can compute; the others name inputs that nobody kept, or calls that are not here.
COMPUTED = {"agg-rsqrt-trap", "agg-rsqrt-r360", "agg-rec-r360", "agg-div-pypto"}


def rows():
    with POINTS.open(encoding="utf-8") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))


def bits_of(text, dtype):
    return np.array([int(word, 16) for word in text.split(",")], {2: np.uint16, 4: np.uint32}[dtype().itemsize])


@pytest.fixture(scope="module")
def kernels():
    source = Path(__file__).with_name("points.cpp")
    new = sfumato.compile(source, chip=CHIP, defines={"HIGH_LEVEL": 1})
    return {CHIP: new, OLD: sfumato.compile(source, chip=OLD)}


def of_call(call, dtype, first, second, chip, kernels):
    """Results for the inputs, 64 at a time."""
    if call == "Cast":
        return sfumato.cast(first, "float16", round_mode="CAST_RINT", chip=chip)
    kernel = getattr(kernels[chip], f"{call}_{dtype}")
    results = []
    for at in range(0, len(first), 64):
        x, z = (np.ones(64, first.dtype) for _ in range(2))
        part = slice(at, min(at + 64, len(first)))
        x[: part.stop - at], z[: part.stop - at] = first[part], second[part]
        y = np.empty_like(x)
        kernel[1](x, z, y)
        results.append(y[: part.stop - at])
    return np.concatenate(results)


def test_points(kernels):
    """Every point with bits, on a chip of its family."""
    wanted = {}
    for row in rows():
        if row["low"]:
            wanted.setdefault((row["call"], row["type"], OLD if "era" in row["chip"] else CHIP), []).append(row)
    count, right = Counter(), Counter()
    given = {}
    for (call, dtype, chip), points in wanted.items():
        source = TYPES[dtype.split()[0]]
        inputs = [bits_of(row["inputs"], source).view(source) for row in points]
        first, second = (np.array([values[i % len(values)] for values in inputs]) for i in (0, 1))
        got = of_call(call, dtype, first, second, chip, kernels)
        for row, value in zip(points, got):
            low, high = (int(row[key], 16) for key in ("low", "high"))
            given[row["id"]] = f"{value.view(f'u{value.itemsize}'):0{2 * value.itemsize}x}"
            golden = row["from"] == "golden"
            same = low <= int(value.view(f"u{value.itemsize}")) <= high or (golden and prints_as(value, row["printed"]))
            assert same or golden, (row, value)
            count[f"{call} {dtype}"] += 1
            right[f"{call} {dtype}"] += same
    assert {key: (count[key], right[key]) for key in count} == REPRODUCED
    assert_given("".join(f"{row['id']}\t{given[row['id']]}\n" for row in rows() if row["low"]))
    estimates = [key for key in count if key.startswith(("Reciprocal", "Rsqrt"))]
    assert sum(right[key] for key in estimates) == sum(count[key] for key in estimates) == 23


def assert_given(lines):
    """SFUMATO_REWRITE=1 writes the file anew."""
    text = (
        "# What Sfumato gives for each point of board_points.tsv. Written by tests/python/test_points.py.\nid\tbits\n"
        + lines
    )
    if os.environ.get("SFUMATO_REWRITE"):
        GIVEN.write_text(text, encoding="utf-8")
    assert GIVEN.read_text(encoding="utf-8") == text


def test_every_row_is_a_point_or_an_aggregate():
    kinds = Counter("bits" if row["low"] else row["from"] for row in rows())
    assert kinds == {"bits": 363, "board, aggregate": 21}
    assert {row["id"] for row in rows() if not row["low"]} >= COMPUTED


def test_largest_errors(kernels):
    """The maxima that were measured on boards, to their digits."""
    v = np.array([10 ** (-6 + 12 * i / 63) for i in range(64)]).astype(np.float32)
    error = of_call("Rsqrt", "float", v, v, CHIP, kernels).astype(np.float64) * np.sqrt(v.astype(np.float64)) - 1
    assert f"{np.abs(error).max():.2e}" == "2.87e-03"
    x = np.linspace(1, 4, 1 << 16, endpoint=False, dtype=np.float32)
    for call, exact, most in (("Rsqrt", np.sqrt, 3.277e-3), ("Reciprocal", np.array, 2.854e-3)):
        error = np.abs(of_call(call, "float", x, x, CHIP, kernels) * exact(x.astype(np.float64)) - 1).max()
        assert 0.98 * most < error <= most


# --- the goldens ----------------------------------------------------------------------------------------------------------
def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, dtype=np.float32, keepdims=True)


def log_softmax(x):
    log10 = ctypes.CDLL("libm.so.6").log10f
    log10.restype, log10.argtypes = ctypes.c_float, [ctypes.c_float]
    return np.array([log10(float(v)) if v > 0 else -np.inf for v in softmax(x).ravel()], np.float32)


GOLDENS = {
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x.astype(np.float64))),
    "Silu": lambda x: x / (np.float32(1) + np.exp(-x)),
    "SoftMax": lambda x: softmax(x.reshape(8, 8)).ravel(),
    "LogSoftMax": lambda x: log_softmax(x.reshape(8, 8)),
}


def prints_as(value, text):
    if float(text) == 0:
        return abs(value) < 5e-9
    digits = np.format_float_positional(value, precision=8, unique=True, trim="-")
    eight = f"{float(value):.8f}".rstrip("0").rstrip(".")
    return text.rstrip("0").rstrip(".") in (digits, eight) or np.float32(text) == np.float32(value)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the pages' authors ran NumPy on x86")
@pytest.mark.parametrize("call", GOLDENS)
def test_the_page_prints_what_a_cpu_computes(call):
    """Bit for bit: these examples are no witness of a board."""
    points = [row for row in rows() if row["call"] == call]
    x = np.array([bits_of(row["inputs"], np.float32)[0] for row in points]).view(np.float32)
    with np.errstate(all="ignore"):
        golden = GOLDENS[call](x)
    assert all(prints_as(value, row["printed"]) for value, row in zip(golden, points))


# --- Div ------------------------------------------------------------------------------------------------------------------
def probe_pairs():
    """The 4,096 pairs of the public probe of Div: words of the Mersenne Twister that torch draws from."""
    random = np.random.RandomState(20260922)
    words = lambda n: random.randint(0, 2**32, size=n, dtype=np.uint32)  # noqa: E731
    divisors = (words(4096) % 33 + 111 << 23) + words(4096) % (1 << 23)
    first = np.ones(4096, np.float32)
    first[2048:3072] = 127
    first[3072:] = ((words(1024) % 33 + 111 << 23) + words(1024) % (1 << 23)).astype(np.uint32).view(np.float32)
    return first, divisors.astype(np.uint32).view(np.float32)


DIV = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void divide(GM_ADDR x, GM_ADDR z, GM_ADDR y) {
    GlobalTensor<float> a, b, q;
    a.SetGlobalBuffer((__gm__ float*)x, 4096), b.SetGlobalBuffer((__gm__ float*)z, 4096), q.SetGlobalBuffer((__gm__ float*)y, 4096);
    TPipe pipe;
    TBuf<> one, two;
    pipe.InitBuffer(one, 16384), pipe.InitBuffer(two, 16384);
    LocalTensor<float> u = one.Get<float>(), v = two.Get<float>();
    DataCopy(u, a, 4096), DataCopy(v, b, 4096);
    PipeBarrier<PIPE_ALL>();
    Div(u, u, v, 4096);
    PipeBarrier<PIPE_ALL>();
    DataCopy(q, u, 4096);
}
"""


def test_div_moves_within_the_envelope(tmp_path):
    (tmp_path / "divide.cpp").write_text(DIV)
    kernel = sfumato.compile(tmp_path / "divide.cpp", chip=CHIP).divide
    a, b = probe_pairs()
    quotients = {}
    for div in ("nearest", "away", "toward", "seed:1", "seed:2"):
        q = np.empty_like(a)
        kernel.options(div=div)[1](a, b, q)
        quotients[div] = q
    exact = a.astype(np.float64) / b.astype(np.float64)
    nearest = exact.astype(np.float32)
    assert np.array_equal(quotients["nearest"], nearest)
    unit = np.spacing(np.abs(nearest)).astype(np.float64)
    for div, q in quotients.items():
        moved = q != nearest
        error = np.abs(q - exact) / unit
        assert error.max() <= 0.77
        if div == "away":
            assert (np.abs(q) >= np.abs(nearest)).all()
        if div == "toward":
            assert (np.abs(q) <= np.abs(nearest)).all()
        if div.startswith("seed"):
            assert 0.05 < moved.mean() < 0.07  # a board: 244 of 4,096
    away, toward = (quotients[div] != nearest for div in ("away", "toward"))
    assert not (away & toward).any()
    assert 2119 <= (away | toward).sum() <= 2119 + 100  # 2,119 lie within 0.26 units of a midpoint
    assert not np.array_equal(quotients["seed:1"], quotients["seed:2"])
    with pytest.raises(sfumato.Error, match="nearest, away, toward"):
        kernel.options(div="up")[1](a, b, np.empty_like(a))
