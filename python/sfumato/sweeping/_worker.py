# SPDX-License-Identifier: Apache-2.0
"""The client of a worker process (_worker_process.py)."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from ._case import Case
from ._runner import receive, send

# One thread each: there are as many workers as cores are to be used, and a process with threads must not fork.
_ONE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

REFERENCE = b"R"
_END = 5.0  # seconds


class Worker:
    """The client. Cases may be sent ahead; results come in the order of the cases."""

    def __init__(self, timeout: float, memory: int):
        self._stream, theirs = socket.socketpair()
        self._arrays = set()
        self._at = os.memfd_create("at")  # REFERENCE while it runs the reference of a case
        self._folder = tempfile.mkdtemp(prefix="sfumato-sweep-")
        path = [str(Path(__file__).absolute().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
        words = [str(theirs.fileno()), str(self._at), self._folder, str(timeout), str(memory)]
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "sfumato.sweeping._worker_process", *words],
                pass_fds=[theirs.fileno(), self._at],
                stdin=subprocess.DEVNULL,
                env={**os.environ, **_ONE, "PYTHONPATH": os.pathsep.join(path)},
                start_new_session=True,  # Ctrl-C of the terminal is the client's
            )

    def fileno(self) -> int:
        """To wait for a result with select."""
        return self._stream.fileno()

    def send(self, case: Case) -> None:
        """Throws ConnectionError when the worker is gone."""
        for name, array in case.arrays.items():
            if name not in self._arrays:
                send(self._stream, b"A", {"name": name, "array": array})
                self._arrays.add(name)
        send(self._stream, b"C", {"fields": case.fields, "base": str(case.base), "id": case.id})

    def receive(self) -> dict | None:
        """The next result; None when the worker is gone."""
        try:
            frame = receive(self._stream)
        except ConnectionError:
            return None
        return None if frame is None else json.loads(bytes(frame[1]))

    def why(self) -> str | None:
        """Of a worker that is gone, how the reference of its case ended it; None where that did not."""
        if os.pread(self._at, 1, 0) != REFERENCE:
            return None
        try:
            status = self.process.wait(_END)
        except subprocess.TimeoutExpired:  # it closed what leads here and goes on
            self.process.kill()
            status = self.process.wait()
        if status == -signal.SIGALRM:
            return "it took longer than its limit"
        how = f"signal {-status} ({signal.strsignal(-status)})" if status < 0 else f"exit code {status}"
        return f"it ended its process, {how}"

    def close(self) -> None:
        """It ends, and what it runs."""
        self._stream.close()
        self.process.kill()
        self.process.wait()
        os.close(self._at)
        shutil.rmtree(self._folder, ignore_errors=True)


@contextlib.contextmanager
def at_reference(at: int, seconds: float):
    """In a worker, around the code of a reference: it may print, nobody reads it; what takes longer ends the worker."""
    sys.stderr.flush()
    errors, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    os.pwrite(at, REFERENCE, 0)
    signal.setitimer(signal.ITIMER_REAL, seconds)  # of SIGALRM, which no code of the reference can delay
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        os.pwrite(at, b"\0", 0)
        sys.stderr.flush()
        os.dup2(errors, 2)
        os.close(errors)
        os.close(nothing)
