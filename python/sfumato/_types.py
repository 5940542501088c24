# SPDX-License-Identifier: Apache-2.0
"""The types of the AI Core as NumPy knows them."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from . import _native
from ._native import Error

_DTYPES = {name: np.dtype(getattr(ml_dtypes, name, None) or getattr(np, name)) for name in _native.type_names()}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}


def type_name(dtype: np.dtype) -> str | None:
    """'float16', 'bfloat16', 'int4' ...; None when the AI Core has no such type. Byte order is not looked at."""
    return _NAMES.get(dtype if dtype.isnative else dtype.newbyteorder("="))


def require_type(dtype: np.dtype, what: str) -> str:
    name = type_name(dtype)
    if name is None:
        raise Error(f"{what}: dtype {dtype} is not a type of the AI Core; it has {', '.join(_DTYPES)}")
    return name


def parse_type(dtype) -> str:
    """A NumPy dtype, or a string in NumPy's, TIK's or Ascend C's spelling, to the name used here."""
    if isinstance(dtype, str):
        name = _native.find_type(dtype)
        if name is not None:
            return name
    try:
        return require_type(np.dtype(dtype), "dtype")
    except TypeError:
        raise Error(f"dtype {dtype!r} is not known; the AI Core has {', '.join(_DTYPES)}") from None


def dtype_of(name: str) -> np.dtype:
    return _DTYPES[name]


def flat_bytes(array: np.ndarray) -> np.ndarray:
    """The bytes of a C-contiguous array, without a copy."""
    return array.reshape(-1).view(np.uint8)


def pack_int4(array: np.ndarray) -> np.ndarray:
    """Unpacked ml_dtypes.int4, one a byte, to two a byte: element 2k in the low nibble."""
    nibbles = flat_bytes(array) & 0xF
    return nibbles[0::2] | (nibbles[1::2] << 4)


def unpack_int4(packed: np.ndarray, array: np.ndarray) -> None:
    """The reverse of pack_int4, into `array`."""
    flat = array.reshape(-1).view(np.int8)
    flat[0::2] = (packed << 4).view(np.int8) >> 4
    flat[1::2] = packed.view(np.int8) >> 4
