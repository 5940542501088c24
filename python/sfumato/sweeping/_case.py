# SPDX-License-Identifier: Apache-2.0
"""Cases: one JSON object each (docs/sweeping.md), checked as a whole before the first runs."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .. import _options as options_of
from .._native import Error
from ..golden import dtype_named

# What a case of each kind must have, and what it may have. A kind is named by its first field.
_COMMON = ("name", "chip", "seed", "timeout")
_RUN = ("inputs", "outputs", "reference", "want", "compare", "build", "options", "schedules", "fills")
KINDS = {
    "op": (("op", "chip", "inputs"), ("attrs", "operator", *_RUN)),
    "kernel": (("kernel", "chip", "blocks", "args"), ("entry", "ranks", "repeat", "window_mb", *_RUN)),
    "submission": (("submission", "task", "chip"), ("judge",)),
}
_SPEC = ("shape", "dtype", "values", "format", "origin", "file", "array")
VALUES = ("normal", "small", "bits", "special", "uniform", "zeros", "ones", "arange")
_OPTIONS = list(options_of.of(options_of.Route.SWEEP))


@dataclass(frozen=True)
class Case:
    """A checked case. `id` is the hash of its content, without the name."""

    fields: Mapping[str, Any]
    base: Path  # relative paths start here
    id: str
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)  # by hash: those given as arrays

    @property
    def kind(self) -> str:
        return next(kind for kind in KINDS if kind in self.fields)

    @property
    def parts(self) -> list[Mapping[str, Any] | None]:
        return parts(self.fields)

    def path(self, text: str) -> Path:
        return self.base / text

    def get(self, name: str, default: Any = None) -> Any:
        value = self.fields.get(name)
        return default if value is None else value


def parts(fields: Mapping[str, Any]) -> list[Mapping[str, Any] | None]:
    """The specs of a case's inputs, None of an absent one, those of a list each."""
    specs = (fields.get("inputs") or {}).values()
    return [part for spec in specs for part in (spec if isinstance(spec, list) else [spec])]


def read(cases: str | os.PathLike | Iterable[Any]) -> list[Case]:
    """The cases of a file of JSON lines, or of objects; each once. Throws Error with the place of what is wrong."""
    if isinstance(cases, (str, os.PathLike)):
        path = Path(cases)
        return _unique(make(value, path.absolute().parent, f"{path}:{number}") for number, value in _lines(path))
    if isinstance(cases, Mapping) or not isinstance(cases, Iterable):
        raise Error(f"sweep: cases are a path or a list of objects, not {type(cases).__name__}")
    base = Path.cwd()
    return _unique(
        value if isinstance(value, Case) else make(value, base, f"cases[{number}]")
        for number, value in enumerate(cases)
    )


