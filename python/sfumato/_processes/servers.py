# SPDX-License-Identifier: Apache-2.0
"""A Python process started by exec with a socket to it, and how processes end."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from .frames import receive, send

# There are as many processes as cores are to be used, and one that has threads must not fork.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Server:
    """Runs main(socket, *words) of a module in a session of its own, as Ctrl-C of the terminal is the client's. It ends
    when the other end of its socket closes."""

    def __init__(
        self,
        module: str,
        *words: str,
        files: Sequence[int] = (),
        kind: int = socket.SOCK_STREAM,
        cwd: str | None = None,
        environment: Mapping[str, str] | None = None,
    ):
        self.stream, theirs = socket.socketpair(socket.AF_UNIX, kind)
        path = [str(Path(__file__).absolute().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "sfumato._processes", str(theirs.fileno()), module, *words],
                pass_fds=[theirs.fileno(), *files],
                stdin=subprocess.DEVNULL,
                cwd=cwd,
                env={**os.environ, **(environment or {}), "PYTHONPATH": os.pathsep.join(path)},
                start_new_session=True,
            )

    def fileno(self) -> int:
        """To wait for a frame with poll."""
        return self.stream.fileno()

    def send(self, kind: bytes, payload: bytes) -> None:
        """Throws ConnectionError when the process is gone."""
        send(self.stream, kind, payload)

    def receive(self) -> tuple[bytes, bytearray] | None:
        """The next frame; None when the process is gone."""
        return receive(self.stream)

    def close(self) -> None:
        self.stream.close()
        self.process.wait()


def how_ended(code: int) -> str:
    """code: as Popen has it, negative of a signal."""
    return f"signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"exit code {code}"


def left_in(pipe: int, most: int = 1 << 20) -> bytes:
    """What is in a pipe now."""
    os.set_blocking(pipe, False)
    found = bytearray()
    with contextlib.suppress(BlockingIOError):
        while len(found) < most and (part := os.read(pipe, 1 << 16)):
            found += part
    return bytes(found)


def kill(pid: int, by=os.kill) -> None:
    """A process that may be gone; by: os.killpg of a group of processes."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        by(pid, signal.SIGKILL)
