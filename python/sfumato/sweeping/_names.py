# SPDX-License-Identifier: Apache-2.0
"""What people call a case: the name it has, else what is in it; and the command that runs it again."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from typing import Any

from ._case import parts

_LIMITS = {"timeout": 60.0, "memory": 4 << 30}  # what the command has without a word


def subject(fields: Mapping[str, Any]) -> str:
    """What a case is about: the last part of the path of its operator, kernel or submission."""
    path = fields.get("op") or fields.get("kernel") or fields.get("submission")
    return fields.get("operator") or fields.get("entry") or path.rstrip("/").rpartition("/")[2]


def shape_text(lengths: list[int]) -> str:
    """As 8x2048."""
    return "x".join(map(str, lengths)) or "scalar"


def name_of(fields: Mapping[str, Any]) -> str:
    """A name from what makes a case another than its neighbours: "Axpy float16 8x2048, special, alpha=2.0, seed 3"."""
    words = [" ".join([subject(fields), *_inputs(fields)])]
    values = dict.fromkeys(_values(part) for part in parts(fields) if part and part.get("values", "normal") != "normal")
    words += values
    words += [f"{name}={value}" for name, value in (fields.get("attrs") or {}).items()]
    numbers = [str(value) for value in fields.get("args") or () if isinstance(value, (int, float))]
    words += [f"arguments {' '.join(numbers)}"] if numbers else []
    words += [f"seed {seed}"] if (seed := fields.get("seed")) else []
    return ", ".join(words)


def called(result: Mapping[str, Any]) -> str:
    """What people call the case of a result, in one line."""
    return " ".join((result["name"] or name_of(result["case"])).split())


def _inputs(fields):
    """The type and shape of the inputs, once where all have the same; of a submission its task."""
    given = {name: _kind(spec) for name, spec in (fields.get("inputs") or {}).items()}
    kinds = set(given.values())
    if len(kinds) == 1:
        return kinds
    if fields.get("task"):
        return [fields["task"].rpartition("/")[2]]
    return [", ".join(f"{name} {kind}" for name, kind in given.items())] if given else []


def _kind(spec):
    if spec is None:
        return "absent"
    if isinstance(spec, list):
        return f"[{', '.join(_kind(part) for part in spec)}]"
    if "file" in spec:
        return spec["file"].rpartition("/")[2]
    return f"{spec['dtype']} {shape_text(spec['shape'])}"


def _values(spec):
    values = spec["values"]
    if isinstance(values, Mapping):
        return "uniform " + " to ".join(map(str, values["uniform"]))
    return f"values {values}" if not isinstance(values, str) else values


def dtypes(fields: Mapping[str, Any]) -> str:
    """The types of the inputs, each once, in their order."""
    return ", ".join(dict.fromkeys(part.get("dtype", "file") for part in filter(None, parts(fields)))) or "-"


def largest(fields: Mapping[str, Any]) -> tuple[int, str]:
    """Elements and shape of the largest input: (16384, "8x2048")."""
    shapes = [part["shape"] for part in filter(None, parts(fields)) if "shape" in part]
    best = max(shapes, key=lambda s: (math.prod(s), s), default=None)
    return (0, "-") if best is None else (math.prod(best), shape_text(best))


def again(case: Any, cases: str | None, out: str, **limits: float) -> str:
    """The command that runs a case again, from the folder where the sweep ran. cases: the file it came from; else the folder
    of results has it, and the arrays that it names."""
    words = ["sfumato", "sweep", *([cases] if cases else [])]
    if not cases or any(part and "array" in part for part in case.parts):
        words += ["--out", out]
    words += ["--case", case.id]
    for name, value in limits.items():
        if value != _LIMITS[name]:
            words += [f"--{name}", f"{value >> 20}" if name == "memory" else f"{value:g}"]
    return shlex.join(words)
