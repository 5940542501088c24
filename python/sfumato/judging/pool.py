# SPDX-License-Identifier: Apache-2.0
"""Workers that run jobs, each in a process of its own with limits: Pool(workers).run(jobs)."""

from __future__ import annotations

import contextlib
import pickle
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .._native import Error
from .._processes import pool, servers, system
from .._processes.frames import BadFrame, decode
from .._processes.jobs import Job
from .._processes.limits import Limits

MODES = ("auto", "require", "off")


@dataclass
class Outcome:
    """How a job ended.

    status           returned, raised, timeout, out-of-memory, crashed
    value            what the function returned
    error            of raised: {"types": names of the exception's classes, "text", "trace", "details"}
    phase            which the job told last
    signal, exit_code  of its process, when it ended by itself
    why              a sentence where the status alone does not say
    log              the last 8 KiB it printed
    seconds, compile_seconds, cpu_seconds, memory   used; bytes of the largest process
    exceeded         whether the kernel ended some process of the job for its memory
    words            what a kernel that ended the process left: of sfumato._native.unpack_result
    files            what the job kept
    """

    status: str
    value: Any = None
    error: dict | None = None
    phase: str = "start"
    signal: int | None = None
    exit_code: int | None = None
    why: str | None = None
    log: str = ""
    seconds: float = 0.0
    compile_seconds: float = 0.0
    cpu_seconds: float = 0.0
    memory: int = 0
    exceeded: bool = False
    words: bytes = b""
    files: dict[str, bytes] = field(default_factory=dict)


_WHY = {
    "output": "it printed more than it may",
    "forged": "it wrote what is no result into the pipe of its result",
}


class _Worker(servers.Server):
    """The client's end of a server of jobs."""

    def __init__(self, sandbox, preload, environment, limits):
        environment = {**servers.ONE_THREAD, **environment}
        super().__init__("sfumato._processes.jobs", sandbox, *preload, cwd="/", environment=environment)
        self._limits = limits
        self.full = self.lacking = None

    def started(self):
        """Waits for its start."""
        if self.full is not None:
            return
        answer = self.receive()
        if answer is None or answer["error"]:
            self.close()
            raise Error(answer["error"] if answer else "a worker did not start: its error is above")
        self.full, self.lacking, self.uid = answer["full"], answer["lacking"], answer["uid"]

    def send(self, job):
        self.started()
        sent = replace(job, limits=job.limits or self._limits, tag=None)
        super().send(b"J", pickle.dumps(sent, protocol=pickle.HIGHEST_PROTOCOL))

    def receive(self):
        frame = super().receive()
        return None if frame is None else decode(frame[1])

    def gone(self, job):
        """Of its job it says nothing."""


def _outcome(answer):
    if answer is None:
        return Outcome("crashed", why="the job took the server of its worker with it")
    value, files, log = answer.pop("value"), answer.pop("files"), answer.pop("log")
    answer["why"] = _WHY.get(answer["why"])
    outcome = Outcome(**answer, log=log.decode(errors="replace"))
    try:
        outcome.files = decode(files) if files else {}
        if not isinstance(outcome.files, dict) or not all(isinstance(part, bytes) for part in outcome.files.values()):
            raise BadFrame("no files")
        if value:
            read = decode(value)
            if outcome.status == "raised":
                outcome.error = {"types": list(read["types"]), **{k: read[k] for k in ("text", "trace", "details")}}
            else:
                outcome.value = read
    except (BadFrame, KeyError, TypeError) as error:
        outcome.status, outcome.why, outcome.files = "crashed", f"{_WHY['forged']}: {error}", {}
    if outcome.status == "raised" and "MemoryError" in outcome.error["types"]:
        outcome.status = "out-of-memory"
    return outcome


class Pool(pool.Pool):
    """Workers, each with a warm parent that forks a child for every job.

    workers   how many; None: as many as the machine has cores
    limits    of jobs that say none
    sandbox   "auto": what the platform permits; "require": Error where that is not all of it; "off"
    preload   modules that the warm parents import
    environment   variables of theirs besides those of the caller
    """

    def __init__(
        self,
        workers: int | None = None,
        limits: Limits | None = None,
        *,
        sandbox: str = "auto",
        preload: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ):
        if workers is None:
            workers = system.processors()
        if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
            raise Error(f"Pool: workers={workers!r} must be an int above 0, or None")
        if sandbox not in MODES:
            raise Error(f"Pool: sandbox={sandbox!r} is none of {', '.join(MODES)}")
        self.workers = workers
        self.limits = limits = Limits.of(limits)
        self._preload = words = list(preload)
        super().__init__(workers, lambda: _Worker(sandbox, words, dict(environment or {}), limits))
        self._finalizer = weakref.finalize(self, pool.close_all, self._all)

    @property
    def lacking(self) -> list[str]:
        """What a full sandbox has and this one does not, in sentences; empty: it is full."""
        worker = self._all[0] if self._all else self._more()
        worker.started()
        return worker.lacking

    def preload(self, modules: Sequence[str]) -> None:
        """Makes the warm parents import these, too: workers start anew when they are free."""
        more = [module for module in modules if module not in self._preload]
        if more:
            self._preload += more
            self.renew()

    def call(self, job: Job) -> Outcome:
        """Runs one job."""
        return next(outcome for _, outcome in self.run([job]))

    def run(self, jobs: Iterable[Job | None]) -> Iterator[tuple[Job, Outcome]]:
        """Jobs with their outcomes, as they end. Takes the next job when a worker is free; None instead of one says that
        there is none before another has ended. A run that is left half-way ends the jobs that still run. One run at a
        time."""
        with contextlib.closing(super().run(jobs)) as answers:
            for job, answer in answers:
                yield job, _outcome(answer)
