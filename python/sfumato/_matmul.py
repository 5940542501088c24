# SPDX-License-Identifier: Apache-2.0
"""Products of matrices by each of the ways in which Mmad may add, and how far those lie apart (docs/last-bits.md)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _native
from ._native import Error

_TYPES = ("float16", "bfloat16", "float32")


class MatmulSpread(NamedTuple):
    """The smallest and the largest result of each element of C over all ways to add; NaN in both where one gives NaN."""

    low: np.ndarray
    high: np.ndarray

    def holds(self, got: Any) -> np.ndarray:
        """Whether each element lies between the two, or is NaN where they are."""
        got = np.asarray(got, np.float32)
        return ((self.low <= got) & (got <= self.high)) | (np.isnan(got) & np.isnan(self.low))


def matmul(
    a: Any,
    b: Any,
    c: Any = None,
    *,
    order: str = "sequential",
    hf32: str | None = None,
    k_of_call: int | None = None,
    saturate: bool = False,
) -> np.ndarray:
    """C + A B of float32 as Mmad computes it when it adds in this way.

    a, b       (m, k) and (k, n), both float16, bfloat16 or float32
    c          what the sums start from, of a shape that broadcasts to (m, n): a bias, or C before; None: 0
    order      a way of `--mmad-order`
    hf32       float32: A and B are rounded to HF32 first, ties to "even" or "away"
    k_of_call  how many k one Mmad takes; None: all. Groups begin anew with each
    saturate   the overflow policy `saturate`: no inf and no NaN, at any rounding

    Slow: tens of nanoseconds a product. Throws Error for other types, shapes that do not fit and an order that is none.
    """
    return _product(*_operands(a, b, c, hf32), order, k_of_call, saturate)


def matmul_spread(
    a: Any,
    b: Any,
    c: Any = None,
    *,
    orders: Any = None,
    hf32: str | None = None,
    k_of_call: int | None = None,
    saturate: bool = False,
) -> MatmulSpread:
    """The error bar of a product: `matmul` by each of `orders` (None: the 87 that a record of a board tells apart)."""
    operands = _operands(a, b, c, hf32)
    low = high = None
    for order in _native.ways_to_add(operands[0]) if orders is None else orders:
        one = _product(*operands, order, k_of_call, saturate)
        low, high = (one, one) if low is None else (np.minimum(low, one), np.maximum(high, one))
    if low is None or high is None:
        raise Error("matmul_spread: orders is empty; None stands for all")
    return MatmulSpread(low, high)


def _operands(a, b, c, hf32):
    a, b = np.asarray(a), np.asarray(b)
    name = a.dtype.name
    if name not in _TYPES or b.dtype != a.dtype:
        raise Error(f"matmul: A is {name}, B is {b.dtype.name}; legal are two of {', '.join(_TYPES)}")
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
        raise Error(f"matmul: A is {a.shape}, B is {b.shape}; legal are (m, k) and (k, n)")
    if hf32 not in (None, "even", "away") or (hf32 and name != "float32"):
        raise Error(f"matmul: hf32={hf32!r} with {name}; legal are None, and 'even' and 'away' with float32")
    start = np.zeros((a.shape[0], b.shape[1]), np.float32)
    try:
        start[...] = 0 if c is None else c
    except ValueError:
        raise Error(f"matmul: C is {np.shape(c)}; it must broadcast to {start.shape}") from None
    floats = [_rounded_to_hf32(x, hf32) if hf32 else np.ascontiguousarray(x, np.float32) for x in (a, b)]
    return name, *floats, start


def _rounded_to_hf32(values, ties):
    """To 11 bits of mantissa (cube.md 4.2)."""
    bits = np.ascontiguousarray(values).view(np.uint32)
    half = np.uint32(0x7FF) + (np.uint32(1) if ties == "away" else bits >> np.uint32(12) & np.uint32(1))
    rounded = ((bits + half) & np.uint32(0xFFFFF000)).view(np.float32)
    return np.where(np.isfinite(values), rounded, values)


def _product(name, a, b, start, order, k_of_call, saturate):
    if k_of_call is not None and (isinstance(k_of_call, bool) or not isinstance(k_of_call, int) or k_of_call < 1):
        raise Error(f"matmul: k_of_call={k_of_call!r} must be an int above 0, or None")
    result = start.copy()
    _native.multiply_arrays(order, name, a, b, result, k_of_call or 0, saturate)
    return result
