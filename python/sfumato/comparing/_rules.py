# SPDX-License-Identifier: Apache-2.0
"""The rules by name. A rule marks the elements of each piece that break it, and judges at the end."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .._native import Error
from ._arrays import is_integer
from ._ascend import Ascend, AscendRatio
from ._piece import Rule


class Exact(Rule):
    """Equal bits; NaN is NaN."""

    text = "exact"
    measure = "ulp"

    def marks(self, piece):
        return ~piece.same_bits


class Ulp(Rule):
    """At most so many ulp apart; of integers, at most so much."""

    same_dtype = False
    measure = "ulp"

    def __init__(self, most):
        self.most = most
        self.text = f"ulp:{most}"

    def marks(self, piece):
        return piece.nan_differs | (~piece.nan_either & (piece.ulp > np.uint64(self.most)))


class AllClose(Rule):
    """numpy.allclose in float64: |got - want| <= atol + rtol * |want|."""

    same_dtype = False

    def __init__(self, rtol, atol, equal_nan=False):
        self.rtol, self.atol, self.equal_nan = rtol, atol, equal_nan
        self.text = f"allclose:{rtol:g},{atol:g}"

    def marks(self, piece):
        with np.errstate(invalid="ignore", over="ignore"):
            close = np.isfinite(piece.w) & (piece.abs <= self.atol + self.rtol * np.abs(piece.w))
        close |= piece.abs == 0
        if self.equal_nan:
            close |= piece.nan_got & piece.nan_want
        return ~close


class TorchClose(Rule):
    """torch.isclose, each step rounded to the arrays' type as torch does: |got - want| <= atol + |rtol * want|."""

    def __init__(self, text, rtol, atol, equal_nan=False):
        self.text, self.rtol, self.atol, self.equal_nan = text, rtol, atol, equal_nan

    def marks(self, piece):
        close = piece.abs == 0
        if self.rtol or self.atol:
            # Scalars meet narrow floats in float32; integers are measured in the default type, float32.
            work = np.float64 if piece.dtype == np.float64 else np.float32
            own = work if is_integer(piece.dtype) else piece.dtype

            def step(values):
                return values.astype(own).astype(work)

            with np.errstate(invalid="ignore", over="ignore"):
                got, want = piece.got.astype(work), piece.want.astype(work)
                allowed = step(work(self.atol) + np.abs(step(want * work(self.rtol))))
                actual = piece.abs.astype(work) if is_integer(piece.dtype) else np.abs(step(got - want))
                close |= np.isfinite(actual) & (actual <= allowed)
        if self.equal_nan:
            close |= piece.nan_got & piece.nan_want
        return ~close


class Share(Rule):
    """The vendor's samples: bad when more than a share exceeds atol and more than that share exceeds rtol of the larger magnitude."""

    same_dtype = False

    def __init__(self, rtol, atol, fraction):
        self.rtol, self.atol, self.fraction = rtol, atol, fraction
        self.text = f"share:{rtol:g},{atol:g},{fraction:g}"
        self.beyond = {"atol": 0, "rtol": 0}

    def marks(self, piece):
        with np.errstate(invalid="ignore", over="ignore"):
            larger = np.maximum(np.abs(piece.g), np.abs(piece.w))
            odd = (piece.abs == np.inf) | piece.nan_differs
            absolute = odd | (piece.abs > self.atol)
            relative = odd | (piece.abs > self.rtol * larger)
        self.beyond["atol"] += int(absolute.sum())
        self.beyond["rtol"] += int(relative.sum())
        return absolute & relative

    def verdict(self, mismatches, count):
        ok = any(beyond <= self.fraction * count for beyond in self.beyond.values())
        words = [f"{beyond} elements exceed {name}" for name, beyond in self.beyond.items()]
        return ok, f"{' and '.join(words)}; {self.fraction:g} of {count} may exceed each"

    def stricter(self):
        return AllClose(0, self.atol, equal_nan=True)


