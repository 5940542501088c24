# SPDX-License-Identifier: Apache-2.0
"""Verdicts over a Ray cluster (pip install ray, docs/cluster.md).

for verdict in sfumato.ray.judge_many(pairs, chip="Ascend910B1"): ...
sfumato.sweep("cases.jsonl", out="results", ray=True)

An actor a core stays warm; arrays and files are in the object store once and lie at a node once; each actor has few batches at
a time; what a lost actor or node had not answered is run again elsewhere, and counts once.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ._native import Error
from ._processes.pool import Pool
from ._texts import laid_out
from .sweeping._case import Case
from .sweeping._workers import ATTEMPTS, Workers, lost_result
from .sweeping._sources import files_of

try:
    import ray
except ImportError:
    raise Error("sfumato.ray needs Ray: pip install ray") from None

__all__ = ["judge_many", "run_cases"]

BATCH = 16  # cases of a call: a call costs a millisecond, a small case two
_AHEAD = 1  # calls that an actor has beside the one it is at
_MOST_BYTES = 512 << 20  # of the files that go along


def connect(address: str | None) -> None:
    """To the cluster of this address; without one to the cluster found, or to one begun on this machine. A connection that is
    there is used."""
    if not ray.is_initialized():
        if address is not None:
            ray.init(address=address, log_to_driver=False)
        else:
            ray.init(include_dashboard=False, log_to_driver=False)


def run_cases(
    cases: Sequence[Case],
    *,
    address: str | None = None,
    workers: int | None = None,
    timeout: float = 60.0,
    memory: int = 4 << 30,
    ship: bool = True,
) -> Iterator[dict]:
    """Results of cases, as sfumato.sweep has them, as they come.

    workers  actors, with a CPU each; None: as many as the cluster has CPUs
    ship     the files below the folder of the cases go along; False: every node has them at the same path
    """
    connect(address)
    arrays = {name: ray.put(array) for name, array in {n: a for c in cases for n, a in c.arrays.items()}.items()}
    base = cases[0].base.resolve()
    files = files_of(cases, base) if ship else None
    if files is not None and sum(map(len, files.values())) > _MOST_BYTES:
        raise Error(
            f"ray: the files below {base} that the cases name have more than {_MOST_BYTES >> 20} MiB; use a shared folder"
        )
    bundle = ray.put(files)

    def told(case):
        return case.fields, str(base), case.id, {name: [arrays[name]] for name in case.arrays}

    pool = _Actors(workers, lambda: _Actor(_CaseActor, [bundle], timeout, memory, told=told))
    for case, result in pool.answers(cases, BATCH):
        yield lost_result(case) if result is None else result


def judge_many(
    pairs: Iterable[tuple[Any, Any]],
    *,
    address: str | None = None,
    workers: int | None = None,
    **judge: Any,
) -> Iterator[Any]:
    """Verdicts of (submission, task) pairs as they are found; `index` of a verdict says of which pair.

    workers  actors, with a CPU each; None: as many as the cluster has CPUs
    judge    of sfumato.Judge: chip, limits, options, cache, sandbox

    Submissions and tasks are sent as they are: texts, mappings of texts, or paths that every node has. A task that many pairs
    share goes into the object store once.
    """
    from .judging import Verdict

    connect(address)
    tasks: dict[Any, Any] = {}

    def kept(task):
        key = task if isinstance(task, str) else id(task)
        if key not in tasks:
            tasks[key] = task, ray.put(task)  # the task stays, and its id with it
        return tasks[key][1]

    def told(item):
        _, (submission, task) = item
        return submission, [kept(task)]

    lost = {"schema": 1, "verdict": "crashed", "ok": False, "findings": [], "cases": [], "log": ""}
    lost["summary"] = f"{ATTEMPTS} workers ended while they ran it"
    pool = _Actors(workers, lambda: _Actor(_JudgeActor, judge, told=told))
    for (index, _), answer in pool.answers(enumerate(pairs), 4):
        fields, cached = answer or (lost, False)
        yield Verdict(fields, index, cached)


class _CaseActor:
    """The process of an actor has threads and must not fork: its worker is a process started by exec."""

    def __init__(self, bundle, timeout, memory):
        files = ray.get(bundle[0])
        self._base = None if files is None else Path(laid_out("ray", files, "ray")) if files else Path("/")
        self._workers = Workers(1, timeout, memory)

    def ready(self):
        return True

    def run(self, told):
        """Results in the order of the cases."""
        cases = []
        for fields, base, name, arrays in told:
            got = {array: ray.get(ref[0]) for array, ref in arrays.items()}
            cases.append(Case(fields, Path(base) if self._base is None else self._base, name, got))
        found = {result["id"]: result for result in self._workers.run(cases)}
        return [found[case.id] for case in cases]


class _JudgeActor:
    def __init__(self, judge):
        from .judging import Judge

        self._judge = Judge(**{"chip": None, **judge, "workers": 1})

    def ready(self):
        return True

    def run(self, pairs):
        verdicts = list(self._judge.many((submission, ray.get(task[0])) for submission, task in pairs))
        return [(v.to_dict(), v.cached) for v in sorted(verdicts, key=lambda v: v.index)]


class _Actor:
    """An actor as a worker of a pool, whose items are batches. told: what it is sent of one of a batch."""

    def __init__(self, kind, *arguments, told):
        # Calls are not repeated by Ray: what is lost is sent again by the pool, where it is counted.
        self._actor = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(kind).remote(*arguments)
        self._told = told
        self.calls = deque([self._actor.ready.remote()])

    def send(self, batch):
        self.calls.append(self._actor.run.remote([self._told(item) for item in batch]))

    def receive(self):
        try:
            return ray.get(self.calls.popleft())
        except _LOST:
            return None

    ready = receive

    def gone(self, batch):
        """Of its batches it says nothing."""

    def close(self):
        ray.kill(self._actor)


class _Actors(Pool):
    """Actors with a CPU each, as many as the cluster has, or `workers`."""

    def __init__(self, workers: int | None, start: Callable[[], _Actor]):
        count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        super().__init__(count, start, _AHEAD, ATTEMPTS)

    def _answering(self, busy):
        calls = {worker.calls[0]: worker for worker in busy}
        return [calls[call] for call in ray.wait(list(calls), num_returns=1)[0]]

    def answers(self, items: Iterable[Any], most: int) -> Iterator[tuple[Any, Any]]:
        """(item, answer) of every item, once: None of one that went down with ATTEMPTS actors alone, after its batch of at
        most `most` did."""
        items, again, left = iter(items), deque(), 0

        def batches():
            nonlocal left
            while True:
                batch = [again.popleft()] if again else list(itertools.islice(items, most))
                if not batch and not left:
                    return
                left += bool(batch)
                yield batch or None

        with self:
            for batch, answers in self.run(batches()):
                left -= 1
                if answers is None and len(batch) > 1:
                    again.extend(batch)
                else:
                    yield from zip(batch, answers or [None])


# Of Ray, when a worker, an actor or a node is gone, or what it had computed with it.
_LOST = (
    ray.exceptions.RayActorError,
    ray.exceptions.WorkerCrashedError,
    ray.exceptions.NodeDiedError,
    ray.exceptions.ObjectLostError,
)
