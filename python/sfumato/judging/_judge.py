# SPDX-License-Identifier: Apache-2.0
"""judge, judge_many and Judge: from submissions and tasks, through the workers, to verdicts."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import json
import os
import platform
import subprocess
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .. import _checks, _native, _options
from .._cases.verdicts import KINDS
from .._native import Error, __version__
from .._processes import system
from . import _decide, _estimates, _submissions, _tasks
from ._prefix import Prefix
from ._store import Store
from ._submissions import Invalid
from .._processes.limits import Limits
from .options import Options, plan, timed_plan
from .pool import Job, Pool
from .verdict import SCHEMA, Verdict

TASK_LIMITS = Limits()  # at least, of a task's cases and reference together
_MOST_PREPARED = 64  # tasks whose cases stay in memory
_WITH_TORCH = ("torch", "sfumato.judging._kernelbench", "sfumato.torch_npu", "torch.utils._python_dispatch")
_PRELOAD = ("sfumato.judging._execute", "sfumato.judging._prepare")


def judge(
    submission: Any,
    task: Any,
    *,
    chip: str | None = None,
    limits: Limits | Mapping[str, Any] | None = None,
    options: Options | Mapping[str, Any] | None = None,
    cache: Any = True,
    workers: int | None = 1,
    sandbox: str = "auto",
) -> Verdict:
    """The verdict about one submission: judge_many of one. Many are faster with judge_many or Judge, whose workers stay."""
    with Judge(chip, limits=limits, options=options, cache=cache, workers=workers, sandbox=sandbox) as one:
        return one(submission, task)


def judge_many(
    pairs: Iterable[tuple[Any, Any]],
    *,
    chip: str | None = None,
    limits: Limits | Mapping[str, Any] | None = None,
    options: Options | Mapping[str, Any] | None = None,
    cache: Any = True,
    workers: int | None = None,
    sandbox: str = "auto",
) -> Iterator[Verdict]:
    """Verdicts about (submission, task) pairs as they are found; `index` says which. Arguments are those of Judge."""
    with Judge(chip, limits=limits, options=options, cache=cache, workers=workers, sandbox=sandbox) as many:
        yield from many.many(pairs)


class Judge:
    """Gives verdicts, and keeps its workers and the references of tasks for the next one.

    chip      family or product, e.g. "Ascend910B1"
    limits    Limits, or a mapping of its fields: what a job may use
    options   Options, or a mapping of its fields
    cache     folder of verdicts and compiled objects; True: `judge` in the cache of kernels; None: neither is read or kept
    workers   jobs at once; None: one for each core
    sandbox   "auto", "require" (an Error where it would be partial; of the cache, verdicts found in a full one), "off"

    judge(submission, task) gives a Verdict. A submission is a path, a text, {path: text}; a task a path or a text
    (docs/judging.md).
    """

    def __init__(
        self,
        chip: str | None,
        *,
        limits: Limits | Mapping[str, Any] | None = None,
        options: Options | Mapping[str, Any] | None = None,
        cache: Any = True,
        workers: int | None = 1,
        sandbox: str = "auto",
    ):
        self.chip = _known(_checks.chip(chip, "judge"))
        self.limits = Limits.of(limits)
        self.options = Options.of(options)
        self.options.check_for(self.chip)
        self._store = _store(cache)
        self._sandbox = sandbox
        self._prefix = Prefix(self.chip, self.options.compile)
        self._pool = Pool(workers, self.limits, sandbox=sandbox, preload=_PRELOAD, environment=self._prefix.environment)
        self._tasks: dict[tuple, Any] = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the workers."""
        self._pool.close()
        self._prefix.close()

    def __call__(self, submission: Any, task: Any) -> Verdict:
        return next(self.many([(submission, task)]))

    def many(self, pairs: Iterable[tuple[Any, Any]]) -> Iterator[Verdict]:
        """Verdicts as they are found; `index` says of which pair. Identical pairs run once."""
        return _Batch(self, pairs).run()


def _store(cache):
    folder = _checks.cache(cache, "judge")
    return None if folder == "none" else Store(folder or None)


def _known(chip):
    """The name, or the error that lists them."""
    names = {name.lower() for family in _native.chips() for name in (family["name"], *family["products"])}
    if chip.lower() not in names:
        _native.compile("", chip, [], [], [], [], None, "", [], [], [], [], "", False)
    return chip


def _is_path(submission):
    return isinstance(submission, os.PathLike) or (isinstance(submission, str) and "\n" not in submission)


class _Work:
    """One pair on its way."""

    def __init__(self, index):
        self.index, self.began = index, time.perf_counter()
        self.name = self.submission = self.task = self.key = self.plan = self.prepared = None
        self.found = None  # the verdict's fields, when the run for its estimate is still to come
        self.same = []  # (index, name) of identical pairs