class NpuKernelBench(Rule):
    """NPUKernelBench: an element is wrong beyond 1e-3 absolutely and relatively; anything not finite is wrong."""

    text = "npukernelbench"

    def marks(self, piece):
        with np.errstate(invalid="ignore", over="ignore"):
            return ~piece.finite | ((piece.abs > 1e-3) & (piece.abs > 1e-3 * np.abs(piece.w)))


# torch.testing.assert_close by type: rtol, atol. Every other type is exact (clients.md 8.1).
_TORCH = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
}
# KernelBench by type; another type counts as float32 (decided).
_KERNELBENCH = {"float16": 1e-2, "bfloat16": 1e-2}

_FORMS = {
    "exact": "exact",
    "ulp": "ulp:N",
    "allclose": "allclose:RTOL,ATOL",
    "close": "close",
    "ascend": "ascend",
    "ascend-ratio": "ascend-ratio:L0, L1 or L2",
    "share": "share:RTOL,ATOL,FRACTION",
    "kernelbench": "kernelbench",
    "mkb": "mkb",
    "npukernelbench": "npukernelbench",
    "auto": "auto",
}
_ALL = "; ".join(_FORMS.values())


def _numbers(rule, words, count):
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(0 <= n < math.inf for n in numbers):
        name = rule.partition(":")[0]
        raise Error(f"compare: rule {rule!r}: it is {_FORMS[name]}, each a number of at least 0")
    return numbers


def make(rule: str, dtype: np.dtype, kind: str, equal_nan: bool | None, has_third: bool) -> Rule:
    """The rule that a text means for a type. Throws Error for what is no rule."""
    if not isinstance(rule, str):
        raise Error(f"compare: rule={rule!r}: a string is needed, one of {_ALL}")
    name, colon, rest = rule.partition(":")
    words: Sequence[str] = rest.split(",") if colon else []
    if name not in _FORMS:
        raise Error(f"compare: rule {rule!r} is not known; there are {_ALL}")
    if words and name not in ("ulp", "allclose", "share", "ascend", "ascend-ratio"):
        raise Error(f"compare: rule {rule!r}: {name} takes no numbers")
    if name == "auto":
        # There is no float64 on the AI Core, and no threshold for it (decided).
        name = "exact" if is_integer(dtype) or kind != "compute" else "close" if dtype == np.float64 else "ascend"
    if equal_nan is not None and name not in ("allclose", "close"):
        raise Error(f"compare: equal_nan goes with allclose and close; {name} has its own rule for NaN")
    if has_third and name not in ("ascend", "ascend-ratio"):
        raise Error(f"compare: third= goes with ascend and ascend-ratio; {name} looks at got and want alone")
    nan = bool(equal_nan)
    if name == "exact":
        return Exact()
    if name == "ulp":
        (most,) = _numbers(rule, words, 1)
        if most != int(most) or most >= 2**64:
            raise Error(f"compare: rule {rule!r}: N is a whole number below 2^64")
        return Ulp(int(words[0]) if words[0].isdigit() else int(most))
    if name == "allclose":
        return AllClose(*_numbers(rule, words, 2), nan)
    if name == "share":
        return Share(*_numbers(rule, words, 3))
    if name == "close":
        return TorchClose("close", *_TORCH.get(dtype.name, (0, 0)), nan)
    if name == "kernelbench":
        tolerance = _KERNELBENCH.get(dtype.name, 1e-4)
        return TorchClose("kernelbench", tolerance, tolerance)
    if name == "mkb":
        return Exact() if dtype == np.bool_ else TorchClose("mkb", 1e-4, 1e-4)
    if name == "npukernelbench":
        return NpuKernelBench()
    if is_integer(dtype):
        return Exact()
    if name == "ascend":
        return Ascend(rule, words, dtype)
    return AscendRatio(rule, words, dtype, has_third)
