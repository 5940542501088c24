# SPDX-License-Identifier: Apache-2.0
"""The types of the AI Core as NumPy knows them."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from . import _native
from ._native import Error

_DTYPES = {name: np.dtype(getattr(ml_dtypes, name, None) or getattr(np, name)) for name in _native.type_names()}
# Tensors hold floats of 8 bits as bytes (sfumato/ascendc/reg/types.h).
_BYTES = [np.dtype(t) for t in (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.float8_e8m0fnu)]
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}


def type_name(dtype: np.dtype) -> str | None:
    """'float16', 'bfloat16', 'int4' ...; None when the AI Core has no such type. Byte order is not looked at."""
    return _NAMES.get(dtype if dtype.isnative else dtype.newbyteorder("="))


def require_type(dtype: np.dtype, what: str) -> str:
    name = type_name(dtype)
    if name is None:
        raise Error(_no_type(dtype, what))
    return name


def _no_type(dtype, what):
    return f"{what}: dtype {dtype} is not a type of the AI Core; it has {', '.join(_DTYPES)}"


def require_native(array: np.ndarray, what: str, native: str | None = None) -> None:
    """Refuses the other byte order. native: the expression of the type to pass instead."""
    if not array.dtype.isnative:
        wanted = native or repr(array.dtype.newbyteorder("=").name)
        raise Error(f"{what}: dtype {array.dtype.str} has the other byte order; pass array.astype({wanted})")


def memory_of(array: np.ndarray, what: str, of_core: bool = True) -> tuple[str, np.ndarray]:
    """The name of an array's type ('' of a structured one) and its bytes, without a copy: int4 still one a byte.

    Refuses what a kernel would read as something else than the caller sees. of_core: also types that the AI Core lacks."""
    dtype = array.dtype
    if dtype.hasobject:
        raise Error(
            f"{what}: the array holds Python objects (dtype {dtype}), not numbers; pass array.astype('float32')"
        )
    if dtype.names is not None:
        name, native = "", "array.dtype.newbyteorder('=')"
    elif dtype == np.bool_ or dtype in _BYTES:
        name, native = "uint8", ""
    else:
        name = type_name(dtype)
        if name is None and of_core:
            raise Error(f"{_no_type(dtype, what)}{_INSTEAD.get(dtype.kind, '')}")
        name, native = name or dtype.name, repr(name or dtype.name)
    require_native(array, what, native)
    if not array.flags.c_contiguous:
        raise Error(
            f"{what}: the array is not C-contiguous (shape {array.shape}, strides {array.strides}); "
            "pass numpy.ascontiguousarray(array), or tensor.contiguous()"
        )
    return name, flat_bytes(array)


_INSTEAD = {"f": "; pass array.astype('float32')", "c": "; pass array.real or array.imag, as float32"}


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
