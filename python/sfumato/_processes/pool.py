# SPDX-License-Identifier: Apache-2.0
"""Items over workers: whoever has room gets the next, and what a lost one had goes to others."""

import select
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

_START = object()  # stands for an item of a worker that is not there yet


class Pool:
    """Up to `count` workers, which stay for the next items.

    start     makes a worker: a Server whose send(item) sends an item, whose receive() is its next answer, in the order of
              the items, or None when it is gone, whose gone(item) is what is said then of the item it had, or None. One that
              has ready() gets items when that, called at its first answer, is true
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
        the workers that have items or start. One run at a time."""
        items, waiting = iter(items), deque()
        sent: dict[Any, deque] = defaultdict(deque)  # to each worker: items with their attempts, in order
        try:
            while True:
                self._feed(items, waiting, sent)
                busy = [worker for worker in self._all if sent[worker]]
                if not busy:
                    return
                for worker in self._answering(busy):
                    if sent[worker][0] is _START:
                        if worker.ready():
                            sent[worker].clear()
                        else:
                            del sent[worker]
                            self._drop(worker)
                        continue
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

    def _feed(self, items, waiting, sent):
        while True:
            worker = self._with_room(sent)
            if worker is None and len(self._all) >= self._count:
                return
            starting = 0 if worker else sum(_START in queue for queue in sent.values())
            if len(waiting) <= starting:
                item = next(items, None)
                if item is None:
                    return
                waiting.append((item, 1))
            if worker is None:
                worker = self._more()
                if hasattr(worker, "ready"):
                    sent[worker].append(_START)
                    continue
            sent[worker].append(waiting.popleft())
            try:
                worker.send(sent[worker][-1][0])
            except ConnectionError:
                pass  # its end is read where answers are

    def _with_room(self, sent):
        for worker in reversed(self._all):
            if worker in self._stale and not sent[worker]:
                self._drop(worker)
                return self._with_room(sent)
            if len(sent[worker]) <= self._ahead and _START not in sent[worker]:
                return worker
        return None

    def _answering(self, busy):
        """Those that have an answer, or are gone, of which there is one sooner or later."""
        poll, by_file = select.poll(), {worker.fileno(): worker for worker in busy}
        for file in by_file:
            poll.register(file, select.POLLIN)
        return [by_file[file] for file, _ in poll.poll()]

    def _more(self):
        self._all.append(self._start())
        return self._all[-1]

    def _drop(self, worker):
        self._all.remove(worker)
        self._stale.discard(worker)
        worker.close()


def close_all(workers: list[Any]) -> None:
    while workers:
        workers.pop().close()
