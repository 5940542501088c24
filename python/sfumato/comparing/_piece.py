# SPDX-License-Identifier: Apache-2.0
"""A run of elements of both arrays, with what rules and statistics ask of them."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ._arrays import as_float64, bits, distance, is_float, is_integer

EPS = 1e-7  # clients.md 8.2


class Piece:
    """Elements `start`.. of got and want; `third` where a rule has another implementation's. Properties are made when asked for."""

    def __init__(self, start, got, want, third=None, signed_zero=True):
        self.start = start
        self.got, self.want, self.third = got, want, third
        self._signed_zero = signed_zero

    @property
    def dtype(self) -> np.dtype:
        return self.got.dtype

    @cached_property
    def g(self) -> np.ndarray:
        """got as float64."""
        return as_float64(self.got)

    @cached_property
    def w(self) -> np.ndarray:
        return as_float64(self.want)

    @cached_property
    def nan_got(self) -> np.ndarray:
        return np.isnan(self.g)

    @cached_property
    def nan_want(self) -> np.ndarray:
        return np.isnan(self.w)

    @cached_property
    def nan_differs(self) -> np.ndarray:
        return self.nan_got != self.nan_want

    @cached_property
    def nan_either(self) -> np.ndarray:
        return self.nan_got | self.nan_want

    @cached_property
    def rounded_want(self) -> np.ndarray:
        """want in got's type: a golden of higher precision is rounded to nearest even."""
        with np.errstate(over="ignore", invalid="ignore"):
            return self.want.astype(self.dtype, copy=False)

    @cached_property
    def ulp(self) -> np.ndarray:
        """uint64; 0 where both are NaN, meaningless where one is."""
        got, want = self.got, self.rounded_want
        if not self._signed_zero and is_float(self.dtype):
            got, want = (np.where(v == 0, np.zeros_like(v), v) for v in (got, want))
        return np.where(self.nan_got & self.nan_want, np.uint64(0), distance(got, want))

    @cached_property
    def finite(self) -> np.ndarray:
        return np.isfinite(self.g) & np.isfinite(self.w)

    @cached_property
    def abs(self) -> np.ndarray:
        """|got - want| as float64; of integers exact before it is rounded. inf where an infinity differs, NaN with NaN."""
        if is_integer(self.dtype) and self.want.dtype == self.dtype:
            return distance(self.got, self.want).astype(np.float64)
        with np.errstate(invalid="ignore", over="ignore"):
            difference = np.abs(self.g - self.w)
        return np.where(self.g == self.w, 0.0, difference)

    @cached_property
    def relative(self) -> np.ndarray:
        """r of clients.md 8.2: |got - want| / (|want| + 1e-7)."""
        with np.errstate(invalid="ignore", over="ignore"):
            return self.abs / (np.abs(self.w) + EPS)

    @cached_property
    def same_bits(self) -> np.ndarray:
        """Equal bits, or both NaN."""
        same = bits(self.got) == bits(self.want)
        if is_float(self.dtype):
            same |= self.nan_got & self.nan_want
            if not self._signed_zero:
                same |= self.got == self.want
        return same


class Rule:
    """What all rules have. `text` is the rule as a user would write it again."""

    text: str
    same_dtype = True  # False: want may be of another type of its kind, e.g. a golden of higher precision
    measure = "relative"  # by which the worst element is the worst

    def marks(self, piece: Piece) -> np.ndarray:
        """Which elements break the rule. Called once for each piece, in order."""
        raise NotImplementedError

    def verdict(self, mismatches: int, count: int) -> tuple[bool, str]:
        """Whether the whole is good, and what the rule has to say of it in a line."""
        return mismatches == 0, ""

    def stricter(self) -> Rule | None:
        """The rule that finds the elements at fault where the whole is bad though no element alone is."""
        return None
