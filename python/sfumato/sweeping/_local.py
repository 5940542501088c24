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


def run_local(cases: Iterable[Case], workers: int, timeout: float, memory: int) -> Iterator[dict]:
    """The results, as they come. A worker that is lost is replaced, and its first unanswered case tried again: a case that
    loses ATTEMPTS workers is `crashed`."""
    waiting = deque((case, 1) for case in cases)
    pool, sent = [], {}
    try:
        for _ in range(min(workers, len(waiting))):
            pool.append(_start(sent, timeout, memory))
        for worker in pool:
            _feed(worker, sent[worker], waiting)
        while any(sent.values()):
            for worker in select.select([w for w in pool if sent[w]], [], [])[0]:
                result = worker.receive()
                if result is None:
                    lost = sent.pop(worker)
                    worker.close()
                    pool.remove(worker)
                    (case, attempt), *rest = lost
                    waiting.extendleft(reversed(rest))
                    if attempt == ATTEMPTS:
                        yield lost_result(case)
                    else:
                        waiting.append((case, attempt + 1))
                    pool.append(worker := _start(sent, timeout, memory))
                else:
                    sent[worker].popleft()
                    yield result
                _feed(worker, sent[worker], waiting)
    finally:
        for worker in pool:
            worker.close()


def _start(sent, timeout, memory):
    worker = Worker(timeout, memory)
    sent[worker] = deque()
    return worker


def _feed(worker, sent, waiting):
    while waiting and len(sent) <= _AHEAD:
        case, attempt = waiting.popleft()
        sent.append((case, attempt))
        try:
            worker.send(case, case.arrays)
        except ConnectionError:
            return  # receive() finds it gone


def lost_result(case: Case) -> dict:
    """Of a case whose workers all ended."""
    from ._executor import result_line

    return result_line(case, {"verdict": "crashed", "summary": f"{ATTEMPTS} workers ended while they ran it"})
