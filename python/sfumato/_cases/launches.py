# SPDX-License-Identifier: Apache-2.0
"""Kernels and operators as cases run them. A run is a mapping: seconds, records, blocks, tiling_key, cost, estimate, outputs,
repeat (the command that repeats it), findings."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import _repeat
from .._native import Error
from .._world import ranks as world_of
from ..golden import dtype_named
from .verdicts import report_dict

COSTS = ("records", "bytes_gm_read", "bytes_gm_written", "vector_elements", "mac")
_ESTIMATE = ("core_us", "task_us", "error")


class Launches:
    """What all kinds of cases share."""

    repeat = None  # of the latest run

    def told(self, began, result, outputs, blocks, key=None):
        """One run."""
        cost = getattr(result, "cost", None)
        estimate = getattr(result, "estimate", None)
        return {
            "seconds": time.perf_counter() - began,
            "records": result.records,
            "blocks": blocks,
            "tiling_key": key,
            "cost": {name: getattr(cost, name, None) for name in COSTS} | {"records": result.records},
            "estimate": estimate and {name: estimate.data[name] for name in _ESTIMATE},
            "outputs": outputs,
            "repeat": self.repeat,
            "findings": [report_dict(finding) for finding in result.findings],
        }


class Kernel(Launches):
    """The kernels of a library; source: as a command names it."""

    def __init__(self, library, source):
        self.library, self._source = library, source

    def run(
        self,
        name: str,
        inputs: Mapping[str, Any],
        specs: Mapping[str, tuple],
        arguments: Callable[[dict], list[tuple[str, Any, str | None]]],
        blocks: int,
        options: Mapping[str, Any],
        wanted: Sequence[str] | None = None,
        ranks: Mapping[str, Any] | None = None,
    ) -> dict:
        """inputs: arrays of this run alone; specs: (dtype, shape) of outputs, of which those of an input's name are the input;
        arguments: label, value and role (else told by the label) of each parameter, of the arrays by name; wanted: outputs;
        ranks: "ranks", and "repeat" and "window_mb" where they are not the usual ones: each rank gets its part of every array, by
        the first dimension, and "rank", "ranks" and "context" by name."""
        places = dict(inputs)
        for output, spec in specs.items():
            if output not in places:
                places[output] = empty(spec, options["fill"])
        if ranks:
            began = time.perf_counter()
            result = self._on_ranks(name, places, arguments, blocks, dict(options), **ranks)
            return self.told(began, result, {output: places[output] for output in wanted or specs}, blocks)
        roles = {output: "inout" if output in inputs else "out" for output in specs}
        given = [(label, value, role or roles.get(label, "in")) for label, value, role in arguments(places)]
        self.repeat = _repeat.kernel(self.library, name, self._source, blocks, given, options)
        began = time.perf_counter()
        result = self.library[name][blocks].options(**options)(*(value for _, value, _ in given))
        outputs = {output: places[output] for output in wanted or specs}
        return self.told(began, result, outputs, blocks)

    def _on_ranks(self, name, places, arguments, blocks, options, ranks, repeat=1, window_mb=16):
        def given(rank):
            own = {label: _of_rank(label, value, rank, ranks) for label, value in places.items()}
            own = {"rank": rank, "ranks": ranks, "context": world.context("world", rank)} | own
            return tuple(value for _, value, _ in arguments(own))

        schedule, fill = options.pop("schedule"), options.pop("fill")
        with world_of(ranks, chip=self.library.chip, window_mb=window_mb, fill=fill) as world:
            kernel = self.library[name][blocks].options(**options)
            return world.launch(kernel, args=given, schedule=schedule, repeat=repeat)


def _of_rank(label, value, rank, ranks):
    if not isinstance(value, np.ndarray):
        return value
    if value.ndim == 0 or value.shape[0] != ranks:
        raise Error(f"{label}: the shape is {list(value.shape)}, but the first dimension is that of the {ranks} ranks")
    return value[rank]


class Operator(Launches):
    """folder: as a command names it."""

    def __init__(self, op, folder):
        self.op, self._folder = op, folder

    def run(
        self,
        positional: Sequence[Any],
        named: Mapping[str, Any],
        attrs: Mapping[str, Any],
        options: Mapping[str, Any],
        specs: Mapping[str, tuple] | None = None,
        out: Any = None,
    ) -> dict:
        """positional, named: arrays of this run alone; specs: (dtype, shape) of the outputs, or out: as a call takes it."""
        arrays = {**dict(zip([param.name for param in self.op.inputs], positional)), **named}
        names = list(specs or [param.name for param in self.op.outputs])
        shown = {name: value for name, value in attrs.items() if name not in arrays}
        self.repeat = _repeat.operator(self._folder, self.op.chip, self.op.name, arrays, shown, names, options)
        made = specs and [empty(spec, options["fill"]) for spec in specs.values()]
        began = time.perf_counter()
        op = self.op.options(**options)
        found = op(*positional, **named, **attrs, **({} if (made or out) is None else {"out": made or out}))
        found = made or (found if isinstance(found, tuple) else (found,))
        tiling = op.last.tiling
        return self.told(began, op.last, dict(zip(names, found)), tiling.blocks, tiling.key)


def empty(spec, fill):
    """An array of (dtype, shape) whose bytes nobody wrote."""
    dtype, shape = spec
    array = np.empty(tuple(shape), dtype_named(dtype))
    array.reshape(-1).view(np.uint8)[...] = fill
    return array


def copied(value):
    """Arrays of one run alone, in lists and mappings, too: kernels may write to their inputs."""
    if isinstance(value, dict):
        return {name: copied(part) for name, part in value.items()}
    if isinstance(value, list):
        return [copied(part) for part in value]
    return value.copy() if isinstance(value, np.ndarray) else value


def changed(given: Mapping[str, Any], used: Mapping[str, Any], outputs: Mapping[str, Any]) -> dict[str, int]:
    """Bytes that a run changed, of inputs by name; given, used: the inputs before and after it."""
    arrays = [name for name, value in used.items() if isinstance(value, np.ndarray) and name not in outputs]
    counts = {name: int(np.count_nonzero(_bytes(used[name]) != _bytes(given[name]))) for name in arrays}
    return {name: count for name, count in counts.items() if count}


def same(a, b) -> bool:
    """Whether outputs have the same bytes."""
    if a is b:
        return True
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return (a is None) == (b is None) and (a is None or (a.shape == b.shape and a.tobytes() == b.tobytes()))


def _bytes(array):
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)
