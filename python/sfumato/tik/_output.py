# SPDX-License-Identifier: Apache-2.0
"""What the command writes: its files, and standard streams that may be gone."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Sequence
from typing import BinaryIO

_MOST_LINKS = 40  # as the kernel counts


def write_files(files: Sequence[tuple[str, Callable[[BinaryIO], object]]]) -> None:
    """Calls write(file) for each path. Raises OSError.

    A regular file is replaced as a whole, behind the links that lead to it, once all are complete; a device, a FIFO or
    an open descriptor is written where it is.
    """
    temporary = {}  # of the files to replace
    try:
        for path, write in files:
            real = replaced(path)
            if real in temporary:
                raise FileExistsError(errno.EEXIST, "it is already the file of another output", path)
            if real:
                temporary[real] = f"{real}.sfumato-{os.getpid()}.tmp"
                with open(temporary[real], "wb") as file:
                    write(file)
            else:
                buffer = io.BytesIO()  # not everything can seek
                write(buffer)
                with open(path, "wb") as file:
                    file.write(buffer.getbuffer())
        for real in list(temporary):
            os.replace(temporary[real], real)
            del temporary[real]
    finally:
        for left in temporary.values():
            if os.path.exists(left):
                os.remove(left)


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
        # A link below /proc is an open descriptor, such as the one behind /dev/stdout.
        if not stat.S_ISLNK(mode) or folder.startswith("/proc/"):
            return None
        at = os.path.join(folder, os.readlink(at))
    raise OSError(errno.ELOOP, "its symbolic links lead in a circle", path)


class _Lossy(io.RawIOBase):
    """A standard stream: what it does not take is lost, and remembered, instead of ending the process."""

    def __init__(self, number: int):
        super().__init__()
        self._number = number
        self.lost = False

    def writable(self):
        return True

    def fileno(self):
        return self._number

    def isatty(self):
        return os.isatty(self._number)

    def write(self, data):
        try:
            return os.write(self._number, data)
        except OSError:
            self.lost = True
            return len(data)


class Streams:
    """Standard output and error of the command, from now on."""

    def __init__(self):
        # A closed one stays closed: no file opened later takes its number. To one that is read only, writes fail.
        for number in range(3):
            try:
                os.fstat(number)
            except OSError:
                os.open(os.devnull, os.O_RDONLY)
        self._raw = []
        for name, number in (("stdout", 1), ("stderr", 2)):
            old = getattr(sys, name)
            raw = _Lossy(number)
            self._raw.append(raw)
            stream = io.TextIOWrapper(
                io.BufferedWriter(raw),
                encoding=old.encoding if old else "utf-8",
                errors=old.errors if old else "backslashreplace",
                line_buffering=old is None or old.line_buffering or old.write_through,
            )
            setattr(sys, name, stream)

    @property
    def lost(self) -> bool:
        """Whether something that was printed did not arrive."""
        sys.stdout.flush()
        sys.stderr.flush()
        return any(raw.lost for raw in self._raw)
