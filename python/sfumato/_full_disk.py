# SPDX-License-Identifier: Apache-2.0
"""A disk that is full: an error of the environment, never of what runs there."""

from __future__ import annotations

import errno
import os
import tempfile

from ._native import CompileError, Error, cache_dir

_FEW = 256 << 10  # bytes: less than any object takes
_FULL = (errno.ENOSPC, errno.EDQUOT)
# As the library says it: it compiles, and keeps what it compiled.
_WORDS = ("No space left on device", "Disk quota exceeded", "the disk of ", "a disk is full")


class FullDisk(Error):
    """What the disk had no room for is not done, and nothing is known of it."""


def full_disk(error: BaseException | None) -> str | None:
    """What is full, with its folder, where that is why the error was raised."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _FULL:
            return f"{error.filename or tempfile.gettempdir()}: {error.strerror}"
        # Of its own errors alone: others tell what somebody else wrote.
        if type(error) in (Error, FullDisk) and any(words in str(error) for words in _WORDS):
            return str(error).strip().splitlines()[0]
        # Compilers and linkers do not always say it.
        if isinstance(error, CompileError) and (folder := _full_folder()):
            return f"{folder}: No space left on device; it does not compile"
        error = error.__cause__
    return None


def _full_folder() -> str | None:
    """Of those that the compiler writes to."""
    for folder in (os.environ.get("TMPDIR") or "/tmp", cache_dir()):
        try:
            room = os.statvfs(folder)
        except OSError:
            continue
        if room.f_bavail * room.f_frsize < _FEW or (room.f_files and not room.f_favail):
            return folder
    return None
