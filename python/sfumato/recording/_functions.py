# SPDX-License-Identifier: Apache-2.0
"""Models of functions of one operand and of quotients: float64 arrays that a format holds to such arrays.

Written from descriptions alone (docs/last-bits.md); nothing of the product's engine is used.
"""

from __future__ import annotations

import decimal
import functools
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ._numbers import FORMATS, Format, flushed, round_to, step_of

_DECIMAL = decimal.Context(prec=80)
_CLOSE = 2.0**-49  # what float64 functions may be off, with room
NEAR = 0.27  # of the envelope of Div: how far from the middle of two floats a quotient may be moved
_IN_FLOAT64 = {
    "exp": np.exp,
    "ln": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "rec": lambda x: 1 / x,
}
_IN_DECIMAL = {
    "exp": _DECIMAL.exp,
    "ln": _DECIMAL.ln,
    "sqrt": _DECIMAL.sqrt,
    "rsqrt": lambda x: _DECIMAL.divide(1, _DECIMAL.sqrt(x)),
    "rec": lambda x: _DECIMAL.divide(1, x),
}
Model = Callable[[np.ndarray, Format], np.ndarray]


def rounded(function: str, x: np.ndarray, form: Format, mode: str = "rint") -> np.ndarray:
    """The function's value rounded once. Where float64 does not tell to which side, 80 digits do."""
    with np.errstate(all="ignore"):
        v = _IN_FLOAT64[function](x)
        low, high = (round_to(v * (1 + d), form, mode) for d in (-_CLOSE, _CLOSE))
        result = round_to(v, form, mode)
    for at in np.flatnonzero((low != high) & np.isfinite(v) & (v != 0)):
        result[at] = _by_decimal(function, x[at], v[at], form, mode)
    return result


def _by_decimal(function, x, near, form, mode):
    exact = Fraction(_IN_DECIMAL[function](decimal.Decimal(float(x))))
    step = Fraction(float(step_of(np.array(near), form)))
    steps, rest = divmod(exact, step)
    if rest.numerator * 10**40 < rest.denominator:  # 80 digits of a value that the format holds
        rest = Fraction(0)
    inner = 0.0 if not rest else 0.25 if 2 * rest < step else 0.5 if 2 * rest == step else 0.75
    return float(round_to(np.array((float(steps) + inner) * float(step)), form, mode))


def twice(function: str, x: np.ndarray, form: Format) -> np.ndarray:
    """Rounded to float, then to the format."""
    return round_to(rounded(function, x, FORMATS["float"]), form)


def _significand(v, bits, place):
    """Of v in [1, 2): the left end, the middle or the right end of its cell of 2^-bits."""
    return (np.floor(np.ldexp(v, bits)) + {"left": 0, "mid": 0.5, "right": 1}[place]) / 2.0**bits


def estimate(
    function: str, x: np.ndarray, form: Format, index: int, place: str, fraction: int, mode: str
) -> np.ndarray:
    """Of 2^index cells of a significand (of two binades for rsqrt): one value each, of so many fraction bits."""
    with np.errstate(all="ignore"):
        m, e = np.frexp(np.abs(x))
        m, e = 2 * m, e - 1  # |x| = m 2^e, m in [1, 2)
        if function == "rec":
            v = 2 / _significand(m, index, place)
            exponent = -e - 1
        else:
            odd = np.mod(e, 2)
            v = 2 / np.sqrt(_significand(m, index - 1, place) * np.where(odd, 2, 1))
            exponent = -(e - odd) // 2 - 1
        scaled = np.ldexp(v, fraction)
        kept = {"floor": np.floor, "ceil": np.ceil, "near": np.rint}[mode](scaled)
        y = np.copysign(np.ldexp(kept, exponent - fraction), x)
    special = ~np.isfinite(x) | (x == 0) | ((x < 0) & (function == "rsqrt"))
    return round_to(np.where(special, rounded(function, x, form), y), form)


@functools.cache
def of_one(function: str, name: str) -> dict[str, Model]:
    """The candidates of a function, results of finite normal operands and normal results."""
    modes = {"nearest": "rint", "toward zero": "trunc", "down": "floor", "up": "ceil"}
    made = {word: functools.partial(_rounded_by, function, mode) for word, mode in modes.items()}
    if name == "half":
        made["float, then half"] = functools.partial(twice, function)
    if function in ("rsqrt", "rec"):
        made = {"exact" if word == "nearest" else f"exact, {word}": model for word, model in made.items()}
        for index in range(5, 13):
            for place in ("left", "mid", "right"):
                for fraction in range(6, 13):
                    for mode in ("floor", "near", "ceil"):
                        word = f"table:{index}:{place}:{fraction}:{mode}"
                        word = "board" if word == "table:8:mid:8:near" else word
                        made[word] = functools.partial(_table, function, index, place, fraction, mode)
    return made


