# SPDX-License-Identifier: Apache-2.0
"""The questions of Mmad: how its products are added, what HF32 does to ties, subnormals and overflow."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import _accumulations as ways
from ._matrices import UNIT, Matrix, matrices
from ._numbers import FORMATS, bits_of, decode, encode, flushed, is_nan, round_to
from ._questions import Answer, Comparison, Outputs

_TIES = {"ties to even": "rint", "ties away": "round", "cut": "trunc"}
_FLOAT = FORMATS["float"]


def _factors(m: Matrix) -> tuple[np.ndarray, np.ndarray]:
    return decode(m.a, m.type), decode(m.b, m.type)


def _recorded(outputs: Outputs, use: str, kind: str, factors: str | None = None):
    for m in matrices():
        if (m.use, m.type) == (use, kind) and factors in (None, m.factors) and f"mmad-{m.name}.bin" in outputs:
            yield m, outputs[f"mmad-{m.name}.bin"]


class _Orders:
    """Which ways to add survive, element after element: the exact products of one are made once."""

    def __init__(self, question: str, unit: int):
        self.question, self.models = question, ways.candidates(unit)
        self.alive, self.points, self.last = list(self.models), 0, ""

    def over(self, m: Matrix, a: np.ndarray, b: np.ndarray, got: np.ndarray) -> None:
        rows, columns = ([[ways.to_fixed(v) for v in row] for row in side] for side in (a, b))
        self.points += 256
        for at in range(256):
            if not self.alive:
                return
            products = [x * y >> ways.SCALE for x, y in zip(rows[at // 16], columns[at % 16])]
            sums = {word: ways.of_calls(self.models[word], products, m.split) for word in self.alive}
            left = [word for word, value in sums.items() if np.float32(value) == got[at]]
            if not left:
                values = {word: np.float32(sums[word]) for word in self.alive}
                nearest = min(values, key=lambda word: abs(float(values[word]) - float(got[at])))
                self.last = (
                    f"{len(values)} were left when element {at % 16} of row {at // 16} of mmad-{m.name} came, "
                    f"the nearest of them {nearest}: found {float(got[at]).hex()} instead of "
                    f"{float(values[nearest]).hex()}"
                )
            self.alive = left

    def answer(self) -> Answer:
        survivors = tuple(self.alive) if self.points else ()
        return Answer(self.question, self.points, len(self.models), survivors, self.last)


def _order(outputs: Outputs, kind: str) -> Answer:
    orders = _Orders(f"Mmad order {kind}", UNIT[kind])
    for m, got in _recorded(outputs, "sum", kind):
        orders.over(m, *_factors(m), got)
    return orders.answer()


def _hf32_factors(v: np.ndarray, way: str) -> np.ndarray:
    """To 12 significant bits, the first of them not stored."""
    return round_to(v, _FLOAT._replace(precision=12), _TIES[way])


def _hf32(outputs: Outputs) -> Iterator[Answer]:
    orders = _Orders("Mmad order hf32", UNIT["float"])
    for mode in ("hf32-0", "hf32-1"):
        ties = Comparison(f"SetHF32TransMode {mode[-1]}", [*_TIES, "no rounding"])
        found = list(_recorded(outputs, "ties", "float", mode))
        for m, got in found:
            if m.name.endswith("plain"):
                continue
            a, b = _factors(m)

            def want(way, i, a=a, b=b):
                x, y = (side if way == "no rounding" else _hf32_factors(side, way) for side in (a, b))
                return encode(round_to((x[:, :1] @ y[:, :1].T).ravel()[i], _FLOAT), "float")

            ties.over(f"mmad-{m.name}", bits_of(got), "float", want)
        yield ties.answer()
        for m, got in found:
            if m.name.endswith("plain") and ties.alive and ties.alive[0] in _TIES:
                orders.over(m, *(_hf32_factors(side, ties.alive[0]) for side in _factors(m)), got)
    yield orders.answer()


def _subnormals(outputs: Outputs, kind: str) -> Answer:
    """The matrices have one product, or two whose sum is exact, so that the order does not matter."""
    names = {f"operands {x}, results {y}": (x == "flushed", y == "flushed")
             for x in ("kept", "flushed") for y in ("kept", "flushed")}  # fmt: skip
    comparison = Comparison(f"Mmad subnormals {kind}", names)
    for m, got in _recorded(outputs, "subnormal", kind):
        a, b = _factors(m)

        def want(candidate, i, a=a, b=b, form=FORMATS[m.type]):
            before, after = names[candidate]
            x, y = (flushed(side, form) if before else side for side in (a, b))
            return encode(round_to((x @ y.T).ravel()[i], _FLOAT, flush=after), "float")

        comparison.over(f"mmad-{m.name}", bits_of(got), "float", want)
    return comparison.answer()


def _overflow(outputs: Outputs, kind: str) -> Answer:
    """One product meets another: each step as IEEE 754 has it, or limited to the largest numbers; or the last alone."""
    names = {"infnan": (False, False), "saturate": (True, True), "saturate at the end": (False, True)}
    comparison = Comparison(f"Mmad overflow {kind}", names)
    for m, got in _recorded(outputs, "overflow", kind):
        a, b = _factors(m)
        at = np.flatnonzero(np.any(a != 0, axis=0))

        def want(candidate, i, a=a, b=b, at=at):
            each, last = names[candidate]
            with np.errstate(all="ignore"):
                c = np.zeros((16, 16))
                for k in at:
                    p = round_to(np.outer(a[:, k], b[:, k]), _FLOAT, saturate=each)
                    c = round_to(c + p, _FLOAT, saturate=each)
                return encode(round_to(c.ravel()[i], _FLOAT, saturate=last), "float")

        comparison.over(f"mmad-{m.name}", bits_of(got), "float", want)
    nan = sum(int(is_nan(bits_of(got), "float").sum()) for _, got in _recorded(outputs, "overflow", kind))
    return comparison.answer(f"{nan} results are NaN" if comparison.points and not comparison.alive else "")


def of_matrices(outputs: Outputs) -> Iterator[Answer]:
    for kind in UNIT:
        yield _order(outputs, kind)
    yield from _hf32(outputs)
    for kind in ("half", "float"):
        yield _subnormals(outputs, kind)
    for kind in UNIT:
        yield _overflow(outputs, kind)
