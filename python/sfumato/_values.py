# SPDX-License-Identifier: Apache-2.0
"""Values and sizes where kernels break: what sfumato.testing.strategies draws from and sfumato.sweeping makes."""

import math
from typing import Any

import ml_dtypes
import numpy as np

from .comparing._arrays import is_float
from .golden import dtype_named


def is_prime(n):
    return n > 1 and all(n % k for k in range(2, math.isqrt(n) + 1))


def edge_sizes(max_elements: int, align: int, tile: int, blocks: int) -> list[int]:
    """Numbers of elements from 1 to max_elements where tails begin and end: 1, the largest, multiples of `align`, `tile` and of what
    `blocks` blocks share, and their neighbours."""
    edges = {1, max_elements}
    for unit in {align, tile, align * blocks, tile * blocks}:
        for times in (1, 2, 3, max_elements // unit):
            edges.update(times * unit + d for d in (-1, 0, 1))
    return sorted(n for n in edges if 1 <= n <= max_elements)


def specials(dtype: Any) -> np.ndarray:
    """The values of a type that kernels forget: both zeros, NaN, infinities, limits, the smallest numbers; 65504 where it is."""
    dtype = dtype_named(dtype)
    if dtype == np.bool_:
        return np.array([False, True])
    if not is_float(dtype):
        limits = ml_dtypes.iinfo(dtype)
        values = {0, 1, int(limits.min), int(limits.max), int(limits.max) - 1, max(int(limits.min), -1)}
        return np.array(sorted(values), np.uint64 if limits.min == 0 else np.int64).astype(dtype)
    limits = ml_dtypes.finfo(dtype)
    values = [0.0, 1.0, -1.0, float(limits.max), float(limits.min), float(limits.tiny), 1 + float(limits.eps)]
    values += [float(limits.smallest_subnormal), -float(limits.smallest_subnormal), 65504.0, -0.0]
    values += [math.nan, math.inf, -math.inf]
    with np.errstate(over="ignore"):
        return np.array(values).astype(dtype)


def random(rng: np.random.Generator, kind: str, dtype: np.dtype, size: int) -> np.ndarray:
    """`size` numbers: "bits" (any bits), "normal" (of integers: the whole range), "small" (-8 to 8)."""
    if dtype == np.bool_:
        return rng.random(size) < 0.5
    if kind == "bits" and dtype.name not in ("int4", "uint4", "int2", "uint2"):
        return np.frombuffer(rng.bytes(size * dtype.itemsize), dtype).copy()
    if kind == "normal" and is_float(dtype):
        return rng.normal(size=size).astype(dtype)
    if is_float(dtype):
        return rng.integers(-8, 9, size).astype(dtype)
    limits = ml_dtypes.iinfo(dtype)
    low, high = (max(int(limits.min), -8), min(int(limits.max), 8)) if kind == "small" else (limits.min, limits.max)
    wide = np.uint64 if limits.min == 0 else np.int64
    return rng.integers(int(low), int(high), size, wide, endpoint=True).astype(dtype)
