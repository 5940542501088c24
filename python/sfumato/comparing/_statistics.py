# SPDX-License-Identifier: Apache-2.0
"""What is counted over all elements, whatever the rule."""

from __future__ import annotations

import math

import numpy as np

from ._arrays import distance, is_float, is_integer
from ._piece import Piece

# Upper ends of the bins of the ulp histogram: 0, 1, 2, 3..4, 5..8 ...
_ENDS = np.array([0, *(1 << k for k in range(64))], np.uint64)


def bin_name(number: int) -> str:
    """'0', '1', '2', '3..4', '5..8' ..."""
    if number < 3:
        return str(number)
    return f"{(1 << (number - 2)) + 1}..{1 << (number - 1)}"


class Statistics:
    """Sums and extremes over the pieces that were added."""

    def __init__(self, dtype, want_dtype):
        self._dtype = dtype
        # Integers of two types have no common ulp.
        self._has_ulp = dtype == want_dtype or (is_float(dtype) and is_float(want_dtype))
        self._exact = is_integer(dtype) and dtype == want_dtype
        self.count = 0
        self.max_abs: float | int = 0
        self.max_rel = 0.0
        self.max_ulp: int | None = 0 if self._has_ulp else None
        self.nan = {"got": 0, "want": 0, "disagree": 0}
        self.inf = {"got": 0, "want": 0, "disagree": 0}
        self._bins = np.zeros(len(_ENDS) + 1, np.int64)
        self._finite = 0
        self._r_sum, self._mare = 0.0, 0.0
        self._squares, self._gw, self._gg, self._ww = 0.0, 0.0, 0.0, 0.0

    def add(self, piece: Piece) -> None:
        self.count += piece.got.size
        self._count_odd(piece)
        whole = bool(piece.finite.all())
        keep = slice(None) if whole else piece.finite
        g, w, difference, r = piece.g[keep], piece.w[keep], piece.abs[keep], piece.relative[keep]
        if g.size:
            self._finite += g.size
            if self._exact:
                self.max_abs = max(self.max_abs, int(distance(piece.got, piece.want).max()))
            else:
                self.max_abs = max(self.max_abs, float(difference.max()))
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                relative = np.where(difference == 0, 0.0, difference / np.abs(w))
                self.max_rel = max(self.max_rel, float(relative.max()))
                self._r_sum += float(r.sum())
                self._mare = max(self._mare, float(r.max()))
                self._squares += float(np.square(difference).sum())
                self._gw += float((g * w).sum())
                self._gg += float((g * g).sum())
                self._ww += float((w * w).sum())
        if self._has_ulp:
            ulp = piece.ulp
            if is_float(self._dtype) and piece.nan_either.any():
                ulp = ulp[~piece.nan_either]
            if ulp.size:
                self.max_ulp = max(self.max_ulp, int(ulp.max()))
                self._bins += np.bincount(np.searchsorted(_ENDS, ulp, side="left"), minlength=len(self._bins))

    def _count_odd(self, piece):
        inf_got, inf_want = np.isinf(piece.g), np.isinf(piece.w)
        for counts, got, want, differs in (
            (self.nan, piece.nan_got, piece.nan_want, piece.nan_differs),
            (self.inf, inf_got, inf_want, (inf_got | inf_want) & (piece.g != piece.w)),
        ):
            counts["got"] += int(got.sum())
            counts["want"] += int(want.sum())
            counts["disagree"] += int(differs.sum())

    @property
    def mere(self) -> float:
        return self._r_sum / self._finite if self._finite else 0.0

    @property
    def mare(self) -> float:
        return self._mare

    @property
    def rmse(self) -> float:
        return math.sqrt(self._squares / self._finite) if self._finite else 0.0

    @property
    def cosine(self) -> float | None:
        """None where a side has no length."""
        length = math.sqrt(self._gg) * math.sqrt(self._ww)
        return min(1.0, max(-1.0, self._gw / length)) if 0 < length < math.inf else None

    @property
    def histogram(self) -> dict[str, int] | None:
        """How many elements are how many ulp apart; those with NaN on a side are not in it."""
        if not self._has_ulp:
            return None
        return {bin_name(k): int(n) for k, n in enumerate(self._bins) if n}
