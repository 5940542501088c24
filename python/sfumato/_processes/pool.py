# SPDX-License-Identifier: Apache-2.0
"""Items over workers: whoever has room gets the next, and what a lost one had goes to others."""

from __future__ import annotations

import select
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

_END = object()


class Pool:
    """Up to `count` workers, which stay for the next items.

    start     makes a worker: a Server whose send(item) sends an item, whose receive() is its next answer, in the order of
              the items, or None when it is gone, whose gone(item) is what is said then of the item it had, or None
    ahead     items that a worker has besides the one it is at
    attempts  of an item whose worker is lost
    """

    def __init__(self, count: int, start: Callable[[], Any], ahead: int = 0, attempts: int = 1):
        self._count, self._start, self._ahead, self._attempts = count, start, ahead, attempts
        self._all: list[Any] = []
        self._stale: set[Any] = set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self) -> None:
        """Ends the workers, and what runs in them."""
        close_all(self._all)

    def renew(self) -> None:
        """Workers start anew when they are free."""
        self._stale = set(self._all)

    def run(self, items: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Items with their answers, as they come; None of an item that lost all its workers. Takes the next item when there is
        room for it; None instead of one says that there is none before another has ended. A run that is left half-way ends
        the workers that have items. One run at a time."""
        items, waiting, more = iter(items), deque(), True
        sent: dict[Any, deque] = defaultdict(deque)  # to each worker: items with their attempts, in order
        try:
            while True:
                while (waiting or more) and self._has_room(sent):
                    if not waiting:
                        item = next(items, _END)
                        more = item is not _END
                        if item is _END or item is None:
                            break
                        waiting.append((item, 1))
                    self._send(sent, waiting.popleft())
                busy = {worker.fileno(): worker for worker in self._all if sent[worker]}
                if not busy:
                    return
                for worker in _ready(busy):
                    answer = worker.receive()
                    item, attempt = sent[worker].popleft()
                    if answer is None:
                        answer = worker.gone(item)
                        waiting.extendleft(reversed(sent.pop(worker)))
                        self._drop(worker)
                        if answer is None and attempt < self._attempts:
                            waiting.append((item, attempt + 1))
                            continue
                    yield item, answer
        finally:
            for worker in [worker for worker in self._all if sent[worker]]:
                self._drop(worker)

    def _has_room(self, sent):
        return len(self._all) < self._count or any(len(sent[worker]) <= self._ahead for worker in self._all)

    def _send(self, sent, work):
        worker = next((w for w in reversed(self._all) if len(sent[w]) <= self._ahead), None)
        if worker in self._stale and not sent[worker]:
            self._drop(worker)
            worker = None
        if worker is None:
            worker = self._more()
        sent[worker].append(work)
        try:
            worker.send(work[0])
        except ConnectionError:
            pass  # its end is read where answers are

    def _more(self):
        self._all.append(self._start())
        return self._all[-1]

    def _drop(self, worker):
        self._all.remove(worker)
        self._stale.discard(worker)
        worker.close()


def _ready(busy):
    poll = select.poll()
    for file in busy:
        poll.register(file, select.POLLIN)
    return [busy[file] for file, _ in poll.poll()]


def close_all(workers: list[Any]) -> None:
    while workers:
        workers.pop().close()
