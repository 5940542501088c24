# SPDX-License-Identifier: Apache-2.0
"""Arrays as a comparison reads them: from anything, in pieces, as bits and as ordered integers."""

from typing import Any

import ml_dtypes
import numpy as np

from .._foreign import as_numpy, is_foreign, is_torch, plain
from .._native import Error

# Elements looked at together: half a MiB of float64, which stays in a cache.
PIECE = 1 << 16

_WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def as_array(value: Any, what: str) -> np.ndarray:
    """The NumPy array of an array, a CPU tensor of torch, anything with DLPack, or numbers in lists; shares their memory where it can.

    Throws Error for what has no real numbers of a type that can be compared; `what` names the value in it.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        array = plain(np.asanyarray(value), f"compare: {what}")
    elif is_foreign(value):
        array = as_numpy(value.cpu() if is_torch(value) else value, f"compare: {what}")
    else:
        try:
            array = np.asarray(value)
        except ValueError:
            raise Error(f"compare: {what}: {type(value).__name__} has no shape: its rows differ in length") from None
    if array.dtype.kind == "c":
        raise Error(
            f"compare: {what}: complex numbers ({array.dtype}) have no order and no ulp; "
            f"compare {what}.real and {what}.imag"
        )
    if not (is_integer(array.dtype) or is_float(array.dtype)):
        held = type(value).__name__ if array.dtype.kind == "O" else f"dtype {array.dtype}"
        raise Error(
            f"compare: {what}: {held} holds no numbers that can be compared; pass an array of integers, bool, "
            "float16, bfloat16, float8, float32 or float64"
        )
    return array


def _of_ml_dtypes(dtype):
    return dtype.type.__module__.startswith("ml_dtypes")


def is_integer(dtype: np.dtype) -> bool:
    """Integers of any width, and bool."""
    if _of_ml_dtypes(dtype):
        return "int" in dtype.name
    return dtype.kind in "iub"


def is_float(dtype: np.dtype) -> bool:
    if _of_ml_dtypes(dtype):
        return "float" in dtype.name
    return dtype.kind == "f" and dtype.itemsize <= 8


def largest(dtype: np.dtype) -> float:
    """The largest finite value of a type of floats."""
    return float(ml_dtypes.finfo(dtype).max)


def bits(values: np.ndarray) -> np.ndarray:
    """The elements' bits, as unsigned integers of their size."""
    return np.ascontiguousarray(values).view(_WORDS[values.dtype.itemsize])


def ordered(values: np.ndarray) -> np.ndarray:
    """Floats as unsigned integers in their order, neighbours one apart: -0 is one below +0. NaN has no place."""
    words = bits(values).astype(np.uint64)
    if values.dtype.name == "float8_e8m0fnu":  # no sign
        return words
    sign = np.uint64(1 << (ml_dtypes.finfo(values.dtype).bits - 1))
    # Above the sign: the magnitude counts up; below: down from just under the middle.
    magnitude = words & (sign - np.uint64(1))
    return np.where(words & sign, sign - np.uint64(1) - magnitude, sign + magnitude)


def as_float64(values: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):  # a signalling NaN
        return values.astype(np.float64)


def distance(got: np.ndarray, want: np.ndarray) -> np.ndarray:
    """How far apart elements of one type are, as uint64: in ulp, counted through both zeros; of integers the difference.

    Where an element is NaN the number means nothing.
    """
    if is_integer(got.dtype):
        a, b = _wide(got), _wide(want)
        less = a < b
        a, b = a.view(np.uint64), b.view(np.uint64)
    else:
        a, b = ordered(got), ordered(want)
        less = a < b
    return np.where(less, b - a, a - b)


def _wide(values):
    if _of_ml_dtypes(values.dtype):
        return values.astype(np.int64)
    return values.astype(np.uint64 if values.dtype.kind in "ub" else np.int64)


class Flat:
    """An array as its elements in C order, without a copy of the whole."""

    def __init__(self, array: np.ndarray):
        self.dtype = array.dtype.newbyteorder("=")
        self.size = array.size
        self._array = array
        self._line = array.reshape(-1) if array.flags.c_contiguous else None

    def __getitem__(self, piece: slice) -> np.ndarray:
        """A short run of elements, contiguous and in this machine's byte order."""
        values = self._line[piece] if self._line is not None else self._array.flat[piece]
        return values.astype(self.dtype, copy=False)

    def take(self, places: np.ndarray) -> np.ndarray:
        """The elements at some places."""
        if self._line is not None:
            values = self._line[places]
        else:
            values = self._array[np.unravel_index(places, self._array.shape)]
        return values.astype(self.dtype, copy=False)


def pieces(size: int):
    """The slices that make up `size` elements."""
    return (slice(start, min(start + PIECE, size)) for start in range(0, size, PIECE))
