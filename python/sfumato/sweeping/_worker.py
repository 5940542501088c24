# SPDX-License-Identifier: Apache-2.0
"""The client of a worker process (_worker_process.py)."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from ._case import Case
from ._runner import receive, send

# One thread each: there are as many workers as cores are to be used, and a process with threads must not fork.
_ONE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Worker:
    """The client. Cases may be sent ahead; results come in the order of the cases."""

    def __init__(self, timeout: float, memory: int):
        self._stream, theirs = socket.socketpair()
        self._arrays = set()
        path = [str(Path(__file__).absolute().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
        words = [str(theirs.fileno()), str(timeout), str(memory)]
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "sfumato.sweeping._worker_process", *words],
                pass_fds=[theirs.fileno()],
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

    def close(self) -> None:
        """It ends, and what it runs."""
        self._stream.close()
        self.process.kill()
        self.process.wait()
