# SPDX-License-Identifier: Apache-2.0
"""Workers that run jobs, each in a process of its own with limits: Pool(workers).run(jobs)."""

from __future__ import annotations

import os
import pickle
import select
import socket
import subprocess
import sys
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .._native import Error
from ._frames import HEADER, BadFrame, decode
from ._server import Request, _exactly
from .limits import Limits

_END = object()
_SERVER = "from sfumato.judging import _server; _server.main()"
MODES = ("auto", "require", "off")


@dataclass
class Job:
    """A call in a process of its own.

    target     "module:function", called there as function(told, **arguments); `told` is a _server.Told. What it returns
               comes back as plain values: None, numbers, text, bytes, NumPy arrays, lists, mappings
    arguments  what can be pickled
    limits     None: those of the pool
    files      {relative path: bytes} in the job's folder, which is its working folder
    folders    what it may read wherever it lies, in a home folder too
    tag        the caller's
    """

    target: str
    arguments: dict[str, Any] = field(default_factory=dict)
    limits: Limits | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    tag: Any = None
    folders: tuple[str, ...] = ()


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


class _Worker:
    """The client's end of one server."""

    def __init__(self, sandbox, preload, environment):
        self.job, self.preload = None, preload
        ours, theirs = socket.socketpair()
        path = [str(Path(__file__).absolute().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
        threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _SERVER, str(theirs.fileno()), sandbox, *preload],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                cwd="/",
                env={**os.environ, **threads, **environment, "PYTHONPATH": os.pathsep.join(path)},
                start_new_session=True,
            )
        self.stream = ours
        self.full = self.lacking = None

    def ready(self):
        """Waits for its start."""
        if self.full is not None:
            return
        answer = self.receive()
        if answer is None or answer["error"]:
            self.close()
            raise Error(answer["error"] if answer else "a worker did not start: its error is above")
        self.full, self.lacking, self.uid = answer["full"], answer["lacking"], answer["uid"]

    def send(self, job, limits):
        request = Request(job.target, job.arguments, job.limits or limits, job.files, job.folders)
        payload = pickle.dumps(request, protocol=pickle.HIGHEST_PROTOCOL)
        self.stream.sendall(HEADER.pack(b"J", len(payload)) + payload)

    def receive(self):
        """A value; None when the server is gone."""
        try:
            header = _exactly(self.stream, HEADER.size)
            payload = header and _exactly(self.stream, HEADER.unpack(header)[1])
        except ConnectionError:
            return None
        return decode(payload) if payload else None

    def close(self):
        """Its server ends, and its job."""
        self.stream.close()
        self.process.wait()


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


class Pool:
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
            workers = len(os.sched_getaffinity(0))
        if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
            raise Error(f"Pool: workers={workers!r} must be an int above 0, or None")
        if sandbox not in MODES:
            raise Error(f"Pool: sandbox={sandbox!r} is none of {', '.join(MODES)}")
        self.workers = workers
        self.limits = Limits.of(limits)
        self._sandbox, self._preload, self._environment = sandbox, list(preload), dict(environment or {})
        self._all: list[_Worker] = []
        self._finalizer = weakref.finalize(self, _close_all, self._all)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the workers, and what runs in them."""
        _close_all(self._all)

    @property
    def lacking(self) -> list[str]:
        """What a full sandbox has and this one does not, in sentences; empty: it is full."""
        self._take(1)
        self._all[0].ready()
        return self._all[0].lacking

    def preload(self, modules: Sequence[str]) -> None:
        """Makes the warm parents import these, too: workers start anew when they are free."""
        self._preload = self._preload + [module for module in modules if module not in self._preload]

    def call(self, job: Job) -> Outcome:
        """Runs one job."""
        return next(outcome for _, outcome in self.run([job]))

    def run(self, jobs: Iterable[Job | None]) -> Iterator[tuple[Job, Outcome]]:
        """Jobs with their outcomes, as they end. Takes the next job when a worker is free; None instead of one says that
        there is none before another has ended. A run that is left half-way ends the jobs that still run. One run at a
        time."""
        jobs = iter(jobs)
        poll = select.poll()
        by_file, idle, more = {}, None, True
        try:
            while True:
                while more and (idle is None or idle or len(self._all) < self.workers):
                    job = next(jobs, _END)
                    if job is _END:
                        more = False
                    if job is _END or job is None:
                        break
                    if idle is None:
                        idle = list(self._all)
                    if not idle:
                        idle.append(self._take(len(self._all) + 1))
                    worker = idle.pop()
                    if worker.preload != self._preload:
                        self._all.remove(worker)
                        worker.close()
                        worker = self._take(len(self._all) + 1)
                    self._begin(worker, job, by_file, poll)
                if not by_file:
                    return
                for file, _ in poll.poll():
                    worker = by_file.pop(file)
                    poll.unregister(file)
                    job, worker.job = worker.job, None
                    answer = worker.receive()
                    if answer is None:
                        self._all.remove(worker)
                        worker.close()
                    else:
                        idle.append(worker)
                    yield job, _outcome(answer)
        finally:
            for worker in by_file.values():
                self._all.remove(worker)
                worker.close()

    def _take(self, count):
        while len(self._all) < count:
            self._all.append(_Worker(self._sandbox, self._preload, self._environment))
        return self._all[-1]

    def _begin(self, worker, job, by_file, poll):
        try:
            worker.ready()
        except Error:
            self._all.remove(worker)
            raise
        worker.job = job
        by_file[worker.stream.fileno()] = worker
        poll.register(worker.stream, select.POLLIN)
        try:
            worker.send(job, self.limits)
        except (BrokenPipeError, ConnectionResetError):
            pass  # its end is read where answers are


def _close_all(workers):
    while workers:
        workers.pop().close()
