# SPDX-License-Identifier: Apache-2.0
"""The exact results of `sfumato ulp` beside decimal arithmetic of 60 digits, and their bounds."""

from decimal import Decimal
from fractions import Fraction

import decimals
import numpy as np
import pytest

from sfumato.measuring import _calls, _exact

# From where operands are taken: magnitudes, and whether they may be negative.
DOMAINS = {
    **dict.fromkeys("Ln Log2 Log10 Sqrt Rsqrt Power".split(), (1e-30, 1e30, False)),
    **dict.fromkeys("Sin Cos Tan".split(), (1e-20, 65504, True)),
    **dict.fromkeys("Asin Acos Atanh".split(), (1e-20, 0.999, True)),
    **dict.fromkeys("Exp Sinh Cosh Sigmoid Silu FasterGelu SwiGLU".split(), (1e-20, 80, True)),
    **dict.fromkeys("Gelu GeGLU".split(), (1e-10, 9, True)),
    **dict.fromkeys("Erf Erfc".split(), (1e-20, 9, True)),
    "Acosh": (1.0001, 1e30, False),
    "Lgamma": (1e-3, 300, True),
    "Digamma": (1e-9, 300, True),
}


def operands(call, count, seed):
    low, high, signed = DOMAINS.get(call, (1e-25, 1e25, True))
    random = np.random.RandomState(seed)
    x = np.exp(random.uniform(np.log(low), np.log(high), count)) * (random.choice([-1, 1], count) if signed else 1)
    return x.astype(np.float32)


@pytest.mark.parametrize("call", decimals.FUNCTIONS)
def test_within_the_bound(call):
    count = 60 if call in ("Lgamma", "Digamma") else 150
    x = operands(call, count, 1)
    if call in ("Lgamma", "Digamma"):  # where the function or its terms are 0
        x = np.append(
            x, np.float32([1.0000001, 0.99999994, 2.0000002, 1.9999999, 1.4616321, -2.457025, 0.3, 1.25, 2.25, 5])
        )
        x = x[x != np.round(x)]
    z = np.float32([1]) if not _calls.CALLS[call].two else np.clip(operands(call, 3, 2), -50, 50)
    found = _exact.exact(call, x, z)
    for row, second in enumerate(z):
        for column, first in enumerate(x):
            exact = decimals.FUNCTIONS[call](Decimal(float(first)), Decimal(float(second)))
            if not Decimal("1e-290") < abs(exact) < Decimal("1e300"):
                continue  # beyond float64, and far beyond both types
            value, bound = (Decimal(float(part[row, column])) for part in (found.value, found.bound))
            rational = abs(exact) * Decimal(2) ** -52 if bound == 0 else 0  # float64 rounds these once
            assert abs(value - exact) <= bound + rational, (call, first, second, value, exact)


def rounded(fraction, dtype):
    """A fraction as the nearest element, ties to even, by integers."""
    info = np.finfo(dtype)
    sign, size = (-1 if fraction < 0 else 1), abs(fraction)
    exponent = info.minexp
    while size >= Fraction(2) ** (exponent + 1):
        exponent += 1
    unit = Fraction(2) ** (exponent - info.nmant)
    return dtype(float(round(size / unit) * unit) * sign)  # round of a Fraction takes ties to even


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("call", ["Add", "Sub", "Mul", "Div", "Reciprocal"])
def test_two_roundings_are_one(call, dtype):
    """Sums, products and quotients by integers: float64, then the type, is the one rounding, subnormal results included."""
    random = np.random.RandomState(3)
    word = np.dtype(f"u{np.dtype(dtype).itemsize}")
    x, z = (random.randint(0, 2 ** (8 * word.itemsize), 400, np.int64).astype(word).view(dtype) for _ in range(2))
    z = z[:8] if _calls.CALLS[call].two else np.ones(1, dtype)
    x, z = x[np.isfinite(x) & (x != 0)], z[np.isfinite(z) & (z != 0)]
    operation = {
        "Add": lambda a, b: a + b,
        "Sub": lambda a, b: a - b,
        "Mul": lambda a, b: a * b,
        "Div": lambda a, b: a / b,
        "Reciprocal": lambda a, b: 1 / a,
    }[call]
    with np.errstate(over="ignore"):
        found = _exact.exact(call, x, z).value.astype(dtype)
    for row, second in enumerate(z):
        for column, first in enumerate(x):
            exact = operation(Fraction(float(first)), Fraction(float(second)))
            if abs(exact) <= Fraction(float(np.finfo(dtype).max)):
                assert found[row, column] == rounded(exact, dtype), (call, first, second)


def test_special_values():
    x = np.float32([0, -0.0, np.inf, -np.inf, np.nan, -1])

    def of(call):
        return [str(value) for value in _exact.exact(call, x, np.float32([1])).value[0]]

    assert of("Ln")[:4] == ["-inf", "-inf", "inf", "nan"]
    assert of("Rsqrt")[:4] == ["inf", "-inf", "0.0", "nan"]
    assert of("Silu")[:4] == ["0.0", "-0.0", "inf", "-0.0"]
    assert of("Lgamma") == ["inf", "inf", "inf", "inf", "nan", "inf"]
    assert of("Digamma") == ["-inf", "inf", "inf", "nan", "nan", "nan"]
    assert of("Relu")[:2] == ["0.0", "0.0"]
    assert of("Max")[:2] == ["1.0", "1.0"]


def test_ties():
    assert _exact.equals("Hypot", 3.0, 4.0, Fraction(5))
    assert _exact.equals("Power", 2.0, -3.0, Fraction(1, 8))
    assert _exact.equals("Power", 4.0, 0.5, Fraction(2))
    assert _exact.equals("Power", 2.0, 0.5, Fraction(3, 2)) is False
    assert _exact.equals("Exp", 1.0, 1.0, Fraction(3)) is None


def test_every_call_has_an_exact_result():
    for name in _calls.CALLS:
        assert _exact.exact(name, np.float16([1]), np.float16([1])).value.shape == (1, 1)
