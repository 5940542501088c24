# SPDX-License-Identifier: Apache-2.0
"""Models of reductions, of atomic additions and of arithmetic beside them. Nothing of the product's engine is used."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from ._numbers import FORMATS, Format, round_to

Order = Callable[[np.ndarray, Format], np.ndarray]  # rows of numbers to their sums


def exact_sum(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a + b in float64, rounded to odd: what is lost still shows in any later rounding to fewer bits."""
    with np.errstate(all="ignore"):
        s = a + b
        second = s - a
        lost = (a - (s - second)) + (b - second)
        lost = np.where(np.isfinite(s) & np.isfinite(lost), lost, 0.0)
        even = (s.view(np.uint64) & np.uint64(1)) == 0
        return np.where((lost != 0) & even, np.nextafter(s, np.copysign(np.inf, lost)), s)


def exact_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Of two floats, exact in float64."""
    with np.errstate(all="ignore"):
        return a * b


def _plus(a, b, form):
    """To nearest even, by NumPy in the type itself, which takes less time than exact_sum."""
    dtype = np.float16 if form is FORMATS["half"] else np.float32
    with np.errstate(all="ignore"):
        return (a.astype(dtype) + b.astype(dtype)).astype(np.float64)


def sequential(rows: np.ndarray, form: Format) -> np.ndarray:
    total = rows[:, 0]
    for column in range(1, rows.shape[1]):
        total = _plus(total, rows[:, column], form)
    return total


def neighbours(rows: np.ndarray, form: Format) -> np.ndarray:
    """(0, 1), (2, 3), ..., then the neighbours of these; one that is left over passes on."""
    while rows.shape[1] > 1:
        even = rows.shape[1] // 2 * 2
        paired = _plus(rows[:, 0:even:2], rows[:, 1:even:2], form)
        rows = np.concatenate([paired, rows[:, even:]], axis=1)
    return rows[:, 0]


def halves(rows: np.ndarray, form: Format) -> np.ndarray:
    """The second half onto the first, again and again; lengths are rounded up to a power of two by zeros."""
    width = 1 << (rows.shape[1] - 1).bit_length()
    rows = np.pad(rows, ((0, 0), (0, width - rows.shape[1])))
    while rows.shape[1] > 1:
        half = rows.shape[1] // 2
        rows = _plus(rows[:, :half], rows[:, half:], form)
    return rows[:, 0]


def exact(rows: np.ndarray, form: Format) -> np.ndarray:
    """The values of the probes add up exactly in float64."""
    return round_to(rows.sum(axis=1), form)


def _blocks(inner, outer, lanes, rows, form):
    """Groups of so many lanes, then the sums of the groups."""
    sums = [inner(rows[:, at : at + lanes], form) for at in range(0, rows.shape[1], lanes)]
    return outer(np.stack(sums, axis=1), form)


def _wide(order, rows, form):
    return round_to(order(rows, FORMATS["float"]), form)


ORDERS: dict[str, Order] = {"sequential": sequential, "neighbours": neighbours, "halves": halves}


def of_a_row(name: str, lanes: int) -> dict[str, Order]:
    """The sums of up to 256 bytes. lanes: elements of 32 bytes."""
    made = {**ORDERS, "exact": exact}
    for inner in ORDERS:
        for outer in ORDERS:
            if inner != outer:
                made[f"{inner} in 32 bytes, then {outer}"] = functools.partial(
                    _blocks, ORDERS[inner], ORDERS[outer], lanes
                )
    if name == "half":
        made |= {
            f"{word}, in float": functools.partial(_wide, order) for word, order in made.items() if word != "exact"
        }
    return made


def of_repeats(inner: dict[str, Order], lanes: int) -> dict[str, Order]:
    """The sums of many repeats: each by one of `inner`, then these. lanes: elements of 256 bytes."""
    made: dict[str, Order] = {"sequential throughout": sequential, "neighbours throughout": neighbours, "exact": exact}
    for word, order in inner.items():
        for outer in ORDERS:
            made[f"{word}; repeats {outer}"] = functools.partial(_blocks, order, ORDERS[outer], lanes)
    return made
