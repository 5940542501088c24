# SPDX-License-Identifier: Apache-2.0
"""Cases of an operator from what it declares: boundary values, or all pairs of the factors."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from .._native import Error
from .._op import load_op
from .._values import edge_sizes
from ..comparing._arrays import is_float
from ..golden import dtype_named
from ._data import References

MODES = ("boundary", "pairwise")
# Values of inputs, the usual ones first: of integers small ones, so that sums stay in range.
_FLOATS, _WHOLES = ("normal", "special", "zeros", "bits"), ("small", "normal", "special", "zeros")
_ATTRS = {"bool": [False, True], "int": [0, 1, -1], "float": [0.0, 1.0, -2.5], "string": []}


def generate(
    op: str | os.PathLike,
    *,
    chip: str | None = None,
    operator: str | None = None,
    mode: str = "boundary",
    reference: str | None = None,
    compare: str | None = None,
    sizes: Sequence[int] | None = None,
    max_elements: int = 4096,
    tile: int = 256,
    blocks: int = 8,
    shapes: Callable[[int], Mapping[str, Any] | None] | None = None,
    attrs: Mapping[str, Sequence[Any]] | None = None,
    schedules: Sequence[str] = (),
    seeds: int = 1,
) -> Iterator[dict]:
    """The cases, as objects for sweep or lines of a file.

    op            the folder of a project; the cases name it as it is given
    mode          "boundary": every combination of types with every size, and every other factor changed alone; "pairwise": of
                  all factors every pair of values once or more (needs allpairspy)
    reference     FILE.py:FUNCTION of the cases; None: they must only run
    sizes         numbers of elements; None: up to max_elements where tails begin, around 1, 32 bytes, `tile` elements, and both
                  times `blocks`
    shapes        of a size: {"x": [8, 2048], "y": [2048]}, or None where there is no such case; None: every input is one row
    attrs         values of attributes; those that are not named have their default and what is near 0
    seeds         copies of each case with other data
    """
    if mode not in MODES:
        raise Error(f"generate: mode={mode!r} is not known; there are {', '.join(MODES)}")
    loaded = load_op(op, chip=chip, op=operator)
    sizes = list(sizes) if sizes else edge_sizes(max_elements, 16, tile, blocks)
    factors = _factors(loaded, sizes, attrs or {})
    fixed = {"op": os.fspath(op), "chip": loaded.chip, "reference": reference}
    more = {"operator": operator, "compare": compare, "schedules": list(schedules) or None}
    fixed.update({name: value for name, value in more.items() if value})
    choices = _pairwise(factors) if mode == "pairwise" else _boundary(factors)
    for choice in choices:
        case = _case(loaded, choice, shapes)
        if case is not None:
            for seed in range(seeds):
                yield {**fixed, **case, "seed": seed}


def _factors(op, sizes, attrs):
    """Values by factor, the usual one first."""
    columns = [n for n, c in enumerate(op.combinations) if all(" " not in c[p.name] for p in (*op.inputs, *op.outputs))]
    if not columns:
        raise Error(f"generate: every combination of {op.name} has a format other than ND: write its cases by hand")
    factors = {"types": columns, "size": _around(sizes), "values": list(range(len(_FLOATS)))}
    for p in op.inputs:
        if p.kind == "optional":
            factors[f"input {p.name}"] = [True, False]
        elif p.kind == "dynamic":
            factors[f"input {p.name}"] = [2, 1, 3]
    unknown = [name for name in attrs if all(a.name != name for a in op.attrs)]
    if unknown:
        raise Error(
            f"generate: {op.name} has no attribute {unknown[0]!r}; it has {', '.join(a.name for a in op.attrs) or 'none'}"
        )
    for a in op.attrs:
        values = list(attrs.get(a.name, ())) or _attr_values(op, a)
        if values:
            factors[f"attr {a.name}"] = values
    return factors


def _around(sizes):
    """The middle one first: the others are the edges."""
    middle = sizes[len(sizes) // 2]
    return [middle, *(n for n in sizes if n != middle)]


def _attr_values(op, attr):
    if attr.type not in _ATTRS:
        if attr.required:
            raise Error(f"generate: {op.name} needs the attribute {attr.name} ({attr.type}): give its values")
        return []
    usual = [] if attr.required else [attr.default]
    values = usual + [v for v in _ATTRS[attr.type] if v not in usual]
    if not values:
        raise Error(f"generate: {op.name} needs the attribute {attr.name} ({attr.type}): give its values")
    return values


def _boundary(factors):
    """Types with sizes, then each other factor alone with every combination of types."""
    base = {name: values[0] for name, values in factors.items()}
    for types, size in itertools.product(factors["types"], factors["size"]):
        yield {**base, "types": types, "size": size}
    for name, values in factors.items():
        if name not in ("types", "size"):
            for types, value in itertools.product(factors["types"], values[1:]):
                yield {**base, "types": types, name: value}


def _pairwise(factors):
    try:
        from allpairspy import AllPairs
    except ImportError:
        raise Error('generate: mode="pairwise" needs allpairspy: pip install allpairspy') from None
    several = {name: values for name, values in factors.items() if len(values) > 1}
    base = {name: values[0] for name, values in factors.items()}
    if len(several) < 2:
        for name, values in several.items() or [("types", factors["types"])]:
            yield from ({**base, name: value} for value in values)
        return
    for values in AllPairs(list(several.values())):
        yield {**base, **dict(zip(several, values))}


def _case(op, choice, shapes):
    types = op.combinations[choice["types"]]
    given = {p.name: [choice["size"]] for p in op.inputs} if shapes is None else shapes(choice["size"])
    if given is None:
        return None
    inputs: dict[str, Any] = {}
    for p in op.inputs:
        if p.name not in given:
            raise Error(f"generate: shapes({choice['size']}) has no shape for {p.name}; found {', '.join(given)}")
        spec = {"shape": list(given[p.name]), "dtype": types[p.name]}
        kind = _kind(choice["values"], dtype_named(types[p.name]))
        if kind != "normal":
            spec["values"] = kind
        wanted = choice.get(f"input {p.name}")
        if p.kind == "optional" and wanted is False:
            continue
        inputs[p.name] = [spec] * wanted if p.kind == "dynamic" else spec
    attrs = {name[5:]: value for name, value in choice.items() if name.startswith("attr ")}
    return {"inputs": inputs, **({"attrs": attrs} if attrs else {})}


def _kind(choice, dtype):
    return (_FLOATS if is_float(dtype) or dtype == np.bool_ else _WHOLES)[choice]


def add_options(group) -> None:
    group.add_argument(
        "--generate", metavar="OP", help="print cases for an operator project, made from what it declares"
    )
    group.add_argument("--chip", help="family or product (`sfumato chips` lists them)")
    group.add_argument(
        "--op", dest="operator", metavar="NAME", help="the operator, as OP_ADD names it, where there are several"
    )
    group.add_argument(
        "--mode",
        choices=MODES,
        default="boundary",
        help="cases at boundary values, or all pairs of sizes, types and attributes",
    )
    group.add_argument(
        "--reference",
        metavar="FILE.py:FUNCTION",
        help="the function that computes right results; it is called with inputs and attributes by name",
    )
    group.add_argument(
        "--compare", metavar="RULE", help="how results are compared: a rule of `sfumato diff` (default: auto)"
    )
    group.add_argument("--max-elements", type=int, default=4096, metavar="N", help="the most elements of an input")
    group.add_argument(
        "--tile", type=int, default=256, metavar="N", help="elements of a tile of the kernel: sizes around it are tried"
    )
    group.add_argument(
        "--blocks",
        type=int,
        default=8,
        metavar="N",
        help="blocks that share the elements: sizes around their parts are tried",
    )
    group.add_argument("--sizes", metavar="N,M", help="try these sizes alone")
    group.add_argument(
        "--shapes",
        metavar="FILE.py:FUNCTION",
        help="a function of a size that gives the shapes of the inputs, such as {'x': [8, 2048]}, or None",
    )
    group.add_argument(
        "--attr", action="append", default=[], metavar="NAME=V,W", help="values that an attribute takes; repeatable"
    )
    group.add_argument(
        "--schedules",
        metavar="A,B",
        help="run every case under each of these schedules, as `sfumato run --schedule` does",
    )
    group.add_argument("--seeds", type=int, default=1, metavar="N", help="run each case N times, with other data")


def from_options(options) -> Iterator[dict]:
    from .._op_command import _pairs, _value

    attrs = {}
    for name, text in _pairs(options.attr, "--attr").items():
        attrs[name] = [_value(word) for word in text.split(",")]
    try:
        sizes = [int(word) for word in options.sizes.split(",")] if options.sizes else None
    except ValueError:
        raise Error(f"--sizes {options.sizes}: it is N,M,...") from None
    same = ("chip", "operator", "mode", "reference", "compare", "max_elements", "tile", "blocks", "seeds")
    return generate(
        options.generate,
        **{name: getattr(options, name) for name in same},
        sizes=sizes,
        shapes=References().function(options.shapes) if options.shapes else None,
        attrs=attrs,
        schedules=options.schedules.split(",") if options.schedules else (),
    )
