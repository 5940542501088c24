# SPDX-License-Identifier: Apache-2.0
"""Golden files: arrays in .npy, .npz, raw .bin, .pt (with PyTorch) and .safetensors (where installed), and folders of cases.

golden.write("want.npz", {"y": y})          # bfloat16, int4 and their like keep their type in .npz
golden.read("want.npz")["y"]
golden.read("y.bin", dtype="float16", shape=(8, 2048))
golden.matmul_spread(a, b).holds(y).all()   # a product of matrices within what any way to add gives
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from ._matmul import MatmulSpread, matmul, matmul_spread
from ._native import Error
from ._types import parse_type

__all__ = ["Case", "MatmulSpread", "matmul", "matmul_spread", "read", "read_case", "write", "write_case"]

# In an .npz: the types that NumPy stores as bare bytes, as JSON.
_TYPES = "__dtypes__"


def dtype_named(name: Any) -> np.dtype:
    """A dtype from a word: those of the AI Core in any spelling ("half", "bfloat16"), "float64", float8 ... Throws Error."""
    if isinstance(name, str) and hasattr(ml_dtypes, name):
        return np.dtype(getattr(ml_dtypes, name))
    try:
        return np.dtype(name)
    except TypeError:
        return np.dtype(getattr(ml_dtypes, parse_type(name), None) or parse_type(name))


def read(path: str | os.PathLike, *, dtype: Any = None, shape: Any = None) -> Any:
    """The array of a .npy or .bin file; of .npz, .safetensors and a .pt that holds a dict, a dict of arrays.

    dtype  needed for .bin; of a .npy that NumPy wrote without a type (float8, int4) it says which
    shape  of a .bin; without it a .bin is one line. One length may be -1
    """
    path = Path(path)
    wanted = None if dtype is None else dtype_named(dtype)
    try:
        if path.suffix == ".bin":
            return _read_bin(path, wanted, shape)
        if shape is not None:
            raise Error(f"{path}: shape= is for .bin; a {path.suffix or 'file'} says its own")
        if path.suffix == ".npy":
            return _typed(np.load(path, allow_pickle=False), wanted, path)
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as arrays:
                types = json.loads(str(arrays[_TYPES])) if _TYPES in arrays.files else {}
                return {
                    name: _typed(arrays[name], types.get(name) or wanted, f"{path}[{name}]")
                    for name in arrays.files
                    if name != _TYPES
                }
        if path.suffix in (".pt", ".pth"):
            return _read_torch(path)
        if path.suffix == ".safetensors":
            return _safetensors(path).load_file(path)
    except (OSError, ValueError, KeyError) as error:
        raise Error(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    raise Error(f"{path}: {_unknown(path)}")


def _unknown(path):
    return f"{path.suffix or 'no suffix'} is not known; there are .npy, .npz, .bin, .pt, .pth, .safetensors"


def _typed(array, dtype, what):
    """The array with the type that NumPy's file could not name."""
    if array.dtype.kind != "V" or array.dtype.names is not None:
        return array
    size = array.dtype.itemsize
    if dtype is None and size == 2:  # the one type of two bytes that NumPy does not have
        dtype = "bfloat16"
    if dtype is None:
        raise Error(
            f"{what}: it holds {size} bytes an element without a type; give dtype=, e.g. 'float8_e4m3fn', 'int4'"
        )
    dtype = dtype_named(dtype)
    if dtype.itemsize != size:
        raise Error(f"{what}: it holds {size} bytes an element, {dtype.name} has {dtype.itemsize}")
    return array.view(dtype)


def _read_bin(path, dtype, shape):
    if dtype is None:
        raise Error(f"{path}: a .bin says no type: give dtype=, e.g. 'float16', and shape=")
    size = path.stat().st_size
    if size % dtype.itemsize:
        raise Error(f"{path}: {size} bytes are no whole number of {dtype.name} elements of {dtype.itemsize}")
    array = np.fromfile(path, np.uint8).view(dtype)
    if shape is None:
        return array
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    try:
        return array.reshape(shape)
    except ValueError:
        needed = math.prod(shape) * dtype.itemsize
        wants = f"takes {needed} bytes" if needed >= 0 else "does not divide them"
        raise Error(f"{path}: it has {size} bytes; shape {shape} of {dtype.name} {wants}") from None


def _torch(path):
    try:
        import torch
    except ImportError:
        raise Error(f"{path}: a {path.suffix} file needs PyTorch: pip install torch") from None
    return torch


def _read_torch(path):
    from .comparing._arrays import as_array

    held = _torch(path).load(path, map_location="cpu", weights_only=True)
    if isinstance(held, dict):
        return {name: as_array(value, name) for name, value in held.items()}
    return as_array(held, str(path))


def _safetensors(path):
    try:
        import safetensors.numpy
    except ImportError:
        raise Error(f"{path}: it needs safetensors: pip install safetensors") from None
    return safetensors.numpy


