# SPDX-License-Identifier: Apache-2.0
"""Conversions of whole arrays."""

from __future__ import annotations

import numbers

import numpy as np

from . import _native, _warn
from ._foreign import as_kind_of, as_numpy, is_foreign, plain
from ._native import Error
from ._types import dtype_of, flat_bytes, parse_type, require_type

# Elements converted at once where the source must be copied first. A multiple of the 16 lanes of the deqscale words.
_PIECE = 1 << 16


def cast(
    array: np.typing.ArrayLike,
    dtype: str | np.typing.DTypeLike,
    *,
    round_mode: str,
    chip: str | None = None,
    overflow: str | None = None,
    deqscale: float | int | np.ndarray | list[int] | tuple[float, int] | None = None,
    cast_round: str = "page",
) -> np.ndarray:
    """Converts an array as the chip does, and returns a new C-contiguous array of the same shape and kind.

    dtype       "float16", "bfloat16", "int4" ..., Ascend C's spelling ("half"), or a NumPy dtype
    round_mode  "CAST_CEIL" ... follows the page of Cast; "ceil", "" ... that of vec_conv
    chip        family or product, e.g. "Ascend910B1"; without it the error lists them
    overflow    "saturate", "infnan" or "board", for float16 and bfloat16 results; None: "saturate", with a warning where
                a board gives something else
    deqscale    int32 to float16: a number; int16 to int8 or uint8: a 64-bit word, 16 of them, or (scale, offset)
    cast_round  "page" or "ties": CAST_ROUND on Ascend910

    Raises UnsupportedError, which names what the chip has, for a combination it has not.
    """
    given = array
    source = as_numpy(array, "array") if is_foreign(array) else plain(np.asanyarray(array), "array")
    src_name = require_type(source.dtype, "array")
    dst_name = parse_type(dtype)
    if not isinstance(round_mode, str):
        raise Error(f"round_mode={round_mode!r}: a string is needed, e.g. 'CAST_CEIL' or 'ceil'")
    caster = _native.Caster(
        chip or "", src_name, dst_name, round_mode, overflow, cast_round, *_deqscale(deqscale, dst_name)
    )

    result = np.empty(source.shape, dtype_of(dst_name))
    if source.flags.c_contiguous and source.dtype.isnative:
        limited = caster.run(flat_bytes(source), flat_bytes(result), source.size)
    else:
        limited = False
        flat_result = result.reshape(-1)
        native = dtype_of(src_name)
        for start in range(0, source.size, _PIECE):
            piece = source.flat[start : start + _PIECE].astype(native, copy=False)
            limited |= caster.run(flat_bytes(piece), flat_bytes(flat_result[start : start + piece.size]), piece.size)
    if limited:
        _warn.warn(
            f"[saturated] cast: results overflowed and were saturated: nobody asked for a policy, and saturate is the "
            f'default; the runtime of {chip} keeps inf and NaN. For what a board gives: overflow="board"; with '
            '"saturate" in its place the values stay',
            ("saturated", "cast"),
        )
    return as_kind_of(result, given)


def _deqscale(deqscale, dst_name):
    """(kind, scale, words) as the native module takes them."""
    if deqscale is None:
        return 0, 0.0, []
    if isinstance(deqscale, tuple):
        return 2, 0.0, [_pair(deqscale, dst_name)]
    if isinstance(deqscale, (np.ndarray, list)):
        words = np.asarray(deqscale)
        if words.dtype.kind not in "iu" or words.size != 16 or (words.dtype.kind == "i" and (words < 0).any()):
            raise Error(
                f"deqscale: 16 uint64 words are needed, one a lane; found {words.size} elements of {words.dtype}"
            )
        return 3, 0.0, [int(word) for word in words.reshape(-1)]
    if isinstance(deqscale, numbers.Real) and not isinstance(deqscale, (bool, np.bool_)):
        if dst_name == "float16":
            return 1, float(deqscale), []
        if isinstance(deqscale, numbers.Integral) and 0 <= deqscale < 2**64:
            return 2, 0.0, [int(deqscale)]
    raise Error(
        f"deqscale={deqscale!r} is not understood; for int32 to float16 a number, for int16 to int8 or uint8 "
        "an int in [0, 2^64), 16 uint64 words, or (scale, offset)"
    )


def _pair(pair, dst_name):
    if len(pair) != 2 or not isinstance(pair[0], numbers.Real) or not isinstance(pair[1], numbers.Integral):
        raise Error(f"deqscale={pair!r}: a pair is (scale, offset), a number and an int")
    scale, offset = float(pair[0]), int(pair[1])
    if not -(2**63) <= offset < 2**63:
        raise Error(f"deqscale: the offset {offset} is outside [-256, 255]")
    return _native.deq_word(scale, offset, dst_name == "int8")
