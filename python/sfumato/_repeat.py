# SPDX-License-Identifier: Apache-2.0
"""The command that repeats a run, for verdicts and rows of sweeps: arrays are files of their names."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ._native import Error
from ._options import Route, repeated
from ._types import parse_type


def kernel(
    library: Any,
    name: str,
    source: str,
    blocks: int,
    arguments: Iterable[tuple[str, Any, str]],
    options: Mapping[str, Any],
) -> str | None:
    """arguments: (label, value, "in", "out", "inout" or "workspace") in the kernel's order. None where the command has no
    form for one of them."""
    words = ["sfumato", "run", source, "--chip", library.chip, "--kernel", name, "--blocks", str(blocks)]
    words += repeated(options, Route.RUN_COMMAND)
    if options.get("tiling_key") is not None:
        words += ["--tiling-key", str(options["tiling_key"])]
    types = [takes for _, _, takes in library._kernels.parameter_types(name)]
    try:
        forms = [_form(*argument, takes) for argument, takes in zip(arguments, types)]
    except Error:
        return None
    return None if None in forms else shlex.join([*words, "--", *forms])


def _form(label, value, role, takes):
    if isinstance(value, np.ndarray) and value.dtype.names is None:
        dtype = parse_type(value.dtype)
        if role == "workspace":
            return f"workspace:{value.nbytes}"
        if role == "out":
            return f"out:{dtype}[{','.join(map(str, value.shape))}]={label}.npy"
        typed = f"{dtype}:" if dtype in ("bfloat16", "int4") else ""
        return f"inout:{typed}{label}.npy={label}.out.npy" if role == "inout" else f"{typed}{label}.npy"
    if isinstance(value, (bytes, np.void)):
        return f"tiling:{label}.bin"
    if isinstance(value, (list, tuple)):
        parts = [_form(f"{label}{i}", part, role, takes) for i, part in enumerate(value)]
        return None if None in parts else "list:" + ",".join(parts)
    if isinstance(value, (bool, np.bool_)):
        return f"bool:{str(bool(value)).lower()}"
    dtype = re.search(r"\((\w+)\)$", takes)
    return f"{dtype[1]}:{value}" if dtype and isinstance(value, (int, float, np.number)) else None


def operator(
    folder: str,
    chip: str,
    name: str,
    inputs: Mapping[str, Any],
    attrs: Mapping[str, Any],
    outputs: Iterable[str],
    options: Mapping[str, Any],
) -> str:
    words = ["sfumato", "op", folder, "--chip", chip, "--op", name, *repeated(options, Route.OP_COMMAND)]
    for label, value in inputs.items():
        files = [f"{label}{i}.npy" for i in range(len(value))] if isinstance(value, (list, tuple)) else [f"{label}.npy"]
        words += ["--in", f"{label}={','.join(files)}"] if value is not None else []
    for label, value in attrs.items():
        words += ["--attr", f"{label}={value}"]
    for label in outputs:
        words += ["--out", f"{label}={label}.npy"]
    return shlex.join(words)


def tik(script: str, chip: str, inputs: Iterable[str], outputs: Iterable[str], options: Mapping[str, Any]) -> str:
    words = ["sfumato", "tik", script, "--chip", chip, *repeated(options, Route.TIK_COMMAND)]
    words += [word for label in inputs for word in ("--in", f"{label}={label}.npy")]
    words += [word for label in outputs for word in ("--out", f"{label}={label}.npy")]
    return shlex.join(words)
