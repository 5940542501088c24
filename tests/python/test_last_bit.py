# SPDX-License-Identifier: Apache-2.0
"""--check last-bit: lines and counts against NumPy; what cannot flip is silent (docs/checks/last-bit.md)."""

import numpy as np
import pytest
from conftest import CHIP

import sfumato

F32 = np.float32
N = 256

SOURCE = """#include "kernel_operator.h"
using namespace AscendC;
namespace {
// `compute` in UB, from x to results of another type.
template <class T, class F>
__aicore__ inline void Through(GM_ADDR x, GM_ADDR y, F&& compute) {
    GlobalTensor<float> in;
    GlobalTensor<T> out;
    in.SetGlobalBuffer((__gm__ float*)x, 256), out.SetGlobalBuffer((__gm__ T*)y, 256);
    TPipe pipe;
    TBuf<> buffers[3];
    for (auto& b : buffers) pipe.InitBuffer(b, 1024);
    LocalTensor<float> a = buffers[0].Get<float>(), b = buffers[1].Get<float>();
    LocalTensor<T> c = buffers[2].Get<T>();
    DataCopy(a, in, 256);
    PipeBarrier<PIPE_ALL>();
    compute(a, b, c);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, c, 256);
}
}
#define KERNEL(name, T, ...) extern "C" __global__ __aicore__ void name(GM_ADDR x, GM_ADDR y) { \\
    Through<T>(x, y, [&](auto& a, auto& b, auto& c) { __VA_ARGS__; }); }
KERNEL(codes, int32_t, Duplicate(b, 0.3f, 256); Div(a, a, b, 256); Cast(c, a, RoundMode::CAST_FLOOR, 256))
KERNEL(nearest, int32_t, Duplicate(b, 0.3f, 256); Div(a, a, b, 256); Cast(c, a, RoundMode::CAST_RINT, 256))
KERNEL(halves, float, Duplicate(b, 4.0f, 256); Div(c, a, b, 256))
KERNEL(squares, float, Mul(a, a, a, 256); Sqrt(c, a, 256))
KERNEL(large, int32_t, Exp(b, a, 256); Cast(c, b, RoundMode::CAST_FLOOR, 256))
KERNEL(none, float, Adds(c, a, 0.1f, 256))
KERNEL(thirds, float, Duplicate(b, 3.0f, 256); Div(c, a, b, 256))
KERNEL(both, float, Exp(b, a, 256); Ln(c, b, 256))
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory):
    source = tmp_path_factory.mktemp("last_bit") / "last_bit.cpp"
    source.write_text(SOURCE)
    return sfumato.compile(source, chip=CHIP)


def line_of(name):
    return next(i for i, line in enumerate(SOURCE.splitlines(), 1) if line.startswith(f"KERNEL({name},"))


def run(lib, name, x, dtype=F32, **options):
    """The results and the findings of a run, which keeps the bytes of a plain one."""
    y, plain = np.zeros(N, dtype), np.zeros(N, dtype)
    getattr(lib, name)[1].options(**options)(x, plain)
    found = getattr(lib, name)[1].options(check="last-bit", **options)(x, y).findings
    assert y.tobytes() == plain.tobytes()
    return y, found


def moved(a, b):
    """Quotients away from zero and toward it, by exact arithmetic on their error."""
    exact = a.astype(np.float64) / b
    q = exact.astype(F32)
    beyond = (np.abs(exact) - np.abs(q)) / np.spacing(np.abs(q))
    away, toward = np.nextafter(q, np.copysign(np.inf, q)), np.nextafter(q, F32(0))
    return np.where(beyond >= 0.23, away, q), np.where(beyond <= -0.23, toward, q)


def test_codes_that_flip(lib):
    """Data on the grid of the scale: floor puts them on the edge."""
    x = np.arange(N, dtype=F32) * F32(0.3)
    codes, found = run(lib, "codes", x, np.int32)
    (finding,) = found
    assert (finding.rule, finding.severity, finding.line) == ("last-bit-flips", "warning", line_of("codes"))
    away, toward = (np.floor(q).astype(np.int32) for q in moved(x, F32(0.3)))
    for name, changed in (("away from", away != codes), ("toward", toward != codes)):
        count = int(changed.sum())
        text = f"moved {name} zero: {count} of {N} elements of 'y' (int32_t) change, by at most 1"
        assert (text in finding.found) == bool(count)
    assert (away != codes).any() or (toward != codes).any()
    most = max((away != codes).sum(), (toward != codes).sum())
    assert [(place.line, place.note) for place in finding.related] == [
        (line_of("codes"), f"Cast: {most} of {N} integers change")
    ]


@pytest.mark.parametrize(
    ("name", "x", "dtype"),
    [
        ("nearest", np.arange(N, dtype=F32) * F32(0.3), np.int32),  # half a unit of room
        ("halves", np.arange(N, dtype=F32), F32),  # exact quotients
        ("squares", np.arange(N, dtype=F32), F32),  # exact roots
        ("large", np.linspace(0.1, 2, N, dtype=F32), np.int32),  # far from integers
        ("none", np.arange(N, dtype=F32), F32),  # nothing to move
    ],
)
def test_what_cannot_flip_is_silent(lib, name, x, dtype):
    assert run(lib, name, x, dtype)[1] == []


def test_real_outputs_are_notes(lib):
    x = np.arange(1, N + 1, dtype=F32)
    y, (finding,) = run(lib, "thirds", x)
    assert (finding.rule, finding.severity, finding.line) == ("last-bit", "note", line_of("thirds"))
    away, toward = moved(x, F32(3))
    for name, q in (("away from", away), ("toward", toward)):
        count = int((q != y).sum())
        assert f"moved {name} zero: {count} of {N} elements of 'y' (float) change, by at most 1 unit" in finding.found
    assert [f.instruction for f in run(lib, "both", x / 64)[1]] == ["Exp", "Ln"]


def test_the_type_is_the_kernels(lib):
    """A host that passes memory as bytes makes no integers of it."""
    x = np.arange(1, N + 1, dtype=F32)
    y = np.zeros(4 * N, np.uint8)
    (finding,) = [f for f in lib.thirds[1].options(check="last-bit")(x, y).findings if f.rule.startswith("last-bit")]
    assert finding.rule == "last-bit" and "elements of 'y' (float)" in finding.found


def test_what_it_goes_with(lib):
    x = np.arange(N, dtype=F32) * F32(0.3)
    for options in ({"schedule": "late"}, {"div": "away"}, {"estimate": "exact"}, {"workers": 2}):
        assert run(lib, "codes", x, np.int32, **options)[1]
    with pytest.raises(sfumato.Error, match="many runs"):
        lib.codes[1].options(check="last-bit", schedule="all")(x, np.zeros(N, np.int32))
    with pytest.raises(sfumato.KernelError, match="last-bit-flips"):
        lib.codes[1].options(check="last-bit", strict=True)(x, np.zeros(N, np.int32))
    assert lib.codes[1].options(check="all")(x, np.zeros(N, np.int32)).findings == []
