# SPDX-License-Identifier: Apache-2.0
"""Cases over the workers of one machine, processes that execute them (_executor.py)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator

from .._processes import system
from .._processes.frames import encode
from .._processes.pool import Pool
from .._processes.servers import ONE_THREAD, Server, how_ended
from ._case import Case
from ._results import result_line

_AHEAD = 4  # cases that a worker has beside the one it runs
ATTEMPTS = 3  # of a case whose worker was lost
REFERENCE = b"R"
_END = 5.0  # seconds


class Worker(Server):
    """The client's end. Results come in the order of the cases."""

    def __init__(self, timeout: float, memory: int):
        self._arrays = set()
        self._at = system.nameless_file("at")  # REFERENCE while it runs the reference of a case
        self._folder = tempfile.mkdtemp(prefix="sfumato-sweep-")
        words = [str(self._at), self._folder, str(timeout), str(memory)]
        super().__init__("sfumato.sweeping._executor", *words, files=[self._at], environment=ONE_THREAD)

    def send(self, case: Case) -> None:
        for name, array in case.arrays.items():
            if name not in self._arrays:
                super().send(b"A", encode({"name": name, "array": array}))
                self._arrays.add(name)
        super().send(b"C", encode({"fields": case.fields, "base": str(case.base), "id": case.id}))

    def receive(self) -> dict | None:
        frame = super().receive()
        return None if frame is None else json.loads(bytes(frame[1]))

    def gone(self, case: Case) -> dict | None:
        """The result of a case whose reference ended the worker; None where that did not."""
        if os.pread(self._at, 1, 0) != REFERENCE:
            return None
        try:
            status = self.process.wait(_END)
        except subprocess.TimeoutExpired:  # it closed what leads here and goes on
            self.process.kill()
            status = self.process.wait()
        late = status == -signal.SIGALRM
        why = "it took longer than its limit" if late else f"it ended its process, {how_ended(status)}"
        return result_line(case, {"verdict": "invalid", "summary": f"reference {case.get('reference')}: {why}"})

    def close(self) -> None:
        """It ends, and what it runs."""
        self.process.kill()
        super().close()
        os.close(self._at)
        shutil.rmtree(self._folder, ignore_errors=True)


class Workers(Pool):
    """Up to `count` workers, which stay for the next cases."""

    def __init__(self, count: int, timeout: float, memory: int):
        super().__init__(count, lambda: Worker(timeout, memory), _AHEAD, ATTEMPTS)

    def run(self, cases: Iterable[Case]) -> Iterator[dict]:
        """The results, as they come: a case that loses ATTEMPTS workers is `crashed`."""
        for case, result in super().run(cases):
            yield lost_result(case) if result is None else result


def lost_result(case: Case) -> dict:
    """Of a case whose workers all ended."""
    return result_line(case, {"verdict": "crashed", "summary": f"{ATTEMPTS} workers ended while they ran it"})
