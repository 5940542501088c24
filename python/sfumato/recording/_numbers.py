# SPDX-License-Identifier: Apache-2.0
"""Formats and rounding, in NumPy and integers: what models rest on. Written from IEEE 754 and the pages."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Format(NamedTuple):
    """A binary floating-point format: its significant bits, the exponent of the smallest normal number, the largest."""

    precision: int
    least: int
    most: float


FORMATS = {
    "half": Format(11, -14, 65504.0),
    "bfloat16_t": Format(8, -126, (2 - 2.0**-7) * 2.0**127),
    "float": Format(24, -126, (2 - 2.0**-23) * 2.0**127),
}
# What CAST_... and the units of memory may do with a fraction. `directed`: any fraction moves away from zero.
MODES = ("rint", "floor", "ceil", "round", "trunc", "odd", "directed")


def to_integer(v: np.ndarray, mode: str) -> np.ndarray:
    """float64 to whole float64."""
    with np.errstate(invalid="ignore"):  # infinities and NaN stay
        return _to_integer(np.asarray(v, np.float64), mode)


def _to_integer(v, mode):
    if mode == "rint":
        return np.rint(v)
    if mode == "floor":
        return np.floor(v)
    if mode == "ceil":
        return np.ceil(v)
    zero = np.trunc(v)
    if mode == "trunc":
        return zero
    away = zero + np.copysign(1, v) * (zero != v)
    if mode == "directed":
        return away
    if mode == "odd":
        return np.where((zero != v) & (np.mod(np.abs(zero), 2) == 0), away, zero)
    return np.where(np.abs(v - zero) >= 0.5, away, zero)


def step_of(v: np.ndarray, form: Format) -> np.ndarray:
    """The distance of neighbours in the binade of v."""
    exponent = np.frexp(np.where(np.isfinite(v) & (v != 0), v, 1.0))[1] - 1
    return np.ldexp(1.0, np.maximum(exponent, form.least) - form.precision + 1)


def round_to(
    v: np.ndarray, form: Format, mode: str = "rint", *, saturate: bool = False, flush: bool = False
) -> np.ndarray:
    """float64, taken as exact, to the values of a format, as float64.

    saturate: infinities become the largest numbers and NaN 0. flush: subnormal results become zeros of their sign.
    """
    v = np.asarray(v, np.float64)
    with np.errstate(all="ignore"):
        step = step_of(v, form)
        r = to_integer(v / step, mode) * step
        over = np.isfinite(v) & (np.abs(r) > form.most)
        inward = {"floor": v > 0, "ceil": v < 0, "trunc": True, "odd": True}.get(mode, False)
        r = np.where(over, np.where(inward, np.copysign(form.most, v), np.copysign(np.inf, v)), r)
        r = np.where(np.isfinite(v), np.copysign(r, v), v)
        if saturate:
            r = np.where(np.isnan(r), 0.0, np.clip(r, -form.most, form.most))
        if flush:
            r = np.where(np.abs(r) < 2.0**form.least, np.copysign(0.0, r), r)
    return r


def flushed(v: np.ndarray, form: Format) -> np.ndarray:
    """Subnormal operands as zeros of their sign."""
    v = np.asarray(v, np.float64)
    return np.where(np.abs(v) < 2.0**form.least, np.copysign(0.0, v), v)


def decode(array: np.ndarray, name: str) -> np.ndarray:
    """Elements of a type as float64; bfloat16_t comes as its bits. int64_t keeps 53 bits."""
    if name == "bfloat16_t":
        array = (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    with np.errstate(all="ignore"):
        return array.astype(np.float64)


def encode(v: np.ndarray, name: str) -> np.ndarray:
    """The bits of values that the format holds; NaN is 0x7e00, 0x7fc0 or 0x7fc00000."""
    v = np.where(np.isnan(v), np.abs(v), v)
    with np.errstate(all="ignore"):
        if name == "half":
            return v.astype(np.float16).view(np.uint16)
        bits = v.astype(np.float32).view(np.uint32)
    return (bits >> 16).astype(np.uint16) if name == "bfloat16_t" else bits


def bits_of(array: np.ndarray) -> np.ndarray:
    return array.view(f"u{array.dtype.itemsize}")


def same(got: np.ndarray, want: np.ndarray, name: str) -> np.ndarray:
    """Where bits are equal; any NaN equals any."""
    equal = got == want
    if name in FORMATS:
        equal = equal | (is_nan(got, name) & is_nan(want, name))
    return equal


def is_nan(bits: np.ndarray, name: str) -> np.ndarray:
    infinity, magnitude = {"half": (0x7C00, 0x7FFF), "bfloat16_t": (0x7F80, 0x7FFF), "float": (0x7F800000, 0x7FFFFFFF)}[
        name
    ]
    return (bits & bits.dtype.type(magnitude)) > infinity
