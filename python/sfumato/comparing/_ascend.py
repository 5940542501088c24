# SPDX-License-Identifier: Apache-2.0
"""The Ascend operator standard (clients.md 8.2): by thresholds of the type, or against another implementation."""

from dataclasses import dataclass

import numpy as np

from .._native import Error
from ._arrays import as_float64, largest
from ._piece import EPS, Rule


@dataclass(frozen=True)
class Threshold:
    """A row of the table in clients.md 8.2. `zero`: results below it, of goldens between small and it, are cancellation."""

    bound: float
    small: float
    error: float
    zero: float = 0.0


THRESHOLDS = {
    "float16": Threshold(2**-10, 2**-11, 2**-16, 2**-5),
    "bfloat16": Threshold(2**-7, 2**-8, 2**-16, 2**-3),
    "float32": Threshold(2**-13, 2**-14, 2**-30, 2**-8),
    "hifloat32": Threshold(2**-11, 2**-12, 2**-28),
    "float8_e4m3": Threshold(2**-3, 2**-4, 2**-6),
    "float8_e5m2": Threshold(2**-2, 2**-3, 2**-5),
}
_NAMES = {"float8_e4m3fn": "float8_e4m3"}

# Levels of the double benchmark: the most that MARE, MERE and RMSE may be of the third's.
LEVELS = {"L0": (10, 2, 2), "L1": (5, 1.5, 1.5), "L2": (2, 1.2, 1.2)}


def _threshold(rule, words, dtype):
    if not words:
        name = _NAMES.get(dtype.name, dtype.name)
        if name not in THRESHOLDS:
            raise Error(
                f"compare: rule {rule!r}: the standard has no threshold for {dtype.name}; it has "
                f"{', '.join(THRESHOLDS)}: choose another rule, or name a row of it, e.g. ascend:float32"
            )
        return THRESHOLDS[name]
    if len(words) != 1 or words[0] not in THRESHOLDS:
        raise Error(f"compare: rule {rule!r}: it is ascend, or ascend:TYPE with one of {', '.join(THRESHOLDS)}")
    return THRESHOLDS[words[0]]


class Ascend(Rule):
    """The single benchmark: MERE below T and MARE below 10 T, with counts for small values and cancellation."""

    same_dtype = False

    def __init__(self, rule, words, dtype, most=10.0):
        self.text = rule if words else "ascend"
        self._made_of = (rule, words, dtype)
        self._t = _threshold(rule, words, dtype)
        self._most = most * self._t.bound
        self._top = largest(dtype)
        self._normal, self._sum, self._mare = 0, 0.0, 0.0
        self._small, self._cancelled = [0, 0], [0, 0]  # of got, of the third
        self._odd = 0

    def marks(self, piece):
        t = self._t
        # A golden beyond the type's range rounds to the infinity that the type can hold.
        wanted = as_float64(piece.rounded_want)
        want = np.where(np.isinf(wanted), wanted, piece.w)
        agree = (piece.nan_got & piece.nan_want) | (np.isinf(want) & (piece.g == want))
        odd = piece.nan_differs | (np.isinf(want) & np.isinf(piece.g) & ~agree)
        judged = ~agree & ~odd
        got, want = (np.clip(values, -self._top, self._top) for values in (piece.g, want))
        magnitude = np.abs(want)
        with np.errstate(invalid="ignore", over="ignore"):
            r = np.abs(got - want) / (magnitude + EPS)
        small = judged & (magnitude < t.small)
        normal = judged & ~small
        bad_small = small & (np.abs(got - wanted) > t.error)
        cancelled = normal & (np.abs(got) < t.zero) & (magnitude < t.zero) & (r > 10 * t.bound)
        normal &= ~cancelled

        self._odd += int(odd.sum())
        self._small[0] += int(bad_small.sum())
        self._cancelled[0] += int(cancelled.sum())
        self._normal += int(normal.sum())
        self._sum += float(r[normal].sum())
        self._mare = max(self._mare, float(r[normal].max(initial=0.0)))
        if piece.third is not None:
            third = np.clip(as_float64(piece.third), -self._top, self._top)
            with np.errstate(invalid="ignore", over="ignore"):
                third_r = np.abs(third - want) / (magnitude + EPS)
            self._small[1] += int((small & (np.abs(third - wanted) > t.error)).sum())
            near = (np.abs(third) < t.zero) & (magnitude < t.zero) & (magnitude >= t.small)
            self._cancelled[1] += int((judged & near & (third_r > 10 * t.bound)).sum())
        return odd | (normal & (r >= self._most)) | bad_small | cancelled

    def verdict(self, mismatches, count):
        mere = self._sum / self._normal if self._normal else 0.0
        said = [f"MERE {mere:.3g} of {self._t.bound:.3g}, MARE {self._mare:.3g} of {self._most:.3g}"]
        ok = mere < self._t.bound and self._mare < self._most and not self._odd
        for name, (own, third) in (("small values", self._small), ("cancellation", self._cancelled)):
            allowed = 2 * max(third, 1)
            ok = ok and own <= allowed
            if own:
                said.append(f"{own} errors at {name} of {allowed}")
        return ok, "; ".join(said)

    def stricter(self):
        return Ascend(*self._made_of, most=1.0)


class AscendRatio(Rule):
    """The double benchmark: MARE, MERE and RMSE against those of a third-party implementation."""

    same_dtype = False

    def __init__(self, rule, words, dtype, has_third):
        if len(words) != 1 or words[0] not in LEVELS:
            raise Error(f"compare: rule {rule!r}: it is ascend-ratio:LEVEL with a level of {', '.join(LEVELS)}")
        if not has_third:
            raise Error(f"compare: rule {rule!r} needs third=, what another implementation makes of the same inputs")
        self.text = rule
        self._level = LEVELS[words[0]]
        self._sums = np.zeros((2, 3))  # got and third: largest r, sum of r, sum of squares
        self._count = 0
        self._odd = 0

    def marks(self, piece):
        third = as_float64(piece.third)
        same = (piece.nan_got & piece.nan_want) | (piece.g == piece.w)
        odd = ~same & ~piece.finite
        judged = piece.finite & np.isfinite(third)
        self._odd += int(odd.sum())
        self._count += int(judged.sum())
        w = piece.w[judged]
        for sums, values in zip(self._sums, (piece.g[judged], third[judged])):
            with np.errstate(over="ignore"):
                difference = np.abs(values - w)
                r = difference / (np.abs(w) + EPS)
                sums[0] = max(sums[0], r.max(initial=0.0))
                sums[1] += r.sum()
                sums[2] += (difference**2).sum()
        return odd

    def _metrics(self):
        n = max(self._count, 1)
        return ([mare, total / n, (squares / n) ** 0.5] for mare, total, squares in self._sums)

    def verdict(self, mismatches, count):
        ok, said = not self._odd, []
        for name, limit, own, theirs in zip(("MARE", "MERE", "RMSE"), self._level, *self._metrics()):
            ratio = own / theirs if theirs else (0.0 if own == 0 else np.inf)
            ok = ok and ratio <= limit
            said.append(f"{name} {ratio:.3g} times the third's of {limit:g}")
        return bool(ok), "; ".join(said)

    def stricter(self):
        own, theirs = self._metrics()
        mare = self._level[0] * theirs[0]
        return Beyond(self.text, mare if own[0] > mare else theirs[1])


class Beyond(Rule):
    """Marks elements whose relative error is above a limit."""

    def __init__(self, text, limit):
        self.text, self._limit = text, limit

    def marks(self, piece):
        with np.errstate(invalid="ignore"):
            return piece.nan_differs | (piece.relative > self._limit)
