# SPDX-License-Identifier: Apache-2.0
"""Sets of files in the compiler's cache: each is written once, into a folder named by the hash of its paths and contents."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath

from ._native import Error, cache_dir


def laid_out(kind: str, files: Mapping[str, str | bytes], caller: str) -> str:
    """The folder below `kind` of the cache that holds the files, by relative path. An Error begins with `caller`."""
    import hashlib
    import shutil

    for path in files:
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts or not pure.parts:
            raise Error(f"{caller}: the path {path!r} leaves the folder; paths are relative to it")
    contents = {path: text if isinstance(text, bytes) else text.encode() for path, text in sorted(files.items())}
    digest = hashlib.sha256(b"\0".join(p.encode() + b"\0" + c for p, c in contents.items())).hexdigest()[:32]
    try:
        folder = _writable() / kind / digest
    except OSError as error:
        raise Error(f"{caller}: no folder for what is compiled can be written: {_why(error)}") from None
    if folder.is_dir():
        return str(folder)
    partial = folder.with_name(f"{digest}.{os.getpid()}")
    try:
        for path, content in contents.items():
            target = partial / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        partial.rename(folder)
    except OSError as error:
        shutil.rmtree(partial, ignore_errors=True)
        if not folder.is_dir():  # if it is there, another process wrote it first
            where = f"the cache {folder.parents[1]} cannot be written: {error.strerror}"
            raise Error(f"{caller}: {where}; free space there, or set SFUMATO_CACHE to another folder") from error
    return str(folder)


def _why(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)


@cache
def _writable() -> Path:
    """The compiler's cache; where it cannot be written, a folder that lasts as long as this process."""
    import tempfile

    folder = Path(cache_dir())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        import atexit
        import shutil

        own = tempfile.mkdtemp(prefix="sfumato-")
        atexit.register(shutil.rmtree, own, ignore_errors=True)
        return Path(own)
