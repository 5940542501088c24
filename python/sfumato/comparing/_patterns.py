# SPDX-License-Identifier: Apache-2.0
"""The patterns that usual mistakes leave. One is named when it explains at least 90 percent of the elements that differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import PIECE, Flat, as_float64, bits, is_float

SHARE = 0.9
# Fewer differing elements than this fit a shift, a factor or a stride by chance.
_FEW = 4
# Elements looked at to guess a shift, a factor, a stride; every guess is then held against all.
_SAMPLE = 1 << 12
_REACH = 1 << 16


class Differences:
    """Which elements differ: a bit for each."""

    def __init__(self):
        self._pieces: list[np.ndarray | None] = []
        self._sizes: list[int] = []
        self.count = 0
        self.first: int | None = None

    def add(self, mask: np.ndarray) -> None:
        """The next piece."""
        found = int(mask.sum())
        if found and self.first is None:
            self.first = len(self._pieces) * PIECE + int(mask.argmax())
        self.count += found
        self._pieces.append(np.packbits(mask) if found else None)
        self._sizes.append(mask.size)

    def places(self):
        """The places that differ, an array of offsets for each piece that has some."""
        for number, (packed, size) in enumerate(zip(self._pieces, self._sizes)):
            if packed is not None:
                yield np.flatnonzero(np.unpackbits(packed, count=size)) + number * PIECE

    def sample(self) -> np.ndarray:
        """The first places."""
        return next(iter(self.places()))[:_SAMPLE]


class _Case:
    """What the recognisers look at."""

    def __init__(self, marks, got, want, shape, per_block, fill):
        self.marks: Differences = marks
        self.got: Flat = got
        self.want: Flat = want
        self.shape: tuple[int, ...] = shape
        self.per_block: int | None = per_block
        self.fill: int = fill
        self.size = got.size

    def wanted(self, places: np.ndarray) -> np.ndarray:
        """want at some places, in got's type."""
        with np.errstate(over="ignore", invalid="ignore"):
            return self.want.take(places).astype(self.got.dtype, copy=False)

    def count(self, test) -> int:
        """How many of the places that differ pass `test(places)`."""
        return sum(int(np.count_nonzero(test(places))) for places in self.marks.places())


def find_patterns(
    marks: Differences, got: Flat, want: Flat, shape: tuple[int, ...], per_block: int | None, fill: int
) -> tuple[dict[str, Any], ...]:
    """The patterns that explain the differences, what was written before where. Each {pattern, explains, note}."""
    if not marks.count:
        return ()
    case = _Case(marks, got, want, shape, per_block, fill)
    found = []
    for group in ((_fill, _zeros, _shifted, _transposed, _scaled), (_tail, _blocks, _every)):
        for recognise in group:
            answer = recognise(case)
            if answer and answer[1] >= SHARE * marks.count:
                name, explained, note = answer
                found.append({"pattern": name, "explains": explained / marks.count, "note": note})
                break  # of what was written, and of where: the first that holds
    return tuple(found)


def _fill(case):
    """Every byte is the fill byte: nobody wrote there."""
    size = case.got.dtype.itemsize
    if case.got.dtype.name in ("int4", "uint4", "int2", "uint2"):  # not a byte of memory each
        return None
    word = int.from_bytes(bytes([case.fill]) * size, "little")
    explained = case.count(lambda places: bits(case.got.take(places)) == word)
    return "fill bytes", explained, f"0x{case.fill:02x}: nobody wrote there"


def _zeros(case):
    return "zeros", case.count(lambda places: as_float64(case.got.take(places)) == 0), ""


def _shifted(case):
    """got[i] is want[i + n]: n is where most of some values that differ stand in want."""
    sample = case.marks.sample()
    sample = sample[np.linspace(0, sample.size - 1, min(sample.size, 64)).astype(np.int64)]
    values = bits(case.got.take(sample))
    if np.unique(values).size < _FEW:  # a few values are everywhere
        return None
    low = max(0, int(sample[0]) - _REACH)
    near = bits(case.wanted(np.arange(low, min(case.size, int(sample[0]) + _REACH))))
    votes: dict[int, int] = {}
    for place, value in zip(sample.tolist(), values):
        steps = np.flatnonzero(near == value) + low - place
        for step in steps.tolist() if steps.size <= 256 else ():
            votes[step] = votes.get(step, 0) + 1
    votes.pop(0, None)
    if not votes:
        return None
    n = min(votes, key=lambda step: (-votes[step], abs(step)))

    def holds(places):
        inside = places[(0 <= places + n) & (places + n < case.size)]
        return bits(case.got.take(inside)) == bits(case.wanted(inside + n))

    return f"shifted by {n}", case.count(holds), f"got[i] is want[i{n:+d}]"


def _transposed(case):
    """The last two dimensions changed places."""
    if len(case.shape) < 2 or min(case.shape[-2:]) < 2 or case.marks.count < _FEW // 2:
        return None
    rows, columns = case.shape[-2:]

    def holds(places):
        matrix, inside = np.divmod(places, rows * columns)
        source = matrix * rows * columns + inside % rows * columns + inside // rows
        return bits(case.got.take(places)) == bits(case.wanted(source))

    return "transposed", case.count(holds), "the last two dimensions"


