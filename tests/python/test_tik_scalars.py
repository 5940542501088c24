# SPDX-License-Identifier: Apache-2.0
"""Scalars and expressions: types, C's arithmetic, what set_as takes."""

import numpy as np
import pytest
from tik_support import evaluate, instance

from sfumato import tik


def scalars(t, **values):
    return [t.Scalar(dtype, init_value=value) for dtype, value in values.items()]


TYPES = [
    (lambda s: s["int32"] + s["int32"], "int32"),
    (lambda s: s["int32"] + 1, "int32"),
    (lambda s: 1 + s["int8"], "int8"),
    (lambda s: s["int32"] + s["uint32"], "uint32"),
    (lambda s: s["int32"] + s["int64"], "int64"),
    (lambda s: s["int8"] * s["uint16"], "uint16"),
    (lambda s: s["float32"] * s["int64"], "float32"),
    (lambda s: s["float16"] + s["float16"], "float16"),
    (lambda s: s["float16"] + s["float32"], "float32"),
    (lambda s: s["int32"] + 0.5, "float32"),
    (lambda s: s["int32"] + 2.0, "int32"),
    (lambda s: s["float16"] + 1, "float16"),
    (lambda s: -s["int16"], "int16"),
    (lambda s: ~s["uint16"], "uint16"),
    (lambda s: s["int32"].astype("int64"), "int64"),
]


@pytest.mark.parametrize(("expression", "dtype"), TYPES)
def test_types(expression, dtype):
    t = instance()
    names = ("int8", "int16", "uint16", "int32", "uint32", "int64", "float16", "float32")
    every = {name: t.Scalar(name) for name in names}
    made = expression(every)
    assert isinstance(made, tik.Expr) and made.dtype == dtype


def test_integers():
    def build(t):
        a, b = t.Scalar("int32", init_value=-7), t.Scalar("int32", init_value=2)
        big = t.Scalar("int32", init_value=2**31 - 1)
        return [
            a + b, a - b, a * b, a / b, a // b, a % b, 7 // b, 7 - a, big + 1, a & 12, a | 8, a ^ 5, ~a, -a,
            b << 4, a >> 1, 1 << b, 100 % b, np.int64(3) * b, +a,
        ]  # fmt: skip

    assert evaluate(build) == [
        -5, -9, -14, -3, -3, -1, 3, 14, -(2**31), 8, -7 | 8, -7 ^ 5, 6, 7, 32, -4, 4, 0, 6, -7,
    ]  # fmt: skip


def test_unsigned_wraps():
    def build(t):
        (a,) = scalars(t, uint8=250)
        return [a + 10, a * 2, a >> 1, (a + 10) < a]

    t = instance()
    assert evaluate(lambda t: build(t)[:3], "uint8") == [4, 244, 125]
    assert t.Scalar("uint8").dtype == "uint8"


def test_floats():
    def build(t):
        (a,) = scalars(t, float32=1.5)
        return [a + 1, a * 2.25, a / 4, 1 - a, -a]

    assert evaluate(build, "float32") == [2.5, 3.375, 0.375, -0.5, -1.5]


def test_conditions():
    def build(t):
        a, b = t.Scalar("int32", init_value=3), t.Scalar("int32", init_value=5)
        conditions = [
            a < b, a <= 3, a > b, a >= 4, a == 3, a != 3, 5 == b,
            tik.all(a < b, b < 6), tik.all(a < b, b < 5, a == 3), tik.any(a > b, b == 5), tik.any(a > b, b == 4),
            tik.negate(a < b), tik.negate(tik.any(a > b, a == 4)), tik.all(a == 3, True), tik.any(False, a == 3),
        ]  # fmt: skip
        values = []
        for condition in conditions:
            value = t.Scalar("int32", init_value=0)
            with t.if_scope(condition):
                value.set_as(1)
            values.append(value)
        return values

    assert evaluate(build) == [1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1]


def test_conditions_of_python_numbers():
    assert tik.all(1 < 2, True) == 1 and tik.any(False, 0) == 0 and tik.negate(1 > 2) == 1


def test_set_as_converts_integers():
    def build(t):
        wide = t.Scalar("int64", init_value=2**40 + 300)
        narrow = t.Scalar("uint8")
        narrow.set_as(wide)
        sign = t.Scalar("int32", init_value=t.Scalar("int8", init_value=-3))
        return [narrow, sign]

    assert evaluate(build) == [300 - 256, -3]


def test_scalar_array():
    def build(t):
        array = t.ScalarArray("int32", length=4, name="array", init_value=[10, 20, 30, 40])
        same = t.ScalarArray("int32", 2, init_value=5)
        with t.for_range(0, 3) as i:
            array[i + 1].set_as(array[i] + array[i + 1])
        array[0] = same[1]
        assert len(array) == 4
        return [array[0], array[1], array[3] + 0]

    assert evaluate(build) == [5, 30, 100]


@pytest.mark.parametrize(
    ("dtype", "value"), [("int32", -5), ("uint8", 200), ("int64", 2**40), ("float32", 2.5), ("float16", 1.5)]
)
def test_input_scalar(dtype, value):
    made = evaluate(lambda t, n: [n + 1], dtype, feed={"n": value}, inputs=[lambda t: t.InputScalar(dtype, "n")])
    assert made == [value + 1]


def test_scalar_calls():
    def build(t):
        a, b, high = t.Scalar("int64", init_value=-9), t.Scalar("int64", init_value=4), t.Scalar("int64")
        low, absolute, ones = t.Scalar("int64"), t.Scalar("int64"), t.Scalar("uint64")
        t.scalar_max(high, a, b)
        t.scalar_min(low, a, b)
        t.scalar_abs(absolute, a)
        word = t.Scalar("uint64", init_value=0xF0F)
        t.scalar_countbit1(ones, word)
        return [high, low, absolute, ones]

    assert evaluate(build, "int64") == [4, -9, 9, 8]


def test_scalar_conv():
    def build(t):
        real, whole = t.Scalar("float32", init_value=2.5), t.Scalar("int32")
        t.scalar_conv("round", whole, real)
        up = t.Scalar("int32")
        t.scalar_conv("ceil", up, real)
        return [whole, up]

    assert evaluate(build) == [2, 3]


def test_bool_is_refused():
    t = instance()
    a = t.Scalar("int32", init_value=1)
    for use in (lambda: bool(a), lambda: a and 1, lambda: not a, lambda: 0 < a < 3, lambda: a in [1, 2]):
        with pytest.raises(tik.TikError, match="Python cannot decide on it"):
            use()
    assert len({a, a}) == 1


def test_values_of_two_instances():
    a, b = instance().Scalar("int32"), instance().Scalar("int32")
    with pytest.raises(tik.TikError, match="another Tik instance"):
        a + b
