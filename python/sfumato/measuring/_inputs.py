# SPDX-License-Identifier: Apache-2.0
"""Operands: all of half, floats by strata, or those of a range; for two operands pairs of them."""

from __future__ import annotations

import numpy as np

from .._native import Error
from ._calls import TYPES, Call

MOST = 1 << 20  # elements of a range, and pairs
_CELLS = 2048  # of the significand, in the binades around 1: twice as many as tables that are known to be read have


def operands(call: Call, type_name: str, inputs: str) -> tuple[np.ndarray, np.ndarray]:
    """First operands, and second ones: every pair of them is a point. Of calls with one operand the second is 1."""
    if not call.two:
        first = values(type_name, inputs)
        return first, np.ones(1, first.dtype)
    second = _second(type_name)
    first = values(type_name, inputs, MOST // second.size)
    return first, second[:: -(-first.size * second.size // MOST) | 1]  # odd, for both signs


def values(type_name: str, inputs: str, most: int = MOST) -> np.ndarray:
    """inputs: all, strata or LOW:HIGH, which gives at most `most`. Throws Error."""
    dtype = np.dtype(TYPES[type_name])
    if inputs == "all":
        if type_name == "float":
            raise Error("--inputs all: float has 4294967296 values\nlegal: all for half; strata, LOW:HIGH for float")
        return np.arange(1 << 16, dtype=np.uint16).view(dtype)
    if inputs == "strata":
        return np.arange(1 << 16, dtype=np.uint16).view(dtype) if type_name == "half" else _strata()
    return _range(dtype, inputs, most)


def _strata() -> np.ndarray:
    """Floats of every binade and both signs; cells of tables at both ends around 1; subnormals; specials."""
    random = np.random.RandomState(36)  # the Mersenne Twister, whose words no version changes
    fractions = np.concatenate([np.array([0, 1, 2, (1 << 23) - 2, (1 << 23) - 1]), np.arange(1, 32) << 18])
    every = (np.arange(1, 255)[:, None] << 23) + np.concatenate(
        [np.tile(fractions, (254, 1)), random.randint(0, 1 << 23, (254, 28))], axis=1
    )
    cells = (np.arange(_CELLS) << 12)[:, None] + np.array([0, 1, (1 << 12) - 1])
    near_one = (np.arange(125, 130)[:, None, None] << 23) + cells
    small = [1 << np.arange(23), (1 << np.arange(1, 24)) - 1, random.randint(1, 1 << 23, 512)]
    special = np.array([0, 0x7F800000, 0x7FC00000])
    bits = np.unique(np.concatenate([every.ravel(), near_one.ravel(), *small, special])).astype(np.uint32)
    return np.concatenate([bits, bits | np.uint32(1 << 31)]).view(np.float32)


def _second(type_name: str) -> np.ndarray:
    """Second operands: specials, small integers, and numbers over the range with full significands."""
    dtype = np.dtype(TYPES[type_name])
    info = np.finfo(dtype)
    powers = range(info.minexp, info.maxexp, max(1, (info.maxexp - info.minexp) // 14))
    numbers = [1, 2, 3, 0.5, 1 / 3, 0.1, 7.3, float(info.max), float(info.tiny), float(info.smallest_subnormal)]
    numbers += [2.0**power * (1 + (41 * index % 97) / 97) for index, power in enumerate(powers)]
    positive = np.array([*numbers, 0, np.inf], np.float64).astype(dtype)
    return np.concatenate([np.stack([positive, -positive], 1).ravel(), np.array([np.nan], dtype)])


def _range(dtype: np.dtype, inputs: str, most: int) -> np.ndarray:
    """Every value from LOW to HIGH, or as many as `most`, equally far apart in bits."""
    legal = "\nlegal: all (half), strata, or LOW:HIGH, two numbers of the type, e.g. -1:1"
    try:
        low, high = (float(word) for word in inputs.split(":"))
    except ValueError:
        raise Error(f"--inputs {inputs}: it is neither a word that is known nor a range{legal}") from None
    with np.errstate(over="ignore"):
        ends = np.array([low, high], np.float64).astype(dtype)
    if not (np.isfinite(ends).all() and low <= high):
        raise Error(f"--inputs {inputs}: LOW is not above HIGH, and both are finite in {dtype}{legal}")
    word = np.dtype(f"u{dtype.itemsize}")
    sign = 1 << (8 * dtype.itemsize - 1)
    bits = ends.view(word).astype(np.int64)
    at = np.where(bits >= sign, sign - 1 - bits, bits)  # in order of the values: -0 is -1, the one before 0
    count = int(at[1] - at[0]) + 1
    order = at[0] + (np.arange(count) if count <= most else np.linspace(0, count - 1, most).astype(np.int64))
    return np.where(order < 0, sign - 1 - order, order).astype(word).view(dtype)
