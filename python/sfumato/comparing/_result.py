# SPDX-License-Identifier: Apache-2.0
"""What a comparison found."""

from __future__ import annotations

import dataclasses
import html
import json
import math
from collections.abc import Mapping
from typing import Any

_WIDTH = 160


@dataclasses.dataclass(frozen=True)
class Element:
    """One element that differs."""

    index: tuple[int, ...]
    offset: int  # elements from the start, in C order
    block: int | None  # where blocks= or tile= said how the elements are shared out
    row: int | None  # all but the last dimension, counted; None of one dimension
    got: Any  # int, float or bool
    want: Any
    bits_got: str  # "0x3c00"
    bits_want: str
    abs: float | int
    rel: float
    ulp: int | None  # None where one is NaN

    def __str__(self) -> str:
        where = f"[{', '.join(map(str, self.index))}]"
        extra = [] if len(self.index) == 1 else [f"offset {self.offset}"]
        extra += [f"{name} {value}" for name, value in (("block", self.block), ("row", self.row)) if value is not None]
        apart = "" if self.ulp is None else f", {self.ulp} ulp"
        if extra:
            where += f" ({', '.join(extra)})"
        return f"{where}: got {self.got} ({self.bits_got}), want {self.want} ({self.bits_want}){apart}"


@dataclasses.dataclass(frozen=True)
class Comparison:
    """The answer of sfumato.compare. True where it is `ok`; str() is at most 12 lines."""

    ok: bool
    rule: str
    dtype: str  # of got
    shape: tuple[int, ...]
    count: int
    problem: str | None  # shapes or types that differ: then nothing below was looked at
    mismatches: int | None  # elements that break the rule; some rules allow a few
    share: float | None
    detail: str  # what the rule says of the whole
    first: Element | None = None  # of the mismatches
    worst: Element | None = None
    max_abs: float | int | None = None  # of finite elements, as all up to cosine
    max_rel: float | None = None  # to |want|; inf where that is 0
    max_ulp: int | None = None
    mere: float | None = None  # mean of |got - want| / (|want| + 1e-7)
    mare: float | None = None  # and the largest
    rmse: float | None = None
    cosine: float | None = None
    nan: dict[str, int] | None = None  # got, want, disagree
    inf: dict[str, int] | None = None
    histogram: dict[str, int] | None = None  # ulp: elements
    pattern: str | None = None  # the first of `patterns`
    patterns: tuple[dict[str, Any], ...] = ()  # pattern, explains (share of the mismatches), note

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        return f"<sfumato.Comparison: {self._headline()}>"

    def _headline(self):
        what = f"{self.dtype} {_shape(self.shape)}"
        if self.problem:
            return f"different: {self.problem}"
        if self.ok and not self.mismatches:
            return f"equal by {self.rule}: {_elements(self.count)}, {what}"
        word = f"equal by {self.rule}, which allows" if self.ok else f"different by {self.rule}:"
        return f"{word} {self.mismatches} of {_elements(self.count)} ({100 * self.share:.3g}%), {what}"

    def rows(self) -> list[tuple[str, str]]:
        """Name and text of each thing worth saying."""
        if self.problem:
            return []
        rows = [("rule", self.detail)] if self.detail and (self.mismatches or self.max_abs or not self.ok) else []
        if self.first is not None:
            rows.append(("first", str(self.first)))
        if self.worst is not None and self.worst != self.first:
            rows.append(("worst", str(self.worst)))
        if self.max_abs:
            ulp = "" if self.max_ulp is None else f", {self.max_ulp} ulp"
            rows.append(("largest", f"{_number(self.max_abs)}, relative {_number(self.max_rel)}{ulp}"))
            cosine = "" if self.cosine is None else f", cosine {self.cosine:.6f}"
            means = f"MERE {_number(self.mere)}, MARE {_number(self.mare)}, RMSE {_number(self.rmse)}{cosine}"
            rows.append(("errors", means))
        for name, counts in (("nan", self.nan), ("inf", self.inf)):
            if counts and any(counts.values()):
                rows.append((name, ", ".join(f"{side} {n}" for side, n in counts.items())))
        if self.histogram and set(self.histogram) != {"0"}:
            bins = [f"{apart}: {n}" for apart, n in self.histogram.items()]
            rows.append(("ulp", ", ".join(bins if len(bins) <= 8 else [*bins[:4], "...", *bins[-3:]])))
        for found in self.patterns[:3]:
            note = f" ({found['note']})" if found["note"] else ""
            rows.append(("pattern", f"{found['pattern']}{note}: {100 * found['explains']:.4g}% of the mismatches"))
        return rows

    def __str__(self) -> str:
        lines = [self._headline(), *(f"  {name:<8}{text}" for name, text in self.rows())]
        return "\n".join(line if len(line) <= _WIDTH else line[: _WIDTH - 4] + " ..." for line in lines)

    @classmethod
    def of_dict(cls, fields: Mapping[str, Any]) -> Comparison:
        """What to_dict() was made of; other names are left out."""
        names = {field.name for field in dataclasses.fields(cls)}
        known = {name: _number_again(value) for name, value in fields.items() if name in names}
        for name in ("first", "worst"):
            if known.get(name):
                known[name] = Element(**known[name])
        return cls(**known)

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them: numbers that are not finite are the strings "NaN", "Infinity", "-Infinity"."""
        return _plain(dataclasses.asdict(self))

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    def _repr_html_(self) -> str:
        mark = "&#10003;" if self.ok else "&#10007;"
        rows = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>{html.escape(text)}</td></tr>"
            for name, text in self.rows()
        )
        return f"<p>{mark} {html.escape(self._headline())}</p><table>{rows}</table>"


def _elements(count):
    return f"{count} element{'' if count == 1 else 's'}"


def _shape(shape):
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def _number(value):
    return str(value) if isinstance(value, int) else f"{value:.4g}"


def _number_again(value):
    if isinstance(value, dict):
        return {name: _number_again(item) for name, item in value.items()}
    return float(value) if isinstance(value, str) and value in ("NaN", "Infinity", "-Infinity") else value


def _plain(value):
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
