# SPDX-License-Identifier: Apache-2.0
"""The probes of Mmad: 16 x k by the transpose of 16 x k, made so that ways to add products differ."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from ._inputs import TYPES, to_bfloat16, words

UNIT = {"half": 16, "bfloat16_t": 16, "float": 8}  # products of 32 bytes


class Matrix(NamedTuple):
    """a and b, 16 x k each, bfloat16_t as bits; split: k of the first of two calls, or 0.

    use: `sum` for the order and the width of sums, `ties`, `subnormal`, `overflow` for those questions.
    """

    name: str
    type: str
    factors: str
    split: int
    k: int
    a: np.ndarray
    b: np.ndarray
    use: str


def _typed(values, name):
    with np.errstate(all="ignore"):
        return to_bfloat16(values) if name == "bfloat16_t" else np.asarray(values).astype(TYPES[name])


def _uniform(seed, *shape):
    """From 0 up to 1."""
    return (words(seed, int(np.prod(shape))) / 2.0**32).reshape(shape)


def _columns():
    return np.arange(16)[:, None]


def _order(unit):
    """2^24 first, -2^24 later: what of the ones between survives tells what is added before what."""
    k = 4 * unit
    a, b = np.ones((16, k)), np.ones((16, k))
    places = np.linspace(1, k - 1, 16).astype(int)
    a[:, 0] = b[:, 0] = 4096
    a[np.arange(16), places] = -4096
    b[np.arange(16), places] = 4096
    return a, b


def _round(unit):
    """Parts of 2^-24 beside 1, in its group and in the next: ties and what lies beside them."""
    k = 4 * unit
    a, b = np.zeros((16, k)), np.zeros((16, k))
    a[:8, 0], a[8:, 0] = 1, -1
    a[:, 1] = a[:, unit] = 2.0**-12
    b[:, 0] = 1
    b[:, unit] = np.arange(16) % 8 * 2.0**-13
    b[8:, 1] = 2.0**-14
    return a, b


def _width(unit, where, low):
    """1, a power of two far below, then -1: how many bits a group keeps."""
    k = 4 * unit
    a, b = np.zeros((16, k)), np.zeros((16, k))
    a[:, 0], a[:, where + 1] = 1, -1
    a[:, where] = 2.0 ** -(np.arange(16) + low)
    b[:, 0] = b[:, where + 1] = 1
    b[:, where] = 2.0 ** -(np.arange(16) % 14)
    return a, b


def _cancel(unit, bits, seed):
    """Large numbers that cancel among small ones with many digits, anywhere in k."""
    k = 8 * unit
    u = _uniform(seed, 4, 16, k)
    small = (1 + u[0]) * 2.0 ** np.floor(-18 * u[1]) * np.where(u[2] < 0.5, 1, -1)
    keep = 2.0 ** (np.frexp(small)[1] - bits)
    a = np.round(small / keep) * keep
    for row in range(16):
        places = np.argsort(u[3, row])[: 2 + row // 4 * 2].reshape(-1, 2)
        for i, (p, q) in enumerate(places):
            a[row, p], a[row, q] = 2.0 ** (4 + (row + 3 * i) % 11), -(2.0 ** (4 + (row + 3 * i) % 11))
    b = np.broadcast_to(1 + _columns() / 64, (16, k))
    return a, b


def _spread(unit, seed):
    """Random numbers over 16 binades."""
    u = _uniform(seed, 6, 16, 8 * unit)
    return [(1 + u[i]) * 2.0 ** np.floor(8 - 16 * u[i + 2]) * np.where(u[i + 4] < 0.5, 1, -1) for i in (0, 1)]


def _plain(k, seed):
    u = _uniform(seed, 2, 16, k)
    return 2 * u[0] - 1, 2 * u[1] - 1


def _start(unit):
    """The first call leaves 2^24, the second adds ones to it."""
    k = 4 * unit
    a, b = np.ones((16, k)), np.ones((16, k))
    a[:, 0] = b[:, 0] = 4096
    b[np.arange(16), unit + np.arange(16) % unit] = 1 + np.arange(16) % 3
    return a, b


def _overflow(unit, most):
    """Row r: a product, then one that meets it. What ends where is a matter of the values, not of the order."""
    k = 2 * unit
    a, b = np.zeros((16, k)), np.zeros((16, k))
    a[:, 0] = np.where(np.arange(16) % 2, most, -most)
    a[:, unit] = np.array([0, most, -most, np.inf, -np.inf, np.nan, 1, 2])[np.arange(16) % 8]
    b[:, 0] = np.where(np.arange(16) % 4 == 0, most, 1)
    b[:, unit] = np.array([1, most, np.inf, 0])[np.arange(16) % 4]
    return a, b


def _subnormal(name):
    k = 2 * UNIT[name]
    a, b = np.zeros((16, k)), np.zeros((16, k))
    rows = np.arange(16)
    if name == "half":  # operands are subnormal, results are not
        a[:, 0], a[:, 3] = (rows + 1) * 2.0**-24, 2.0**-14 * (1 - rows / 1024)
        b[:, 0], b[:, 3] = (rows + 1) * 2.0**-24, 2.0**-24
    else:  # rows: normal or subnormal operands; columns: normal or subnormal products
        a[:8, 0], a[8:, 0] = 2.0 ** -(118 + rows[:8]), 2.0**-133 * (rows[8:] + 1)
        b[:, 0] = 2.0 ** (6 - 2 * rows)
    return a, b


def _hf32():
    """Ties and their neighbours at the 11th bit, by factors that are exact."""
    k = 16
    a, b = np.zeros((16, k)), np.zeros((16, k))
    rows = np.arange(16)
    a[:, 0] = 1 + rows // 2 * 2.0**-10 + rows % 2 * 2.0**-11
    steps = [1, -1, 1 + 2.0**-11, 1 + 2.0**-11 + 2.0**-23, 1 + 2.0**-12, 1 + 3 * 2.0**-11, 1.5, 3 - 2.0**-11]
    b[:, 0] = np.array(steps)[rows % 8]
    return a, b


@functools.cache
def matrices() -> tuple[Matrix, ...]:
    made = []

    def add(name, kind, pair, use="sum", split=0, factors="float"):
        a, b = (_typed(side, kind) for side in pair)
        made.append(Matrix(f"{kind}-{name}", kind, factors, split, a.shape[1], a, b, use))

    for seed, (kind, unit) in enumerate(UNIT.items(), 900):
        bits = {"half": 11, "bfloat16_t": 8, "float": 24}[kind]
        add("order", kind, _order(unit))
        add("round", kind, _round(unit))
        add("width-same", kind, _width(unit, 1, 8 if kind == "half" else 12))
        add("width-next", kind, _width(unit, unit, 8 if kind == "half" else 12))
        add("cancel", kind, _cancel(unit, min(bits, 12), seed))
        add("cancel-split", kind, _cancel(unit, min(bits, 12), seed + 10), split=3 * unit)
        add("spread", kind, _spread(unit, seed + 20))
        add("start", kind, _start(unit), split=unit)
        add("plain", kind, _plain(8 * unit, seed + 30))
        add("overflow", kind, _overflow(unit, 65504.0 if kind == "half" else 2.0**127), "overflow")
        if kind != "bfloat16_t":
            add("subnormal", kind, _subnormal(kind), "subnormal")
    for way in (0, 1):
        add(f"hf32-{way}", "float", _hf32(), "ties", factors=f"hf32-{way}")
        add(f"hf32-{way}-plain", "float", _plain(64, 950 + way), "ties", factors=f"hf32-{way}")
    return tuple(made)