def write(path: str | os.PathLike, arrays: Any) -> None:
    """Writes an array (.npy, .bin, .pt) or a dict of arrays (.npz, .safetensors, .pt) by the suffix."""
    path = Path(path)
    many = isinstance(arrays, Mapping)
    if path.suffix in (".npy", ".bin") and many:
        raise Error(f"{path}: a {path.suffix} holds one array; write a dict to .npz")
    if path.suffix in (".npz", ".safetensors") and not many:
        raise Error(f"{path}: a {path.suffix} holds arrays by name; pass a dict")
    try:
        if path.suffix == ".npy":
            np.save(path, np.asarray(arrays))
        elif path.suffix == ".bin":
            np.asarray(arrays).tofile(path)
        elif path.suffix == ".npz":
            arrays = {name: np.asarray(array) for name, array in arrays.items()}
            types = {name: array.dtype.name for name, array in arrays.items() if _is_bare(array.dtype)}
            if _TYPES in arrays:
                raise Error(f"{path}: the name {_TYPES} is taken by the file's types")
            np.savez(path, **arrays, **({_TYPES: np.array(json.dumps(types))} if types else {}))
        elif path.suffix in (".pt", ".pth"):
            _write_torch(path, arrays)
        elif path.suffix == ".safetensors":
            _safetensors(path).save_file({name: np.ascontiguousarray(a) for name, a in arrays.items()}, path)
        else:
            raise Error(f"{path}: {_unknown(path)}")
    except OSError as error:
        raise Error(f"{path}: {error.strerror}") from None


def _is_bare(dtype):
    """NumPy's files keep no name of it."""
    return dtype.type.__module__.startswith("ml_dtypes")


def _write_torch(path, arrays):
    from ._foreign import to_torch

    torch = _torch(path)
    if isinstance(arrays, Mapping):
        torch.save({name: to_torch(np.asarray(array)) for name, array in arrays.items()}, path)
    else:
        torch.save(to_torch(np.asarray(arrays)), path)


@dataclasses.dataclass
class Case:
    """One case of a kernel or an operator: what goes in, what must come out, and the rule that judges it."""

    inputs: dict[str, np.ndarray]
    outputs: dict[str, np.ndarray]
    op: str = ""
    chip: str = ""
    attrs: dict[str, Any] = dataclasses.field(default_factory=dict)
    compare: str = "auto"


def write_case(folder: str | os.PathLike, case: Case) -> None:
    """Writes case.json and a raw .bin for each array into a folder, which is made."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    about: dict[str, Any] = {"op": case.op, "chip": case.chip, "attrs": case.attrs, "compare": case.compare}
    for side in ("inputs", "outputs"):
        about[side] = []
        for name, array in getattr(case, side).items():
            array = np.asarray(array)
            file = f"{side[:-1]}_{name}.bin"
            write(folder / file, array)
            about[side].append({"name": name, "file": file, "dtype": array.dtype.name, "shape": list(array.shape)})
    (folder / "case.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def read_case(folder: str | os.PathLike) -> Case:
    """Reads a folder's case.json: {op, chip, attrs, compare, inputs and outputs: [{name, file, dtype, shape}]}.

    Files may be .bin or .npy. Throws Error for a field that is missing, unknown or wrong, with its place."""
    path = Path(folder) / "case.json"
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Error(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise Error(f"{path}: no JSON: {error}") from None
    fields = ("op", "chip", "attrs", "inputs", "outputs", "compare")
    if not isinstance(about, dict) or not set(about) <= set(fields):
        unknown = sorted(set(about) - set(fields)) if isinstance(about, dict) else [type(about).__name__]
        raise Error(f"{path}: {unknown[0]!r} is not known; there are {', '.join(fields)}")
    arrays: dict[str, dict[str, np.ndarray]] = {}
    for side in ("inputs", "outputs"):
        arrays[side] = {}
        for number, entry in enumerate(about.get(side, [])):
            where = f"{path}: {side}[{number}]"
            missing = [key for key in ("name", "file", "dtype", "shape") if key not in entry]
            if missing:
                raise Error(f"{where}: {missing[0]!r} is missing; an entry has name, file, dtype, shape")
            file = path.parent / entry["file"]
            raw = {"shape": entry["shape"]} if file.suffix == ".bin" else {}
            array = read(file, dtype=entry["dtype"], **raw)
            if array.shape != tuple(entry["shape"]) or array.dtype != dtype_named(entry["dtype"]):
                raise Error(
                    f"{where}: {file.name} holds {array.dtype.name} {array.shape}, not {entry['dtype']} "
                    f"{tuple(entry['shape'])}"
                )
            arrays[side][entry["name"]] = array
    return Case(
        **arrays,
        op=about.get("op", ""),
        chip=about.get("chip", ""),
        attrs=about.get("attrs", {}),
        compare=about.get("compare", "auto"),
    )
