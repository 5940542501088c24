# SPDX-License-Identifier: Apache-2.0
"""How far results may be from what float64 gives."""

import numpy as np
from calls import BFLOAT16

# Bits of the mantissa behind the point, and the exponent of the smallest normal number.
FORMATS = {"float16": (10, -14), "bfloat16": (7, -126), "float32": (23, -126), "float64": (52, -1022)}


def is_float(dtype):
    return dtype == BFLOAT16 or np.issubdtype(dtype, np.floating)


def ulp(dtype, values):
    """The distance of neighbours of the type at the values."""
    bits, least = FORMATS["bfloat16" if dtype == BFLOAT16 else str(dtype)]
    with np.errstate(divide="ignore", invalid="ignore"):
        exponent = np.floor(np.log2(np.abs(values)))
    exponent = np.where(np.isfinite(exponent), np.maximum(exponent, least), least)
    return 2.0 ** (exponent - bits)


def check(got, want, what):
    """Integers are equal, others at most 1 ulp from the float64 reference; infinities and NaN are where it has them."""
    assert got.shape == want.shape, (what, got.shape, want.shape)
    if not is_float(got.dtype):
        assert np.array_equal(got, want.astype(got.dtype)), (what, got, want)
        return
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = want.astype(got.dtype).astype(np.float64)
    mine, want = got.astype(np.float64), want.astype(np.float64)
    special = ~np.isfinite(rounded) | ~np.isfinite(mine)
    assert np.array_equal(mine[special], rounded[special], equal_nan=True), (what, mine[special], rounded[special])
    off = np.abs(mine - want)[~special] / ulp(got.dtype, want[~special])
    assert not off.size or off.max() <= 1, (what, off.max())
