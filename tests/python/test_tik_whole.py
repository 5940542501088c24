# SPDX-License-Identifier: Apache-2.0
"""The h_* calls: whole tensors and slices, tails and gaps, the bytes around them untouched."""

import numpy as np
import pytest
from tik_oracles import UNARY
from tik_support import instance

from sfumato import tik

CHIPS = ("Ascend310", "Ascend910A", "Ascend310P3", "Ascend310P3-Vector", "Ascend910B1", "Ascend310B1")
ROWS, COLUMNS = 6, 304  # of float16: whole blocks, no whole repeats


def run(build, arrays, dst, chip="Ascend910B1"):
    """dst after build(t, dst tensor, *tensors), all of them in UB."""
    t = instance(chip)
    feed = {f"in{i}": array for i, array in enumerate(arrays)} | {"before": dst}
    gm = {name: t.Tensor(str(a.dtype), a.shape, name=name, scope=tik.scope_gm) for name, a in feed.items()}
    ub = {name: t.Tensor(str(a.dtype), a.shape, name=f"ub_{name}", scope=tik.scope_ubuf) for name, a in feed.items()}
    out = t.Tensor(str(dst.dtype), dst.shape, name="out", scope=tik.scope_gm)
    for name in feed:
        t.data_move(ub[name], gm[name], 0, 1, feed[name].nbytes // 32, 0, 0)
    build(t, ub["before"], *(ub[f"in{i}"] for i in range(len(arrays))))
    t.data_move(out, ub["before"], 0, 1, dst.nbytes // 32, 0, 0)
    t.BuildCCE("whole", list(gm.values()), [out])
    return t.run(feed)[0]


def matrix(seed=1, dtype=np.float16):
    return np.random.default_rng(seed).integers(-8, 9, (ROWS, COLUMNS)).astype(dtype)


BINARY = {
    "h_add": np.add,
    "h_sub": np.subtract,
    "h_mul": np.multiply,
    "h_max": np.maximum,
    "h_min": np.minimum,
}


@pytest.mark.parametrize("chip", CHIPS)
def test_binary(chip):
    a, b = matrix(1), matrix(2)
    for call, meaning in BINARY.items():
        before = matrix(3)
        whole = run(lambda t, dst, x, y: getattr(t, call)(dst, x, y), [a, b], before, chip)
        assert np.array_equal(whole, meaning(a, b))
        # A slice with gaps: 1..5 x 32..144; what lies beside it stays.
        expected = before.copy()
        expected[1:5, 32:144] = meaning(a[0:4, 16:128], b[2:6, 64:176])

        def slices(t, dst, x, y):
            getattr(t, call)(dst[1:5, 32:144], x[0:4, 16:128], y[2:6, 64:176])

        assert np.array_equal(run(slices, [a, b], before, chip), expected)


def test_division():
    a, b = matrix(1), matrix(2) + np.float16(9)
    found = run(lambda t, dst, x, y: t.h_div(dst, x, y), [a, b], matrix(3))
    assert np.array_equal(found, a / b)


@pytest.mark.parametrize(("call", "meaning"), [("h_and", np.bitwise_and), ("h_or", np.bitwise_or)])
def test_logic(call, meaning):
    a, b = matrix(1, np.int16), matrix(2, np.int16)
    assert np.array_equal(run(lambda t, dst, x, y: getattr(t, call)(dst, x, y), [a, b], a), meaning(a, b))
    assert np.array_equal(run(lambda t, dst, x: t.h_not(dst, x), [a], b), ~a)


def test_scalars():
    a = matrix(1)
    for call, meaning in (("h_add", np.add), ("h_mul", np.multiply), ("h_max", np.maximum), ("h_min", np.minimum)):
        assert np.array_equal(run(lambda t, dst, x: getattr(t, call)(dst, x, 2.0), [a], a), meaning(a, np.float16(2)))
    scalar = run(lambda t, dst, x: t.h_mul(dst, x, t.Scalar("float16", init_value=-0.5)), [a], a)
    assert np.array_equal(scalar, a * np.float16(-0.5))


def test_unary():
    a = np.abs(matrix(1)) + np.float16(1)
    wide = a.astype(np.float64)
    expected = {
        "h_abs": np.abs(wide),
        "h_exp": np.exp(wide),
        "h_ln": np.log(wide),
        "h_rec": UNARY["rec"](wide),
        "h_relu": np.maximum(wide, 0),
        "h_rsqrt": UNARY["rsqrt"](wide),
    }
    for call, values in expected.items():
        found = run(lambda t, dst, x: getattr(t, call)(dst, x), [a], matrix(2))
        assert np.array_equal(found, values.astype(np.float16)), call


def test_conversions_and_fills():
    a = matrix(1)
    wide = run(lambda t, dst, x: t.h_cast(dst, x, "none"), [a], matrix(2, np.float32))
    assert np.array_equal(wide, a.astype(np.float32))
    narrow = run(lambda t, dst, x: t.h_conv(dst, x, "round"), [wide / 2], matrix(2, np.int32))
    assert np.array_equal(narrow, np.rint(wide / 2))
    filled = run(lambda t, dst: t.h_duplicate(dst[2, 16:32], 7.0), [], a)
    assert np.all(filled[2, 16:32] == 7) and np.array_equal(np.delete(filled, 2, 0), np.delete(a, 2, 0))
    moved = run(lambda t, dst, x: t.h_data_move(dst[0:3, 0:16], x[3:6, 32:48]), [a], matrix(2))
    assert np.array_equal(moved[:3, :16], a[3:, 32:48]) and np.array_equal(moved[3:], matrix(2)[3:])


def test_compare_and_select():
    a, b = (matrix(seed).reshape(-1)[:1792] for seed in (1, 2))

    def build(t, dst, x, y):
        mask = t.Tensor("uint8", (1792 // 8,), name="mask", scope=tik.scope_ubuf)
        t.h_cmpv(mask, x, y, "lt")
        t.h_sel(dst, x, y, mask)

    assert np.array_equal(run(build, [a, b], a), np.minimum(a, b))

    def build_with_numbers(t, dst, x):
        mask = t.Tensor("uint16", (1792 // 16,), name="mask", scope=tik.scope_ubuf)
        t.h_cmpv(mask, x, 3.0, "ge")
        t.h_sel(dst[0:1700], x[0:1700], -1.0, mask)

    found = run(build_with_numbers, [a], b)
    assert np.array_equal(found[:1700], np.where(a >= 3, a, -1)[:1700]) and np.array_equal(found[1700:], b[1700:])


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("name", "meaning"), [("sum", np.sum), ("max", np.max), ("min", np.min)])
def test_reductions(chip, name, meaning):
    a = matrix(1)
    call = f"h_reduce_{name}"
    rows = run(lambda t, dst, x: getattr(t, call)(dst[0:ROWS], x, 1), [a], np.zeros(32, np.float16), chip)
    assert np.array_equal(rows[:ROWS], meaning(a, 1)) and not rows[ROWS:].any()
    columns = run(lambda t, dst, x: getattr(t, call)(dst, x, axis=0), [a], np.zeros(COLUMNS, np.float16), chip)
    assert np.array_equal(columns, meaning(a, 0))
    everything = run(lambda t, dst, x: getattr(t, call)(dst[3], x), [a], np.zeros(32, np.float16), chip)
    assert everything[3] == meaning(a.astype(np.float32)) and np.count_nonzero(everything) <= 1


WRONG = {
    "another shape": (lambda t, a, b: t.h_add(a, a, b[0:2, 0:16]), "tensor-shape"),
    "no tensor": (lambda t, a, b: t.h_add(a, 1.0, b), "parameter-type"),
    "difference with a number": (lambda t, a, b: t.h_sub(a, b, 1.0), "parameter-type"),
    "compare of a part": (lambda t, a, b: t.h_cmpv(a, b, b, "lt"), "tensor-shape"),
    "unknown compare": (lambda t, a, b: t.h_cmpv(a, b, b, "approximately"), "compare-mode"),
    "no such axis": (lambda t, a, b: t.h_reduce_sum(a, b, 2), "reduce-axis"),
    "result of another size": (lambda t, a, b: t.h_reduce_max(a, b, 1), "tensor-shape"),
    "type the chip has not": (lambda t, a, b: t.h_not(a, b), "type-unsupported"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_calls(name):
    wrong, rule = WRONG[name]
    t = instance()
    a, b = (t.Tensor("float16", (ROWS, COLUMNS), name=n, scope=tik.scope_ubuf) for n in "ab")
    with pytest.raises(tik.TikError) as caught:
        wrong(t, a, b)
    assert caught.value.rule == rule and caught.value.file == __file__
