# SPDX-License-Identifier: Apache-2.0
"""What commands write: files that are replaced as a whole. An OSError names the file."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from ._processes import system

_MOST_LINKS = 40  # as the kernel counts


class Sink(Protocol):
    """What the bytes of a file go to."""

    def write(self, data: bytes, /) -> object: ...


@contextlib.contextmanager
def named(path: str | os.PathLike) -> Iterator[None]:
    """An OSError has this path, whatever file it is of."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = os.fspath(path), None
        raise


class _Plain:
    """A file to write to and nothing else: numpy.save writes a real one by itself, and does not say why it cannot."""

    def __init__(self, file):
        self.write = file.write


def write_files(files: Sequence[tuple[str | os.PathLike, Callable[[Sink], object]]]) -> None:
    """Calls write(file) for each path. Raises OSError, with the path as it was given.

    A regular file is replaced as a whole, behind the links that lead to it, once all are complete; a device, a FIFO or
    an open descriptor is written where it is.
    """
    temporary = {}  # of the files to replace, with their paths
    try:
        for path, write in files:
            path = os.fspath(path)
            with named(path):
                real = replaced(path)
                if real in temporary:
                    raise FileExistsError(errno.EEXIST, "it is already the file of another output", path)
                if real:
                    part = f"{real}.sfumato-{os.getpid()}.tmp"
                    temporary[real] = part, path
                    with open(part, "wb") as file:
                        write(_Plain(file))
                else:
                    buffer = io.BytesIO()  # not everything can seek
                    write(buffer)
                    with open(path, "wb") as file:
                        file.write(buffer.getbuffer())
        for real, (part, path) in list(temporary.items()):
            with named(path):
                os.replace(part, real)
            del temporary[real]
    finally:
        for part, _ in temporary.values():
            if os.path.exists(part):
                os.remove(part)


def write_text(path: str | os.PathLike, text: str) -> None:
    """Replaces one file by a text, as write_files does."""
    write_files([(path, lambda file: file.write(text.encode()))])


def replaced(path: str) -> str | None:
    """The file behind all links, or None for what is written where it is."""
    at = os.path.join(os.getcwd(), path)
    if path.endswith("/"):
        raise IsADirectoryError(errno.EISDIR, "it is a directory", path)
    for _ in range(_MOST_LINKS + 1):
        folder = os.path.realpath(os.path.dirname(at))
        at = os.path.join(folder, os.path.basename(at))
        try:
            mode = os.lstat(at).st_mode
        except FileNotFoundError:
            return at
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "it is a directory", path)
        if stat.S_ISREG(mode):
            return at
        if not stat.S_ISLNK(mode) or system.holds_descriptors(folder):
            return None
        at = os.path.join(folder, os.readlink(at))
    raise OSError(errno.ELOOP, "its symbolic links lead in a circle", path)
