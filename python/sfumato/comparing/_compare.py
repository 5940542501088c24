# SPDX-License-Identifier: Apache-2.0
"""sfumato.compare: two arrays by a rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._native import Error
from . import _rules
from ._arrays import Flat, as_array, bits, is_float, is_integer, pieces
from ._patterns import Differences, find_patterns
from ._piece import Piece
from ._result import Comparison, Element
from ._statistics import Statistics


def compare(
    got: Any,
    want: Any,
    rule: str = "auto",
    *,
    kind: str = "compute",
    third: Any = None,
    signed_zero: bool = True,
    equal_nan: bool | None = None,
    blocks: int | None = None,
    tile: int | None = None,
    fill: int = 0xFE,
) -> Comparison:
    """Compares what a kernel wrote with what was wanted. Never raises because they differ: `ok` of the result says it.

    got, want    arrays of integers, bool or floats (float8, float16, bfloat16, float32, float64): NumPy, CPU tensors of torch,
                 anything with DLPack. Rules with thresholds take a want of higher precision, as a golden should be
    rule         "exact" (bits; NaN is NaN), "ulp:N", "allclose:RTOL,ATOL" (NumPy's), "close" (torch.testing's numbers),
                 "ascend" (the Ascend operator standard), "ascend-ratio:L0" to L2 (against third=),
                 "share:RTOL,ATOL,FRACTION" (the vendor's samples), "kernelbench", "mkb", "npukernelbench" (those
                 benchmarks); "auto": exact for integers, bool and a kind other than "compute", else ascend (float64: close)
    kind         what the kernel does: "compute", "elementwise" or "movement"
    third        the result of another implementation: for ascend-ratio, and for the counts that ascend allows
    signed_zero  False: -0 is 0
    equal_nan    of allclose and close: NaN is NaN
    blocks, tile how the elements are shared out: by so many blocks, or so many elements to a block; to name the block
    fill         the byte of memory nobody wrote (as in Launcher.options), to recognise it

    Raises Error for what cannot be compared: no numbers, complex numbers, an unknown rule. Rules and statistics: docs/testing.md.
    """
    got, want = as_array(got, "got"), as_array(want, "want")
    if kind not in _KINDS:
        raise Error(f"compare: kind={kind!r} is not known; there are {', '.join(_KINDS)}")
    per_block = _per_block(got.size, blocks, tile)
    if isinstance(fill, bool) or not isinstance(fill, (int, np.integer)) or not 0 <= fill <= 0xFF:
        raise Error(f"compare: fill={fill!r} must be an int in [0, 255]")
    judge = _rules.make(rule, got.dtype.newbyteorder("="), kind, equal_nan, third is not None)
    if third is not None:
        third = as_array(third, "third")
        if third.shape != want.shape:
            raise Error(f"compare: third has the shape {third.shape}, want {want.shape}")
        third = Flat(third)
    problem = _problem(got, want, judge)
    if problem:
        return Comparison(
            False, judge.text, got.dtype.name, got.shape, got.size, problem, mismatches=None, share=None, detail=""
        )

    run = _Run(Flat(got), Flat(want), third, got.shape, per_block, signed_zero)
    ok, detail = run.judge(judge)
    where = judge
    if not ok and not run.marks.count:
        where = judge.stricter() or judge
        run.mark(where)
    patterns = () if ok else find_patterns(run.marks, run.got, run.want, got.shape, per_block, int(fill))
    return Comparison(
        ok=ok,
        rule=judge.text,
        dtype=run.got.dtype.name,
        shape=got.shape,
        count=got.size,
        problem=None,
        mismatches=run.marks.count,
        share=run.marks.count / got.size if got.size else 0.0,
        detail=detail,
        first=run.element(run.marks.first),
        worst=run.element(run.worst),
        **{name: getattr(run.statistics, name) for name in _STATISTICS},
        pattern=patterns[0]["pattern"] if patterns else None,
        patterns=patterns,
    )


_KINDS = ("compute", "elementwise", "movement")
_STATISTICS = "max_abs max_rel max_ulp mere mare rmse cosine nan inf histogram".split()


def _per_block(size, blocks, tile):
    """Elements of a block, or None."""
    if blocks is not None and tile is not None:
        raise Error("compare: give blocks= or tile=, not both: either says how the elements are shared out")
    for name, value in (("blocks", blocks), ("tile", tile)):
        if value is not None:
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
                raise Error(f"compare: {name}={value!r} must be an int of at least 1")
            return max(1, -(-size // int(value))) if name == "blocks" else int(value)
    return None


def _problem(got, want, rule):
    """Why the elements cannot be held against each other, or None."""
    if got.shape != want.shape:
        return f"got has the shape {got.shape}, want {want.shape}"
    a, b = got.dtype.newbyteorder("="), want.dtype.newbyteorder("=")
    if a == b or (not rule.same_dtype and is_integer(a) == is_integer(b)):
        return None
    if not rule.same_dtype and is_float(b):  # integers measured against a golden of floats
        return None if rule.measure != "ulp" else f"got is {a.name}, want is {b.name}: {rule.text} compares one type"
    return f"got is {a.name}, want is {b.name}: {rule.text} compares one type"


class _Run:
    """Two arrays that can be compared, and what has been found of them."""

    def __init__(self, got, want, third, shape, per_block, signed_zero):
        self.got, self.want, self._third = got, want, third
        self._shape, self._per_block, self._signed_zero = shape, per_block, signed_zero
        self.statistics = Statistics(got.dtype, want.dtype)
        self.marks = Differences()
        self.worst: int | None = None

    def _pieces(self):
        for piece in pieces(self.got.size):
            third = None if self._third is None else self._third[piece]
            yield Piece(piece.start, self.got[piece], self.want[piece], third, self._signed_zero)

    def judge(self, rule):
        """One pass: statistics, marks and the worst element."""
        largest = 0.0
        for piece in self._pieces():
            self.marks.add(rule.marks(piece))
            self.statistics.add(piece)
            size = (piece.ulp if rule.measure == "ulp" else piece.relative).astype(np.float64)
            size = np.where(piece.nan_differs, np.inf, np.where(piece.nan_either, 0.0, size))
            at = int(size.argmax())
            if size[at] > largest:
                largest, self.worst = size[at], piece.start + at
        return rule.verdict(self.marks.count, self.got.size)

    def mark(self, rule):
        """Another pass, for the elements that another rule marks."""
        self.marks = Differences()
        for piece in self._pieces():
            self.marks.add(rule.marks(piece))

    def element(self, offset: int | None) -> Element | None:
        if offset is None:
            return None
        at = slice(offset, offset + 1)
        piece = Piece(offset, self.got[at], self.want[at], None, self._signed_zero)
        index = tuple(int(i) for i in np.unravel_index(offset, self._shape)) if self._shape else ()
        one_ulp = self.statistics.max_ulp is not None and not piece.nan_either[0]
        difference = float(piece.abs[0])
        whole = is_integer(piece.dtype) and is_integer(piece.want.dtype)
        return Element(
            index=index,
            offset=offset,
            block=None if self._per_block is None else offset // self._per_block,
            row=None if len(self._shape) < 2 else offset // self._shape[-1],
            got=_plain(piece.got),
            want=_plain(piece.want),
            bits_got=_bits(piece.got),
            bits_want=_bits(piece.want),
            abs=abs(int(piece.got[0]) - int(piece.want[0])) if whole else difference,
            rel=_relative(difference, abs(float(piece.w[0]))),
            ulp=int(piece.ulp[0]) if one_ulp else None,
        )


def _relative(difference, size):
    return difference / size if size else 0.0 if difference == 0 else float("inf")


def _plain(values):
    """One element as Python has it."""
    value = values[0]
    if values.dtype == np.bool_:
        return bool(value)
    return int(value) if is_integer(values.dtype) else float(value)


def _bits(values):
    return f"0x{int(bits(values)[0]):0{2 * values.dtype.itemsize}x}"