def _scaled(case):
    """got is want times a number, to two units of the type's precision."""
    if not is_float(case.got.dtype):
        epsilon = 0.0
    else:
        import ml_dtypes

        epsilon = float(ml_dtypes.finfo(case.got.dtype).eps)
    sample = case.marks.sample()
    got, want = as_float64(case.got.take(sample)), as_float64(case.want.take(sample))
    with np.errstate(all="ignore"):
        ratios = got / want
    ratios = ratios[np.isfinite(ratios) & (ratios != 0)]
    if ratios.size < _FEW:
        return None
    factor = _round_number(float(np.median(ratios)), epsilon)
    # A factor of all but 1 is an error of rounding, not a scale.
    if abs(factor - 1) <= 16 * epsilon or np.unique(want).size < _FEW:
        return None

    def holds(places):
        got, want = as_float64(case.got.take(places)), as_float64(case.want.take(places))
        with np.errstate(all="ignore"):
            scaled = factor * want
            return (want != 0) & (np.abs(got - scaled) <= 2 * epsilon * np.abs(scaled))

    return f"scaled by {factor:.6g}", case.count(holds), "got is want times that"


def _round_number(factor, epsilon):
    """A plain fraction near the factor where there is one."""
    from fractions import Fraction

    plain = float(Fraction(factor).limit_denominator(64))
    return plain if plain and abs(plain - factor) <= max(2 * epsilon, 1e-12) * abs(factor) else factor


def _histogram(case, of, length):
    """How many differences are in each class below `length`; of() gives the classes of some places."""
    counts = np.zeros(length, np.int64)
    for places in case.marks.places():
        classes = of(places)
        counts += np.bincount(classes[(0 <= classes) & (classes < length)], minlength=length)
    return counts


def _tail(case):
    """The last columns of (nearly) every row, and of a line the last elements of every block."""
    row, name = case.size, "row"
    if len(case.shape) > 1:
        row = case.shape[-1]
    elif case.per_block is not None:
        row, name = case.per_block, "block"
    if not 1 < row <= case.size:
        return None
    # Of very long rows the end alone is looked at.
    looked = min(row, _REACH)
    columns = _histogram(case, lambda places: places % row - (row - looked), looked)
    rows, before = 0, -1
    for places in case.marks.places():
        numbers = np.unique(places // row)
        rows += numbers.size - int(numbers[0] == before)
        before = numbers[-1]
    # Where a row differs at all it differs in its tail; and most rows do.
    bad = columns >= max(1, 0.5 * rows)
    if not bad[-1] or bad.all() or rows < SHARE * (case.size // row):
        return None
    length = int(np.argmin(bad[::-1]))
    elements = f"elements {row - length} to {row - 1}" if length > 1 else "the last element"
    return f"tail of each {name}", int(columns[looked - length :].sum()), f"{name}s of {row}, {elements}"


def _blocks(case):
    """A block that is wrong as a whole, its neighbours right: of blocks= or tile=, else of a length that divides the array."""
    per_block = case.per_block or _guess_block(case)
    if per_block is None or per_block >= case.size:
        return None
    blocks = -(-case.size // per_block)
    if blocks > _REACH:
        return None
    counts = _histogram(case, lambda places: places // per_block, blocks)
    sizes = np.full(blocks, per_block)
    sizes[-1] = case.size - (blocks - 1) * per_block
    bad = counts >= 0.5 * sizes
    if not bad.any() or bad.all():
        return None
    numbers = np.flatnonzero(bad)
    which = ", ".join(map(str, numbers[:4])) + (f" and {numbers.size - 4} more" if numbers.size > 4 else "")
    note = f"of {blocks} blocks of {per_block} elements"
    return f"whole block{'s' if numbers.size > 1 else ''} {which}", int(counts[bad].sum()), note


def _guess_block(case):
    """The length of the longest run of differences, gaps of a few aside, where it divides the array and its own start."""
    best, run = (0, 0), (0, -_REACH)
    for places in case.marks.places():
        breaks = np.flatnonzero(np.diff(places) > _FEW)
        starts = places[np.concatenate([[0], breaks + 1])]
        ends = places[np.concatenate([breaks, [-1]])]
        if starts[0] - run[1] <= _FEW:
            starts[0] = run[0]
        longest = int((ends - starts).argmax())
        run = (int(starts[-1]), int(ends[-1]))
        best = max(best, (int(starts[longest]), int(ends[longest])), key=lambda r: r[1] - r[0])
    length = best[1] - best[0] + 1
    return length if length >= 8 and case.size % length == 0 and best[0] % length == 0 else None


def _every(case):
    """One place in n, n the commonest distance of neighbours that differ."""
    sample = case.marks.sample()
    if sample.size < _FEW:
        return None
    steps, counts = np.unique(np.diff(sample), return_counts=True)
    n = int(steps[counts.argmax()])
    if n < 2:
        return None
    rest = int(np.bincount((sample % n).astype(np.int64)).argmax())
    note = f"offsets {rest}, {rest + n}, {rest + 2 * n} ..."
    return f"every {n}-th", case.count(lambda places: places % n == rest), note
