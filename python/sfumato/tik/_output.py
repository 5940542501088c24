# SPDX-License-Identifier: Apache-2.0
"""Standard streams of the command, which may be gone."""

import io
import os
import sys


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
