# SPDX-License-Identifier: Apache-2.0
"""Operator projects in the older form, all from the template older/: what differs in each, and where it names the toolkit."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
LATEST = "/usr/local/Ascend/ascend-toolkit/latest"
AT_HOME = "$env{HOME}/Ascend/ascend-toolkit/latest"  # `sfumato toolkit link` makes ~/Ascend
TYPES = {"float16": ("ge::DT_FLOAT16", 1), "float32": ("ge::DT_FLOAT", 0), "int32": ("ge::DT_INT32", 3)}


@dataclass(frozen=True)
class Older:
    op: str
    file: str  # the operator's name in snake case
    compute: str  # of x and y to z, `tile` elements each
    want: Callable  # the same of arrays
    chip: str = "Ascend910B1"
    units: str = "ascend910b"  # of the preset
    configs: tuple[str, ...] = ("ascend910b",)
    types: tuple[str, ...] = ("float16", "float32")
    factor: float = 2.0
    toolkit: str = LATEST  # as the preset names it
    vendor: str = "customize"
    optional: bool = False  # y is absent in the call
    environment: dict[str, str] = field(default_factory=dict)


ADD = "Add(z, x, y, tile);"
OLDER = [
    Older("AddOlder", "add_older", ADD, lambda x, y, f: x + y),
    Older("MulOlder", "mul_older", "Mul(z, x, y, tile);", lambda x, y, f: x * y, toolkit="/usr/local/Ascend/latest"),
    Older("MaxOfTwo", "max_of_two", "Max(z, x, y, tile);", lambda x, y, f: np.maximum(x, y), types=("int32",),
          toolkit="/usr/local/Ascend/ascend-toolkit/latest/"),
    Older("SubOlder", "sub_older", "Sub(z, x, y, tile);", lambda x, y, f: x - y, chip="Ascend310P3",
          units="ascend310p", configs=("ascend310p",)),
    Older("AxpyOlder", "axpy_older", "Muls(x, x, factor, tile); Add(z, x, y, tile);", lambda x, y, f: x * f + y,
          chip="Ascend310P3", units="ascend310p;ascend910b", configs=("ascend310p", "ascend910b"), types=("float32",)),
    Older("MinOlder", "min_older", "Min(z, x, y, tile);", lambda x, y, f: np.minimum(x, y), chip="Ascend310B1",
          units="ascend310b", configs=("ascend310b",), types=("float16",)),
    Older("ReluOlder", "relu_older", "Relu(z, x, tile);", lambda x, y, f: np.maximum(x, x.dtype.type(0)),
          chip="Ascend310B1", units="ascend310b;ascend910b", configs=("ascend310b", "ascend910b"), optional=True),
    Older("AddsTo910", "adds_to910", "Adds(z, y, factor, tile);", lambda x, y, f: y + f, chip="Ascend910A",
          units="ascend910", configs=("ascend910",), types=("float16",), factor=0.5),
    Older("AbsOlder", "abs_older", "Abs(z, x, tile);", lambda x, y, f: np.abs(x), units="ascend910b;ascend950",
          configs=("ascend910b", "ascend950"), vendor="somebody", types=("float32",)),
    Older("SumTimes", "sum_times", "Add(z, x, y, tile); Muls(z, z, factor, tile);", lambda x, y, f: (x + y) * f,
          toolkit="/nowhere/latest", environment={"DDK_PATH": "@TOOLKIT@"}, factor=3.0, types=("float32",)),
    Older("SubsAtHome", "subs_at_home", "Sub(z, y, x, tile);", lambda x, y, f: y - x, types=("int32",), toolkit=AT_HOME),
]  # fmt: skip


def write(row: Older, folder: Path, **more: str) -> Path:
    """The project; `more` are other words for the marks of the template."""
    types = [TYPES[name][0] for name in row.types]
    words = {
        "OP": row.op, "FILE": row.file, "COMPUTE": row.compute, "UNITS": row.units, "VENDOR": row.vendor,
        "TOOLKIT": row.toolkit, "TYPES": ", ".join(types), "FORMATS": ", ".join(["ge::FORMAT_ND"] * len(types)),
        "SECOND": "OPTIONAL" if row.optional else "REQUIRED", "FACTOR": repr(row.factor),
        "CONFIGS": " ".join(f'this->AICore().AddConfig("{unit}");' for unit in row.configs),
        "TYPENUMBER": str(TYPES[row.types[0]][1]), **more,
    }  # fmt: skip
    for path in sorted((HERE / "older").rglob("*")):
        if path.is_dir():
            continue
        text = path.read_text(encoding="utf-8")
        for mark, word in words.items():
            text = text.replace(f"@{mark}@", word)
        part = path.relative_to(HERE / "older")
        name = part.name.removesuffix(".in")
        if part.parts[0] in ("op_host", "op_kernel"):
            name = name.replace("op", row.file, 1)
        to = folder / part.parent / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="utf-8")
        to.chmod(0o755 if part.suffix == ".sh" else 0o644)
    return folder


def inputs(row: Older) -> tuple[np.ndarray, np.ndarray]:
    """Small whole numbers: every result is exact."""
    rng = np.random.default_rng(sum(row.op.encode()))
    return tuple(rng.integers(-20, 20, 1024).astype(row.types[0]) for _ in range(2))