def _rounded_by(function, mode, x, form):
    return rounded(function, x, form, mode)


def _table(function, index, place, fraction, mode, x, form):
    return estimate(function, x, form, index, place, fraction, mode)


FLUSHES = {  # what happens to subnormal operands and results
    "kept": (False, False),
    "operands flushed": (True, False),
    "results flushed": (False, True),
    "operands and results flushed": (True, True),
}


def with_flush(
    flush: str, compute: Callable[..., np.ndarray], form: Format, *operands: np.ndarray, of: Format | None = None
) -> np.ndarray:
    """compute(*operands) with subnormals taken as FLUSHES[flush] says. of: the operands' format, if another."""
    before, after = FLUSHES[flush]
    if before:
        operands = tuple(flushed(v, of or form) for v in operands)
    result = compute(*operands)
    return flushed(result, form) if after else result


# --- quotients --------------------
def quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """In float64: no quotient of two floats is so near to the middle of two floats that the second rounding shows."""
    with np.errstate(all="ignore"):
        return a / b


def _moved(direction, a, b, form):
    """Quotients within NEAR of the middle of two floats, but not on it, to the neighbour away from zero or toward it."""
    q = quotient(a, b)
    step = step_of(q, form)
    with np.errstate(all="ignore"):
        steps = np.abs(q) / step
        below = np.floor(steps)
        part = steps - below
        up = part > (0.5 - NEAR if direction == "away" else 0.5 + NEAR)
        moved = np.copysign((below + up) * step, q)
    nearest = round_to(q, form)
    ok = np.isfinite(q) & (nearest != 0) & (part != 0) & (part != 0.5) & (np.abs(moved) <= form.most)
    return np.where(ok, moved, nearest)


def _newton(steps, a, b, form):
    """From the estimate of 1 / b, each operation rounded, then times a."""
    y = estimate("rec", b, form, 8, "mid", 8, "near")
    with np.errstate(all="ignore"):
        for _ in range(steps):
            y = round_to(y * round_to(2 - round_to(b * y, form), form), form)
        return round_to(a * y, form)


def _corrected(a, b, form):
    """The quotient of two Newton steps, and once more what it lacks, the residue exact."""
    q = _newton(2, a, b, form)
    with np.errstate(all="ignore"):
        return round_to(q + round_to(a - q * b, form) * round_to(1 / b, form), form)


def _times_reciprocal(a, b, form):
    with np.errstate(all="ignore"):
        return round_to(a * round_to(1 / b, form), form)


def quotients(name: str) -> dict[str, Callable[[np.ndarray, np.ndarray, Format], np.ndarray]]:
    made = {
        "nearest": lambda a, b, form: round_to(quotient(a, b), form),
        "toward zero": lambda a, b, form: round_to(quotient(a, b), form, "trunc"),
        "times the reciprocal": _times_reciprocal,
    }
    if name == "half":
        made["float, then half"] = lambda a, b, form: round_to(round_to(quotient(a, b), FORMATS["float"]), form)
        return made
    made |= {way: functools.partial(_moved, way) for way in ("away", "toward")}
    made |= {f"{n} Newton steps": functools.partial(_newton, n) for n in (1, 2, 3)}
    made["2 Newton steps, corrected"] = _corrected
    return made


def near_the_middle(a: np.ndarray, b: np.ndarray, form: Format) -> np.ndarray:
    """Where a quotient lies within NEAR of the middle of two floats."""
    q = quotient(a, b)
    with np.errstate(all="ignore"):
        steps = np.abs(q) / step_of(q, form)
        return np.abs(steps - np.floor(steps) - 0.5) <= NEAR


def envelope(a: np.ndarray, b: np.ndarray, got: np.ndarray, form: Format) -> tuple[int, int, float]:
    """How many quotients are not the nearest; how many of these lie beyond NEAR or are no neighbour; the largest
    distance from the exact quotient, in units of the last place."""
    q = quotient(a, b)
    nearest = round_to(q, form)
    step = step_of(q, form)
    with np.errstate(all="ignore"):
        off = np.abs(got - q) / step
    other = got != nearest
    return int(other.sum()), int((other & ~(off <= 0.5 + NEAR)).sum()), float(off.max(initial=0.0))
