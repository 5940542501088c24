# SPDX-License-Identifier: Apache-2.0
"""Runs Ascend AI Core kernels bit-faithfully on an ordinary CPU.

lib = sfumato.compile("cast.cpp", chip="Ascend910B1")
lib.cast_simple_kernel[1](src, dst)

op = sfumato.load_op("AddCustom", chip="Ascend910B1")
y = op(x, z)

sfumato.cast(array, "int32", round_mode="CAST_CEIL", chip="Ascend910B1")
"""

import importlib
from typing import TYPE_CHECKING

from ._arguments import Struct
from ._cast import cast
from ._control import set_default
from ._errors import KernelError, OperatorError, TilingError
from ._kernel import Kernel, Launcher, Library, compile, precompile
from ._op import Operator, Tiling, load_op
from ._op_call import Spec, Tensor
from ._warn import KernelWarning
from ._world import World, ranks
from . import reports, tiling
from ._native import (
    CompileError,
    Error,
    LaunchResult,
    Reading,
    RelatedPlace,
    Report,
    UnsupportedError,
    __version__,
    chips,
    last_report,
)

if TYPE_CHECKING:
    from . import golden, judging, sweeping, testing
    from .comparing import Comparison, compare
    from .judging import Judge, Limits, Verdict, judge, judge_many
    from .sweeping import sweep

__all__ = [
    "Comparison",
    "CompileError",
    "Error",
    "Kernel",
    "KernelError",
    "KernelWarning",
    "LaunchResult",
    "Judge",
    "Launcher",
    "Library",
    "Limits",
    "Operator",
    "OperatorError",
    "Reading",
    "RelatedPlace",
    "Report",
    "Spec",
    "Struct",
    "Tensor",
    "Tiling",
    "TilingError",
    "UnsupportedError",
    "Verdict",
    "World",
    "__version__",
    "cast",
    "chips",
    "cmake_dir",
    "compare",
    "compile",
    "precompile",
    "last_report",
    "golden",
    "judge",
    "judge_many",
    "judging",
    "load_op",
    "ranks",
    "reports",
    "set_default",
    "sweep",
    "sweeping",
    "testing",
    "tiling",
]


_LATER = {"Comparison": "comparing", "compare": "comparing", "sweep": "sweeping"}
_LATER |= dict.fromkeys(("Judge", "Limits", "Verdict", "judge", "judge_many"), "judging")


def __getattr__(name: str):
    """What few launches need is imported on first use."""
    if name in _LATER:
        value = globals()[name] = getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
        return value
    if name in ("adapters", "golden", "judging", "ray", "sweeping", "testing"):
        return importlib.import_module(f".{name}", __name__)
    if name.startswith("__"):
        raise AttributeError(name)
    from ._missing import ELSEWHERE, sentence

    raise AttributeError(sentence("sfumato", name, __all__, ELSEWHERE))


def __dir__():
    return sorted({*globals(), *__all__})


def cmake_dir() -> str:
    """The folder to give CMake as Sfumato_DIR, so that find_package(Sfumato) finds this installation."""
    from pathlib import Path

    package = Path(__file__).parent
    prefix = package.parents[3]  # of prefix/lib/python3.N/site-packages/sfumato; a wheel has all below the package
    for lib in (package / "lib", prefix / "lib", prefix / "lib64", *prefix.glob("lib/*-linux-gnu")):
        if (lib / "cmake" / "Sfumato").is_dir():
            return str(lib / "cmake" / "Sfumato")
    raise Error(f"no CMake package beside {package}: this is a build tree; install with pip or cmake --install")
