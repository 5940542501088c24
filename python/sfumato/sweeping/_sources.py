# SPDX-License-Identifier: Apache-2.0
"""The files a case rests on, as one hash: a result holds as long as they are what they were."""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path

from .._native import __version__
from ._case import Case

_SUFFIXES = {".h", ".hpp", ".hh", ".inc", ".cpp", ".cc", ".cxx", ".asc", ".json", ".toml", ".py", ".npy", ".npz"}


class Sources:
    """Hashes of cases; reads each file once."""

    def __init__(self):
        self._hash = functools.cache(_hash)

    def of(self, case: Case) -> str:
        folders, files = [], []
        for name in ("op", "kernel", "submission", "task"):
            if case.get(name):
                path = case.path(case.get(name))
                files.append(path)
                if name == "kernel":  # headers beside it
                    folders.append(path.parent)
        folders += [case.path(folder) for folder in case.get("build", {}).get("include_dirs", ())]
        if case.get("reference"):
            files.append(case.path(case.get("reference").rpartition(":")[0]))
        files += [case.path(file) for file in case.get("want", {}).values()]
        for spec in case.get("inputs", {}).values():
            parts = spec if isinstance(spec, list) else [spec or {}]
            files += [case.path(part["file"]) for part in parts if "file" in part]
        found = [
            __version__,
            *(self._hash(os.fspath(p), False) for p in files),
            *(self._hash(os.fspath(p), True) for p in folders),
        ]
        return hashlib.sha256(" ".join(found).encode()).hexdigest()[:20]


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
            if Path(name).suffix in ({".h", ".hpp", ".hh", ".inc"} if headers else _SUFFIXES):
                yield Path(root, name)
