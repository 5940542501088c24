# SPDX-License-Identifier: Apache-2.0
"""Results beside exact ones: how many are correctly rounded, the largest error, and special values by kind."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from . import _exact


class Measured(NamedTuple):
    """points: all pairs. numbers: finite operands whose exact result rounds to a finite number; of them right are correctly
    rounded (a zero of either sign), and unsure those of which float64 leaves two candidates. largest: error in units in
    the last place of the exact result, at the operands `at`, which gave `given`; inf where no number came. specials: by
    what the exact result is, how often what was given.
    """

    points: int
    numbers: int
    right: int
    unsure: int
    largest: float
    at: tuple
    given: float
    exact: float
    subnormals: tuple  # exact results below the normal range: how many, how many right
    specials: dict


def measure(call: str, first: np.ndarray, second: np.ndarray, given: np.ndarray, two: bool) -> Measured:
    """given: [second, first], of the operands' type."""
    dtype = given.dtype
    value, bound = _exact.exact(call, first, second)
    with np.errstate(all="ignore"):
        rounded = value.astype(dtype)
        low, high = (np.where(bound == 0, value, value + by).astype(dtype) for by in (-bound, bound))  # -0 + 0 is 0
    number = np.isfinite(first)[None, :] & np.isfinite(second)[:, None] & np.isfinite(rounded)
    sure = low == high
    right = number & sure & (given == rounded)
    unsure = number & ~sure
    for row, column in np.argwhere(unsure)[:4096]:
        tie = _tie(call, first[column], second[row], low[row, column], high[row, column])
        if tie is not None:
            unsure[row, column], right[row, column] = False, given[row, column] == tie
    error = _errors(value, given, number)
    row, column = np.unravel_index(int(np.argmax(error)), error.shape)
    small = number & (np.abs(value) < np.finfo(dtype).tiny) & (value != 0)
    return Measured(
        points=given.size,
        numbers=int(number.sum()),
        right=int(right.sum()),
        unsure=int(unsure.sum()),
        largest=float(error[row, column]),
        at=(float(first[column]), float(second[row])) if two else (float(first[column]),),
        given=float(given[row, column]),
        exact=float(value[row, column]),
        subnormals=(int(small.sum()), int((right & small).sum())),
        specials=_specials(value, rounded, given),
    )


def _tie(call, x, z, low, high):
    """What the middle between two neighbours is rounded to, where the exact result is that middle; None: it is not known."""
    if not (np.isfinite(low) and np.isfinite(high)):
        return None
    middle = (Fraction(float(low)) + Fraction(float(high))) / 2
    if not _exact.equals(call, float(x), float(z), middle):
        return None
    word = f"u{low.dtype.itemsize}"
    return low if int(low.view(word)) % 2 == 0 else high


def _errors(value: np.ndarray, given: np.ndarray, number: np.ndarray) -> np.ndarray:
    """In units in the last place of the exact value; inf where a number was due and none came; -1 elsewhere."""
    info = np.finfo(given.dtype)
    with np.errstate(all="ignore"):
        exponent = np.maximum(np.frexp(np.where(number, value, 0))[1] - 1, info.minexp)
        error = np.abs(given.astype(np.float64) - value) / np.ldexp(1.0, exponent - info.nmant)
    error[~np.isfinite(error)] = np.inf
    error[~number] = -1
    return error


def _kinds(value: np.ndarray, most: float) -> dict[str, np.ndarray]:
    zero = value == 0
    negative = np.signbit(value)
    kinds = {"NaN": np.isnan(value), "inf": np.isposinf(value), "-inf": np.isneginf(value)}
    kinds.update({"0": zero & ~negative, "-0": zero & negative, "largest": value == most, "-largest": value == -most})
    kinds["number"] = ~np.logical_or.reduce(list(kinds.values()))
    return kinds


def _specials(value: np.ndarray, rounded: np.ndarray, given: np.ndarray) -> dict[str, dict[str, int]]:
    """Of exact infinities, NaN, zeros, and numbers beyond the range: how often what was given."""
    most = float(np.finfo(given.dtype).max)
    infinite = np.isinf(value)
    due = {"beyond the range": np.isinf(rounded) & ~infinite}
    due.update(
        {kind: chosen for kind, chosen in _kinds(value, np.inf).items() if kind in ("NaN", "inf", "-inf", "0", "-0")}
    )
    came = _kinds(given, most)
    found = {}
    for kind, chosen in due.items():
        counts = {name: int((chosen & mask).sum()) for name, mask in came.items()}
        if any(counts.values()):
            found[kind] = {name: count for name, count in counts.items() if count}
    return found
