# SPDX-License-Identifier: Apache-2.0
"""The probes of a kit: the launches of plan.txt and the arrays they read (docs/recording.md)."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from . import _inputs as inputs
from ._inputs import TYPES
from ._matrices import matrices

VERSION = "probes-1"
MODES = {  # of the table of Cast for A2 and A3, by source and result
    ("half", "float"): "none",
    ("half", "int32_t"): "rint floor ceil round trunc",
    ("half", "int16_t"): "rint floor ceil round trunc",
    ("half", "int8_t"): "none rint floor ceil round trunc",
    ("half", "uint8_t"): "none rint floor ceil round trunc",
    ("float", "half"): "none rint floor ceil round trunc odd",
    ("float", "bfloat16_t"): "rint floor ceil round trunc",
    ("float", "float"): "rint floor ceil round trunc",
    ("float", "int16_t"): "rint floor ceil round trunc",
    ("float", "int32_t"): "rint floor ceil round trunc",
    ("float", "int64_t"): "rint floor ceil round trunc",
    ("bfloat16_t", "float"): "none",
    ("bfloat16_t", "int32_t"): "rint floor ceil round trunc",
    ("int16_t", "half"): "none rint floor ceil round trunc",
    ("int16_t", "float"): "none",
    ("int32_t", "float"): "none rint floor ceil round trunc",
    ("int64_t", "float"): "rint floor ceil round trunc",
}
CALLS = {
    "exp": "Exp",
    "ln": "Ln",
    "sqrt": "Sqrt",
    "rsqrt": "Rsqrt",
    "rec": "Reciprocal",
    "div": "Div",
    "add": "Add",
    "mul": "Mul",
    "whole": "WholeReduceSum",
    "block": "BlockReduceSum",
    "pair": "PairReduceSum",
    "sum": "ReduceSum",
}
FUNCTIONS = ("exp", "ln", "sqrt", "rsqrt", "rec")
_TWICE = 16384  # results of fewer bytes are recorded twice


class Probe(NamedTuple):
    """A launch. `matrix`: what a probe of Mmad is made of."""

    name: str
    kind: str
    what: str
    source: str
    target: str
    count: int
    inputs: tuple[str, ...]
    extra: int = 0
    matrix: object = None

    @property
    def results(self) -> int:
        """Elements that come back."""
        if self.kind == "mmad":
            return 256
        if self.kind != "reduce":
            return self.count
        size = TYPES[self.source].itemsize
        each = {"whole": 8 * size, "block": 64 * size, "pair": 1024, "sum": 32 // size}[self.what]
        return self.count // inputs.TILE * each

    @property
    def bytes(self) -> int:
        return self.results * TYPES[self.target].itemsize

    @property
    def times(self) -> int:
        return 2 if self.bytes <= _TWICE or self.kind == "mmad" else 1

    def line(self) -> str:
        what = self.what if self.kind != "atomic" else "add"
        words = (self.name, self.kind, what, self.source, self.target, self.count, self.extra, self.times)
        return " ".join(map(str, (*words, *self.inputs)))


@functools.cache
def arrays() -> dict[str, np.ndarray]:
    """The inputs by the name of their file."""
    made = {
        "half": inputs.all_halves(),
        "bfloat16": inputs.all_bfloat16(),
        "scan": inputs.scan(),
        "grid": inputs.grid(),
        "random": inputs.moderate_floats(16384),
        "ties": inputs.ties(),
        "half-ties": inputs.half_ties(),
        "bfloat16-ties": inputs.to_bfloat16(inputs.ties()[::2])[:6144],
        "sums-half": inputs.sums(np.dtype(np.float16)),
        "sums-float": inputs.sums(np.dtype(np.float32)),
    }
    made |= {name: inputs.integers(name) for name in ("int16_t", "int32_t", "int64_t")}
    pairs = {
        "noted": inputs.noted_pairs(),
        "dense": inputs.dense_pairs(),
        "pairs": (inputs.random_floats(78, 16384), inputs.random_floats(79, 16384)),
        "edges-float": inputs.edge_pairs(np.dtype(np.float32)),
        "edges-half": inputs.edge_pairs(np.dtype(np.float16)),
        "pairs-half": (inputs.random_halves(80, 16384), inputs.random_halves(81, 16384)),
    }
    pairs |= {f"addends-{name}": inputs.addends(name) for name in ("half", "bfloat16_t", "float")}
    for name, (a, b) in pairs.items():
        made[f"{name}-0"], made[f"{name}-1"] = a, b
    for matrix in matrices():
        made[f"mmad-{matrix.name}-a"], made[f"mmad-{matrix.name}-b"] = matrix.a, matrix.b
    return {f"{name}.bin": np.ascontiguousarray(array) for name, array in made.items()}


def _probe(name, kind, what, source, target, files, extra=0):
    files = tuple(f"{file}.bin" for file in files)
    return Probe(f"{name}.bin", kind, what, source, target, len(arrays()[files[0]]), files, extra)


@functools.cache
def probes() -> tuple[Probe, ...]:
    made = []
    for function in FUNCTIONS:
        for source, files in (("half", ["half"]), ("float", ["scan", "grid", "random"])):
            made += [_probe(f"{function}-{file}", "vector", function, source, source, [file]) for file in files]
    for file in ("noted", "dense", "pairs", "edges-float", "edges-half", "pairs-half"):
        source = "half" if "half" in file else "float"
        for what in ("div", "add", "mul") if "edges" in file else ("div",):
            made.append(_probe(f"{what}-{file}", "vector", what, source, source, [f"{file}-0", f"{file}-1"]))
    files = {"half": "half-ties", "float": "ties", "bfloat16_t": "bfloat16-ties"}
    for (source, target), modes in MODES.items():
        for mode in modes.split():
            widening = target == "float" and mode == "none" and source in ("half", "bfloat16_t")
            file = {"half": "half", "bfloat16_t": "bfloat16"}[source] if widening else files.get(source, source)
            made.append(_probe(f"cast-{source}-{target}-{mode}", "cast", mode, source, target, [file]))
    for source in ("half", "float"):
        for what in ("whole", "block", "pair"):
            made.append(_probe(f"reduce-{what}-{source}", "reduce", what, source, source, [f"sums-{source}"]))
        for length in (2048, 1000):
            name = f"reduce-sum-{length}-{source}"
            made.append(_probe(name, "reduce", "sum", source, source, [f"sums-{source}"], length))
    for source in ("half", "bfloat16_t", "float"):
        pair = [f"addends-{source}-{i}" for i in (0, 1)]
        made.append(_probe(f"atomic-{source}", "atomic", "add", source, source, pair))
    for m in matrices():
        both = tuple(f"mmad-{m.name}-{side}.bin" for side in "ab")
        made.append(Probe(f"mmad-{m.name}.bin", "mmad", m.factors, m.type, "float", m.k, both, m.split, m))
    return tuple(made)


def plan() -> str:
    return f"# {VERSION}\n" + "".join(f"{probe.line()}\n" for probe in probes())
