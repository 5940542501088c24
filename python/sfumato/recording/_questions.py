# SPDX-License-Identifier: Apache-2.0
"""The questions of a record, the candidates of each, and which of them its bits leave."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field

import numpy as np

from . import _functions as functions
from . import _sums as sums
from ._inputs import TYPES
from ._numbers import FORMATS, MODES, Format, bits_of, decode, encode, round_to, same, step_of, to_integer
from ._probes import CALLS, FUNCTIONS, Probe, arrays, probes

_SAMPLE = 256  # places that candidates are tried at before all
POLICIES = {"infnan": False, "saturate": True}  # what results beyond half and bfloat16_t become


@dataclass(frozen=True)
class Answer:
    """What the bits say of one question."""

    question: str
    points: int  # results that were compared; 0: none was recorded
    candidates: int
    survivors: tuple[str, ...] = ()
    detail: str = ""
    expected: str = field(default="", compare=False)  # what the name of a call says, for casts

    @property
    def answered(self) -> bool:
        return bool(self.survivors)

    def to_dict(self) -> dict:
        return asdict(self) | {"survivors": list(self.survivors), "answered": self.answered}


Outputs = Mapping[str, np.ndarray]  # the elements that came back, by the name of a probe; bfloat16_t as bits


def _bits(values: np.ndarray, name: str) -> np.ndarray:
    return encode(values, name) if name in FORMATS else bits_of(values)


class Comparison:
    """One question over several probes: candidates drop out, and where the last of them did is remembered."""

    def __init__(self, question: str, names, expected: str = ""):
        self.question, self.expected = question, expected
        self.alive, self.all, self.points = list(names), len(list(names)), 0
        self.last = self.closest = ""

    def over(
        self, where: str, got: np.ndarray, name: str, want: Callable[[str, np.ndarray], np.ndarray], at=None
    ) -> None:
        """`got` are bits; want(candidate, places) the bits it gives there; at: where the places that count are."""
        at = np.arange(len(got)) if at is None else np.flatnonzero(at)
        self.points += len(at)
        if not len(at) or not self.alive:
            return
        few = at[:: max(1, len(at) // _SAMPLE)]
        misses = {c: int((~same(got[few], want(c, few), name)).sum()) for c in self.alive}
        tried = [c for c in self.alive if not misses[c]]
        wrong = {}
        for candidate in tried or sorted(self.alive, key=misses.get)[:3]:
            wrong[candidate] = at[~same(got[at], want(candidate, at), name)]
        self.alive = [c for c in tried if not len(wrong[c])]
        if not self.alive:
            nearest = min(wrong, key=lambda c: len(wrong[c]))
            first, self.closest = wrong[nearest][:1], nearest
            self.last = (
                f"the closest is {nearest}: {len(wrong[nearest])} of {len(at)} of {where} differ, first at {first[0]}: "
                f"found 0x{int(got[first[0]]):x} instead of 0x{int(want(nearest, first)[0]):x}"
            )

    def answer(self, detail: str = "") -> Answer:
        survivors = tuple(self.alive) if self.points else ()
        detail = "; ".join(word for word in (detail, self.last) if word)
        return Answer(self.question, self.points, self.all, survivors, detail, self.expected)


def _named(outputs: Outputs, **asked) -> Iterator[tuple[Probe, list[np.ndarray], np.ndarray]]:
    """The probes with these fields that were recorded: each with operands as float64 and bits of results."""
    for probe in probes():
        if probe.name in outputs and all(getattr(probe, key) == value for key, value in asked.items()):
            operands = [decode(arrays()[file], probe.source) for file in probe.inputs]
            yield probe, operands, bits_of(outputs[probe.name])


# --- functions --------------------
def _regions(function: str, x: np.ndarray, form: Format):
    """Where operand and value are normal numbers; where one of them is subnormal; the rest: specials and overflow."""
    value = functions.rounded(function, x, form)
    tiny = 2.0**form.least
    finite = np.isfinite(x) & (x != 0) & np.isfinite(value)
    with np.errstate(all="ignore"):
        small = finite & ((np.abs(x) < tiny) | ((np.abs(value) < tiny) & (value != 0)))
    underflow = finite & (value == 0) & (function == "exp")
    return finite & ~small & ~underflow, small | underflow, ~finite & ~np.isnan(x) | np.isnan(x)


def _of_function(outputs: Outputs, function: str, name: str) -> Iterator[Answer]:
    form, models = FORMATS[name], functions.of_one(function, name)
    normal = Comparison(f"{CALLS[function]} {name}", models)
    found = list(_named(outputs, kind="vector", what=function, source=name))
    errors = [0, 0]
    for probe, (x,), got in found:
        at = _regions(function, x, form)[0]
        normal.over(probe.name, got, name, lambda c, i, x=x: encode(models[c](x[i], form), name), at)
        exact = functions.rounded(function, x, form)
        with np.errstate(all="ignore"):
            off = np.abs(decode(got.view(TYPES[name]), name) - exact) / step_of(exact, form)
        off = off[at & np.isfinite(off)]
        errors = [errors[0] + int((off != 0).sum()), max(errors[1], int(np.ceil(off.max(initial=0))))]
    yield normal.answer(f"{errors[0]} are not the nearest, by at most {errors[1]} units" if errors[0] else "")
    core = next(iter(normal.alive), normal.closest or next(iter(models)))
    policies = POLICIES if name == "half" else {"infnan": False}
    yield from _at_the_edges(
        found, normal.question, functools.partial(_regions, function), models[core], form, policies, name
    )


def _at_the_edges(found, question, regions, model, form, policies, name) -> Iterator[Answer]:
    """Two questions: subnormal operands and results; zeros, infinities, NaN and what lies beyond the range."""
    flushes = Comparison(f"{question}, subnormals", functions.FLUSHES)
    specials = Comparison(f"{question}, specials", policies)
    for probe, operands, got in found:
        _, small, special = regions(*operands, form)

        def of_flush(flush, i, operands=operands):
            return encode(
                functions.with_flush(flush, lambda *v: model(*v, form), form, *(v[i] for v in operands)), name
            )

        def of_policy(policy, i, operands=operands):
            return encode(round_to(model(*(v[i] for v in operands), form), form, saturate=policies[policy]), name)

        flushes.over(probe.name, got, name, of_flush, small & ~_overflows(operands, model, form))
        specials.over(probe.name, got, name, of_policy, special)
    yield flushes.answer()
    yield specials.answer()


def _overflows(operands, model, form):
    """Where a flushed operand leads to an infinity, the policy speaks and not the flush."""
    with np.errstate(all="ignore"):
        plain = model(*operands, form)
        return ~np.isfinite(plain)


# --- two operands --------------------
_EXACT = {"add": sums.exact_sum, "mul": sums.exact_product, "div": functions.quotient}


def _of_two(a, b, form, exact):
    """Regions as _regions gives them."""
    with np.errstate(all="ignore"):
        v = exact(a, b)
        r = round_to(v, form)
        tiny = 2.0**form.least
        finite = np.isfinite(a) & np.isfinite(b) & np.isfinite(r)
        operands_small = ((np.abs(a) < tiny) & (a != 0)) | ((np.abs(b) < tiny) & (b != 0))
        small = finite & (operands_small | ((np.abs(v) < tiny) & (v != 0)))
    return finite & ~small, small, ~finite


def _beyond_the_envelope(a, b, form):
    """The regions of Div without what a device that no candidate gives may round either way."""
    near = functions.near_the_middle(a, b, form)
    return tuple(region & ~near for region in _of_two(a, b, form, functions.quotient))


def _of_arithmetic(outputs: Outputs, what: str, name: str) -> Iterator[Answer]:
    form, exact = FORMATS[name], _EXACT[what]
    models = functions.quotients(name) if what == "div" else {
        word: lambda a, b, form, mode=mode: round_to(exact(a, b), form, mode)
        for word, mode in (("nearest", "rint"), ("toward zero", "trunc"), ("ties away", "round"))
    }  # fmt: skip
    normal, details = Comparison(f"{CALLS[what]} {name}", models), []
    found = list(_named(outputs, kind="vector", what=what, source=name))
    for probe, (a, b), got in found:
        at = _of_two(a, b, form, exact)[0]
        normal.over(probe.name, got, name, lambda c, i, a=a, b=b: encode(models[c](a[i], b[i], form), name), at)
        if what == "div":
            details.append((at.sum(), *functions.envelope(a[at], b[at], decode(got.view(TYPES[name]), name)[at], form)))
    detail = ""
    if details:
        count, other, beyond = (int(sum(row[i] for row in details)) for i in range(3))
        if other:
            detail = (
                f"{other} of {count} quotients are not the nearest, at most {max(row[3] for row in details):.2f} "
                f"units from the exact one, {beyond} of them beyond the envelope of {functions.NEAR} around the middle"
            )
            if not beyond and not normal.alive:
                normal.alive = ["envelope"]
    yield normal.answer(detail)
    core = models[next((c for c in normal.alive if c in models), "nearest")]
    policies = POLICIES if name == "half" else {"infnan": False}
    regions = functools.partial(_of_two, exact=exact)
    if normal.alive == ["envelope"]:
        regions = _beyond_the_envelope
    yield from _at_the_edges(found, normal.question, regions, core, form, policies, name)


# --- casts --------------------
def _sticky(v: np.ndarray) -> np.ndarray:
    """int64 as float64, with a last bit that says that something was lost."""
    size = np.abs(v.astype(object)) if (v == np.iinfo(np.int64).min).any() else np.abs(v)
    size = np.array(
        [int(n) >> 11 << 11 | (int(n) % 2048 != 0) << 11 if int(n) >= 1 << 53 else int(n) for n in size], object
    )
    return np.copysign(size.astype(np.float64), np.where(v < 0, -1.0, 1.0))


def _to_integers(v: np.ndarray, mode: str, name: str, *, wrap: bool) -> np.ndarray:
    info, r = np.iinfo(TYPES[name]), to_integer(v, mode)
    r = np.where(np.isnan(r), 0.0, r)
    whole = [int(n) if np.isfinite(n) else (info.max if n > 0 else info.min) for n in r]
    if wrap:
        whole = [(n - info.min) % (1 << info.bits) + info.min for n in whole]
    return np.array([min(max(n, info.min), info.max) for n in whole], TYPES[name])


def _cast(candidate: tuple[str, str, str], v: np.ndarray, source: str, target: str) -> np.ndarray:
    mode, policy, flush = candidate
    if target not in FORMATS:
        return bits_of(_to_integers(v, mode, target, wrap=policy == "wraps"))
    if source == target:
        r = to_integer(v, mode)
        return encode(np.where(r == 0, 0.0, r), target)
    form = FORMATS[target]

    def convert(x):
        return round_to(x, form, mode, saturate=policy == "saturate")

    return encode(functions.with_flush(flush, convert, form, v, of=FORMATS.get(source)), target)


def _of_cast(outputs: Outputs, source: str, target: str, mode: str) -> Answer:
    """Candidates: the modes; what half and bfloat16_t do beyond their range and to subnormals; integers that wrap."""
    policies = [""] if target in FORMATS else ["", "wraps"]
    if target in ("half", "bfloat16_t") and source in FORMATS:  # no int16_t is beyond half
        policies = list(POLICIES)
    flushes = list(functions.FLUSHES) if source in FORMATS and target in FORMATS and source != target else ["kept"]
    names = {}
    for m in MODES:
        for policy in policies:
            for flush in flushes:
                words = (m, policy, flush if flush != "kept" else "")
                names[", ".join(word for word in words if word)] = (m, policy, flush)
    expected = "rint" if mode == "none" else mode
    comparison = Comparison(f"Cast {source} to {target}, {mode}", names, expected)
    for probe, (v,), got in _named(outputs, kind="cast", what=mode, source=source, target=target):
        if source == "int64_t":
            v = _sticky(arrays()[probe.inputs[0]])
        comparison.over(probe.name, got, target, lambda c, i, v=v: _cast(names[c], v[i], source, target))
    return comparison.answer()


# --- sums --------------------
def _of_reduction(outputs: Outputs, what: str, name: str) -> Answer:
    form, size = FORMATS[name], TYPES[name].itemsize
    row = sums.of_a_row(name, 32 // size)
    if what == "block":
        row = {word: order for word, order in row.items() if "32 bytes" not in word}
    if what == "pair":
        row = {
            "nearest": sums.exact,
            "toward zero": lambda rows, form: round_to(sums.exact_sum(*rows.T.copy()), form, "trunc"),
        }
    models = sums.of_repeats(row, 256 // size) if what == "sum" else row
    comparison = Comparison(f"{CALLS[what]} {name}", models)
    for probe, (v,), got in _named(outputs, kind="reduce", what=what, source=name):
        if what == "sum":
            rows, got = v.reshape(-1, 2048)[:, : probe.extra], got.reshape(-1, 32 // size)[:, 0]
        else:
            rows = v.reshape(-1, {"whole": 256 // size, "block": 32 // size, "pair": 2}[what])
        comparison.over(probe.name, got, name, lambda c, i, rows=rows: encode(models[c](rows[i], form), name))
    return comparison.answer()


def _of_atomic(outputs: Outputs, name: str) -> Answer:
    form = FORMATS[name]
    policies = POLICIES if name != "float" else {"infnan": False}
    names = {}
    for mode in ("rint", "round", "trunc", "floor", "ceil"):
        for policy in policies:
            names |= {f"{mode}, {policy}, subnormals {flush}": (mode, policy, flush) for flush in functions.FLUSHES}
    comparison = Comparison(f"SetAtomicAdd {name}", names)
    for probe, operands, got in _named(outputs, kind="atomic", source=name):

        def want(candidate, i, operands=operands):
            mode, policy, flush = names[candidate]

            def add(a, b):
                return round_to(sums.exact_sum(a, b), form, mode, saturate=policies[policy])

            return encode(functions.with_flush(flush, add, form, *(v[i] for v in operands)), name)

        comparison.over(probe.name, got, name, want)
    return comparison.answer()


def _of_nan(outputs: Outputs, name: str) -> Answer:
    """Which bits Sqrt gives for a NaN operand."""
    quiet, canonical = {"half": (0x0200, 0x7E00), "float": (0x400000, 0x7FC00000)}[name]
    comparison = Comparison(f"NaN {name}", ("canonical", "the operand, quiet", "the operand", "0"))
    for probe, (x,), got in _named(outputs, kind="vector", what="sqrt", source=name):
        operand = bits_of(arrays()[probe.inputs[0]])
        made = {"the operand, quiet": operand | operand.dtype.type(quiet), "the operand": operand}
        made |= {"canonical": np.full_like(operand, canonical), "0": np.zeros_like(operand)}
        comparison.over(probe.name, got, "bits", lambda c, i, made=made: made[c][i], np.isnan(x))
    return comparison.answer()


def of_vectors(outputs: Outputs) -> Iterator[Answer]:
    """All questions but those of Mmad."""
    for function in FUNCTIONS:
        for name in ("half", "float"):
            yield from _of_function(outputs, function, name)
    for name in ("half", "float"):
        yield _of_nan(outputs, name)
    for what in ("div", "add", "mul"):
        for name in ("half", "float"):
            yield from _of_arithmetic(outputs, what, name)
    for probe in probes():
        if probe.kind == "cast":
            yield _of_cast(outputs, probe.source, probe.target, probe.what)
    for name in ("half", "float"):
        for what in ("whole", "block", "pair", "sum"):
            yield _of_reduction(outputs, what, name)
    for name in ("half", "bfloat16_t", "float"):
        yield _of_atomic(outputs, name)
