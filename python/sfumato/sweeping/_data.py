# SPDX-License-Identifier: Apache-2.0
"""The arrays of a case: its inputs from seeds, files and arrays; what is right from its reference or its files."""

from __future__ import annotations

import importlib.util
import inspect
import math
import sys
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from .. import _values, golden
from .._native import Error
from ..comparing._arrays import is_float
from ..golden import dtype_named
from ._case import Case


def make_inputs(case: Case, arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """By name: an array, a list of them (dynamic), or None. The same seed, name and spec give the same bytes everywhere."""
    made = {}
    for name, spec in case.get("inputs", {}).items():
        if spec is None:
            made[name] = None
        elif isinstance(spec, list):
            made[name] = [_array(case, part, name, number, arrays) for number, part in enumerate(spec)]
        else:
            made[name] = _array(case, spec, name, 0, arrays)
    return made


def _array(case, spec, name, number, arrays):
    if "array" in spec:
        return arrays[spec["array"]].astype(dtype_named(spec["dtype"]), copy=False)
    if "file" in spec:
        path = case.path(spec["file"])
        array = golden.read(path, dtype=spec.get("dtype"), shape=spec.get("shape") if path.suffix == ".bin" else None)
        if not isinstance(array, np.ndarray):
            raise Error(f"inputs.{name}: {path} holds several arrays; a file of an input holds one")
        return np.ascontiguousarray(array)
    rng = np.random.default_rng([case.get("seed", 0), zlib.crc32(name.encode()), number])
    return generate(rng, spec.get("values", "normal"), dtype_named(spec["dtype"]), tuple(spec["shape"]))


def generate(rng: np.random.Generator, values: Any, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """An array of one of VALUES, {"uniform": [low, high]}, a number, or a list of numbers, which is repeated."""
    size = math.prod(shape)
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(_flat(rng, values, dtype, size).reshape(shape))


def _flat(rng, values, dtype, size):
    if isinstance(values, (list, int, float)):
        return np.resize(np.atleast_1d(np.asarray(values, np.float64 if is_float(dtype) else None)).astype(dtype), size)
    if isinstance(values, dict) or values == "uniform":
        low, high = values["uniform"] if isinstance(values, dict) else (-1, 1)
        whole = not is_float(dtype)
        return (rng.integers(low, high, size, endpoint=True) if whole else rng.uniform(low, high, size)).astype(dtype)
    if values in ("zeros", "ones"):
        return np.full(size, values == "ones").astype(dtype)
    if values == "arange":
        limit = 2048 if is_float(dtype) or dtype == np.bool_ else 1 + int(ml_dtypes.iinfo(dtype).max)
        return (np.arange(size) % limit).astype(dtype)
    if values == "special":
        odd = _values.specials(dtype)
        return np.where(
            rng.random(size) < 0.5, odd[rng.integers(0, odd.size, size)], _values.random(rng, "normal", dtype, size)
        )
    return _values.random(rng, values, dtype, size)


class References:
    """Functions of FILE.py:FUNCTION, each file imported once."""

    def __init__(self):
        self._modules = {}

    def want(self, case: Case, inputs: Mapping[str, Any], outputs: list[str]) -> dict[str, Any] | None:
        """What is right, by the names of the outputs; None where the case does not say. Throws Error."""
        if case.get("want"):
            return {name: _golden(case, name, file) for name, file in case.get("want").items()}
        if not case.get("reference"):
            return None
        function = self.function(case.path(case.get("reference")))
        try:
            with np.errstate(all="ignore"):
                found = function(**_wanted(function, {**inputs, **case.get("attrs", {})}))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - it is the user's code
            raise Error(f"reference {case.get('reference')}: {type(error).__name__}: {error}") from error
        if isinstance(found, Mapping):
            return {str(name): value for name, value in found.items()}
        found = found if isinstance(found, tuple) else (found,)
        if len(found) != len(outputs):
            raise Error(f"reference {case.get('reference')}: {len(found)} results for the outputs {', '.join(outputs)}")
        return dict(zip(outputs, found))

    def function(self, where: str | Path) -> Callable[..., Any]:
        file, _, name = str(where).rpartition(":")
        if file not in self._modules:
            spec = importlib.util.spec_from_file_location(f"sfumato_reference_{len(self._modules)}", file)
            module = importlib.util.module_from_spec(spec)
            sys.path.insert(0, str(Path(file).parent))
            try:
                spec.loader.exec_module(module)
            except (Exception, SystemExit) as error:  # noqa: BLE001 - it is the user's code
                raise Error(f"{file}: {type(error).__name__}: {error}") from error
            finally:
                sys.path.pop(0)
            self._modules[file] = module
        function = getattr(self._modules[file], name, None)
        if not callable(function):
            raise Error(f"{file}: it has no function {name}")
        return function


def _golden(case, name, file):
    array = golden.read(case.path(file))
    if isinstance(array, dict):
        if name not in array:
            raise Error(f"want.{name}: {file} holds {', '.join(array)}")
        array = array[name]
    return array


def _wanted(function, named):
    """The arguments that a function takes: a reference need not name what it has no use for."""
    parameters = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return named
    return {name: value for name, value in named.items() if name in parameters}
