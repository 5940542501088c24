# SPDX-License-Identifier: Apache-2.0
"""Verdicts over a Ray cluster (pip install sfumato[ray], docs/cluster.md).

for verdict in sfumato.ray.judge_many(pairs, chip="Ascend910B1"): ...
sfumato.sweep("cases.jsonl", out="results", ray=True)

An actor a core stays warm; arrays and files are in the object store once and lie at a node once; each actor has few batches at
a time; what a lost actor or node had not answered is run again elsewhere, and counts once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ._native import Error
from ._texts import laid_out
from .sweeping._case import Case
from .sweeping._workers import ATTEMPTS, Workers, lost_result
from .sweeping._sources import files_of

try:
    import ray
except ImportError:
    raise Error("sfumato.ray needs Ray: pip install sfumato[ray]") from None

__all__ = ["judge_many", "run_cases"]

BATCH = 16  # cases of a call: a call costs a millisecond, a small case two
_AHEAD = 2  # calls that an actor has at a time
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

    def start():
        return _actor(_CaseActor).remote([bundle], timeout, memory)

    def call(actor, batch):
        told = [(case.fields, str(base), case.id, {name: [arrays[name]] for name in case.arrays}) for case in batch]
        return actor.run.remote(told)

    for _, result in _spread(list(cases), start, call, workers, BATCH, lost_result):
        yield result


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

    def start():
        return _actor(_JudgeActor).remote(judge)

    def call(actor, batch):
        return actor.run.remote([(submission, [kept(task)]) for _, (submission, task) in batch])

    def lost(work):
        fields = {"schema": 1, "verdict": "crashed", "ok": False, "findings": [], "cases": [], "log": ""}
        return {**fields, "summary": f"{ATTEMPTS} workers ended while they ran it"}, False

    for (index, _), (fields, cached) in _spread(enumerate(pairs), start, call, workers, 4, lost):
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


def _actor(kind):
    # Calls are not repeated by Ray: what is lost is sent again here, where it is counted.
    return ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(kind)


def _spread(
    items: Iterable[Any],
    start: Callable[[], Any],
    call: Callable[[Any, list], Any],
    workers: int | None,
    most: int,
    lost: Callable[[Any], Any],
) -> Iterator[tuple[Any, Any]]:
    """(item, answer) of every item, once. An actor that is gone is replaced; batches it had are sent again, at last one by one,
    and an item that goes down with ATTEMPTS actors has the answer lost(item)."""
    items, again = iter(items), deque()  # again: batches with their attempts
    count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    starting, busy, calls = {}, {}, {}  # ready: actor; actor: calls; call: (actor, batch, attempt)

    def begin():
        actor = start()
        starting[actor.ready.remote()] = actor

    def next_batch():
        if again:
            return again.popleft()
        batch = [item for _, item in zip(range(most), items)]
        return (batch, 1) if batch else None

    def feed(actor):
        while busy[actor] < _AHEAD and (work := next_batch()) is not None:
            busy[actor] += 1
            calls[call(actor, work[0])] = (actor, *work)

    def gone(actor):
        """Forgets an actor; its other calls fail, too, when their turn comes."""
        if busy.pop(actor, None) is not None:
            ray.kill(actor)
            begin()

    try:
        for _ in range(count):
            begin()
        while True:
            for actor in list(busy):
                feed(actor)
            work = next_batch() if not calls else None
            if work is not None:
                again.appendleft(work)
            elif not calls:
                return
            done, _ = ray.wait([*calls, *starting], num_returns=1)
            for ref in done:
                if ref in starting:
                    actor = starting.pop(ref)
                    try:
                        ray.get(ref)
                    except _LOST:
                        begin()
                    else:
                        busy[actor] = 0
                    continue
                actor, batch, attempt = calls.pop(ref)
                try:
                    answers = ray.get(ref)
                except _LOST:
                    gone(actor)
                    if attempt < ATTEMPTS:
                        again.append((batch, attempt + 1))
                    elif len(batch) > 1:
                        again.extend(([item], 1) for item in batch)
                    else:
                        yield batch[0], lost(batch[0])
                    continue
                if actor in busy:
                    busy[actor] -= 1
                yield from zip(batch, answers)
    finally:
        for actor in [*busy, *starting.values()]:
            ray.kill(actor)


# Of Ray, when a worker, an actor or a node is gone, or what it had computed with it.
_LOST = (
    ray.exceptions.RayActorError,
    ray.exceptions.WorkerCrashedError,
    ray.exceptions.NodeDiedError,
    ray.exceptions.ObjectLostError,
)
