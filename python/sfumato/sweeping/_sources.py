# SPDX-License-Identifier: Apache-2.0
"""The files a case rests on, as one hash: a result holds as long as they are what they were."""

import functools
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from .._native import __version__
from ._case import Case

_SHARED = ("common", "tiling_base", "inc")
_HEADERS = (".h", ".hpp", ".hh", ".inc")
_SUFFIXES = (*_HEADERS, ".cpp", ".cc", ".cxx", ".asc", ".json", ".toml", ".py", ".npy", ".npz", ".bin")


class Sources:
    """Hashes of cases; reads each file once."""

    def __init__(self):
        self._hash = functools.cache(_hash)

    def of(self, case: Case) -> str:
        found = [self._hash(os.fspath(path), headers) for path, headers in named(case)]
        return hashlib.sha256(" ".join([__version__, *found]).encode()).hexdigest()[:20]


def named(case: Case) -> list[tuple[Path, bool]]:
    """What a case names: files, and folders, True where only the headers in it count."""
    found = [(case.path(case.get(name)), False) for name in ("op", "kernel", "submission", "task") if case.get(name)]
    if case.get("kernel"):
        found.append((case.path(case.get("kernel")).parent, True))
    found += [(case.path(folder), True) for folder in case.get("build", {}).get("include_dirs", ())]
    if case.get("reference"):
        found.append((case.path(case.get("reference").rpartition(":")[0]), False))
    found += [(case.path(file), False) for file in case.get("want", {}).values()]
    found += [(case.path(part["file"]), False) for part in case.parts if part and "file" in part]
    return found


def files_of(cases: Iterable[Case], base: Path) -> dict[str, bytes]:
    """The files below `base` that cases rest on, by relative path: what another machine needs. Folders that operator projects
    share (_SHARED) and the Python files beside a reference are among them."""
    places = {place for case in cases for place in named(case)}
    for case in cases:
        if case.get("op"):
            folder = case.path(case.get("op"))
            for above in (folder, *folder.parents):
                places.update(
                    (above / name, False)
                    for name in _SHARED
                    if (above / name).is_dir() and base in (above / name).parents
                )
        if case.get("reference"):
            beside = case.path(case.get("reference").rpartition(":")[0]).parent
            places.update((path, False) for path in beside.glob("*.py"))
    found = {}
    for path, headers in places:
        path = path.resolve()
        if base in path.parents or path == base:
            for file in [path] if path.is_file() else _below(path, headers):
                found[file.relative_to(base).as_posix()] = file.read_bytes()
    return found


def _hash(path, headers):
    """Of a file; of a folder all sources below it, or its headers alone. A missing one has a hash, too: the case says so."""
    digest = hashlib.sha256()
    path = Path(path)
    files = [path] if path.is_file() else sorted(_below(path, headers))
    for file in files:
        digest.update(f"{file.relative_to(path) if file != path else file.name}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _below(folder, headers):
    for root, folders, names in os.walk(folder):
        folders[:] = [] if headers else sorted(f for f in folders if not f.startswith((".", "build", "__pycache__")))
        for name in names:
            if Path(name).suffix in (_HEADERS if headers else _SUFFIXES):
                yield Path(root, name)