def _lines(path):
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    try:
                        yield number, json.loads(line)
                    except ValueError as error:
                        raise Error(f"{path}:{number}: no JSON: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Error(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def _unique(cases):
    return list({case.id: case for case in cases}.values())


def make(value: Any, base: Path, where: str) -> Case:
    """A checked case of an object; `where` begins the sentence of what is wrong with it."""
    if not isinstance(value, Mapping):
        raise Error(f"{where}: a case is an object, not {type(value).__name__}")
    kinds = [kind for kind in KINDS if kind in value]
    if len(kinds) != 1:
        found = " and ".join(kinds) or ", ".join(map(str, value)) or "nothing"
        raise Error(f"{where}: a case has one of {', '.join(KINDS)}; found {found}")
    needed, more = KINDS[kinds[0]]
    for name in value:
        if name not in (*needed, *more, *_COMMON):
            raise Error(
                f"{where}: {name!r} is not known in a case of {kinds[0]}; there are {', '.join((*needed, *more, *_COMMON))}"
            )
    for name in needed:
        if value.get(name) is None:
            raise Error(f"{where}: {name!r} is missing; a case of {kinds[0]} needs {', '.join(needed)}")
    for name in ("repeat", "window_mb"):
        if value.get(name) is not None and value.get("ranks") is None:
            raise Error(f'{where}: {name!r} is for several ranks; give "ranks", too')
    if kinds[0] != "submission" and "reference" not in value and "want" not in value:
        raise Error(
            f'{where}: say what is right: "reference": "FILE.py:FUNCTION", "want": {{"OUTPUT": "FILE"}}, or "reference": null '
            "for a case that must only run"
        )
    arrays = {}
    fields = {name: _plain(part, f"{where}: {name}", arrays) for name, part in value.items()}
    for name, check in _CHECKS.items():
        if fields.get(name) is not None:
            check(fields[name], f"{where}: {name}")
    content = {name: part for name, part in fields.items() if name != "name"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return Case(fields, base, hashlib.sha256(text.encode()).hexdigest()[:20], arrays)


def _plain(value, where, arrays):
    """JSON of a value; of an array what names it."""
    if isinstance(value, np.ndarray):
        array = np.ascontiguousarray(value)
        head = f"{array.dtype.name} {array.shape} "
        name = hashlib.sha256(head.encode() + array.reshape(-1).view(np.uint8).tobytes()).hexdigest()[:20]
        arrays[name] = array
        return {"array": name, "dtype": array.dtype.name, "shape": list(array.shape)}
    if isinstance(value, Mapping):
        return {str(name): _plain(part, f"{where}.{name}", arrays) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part, f"{where}[{number}]", arrays) for number, part in enumerate(value)]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if value is None or isinstance(value, (bool, int, str)) or (isinstance(value, float) and value - value == 0):
        return value
    raise Error(f"{where}: {value!r} is nothing that JSON holds")


def _text(value, where):
    if not isinstance(value, str) or not value:
        raise Error(f"{where}: {value!r} must be a text")


def _whole(low, high):
    def check(value, where):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise Error(f"{where}: {value!r} must be an int in [{low}, {high}]")

    return check


def _object(value, where):
    if not isinstance(value, dict):
        raise Error(f"{where}: {value!r} must be an object")


def _seconds(value, where):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
        raise Error(f"{where}: {value!r} must be seconds above 0")


def _list_of(check):
    def check_all(values, where):
        if not isinstance(values, list) or not values:
            raise Error(f"{where}: {values!r} must be a list with an entry or more")
        for number, value in enumerate(values):
            check(value, f"{where}[{number}]")

    return check_all


def _tensors(value, where, check):
    _object(value, where)
    for name, spec in value.items():
        if spec is None:
            continue
        for number, part in enumerate(spec if isinstance(spec, list) else [spec]):
            check(part, f"{where}.{name}" + (f"[{number}]" if isinstance(spec, list) else ""))


def _input(spec, where):
    _spec(spec, where, _SPEC)
    if "file" in spec or "array" in spec:
        return
    for name in ("shape", "dtype"):
        if name not in spec:
            raise Error(
                f'{where}: {name!r} is missing; an input is {{"shape": [8, 2048], "dtype": "float16"}} or {{"file": "x.npy"}}'
            )
    values = spec.get("values", "normal")
    if isinstance(values, dict):
        bounds = values.get("uniform")
        if set(values) != {"uniform"} or not isinstance(bounds, list) or len(bounds) != 2:
            raise Error(f'{where}.values: an object is {{"uniform": [LOW, HIGH]}}')
    elif isinstance(values, str) and values not in VALUES:
        raise Error(
            f"{where}.values: {values!r} is not known; there are {', '.join(VALUES)}, a number, a list of numbers"
        )


def _output(spec, where):
    _spec(spec, where, ("shape", "dtype"))
    if len(spec) != 2:
        raise Error(f'{where}: an output is {{"shape": [8, 2048], "dtype": "float16"}}')


def _spec(spec, where, names):
    _object(spec, where)
    unknown = [name for name in spec if name not in names]
    if unknown:
        raise Error(f"{where}: {unknown[0]!r} is not known; there are {', '.join(names)}")
    if "dtype" in spec:
        try:
            dtype_named(spec["dtype"])
        except (Error, TypeError):
            raise Error(f"{where}.dtype: {spec['dtype']!r} is no element type") from None
    shape = spec.get("shape", [])
    if not isinstance(shape, list) or not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in shape):
        raise Error(f"{where}.shape: {shape!r} must be a list of lengths")


def _options(value, where):
    _object(value, where)
    unknown = [name for name in value if name not in _OPTIONS]
    if unknown:
        raise Error(f"{where}: {unknown[0]!r} is not known; there are {', '.join(_OPTIONS)}")


def _function(value, where):
    _text(value, where)
    file, colon, name = value.rpartition(":")
    if not colon or not file.endswith(".py") or not name.isidentifier():
        raise Error(f"{where}: {value!r} is no FILE.py:FUNCTION")


def _compare(value, where):
    for part in value.values() if isinstance(value, dict) else [value]:
        _text(part, where)


_CHECKS = {
    **dict.fromkeys(("name", "chip", "op", "operator", "kernel", "entry", "submission", "task"), _text),
    **dict.fromkeys(("build", "attrs", "want", "judge"), _object),
    "seed": _whole(0, 2**63 - 1),
    "blocks": _whole(1, 65535),
    "ranks": _whole(1, 64),
    "repeat": _whole(1, 1_000_000),
    "window_mb": _whole(1, 4096),
    "timeout": _seconds,
    "inputs": lambda value, where: _tensors(value, where, _input),
    "outputs": lambda value, where: _tensors(value, where, _output),
    "reference": _function,
    "compare": _compare,
    "options": _options,
    "schedules": _list_of(_text),
    "fills": _list_of(_whole(0, 255)),
}
