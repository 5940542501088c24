# SPDX-License-Identifier: Apache-2.0
"""What compile() is given as a source, and what help() tells of a kernel."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from . import _checks
from ._native import Error
from ._texts import laid_out


def source_file(source: str | os.PathLike | Iterable[str | os.PathLike], name: str) -> str:
    """The path that is compiled: of a file, of a text laid out in the cache, or of a text that includes several files."""
    if isinstance(source, str) and "\n" in source:
        if (
            not isinstance(name, str)
            or Path(name).name != name
            or Path(name).suffix not in (".cpp", ".cc", ".cce", ".asc")
        ):
            raise Error(f"compile: name={name!r} must be a file name such as 'kernel.cpp', without a folder")
        return str(Path(laid_out("sources", {name: source}, "compile")) / name)
    if not isinstance(source, (list, tuple)):
        return _checks.path(source, "compile: source")
    files = [os.path.abspath(_checks.path(file, "compile: source")) for file in source]
    if not files:
        raise Error("compile: the list of sources is empty")
    missing = [file for file in files if not os.path.isfile(file)]
    if missing:
        raise Error(f"compile: {missing[0]}: no such file")
    if len(files) == 1:
        return files[0]
    quoted = [file.replace("\\", "\\\\").replace('"', '\\"') for file in files]
    text = "".join(f'#include "{file}"\n' for file in quoted)
    return str(Path(laid_out("sources", {"together.cpp": text}, "compile")) / "together.cpp")


def describe(kernels, name: str) -> str:
    """The text of help(lib.kernel)."""
    lines = [f"{kernels.signature(name)}, compiled for {kernels.chip}", "", "Parameters:"]
    parameters = kernels.parameter_types(name)
    width = max((len(word) for word, _, _ in parameters), default=0)
    for word, type, what in parameters:
        lines.append(f"    {word or '(no name)':{width}}  {type}: {what}")
    if not parameters:
        lines.append("    none")
    launch = ", ".join(word or "..." for word, _, _ in parameters)
    lines += ["", f"Launch: lib.{name}[blocks]({launch}); options: help(lib.{name}[1].options)"]
    return "\n".join(lines)


# Of the environment, what a compilation goes by.
COMPILED_BY = (
    "SFUMATO_CXX", "SFUMATO_INCLUDE", "SFUMATO_CACHE", "SFUMATO_PREFIX", "SFUMATO_PRECOMPILE",
    "CXX", "CPATH", "CPLUS_INCLUDE_PATH", "PATH", "HOME", "XDG_CACHE_HOME", "TMPDIR",
)  # fmt: skip


def working_folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was deleted
        return "/"


def surroundings() -> tuple[str, dict[str, str]]:
    """The folder and the variables by which a process compiles, for another that shall do the same."""
    return working_folder(), {name: os.environ[name] for name in COMPILED_BY if name in os.environ}