class _Batch:
    def __init__(self, judge, pairs):
        self._judge, self._pairs = judge, enumerate(pairs)
        self._done = deque()  # verdicts without a job
        self._ready = deque()  # works whose task is prepared
        self._waiting = {}  # task key: works
        self._running = {}  # verdict key: work
        self._open = 0

    def run(self):
        outcomes = self._judge._pool.run(self._jobs())
        try:
            for job, outcome in outcomes:
                self._open -= 1
                if isinstance(job.tag, _Work) and job.tag.found is not None:
                    yield from self._timed(job.tag, outcome)
                elif isinstance(job.tag, _Work):
                    yield from self._finished(job.tag, outcome)
                else:
                    self._prepared(job.tag, outcome)
                while self._done:
                    yield self._done.popleft()
            while self._done:
                yield self._done.popleft()
        finally:
            outcomes.close()

    def _jobs(self):
        """For Pool.run; None where every pair that is left waits for a job that runs. Stops often enough that verdicts
        that need no job are given soon."""
        while True:
            if self._ready:
                self._open += 1
                yield self._job(self._ready.popleft())
                continue
            if self._done and self._open:
                yield None
                continue
            pair = next(self._pairs, None)
            if pair is None:
                if not self._waiting and not (self._judge.options.timed and self._running):
                    return
                yield None
                continue
            preparing = self._take(*pair)
            if preparing is not None:
                self._open += 1
                yield preparing

    def _take(self, index, pair):
        """A job that prepares the pair's task, where it is the first with it."""
        judge, work = self._judge, _Work(index)
        try:
            submission, task = pair
            options = judge.options
            work.name = os.fspath(submission) if _is_path(submission) else None
            work.submission = _submissions.read(submission, options.kind, options.name)
            options.check_kind(work.submission.kind)
            work.task = _tasks.read(task)
        except Invalid as error:
            self._invalid(work, str(error))
            return None
        if work.task.form == "kernelbench" or work.submission.kind in ("model", "direct"):
            if versions()["torch"] is None:
                self._invalid(work, "models and tasks in KernelBench's form need PyTorch, which is not installed")
                return None
            judge._pool.preload(_WITH_TORCH)
        work.key = self._key(work)
        first = self._running.get(work.key)
        if first is not None:
            first.same.append((index, work.name))
            return None
        kept = judge._store.verdict(work.key) if judge._store else None
        if kept is not None and (judge._sandbox != "require" or kept.get("sandbox") == "full"):
            self._done.append(Verdict({**kept, "submission": work.name}, index, cached=True))
            return None
        self._running[work.key] = work
        key = (work.task.digest(), options.seed, options.cases)
        known = judge._tasks.get(key)
        if known is not None:
            self._start(work, known)
        elif key in self._waiting:
            self._waiting[key].append(work)
        else:
            self._waiting[key] = [work]
            return self._preparing(key, work.task)
        return None

    def _preparing(self, key, task):
        options, limits = self._judge.options, self._task_limits()
        arguments = {"form": task.form, "entry": task.entry, "folder": task.folder}
        arguments |= {"seed": options.seed, "most": options.cases}
        folders = (task.folder,) if task.folder else ()
        return Job("sfumato.judging._prepare:prepare", arguments, limits, dict(task.files), tag=key, folders=folders)

    def _task_limits(self):
        """A task is the caller's own: a short limit of submissions is none of it."""
        given, least = self._judge.limits.to_dict(), TASK_LIMITS.to_dict()
        return Limits(**{name: max(value, least[name]) for name, value in given.items()})

    def _prepared(self, key, outcome):
        judge = self._judge
        if outcome.status == "returned":
            known = outcome.value, outcome.seconds
        elif outcome.status == "raised":
            known = outcome.error["text"], outcome.seconds
        else:
            known = _decide.task_failure(outcome, self._task_limits()), 0.0
        if len(judge._tasks) >= _MOST_PREPARED:
            judge._tasks.pop(next(iter(judge._tasks)))
        judge._tasks[key] = known
        for work in self._waiting.pop(key):
            self._start(work, known)

    def _start(self, work, known):
        prepared, _ = known
        if isinstance(prepared, str):
            del self._running[work.key]
            self._invalid(work, f"the task is broken: {_decide._line(prepared)}", prepared)
            return
        work.prepared = prepared, known[1]
        work.plan = plan(self._judge.options, prepared)
        self._ready.append(work)

    def _job(self, work):
        judge, prepared = self._judge, work.prepared[0]
        cases = []
        for case in prepared["cases"]:
            specs = {name: (want.dtype.name, list(want.shape)) for name, want in case["want"].items()}
            other = case["other"] and case["other"]["inputs"]
            cases.append({"inputs": case["inputs"], "launch": case["launch"], "specs": specs, "other": other})
        arguments = {"submission": work.submission, "cases": cases, "plan": work.plan}
        options = {"chip": judge.chip, "wall": judge.limits.wall, "launch": dict(judge.options.launch)}
        options |= {"compile": dict(judge.options.compile), "allow": prepared["allow"], "model": prepared["model"]}
        options |= {"seed": judge.options.seed}
        if work.found is not None:
            words = {} if judge.options.time is True else judge.options.time
            options["time"] = {"gains": "none", **words}
        files = {name: text.encode(errors="surrogatepass") for name, text in work.submission.files.items()}
        if judge._store:
            found = judge._store.objects(self._object_key(work))
            files |= {f"cache/{name}": content for name, content in found.items()}
        work.had = set(files)
        return Job("sfumato.judging._execute:execute", arguments | {"options": options}, judge.limits, files, tag=work)

    def _finished(self, work, outcome):
        judge = self._judge
        prepared, reference_seconds = work.prepared
        try:
            found = _decide.decide(outcome, prepared, work.plan)
        except Error as error:  # of sfumato.compare: the task's rule, or arrays it cannot compare
            found = {"verdict": "invalid", "summary": f"the task is broken: {error}", "task_error": str(error)}
        if judge._store and outcome.files and any(f"cache/{name}" not in work.had for name in outcome.files):
            judge._store.keep_objects(self._object_key(work), outcome.files)
        if outcome.compile_seconds and outcome.files:
            judge._prefix.compiled()
        found["seconds"] = {
            "total": time.perf_counter() - work.began,
            "compile": outcome.compile_seconds,
            "run": max(0.0, outcome.seconds - outcome.compile_seconds),
            "reference": reference_seconds,
        }
        found["log"] = outcome.log
        if found["verdict"] == "right" and judge.options.timed:
            found["estimate_reason"] = _estimates.without(work.submission.kind)
            if found["estimate_reason"] is None:
                work.found, work.plan = found, timed_plan(judge.options, prepared)
                self._ready.append(work)
                return
        yield from self._told(work, found, found["verdict"])

    def _timed(self, work, outcome):
        """The verdict of a right submission, when the run for its estimate has ended."""
        told, why, timed = _estimates.estimate(outcome, work.prepared[0], work.plan, self._judge.chip)
        work.found["seconds"]["total"] = time.perf_counter() - work.began
        found = work.found | {"estimate": told, "estimate_reason": why}
        yield from self._told(work, found, timed["verdict"])

    def _told(self, work, found, last):
        """Verdicts of the pair and those identical to it; kept unless limits decided it, or `last`, the verdict of its last
        run."""
        judge = self._judge
        fields = self._fields(work, found)
        verdict = Verdict(fields, work.index)
        del self._running[work.key]
        passing = KINDS[last].passing or _decide.of_limits(found)
        if judge._store and (not passing or judge.options.keep_passing):
            judge._store.keep_verdict(work.key, verdict.to_json())
        yield verdict
        for index, name in work.same:
            yield Verdict({**fields, "submission": name}, index, cached=True)

    def _invalid(self, work, summary, task_error=None):
        found = {"verdict": "invalid", "summary": _decide._line(summary), "task_error": task_error}
        self._done.append(Verdict(self._fields(work, found), work.index))

    def _fields(self, work, found):
        judge = self._judge
        worker = next((worker for worker in judge._pool._all if worker.full is not None), None)
        return {
            "schema": SCHEMA,
            "ok": found["verdict"] == "right",
            "submission": work.name,
            "chip": judge.chip,
            "kind": work.submission.kind if work.submission else None,
            "findings": [],
            "cases": [],
            "limits": judge.limits.to_dict(),
            "seconds": {"total": time.perf_counter() - work.began, "compile": None, "run": None, "reference": None},
            "estimate": None,
            "estimate_reason": None,
            "sandbox": None if worker is None else "full" if worker.full else "partial",
            "sandbox_lacking": [] if worker is None else list(worker.lacking),
            "numerics": _options.numerics(judge.options.launch),
            "versions": versions(),
            "seed": judge.options.seed,
            "submission_hash": work.submission.digest() if work.submission else None,
            "task_hash": work.task.digest() if work.task else None,
            "log": "",
            "repeat": None,
            **found,
        }

    def _key(self, work):
        judge, options = self._judge, self._judge.options
        parts = [SCHEMA, work.submission.digest(), work.task.digest(), judge.chip, options.seed, options.cases]
        parts += [list(options.schedules), list(options.fills), repr(sorted(options.launch.items()))]
        parts += [repr(sorted(options.compile.items())), versions(), _library(), judge.limits.to_dict()]
        parts += [sorted(dict(options.time if options.time is not True else {}).items()) if options.timed else None]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _object_key(self, work):
        options = self._judge.options
        parts = [work.submission.digest(), self._judge.chip, repr(sorted(options.compile.items())), _library()]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@functools.cache
def versions() -> dict[str, str | None]:
    """Of what decides a verdict besides the submission and the task."""
    words = (os.environ.get("SFUMATO_CXX") or os.environ.get("CXX") or "c++").split()
    try:
        told = subprocess.run([*words, "--version"], capture_output=True, text=True, check=False)
        compiler = told.stdout.split("\n", 1)[0] or None
    except OSError:
        compiler = None
    try:
        torch = importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        torch = None
    return {"sfumato": __version__, "compiler": compiler, "python": platform.python_version(), "torch": torch}


@functools.cache
def _library():
    """What tells builds of the same version apart."""
    found = []
    for path in sorted(system.mapped_files()):
        name = os.path.basename(path)
        if "sfumato" in name or "_native" in name:
            stat = os.stat(path)
            found.append([name, stat.st_size, stat.st_mtime_ns])
    return found
