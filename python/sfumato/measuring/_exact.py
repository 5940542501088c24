# SPDX-License-Identifier: Apache-2.0
"""What calls would give without rounding: float64 with a bound of its error. It shares nothing with the engine.

Sums, products, quotients and roots of half and float, rounded to float64 and then to half or float, are correctly rounded
(53 bits are at least twice 24 and 2), so their bound is 0. Of functions of the C library and NumPy the bound is 8 units
in the last place of float64, twice what they promise; of others it stands at the function.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Callable, NamedTuple

import numpy as np

_LIBRARY = 2.0**-50  # relative
_COMPOSED = 2.0**-43  # relative, of several functions one after another: an exponent has errors of its own size


class Exact(NamedTuple):
    value: np.ndarray
    bound: np.ndarray  # absolute; the exact value is within it


def _rational(function: Callable) -> Callable:
    return lambda x, z: Exact(function(x, z), np.zeros(1))


def _within(function: Callable, relative: float = _LIBRARY) -> Callable:
    def computed(x, z):
        value = function(x, z)
        return Exact(value, np.abs(np.where(np.isfinite(value), value, 0)) * relative)

    return computed


def _unary(function: Callable) -> Callable:
    return lambda x, z: function(x)


def _by_element(function: Callable) -> Callable:
    return lambda x, z: np.frompyfunc(function, 1, 1)(x).astype(np.float64)


def _ordered(choose: Callable, other: Callable) -> Callable:
    """max and min with +0 above -0."""

    def chosen(x, z):
        signed = np.where(choose(np.signbit(x), np.signbit(z)), -0.0, 0.0)
        return np.where((x == 0) & (z == 0), signed, other(x, z))

    return chosen


_MAX, _MIN = _ordered(np.logical_and, np.maximum), _ordered(np.logical_or, np.minimum)


def _relu(x):
    return np.where(x > 0, x, np.where(np.isnan(x), x, 0.0))


# --- activations ----------------------------------------------------------------------------------------------------------
def _gate(x, exponent):
    """x / (1 + e^exponent), and its limit where both are infinite."""
    gated = x / (1 + np.exp(exponent))
    return np.where(np.isinf(x) & np.isposinf(exponent), -0.0, gated)


def _gelu(x):
    return _gate(x, -1.5957691 * (x + 0.044715 * x**3))


def _faster_gelu_v2(x):
    curve = 0.5 - 0.1444 * (np.minimum(0.70710678 * np.abs(x), 1.769) - 1.769) ** 2
    return x * (0.5 + np.sign(x) * curve)


def _faster_gelu_v2_exact(x, z):
    """0.5 and a number near it cancel: the error is that of 0.5 times x. Where the minimum is 1.769 nothing is rounded."""
    rounded = np.isfinite(x) & (0.70710678 * np.abs(x) < 1.769)
    return Exact(_faster_gelu_v2(x), np.where(rounded, np.abs(x), 0) * 2.0**-50)


def _geglu_gate(z):
    return _gate(z, -0.0713548162726 * z * (z * z + 22.363860002236))


# --- the gamma function ---------------------------------------------------------------------------------------------------
_EULER = 0.57721566490153286061
_TERMS = 100.0


def _zeta_above_one(k: float) -> float:
    """zeta(k) - 1: the sum up to _TERMS, and what is behind it by Euler and Maclaurin."""
    n = _TERMS
    behind = [n ** (1 - k) / (k - 1), n**-k / 2, k * n ** (-k - 1) / 12, -k * (k + 1) * (k + 2) * n ** (-k - 3) / 720]
    behind.append(k * (k + 1) * (k + 2) * (k + 3) * (k + 4) * n ** (-k - 5) / 30240)
    return math.fsum([*(m**-k for m in range(2, int(n))), *behind])


_ZETA = [_zeta_above_one(float(k)) for k in range(2, 60)]


def _lgamma_near(t: float, zeta: list[float], first: float) -> float:
    return math.fsum([first * t, *(z * (-t) ** k / k for k, z in enumerate(zeta, 2))])


def _lgamma_positive(x: float) -> float:
    if abs(x - 1) <= 0.25:
        return _lgamma_near(x - 1, [1 + z for z in _ZETA], -_EULER)
    if abs(x - 2) <= 0.25:
        return _lgamma_near(x - 2, _ZETA, 1 - _EULER)
    try:
        return math.lgamma(x)
    except OverflowError:
        return math.inf


def _lgamma(x: float) -> tuple[float, float]:
    """The logarithm of |gamma(x)|, and a bound of its error."""
    if math.isnan(x) or math.isinf(x):
        return abs(x), 0
    if x <= 0 and x == math.floor(x):
        return math.inf, 0
    if x > 0:
        value = _lgamma_positive(x)
        near = min(abs(x - 1), abs(x - 2)) <= 0.25
        return value, (0 if math.isinf(value) else abs(value) * _LIBRARY if near else (abs(value) + 1) * 2.0**-47)
    if x > -1e-17:
        return -math.log(-x), abs(math.log(-x)) * _LIBRARY + abs(x)
    sine = abs(math.sin(math.pi * (x - round(x))))
    terms = [math.log(math.pi), -math.log(sine), -math.log(-x), -_lgamma_positive(-x)]
    return math.fsum(terms), (sum(map(abs, terms)) + 1) * 2.0**-48


def _digamma(x: float) -> tuple[float, float]:
    """The derivative of lgamma, and a bound of its error."""
    if math.isnan(x) or x == math.inf:
        return x, 0
    if x == 0:
        return -math.copysign(math.inf, x), 0
    if x == -math.inf or (x < 0 and x == math.floor(x)):
        return math.nan, 0
    if abs(x) < 2.0**-20:
        value = math.fsum([-1 / x, -_EULER, (1 + _ZETA[0]) * x, -(1 + _ZETA[1]) * x * x])
        return value, abs(value) * 2.0**-52
    terms = []
    if x < 0:
        terms.append(-math.pi / math.tan(math.pi * (x - round(x))))
        x = 1 - x
    while x < 16:
        terms.append(-1 / x)
        x += 1
    inverse = 1 / (x * x)
    series = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
    terms += [math.log(x), -0.5 / x, *(-c * inverse ** (k + 1) for k, c in enumerate(series))]
    return math.fsum(terms), sum(map(abs, terms)) * 2.0**-47


def _with_bound(function: Callable) -> Callable:
    def computed(x, z):
        pairs = [function(float(value)) for value in x.ravel()]
        value, bound = (np.array(column).reshape(x.shape) for column in zip(*pairs))
        return Exact(value, bound)

    return computed


# --- the table ------------------------------------------------------------------------------------------------------------
_FUNCTIONS: dict[str, Callable] = {
    "Abs": _rational(_unary(np.abs)),
    "Relu": _rational(_unary(_relu)),
    "Sqrt": _rational(_unary(np.sqrt)),
    "Reciprocal": _rational(_unary(lambda x: 1 / x)),
    "Rsqrt": _within(_unary(lambda x: 1 / np.sqrt(x))),
    "Exp": _within(_unary(np.exp)),
    "Ln": _within(_unary(np.log)),
    "Add": _rational(np.add),
    "Sub": _rational(np.subtract),
    "Mul": _rational(np.multiply),
    "Div": _rational(np.divide),
    "Max": _rational(_MAX),
    "Min": _rational(_MIN),
    "LeakyRelu": _rational(lambda x, z: np.where(np.signbit(x), x * z, x)),
    "AddRelu": _rational(lambda x, z: _relu(x + z)),
    "SubRelu": _rational(lambda x, z: _relu(x - z)),
    **{name: _within(_unary(getattr(np, name.lower()))) for name in "Sin Cos Tan Sinh Cosh Tanh Log2 Log10".split()},
    **{f"A{name}": _within(_unary(getattr(np, f"arc{name}"))) for name in "sin cos tan sinh cosh tanh".split()},
    "Erf": _within(_by_element(math.erf)),
    "Erfc": _within(_by_element(math.erfc)),
    "Lgamma": _with_bound(_lgamma),
    "Digamma": _with_bound(_digamma),
    "Power": _within(np.power),
    "Fmod": _rational(np.fmod),
    "Hypot": _within(np.hypot),
    "Sigmoid": _within(_unary(lambda x: 1 / (1 + np.exp(-x))), _COMPOSED),
    "Silu": _within(_unary(lambda x: _gate(x, -x)), _COMPOSED),
    "Gelu": _within(_unary(_gelu), _COMPOSED),
    "FasterGelu": _within(_unary(lambda x: _gate(x, -1.702 * x)), _COMPOSED),
    "FasterGeluV2": _faster_gelu_v2_exact,
    "SwiGLU": _within(lambda x, z: x * _gate(z, -z), _COMPOSED),
    "GeGLU": _within(lambda x, z: x * _geglu_gate(z), _COMPOSED),
    "ReGlu": _rational(lambda x, z: x * _relu(z)),
    "Floor": _rational(_unary(np.floor)),
    "Ceil": _rational(_unary(np.ceil)),
    "Trunc": _rational(_unary(np.trunc)),
    "Round": _rational(_unary(np.rint)),
    "Frac": _rational(_unary(lambda x: x - np.trunc(x))),
    "Sign": _rational(_unary(np.sign)),
}
_SAME = {"Log": "Ln", "Adds": "Add", "Muls": "Mul", "Maxs": "Max", "Mins": "Min", "ClampMax": "Min", "ClampMin": "Max"}


def exact(call: str, first: np.ndarray, second: np.ndarray) -> Exact:
    """Of every pair, [second, first]: arrays of half or float."""
    x, z = first.astype(np.float64)[None, :], second.astype(np.float64)[:, None]
    if call == "Swish":  # its kernel gives the scalar 1.702, in the type
        scale = float(np.array(1.702, first.dtype))
        found = _within(_unary(lambda v: _gate(v, -scale * v)), _COMPOSED)
    else:
        found = _FUNCTIONS[_SAME.get(call, call)]
    with np.errstate(all="ignore"):
        value, bound = found(x, z)
    shape = (second.size, first.size)
    return Exact(np.broadcast_to(value, shape), np.broadcast_to(bound, shape))


def equals(call: str, x: float, z: float, candidate: Fraction) -> bool | None:
    """Whether the exact result is the candidate, by rational arithmetic; None: nobody here can say."""
    if not (math.isfinite(x) and math.isfinite(z)):
        return None
    if call == "Hypot":
        return candidate**2 == Fraction(x) ** 2 + Fraction(z) ** 2
    if call == "Power" and abs(z) <= 64 and z.is_integer() and x != 0:
        return candidate == Fraction(x) ** int(z)
    if call == "Power" and abs(z) <= 8 and (z * 8).is_integer() and x > 0:
        return candidate**8 == Fraction(x) ** int(z * 8)
    return None
