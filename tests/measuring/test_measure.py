# SPDX-License-Identifier: Apache-2.0
"""Operands, what is counted, and the kernels that `sfumato ulp` makes."""

import numpy as np
import pytest

import sfumato
from sfumato.measuring import _calls, _inputs, _kernels, _measure

ONE = np.float16([1])
SQRT = np.arange(1 << 16, dtype=np.uint16).view(np.float16)


def roots():
    with np.errstate(all="ignore"):
        return np.sqrt(SQRT.astype(np.float64)).astype(np.float16)[None, :]


def test_a_right_table():
    found = _measure.measure("Sqrt", SQRT, ONE, roots(), False)
    positive = np.isfinite(SQRT) & ((SQRT > 0) | (SQRT == 0))
    assert (found.points, found.numbers, found.right, found.unsure) == (65536, positive.sum(), positive.sum(), 0)
    assert 0.49 < found.largest <= 0.5
    assert found.specials["NaN"] == {"NaN": int(np.isnan(roots()).sum())}
    assert found.specials["-0"] == {"-0": 1}


def test_one_bit_in_one_result():
    """A table that is wrong in one entry, in one unit."""
    given = roots()
    bits = given.view(np.uint16)
    bits[0, 0x4400] += 1  # the root of 4
    found = _measure.measure("Sqrt", SQRT, ONE, given, False)
    assert found.numbers - found.right == 1
    assert (found.largest, found.at, found.given, found.exact) == (1.0, (4.0,), 2.001953125, 2.0)


def test_special_values_that_differ():
    given = roots()
    given[0, 0x7C00], given[0, 0xBC00], given[0, 0x8000] = 65504, 0, 0  # of inf, -1, -0
    found = _measure.measure("Sqrt", SQRT, ONE, given, False)
    assert found.specials["inf"] == {"largest": 1}
    assert found.specials["NaN"]["0"] == 1
    assert found.specials["-0"] == {"0": 1}
    assert found.right == found.numbers  # no number differs


def test_a_number_that_is_none():
    given = roots()
    given[0, 0x3C00] = np.nan
    found = _measure.measure("Sqrt", SQRT, ONE, given, False)
    assert (found.largest, found.at) == (np.inf, (1.0,))


def test_subnormal_results_have_units_of_their_own():
    x = np.float16([2**-14, 2**-20])
    given = np.float16([[2**-15, 2**-21 + 2**-24]])
    found = _measure.measure("Mul", x, np.float16([0.5]), given, True)
    assert (found.largest, found.at, found.subnormals) == (1.0, (2**-20, 0.5), (2, 1))


def test_a_tie_is_decided():
    """1 + 2^-11 squared is no tie; 2^-24 at 1.5 is: the middle of two subnormals, taken to the even one."""
    x = np.float16([2**-24])
    found = _measure.measure("Power", np.float16([2**-8 * 1.5]), np.float16([3]), np.float16([[3.375 * 2**-24]]), True)
    assert found.unsure == 0
    found = _measure.measure("Hypot", x * 3, x * 4, np.float16([[5 * 2**-24]]), True)
    assert (found.right, found.unsure) == (1, 0)


def test_strata():
    x = _inputs.values("float", "strata")
    bits = x.view(np.uint32)
    assert len(np.unique(bits)) == len(bits)
    assert set((bits >> 23).tolist()) == set(range(512))  # every exponent, both signs
    assert {0, 1 << 31, 1, 0x7FFFFF, 0x7F800000, 0xFF800000} <= set(bits.tolist())
    cells = bits[(bits >> 23) == 127] >> 14 & 511
    assert set(cells.tolist()) == set(range(512))
    assert ((bits > 0) & (bits < 1 << 23)).sum() > 500


def test_ranges():
    x = _inputs.values("half", "-1:1")
    assert len(x) == 2 * 0x3C00 + 2  # both zeros, and each half between
    assert x[0] == -1 and x[-1] == 1 and (np.diff(x) >= 0).all()
    assert _inputs.values("float", "1:1").tolist() == [1]
    many = _inputs.values("float", "-2:3e38")
    assert len(many) == _inputs.MOST and many[0] == -2 and many[-1] == np.float32(3e38)
    assert len(_inputs.values("half", "all")) == 65536
    first, second = _inputs.operands(_calls.CALLS["Add"], "float", "1:2")
    assert first.size * second.size <= _inputs.MOST and second.size > 40
    assert _inputs.operands(_calls.CALLS["Exp"], "half", "all")[1].tolist() == [1]


def test_every_pair_is_run():
    """Rows that fill no tile, and scalars, each over all first operands."""
    x, z = np.float32([1, 2, 3, 5, 8] * 300), np.float32([0.5, -4, 7])
    for name, wanted in (("Add", x + z[:, None]), ("Muls", x * z[:, None]), ("ClampMax", np.minimum(x, z[:, None]))):
        call = _calls.CALLS[name]
        library = _kernels.compiled([(call, "float")], "Ascend910B1")
        given, launched = _kernels.run(library, call, x, z, {})
        assert np.array_equal(given, wanted), name
        assert launched.ok


@pytest.mark.parametrize("chip", _calls.CHIPS)
def test_calls_are_legal_where_the_table_says(chip):
    """Every kernel compiles and runs on the chip, and gives numbers."""
    product = next(one["products"] for one in sfumato.chips() if one["name"] == chip)
    todo = [(call, name) for call in _calls.CALLS.values() for name in _calls.TYPES if chip in call.chips(name)]
    library = _kernels.compiled(todo, next(iter(product)))
    for call, name in todo:
        x = np.linspace(1.1, 1.9, 5).astype(_calls.TYPES[name])
        given, _ = _kernels.run(library, call, x, x[:1], {})
        assert np.isfinite(given).all() or call.name in ("Asin", "Acos", "Atanh"), (call.name, name)
