# SPDX-License-Identifier: Apache-2.0
"""Cases over the workers of one machine."""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Iterable, Iterator

from ._case import Case
from ._worker import Worker

_AHEAD = 4  # cases that a worker has beside the one it runs
ATTEMPTS = 3  # of a case whose worker was lost


class Workers:
    """Up to `count` workers, which stay for the next cases."""

    def __init__(self, count: int, timeout: float, memory: int):
        self._count, self._limits = count, (timeout, memory)
        self._sent: dict[Worker, deque] = {}  # cases with their attempts, in order

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self) -> None:
        """They end, and what they run."""
        while self._sent:
            self._sent.popitem()[0].close()

    def run(self, cases: Iterable[Case]) -> Iterator[dict]:
        """The results, as they come. A worker that is lost is replaced, and its first unanswered case tried again: a case
        that loses ATTEMPTS workers is `crashed`."""
        waiting = deque((case, 1) for case in cases)
        while len(self._sent) < min(self._count, len(waiting)):
            self._start()
        for worker in self._sent:
            self._feed(worker, waiting)
        while any(self._sent.values()):
            for worker in select.select([w for w in self._sent if self._sent[w]], [], [])[0]:
                result = worker.receive()
                if result is not None:
                    self._sent[worker].popleft()
                    yield result
                else:
                    (case, attempt), *rest = self._sent.pop(worker)
                    why = worker.why()
                    worker.close()
                    waiting.extendleft(reversed(rest))
                    if why is not None:
                        yield _broken_reference(case, why)
                    elif attempt == ATTEMPTS:
                        yield lost_result(case)
                    else:
                        waiting.append((case, attempt + 1))
                    worker = self._start()
                self._feed(worker, waiting)

    def _start(self):
        worker = Worker(*self._limits)
        self._sent[worker] = deque()
        return worker

    def _feed(self, worker, waiting):
        sent = self._sent[worker]
        while waiting and len(sent) <= _AHEAD:
            sent.append(waiting.popleft())
            try:
                worker.send(sent[-1][0])
            except ConnectionError:
                return  # receive() finds it gone


def _broken_reference(case, why):
    from ._executor import result_line

    return result_line(case, {"verdict": "invalid", "summary": f"reference {case.get('reference')}: {why}"})


def lost_result(case: Case) -> dict:
    """Of a case whose workers all ended."""
    from ._executor import result_line

    return result_line(case, {"verdict": "crashed", "summary": f"{ATTEMPTS} workers ended while they ran it"})
