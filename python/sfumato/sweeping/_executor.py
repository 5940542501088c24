# SPDX-License-Identifier: Apache-2.0
"""One case after another in a trusted process: makes the inputs, has a runner run it, works out what is right, compares.

Kernels and the host code of operators run in the runner (_runner.py), forked from here and replaced when it dies; it has
ended its part of a case before the reference of the case exists.

To it     frame C: {"fields", "base", "id"} of a case; frame A: {"name", "array"}, an array that cases name by its hash
From it   frame R for each case in turn: its result, JSON
"""

import contextlib
import json
import os
import re
import resource
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from .._cases.outputs import compared, differing, said
from .._cases.verdicts import first_line, last_report, of_report
from .._full_disk import full_disk
from .._native import Error
from .._processes import system
from .._processes.frames import BadFrame, decode, encode, receive, send
from .._processes.servers import how_ended, kill, left_in
from ..comparing import compare
from . import _runner
from ._case import Case
from ._data import References, make_inputs
from ._results import result_line
from ._workers import REFERENCE

COMPILE = 120.0  # seconds to compile
_GRACE = 2.0  # the launch ends itself by its own timeout, with a report
_TAIL = 8192
_FAR = 1 << 20


class Executor:
    """Runs cases; `timeout` in seconds and `memory` in bytes are limits of each. at, folder: those of its Worker."""

    def __init__(self, at: int, folder: str, timeout: float = 60.0, memory: int = 4 << 30):
        self._at, self._folder = at, folder
        self._timeout, self._memory = timeout, memory
        self._references = References()
        self._judge_of_submissions = None
        self._runner = None
        self._seen = set()
        self.arrays: dict[str, np.ndarray] = {}

    def close(self):
        self._end_runner()
        if self._judge_of_submissions is not None:
            self._judge_of_submissions.close()

    def _end_runner(self):
        if self._runner is not None:
            self._runner.end()
            self._runner = None

    def _submissions(self):
        if self._judge_of_submissions is None:
            from ._judging import Submissions

            self._judge_of_submissions = Submissions(self._timeout, self._memory)
        return self._judge_of_submissions

    def run(self, case: Case) -> dict:
        """The verdict of a case, as a line of the results has it; {"id", "full"} where a disk is full: it has none then."""
        began = time.perf_counter()
        answer, spent = {}, {}
        try:
            if case.kind == "submission":
                found, spent = self._submissions().run(case)
                return result_line(case, found, None, spent)
            inputs = make_inputs(case, self.arrays)
            answer = self._ask(case, inputs)
            if "full" in answer:
                return {"id": case.id, "full": answer["full"]}
            spent["run"] = answer.get("seconds")
            found = self._judge(case, inputs, answer)
        except Exception as error:  # noqa: BLE001 - of a reference's results, of files
            full = full_disk(error)
            if full:
                return {"id": case.id, "full": full}
            if isinstance(error, Error):
                found = {"verdict": "invalid", "summary": first_line(error)}
            else:
                found = _runner.error_dict(error)
        spent["total"] = time.perf_counter() - began
        return result_line(case, found, answer.get("runs"), spent)

    def _judge(self, case, inputs, answer):
        if "error" in answer:
            return answer["error"]
        runs = answer["runs"]
        outputs = runs[0]["outputs"]
        for run in runs:
            run.setdefault("outputs", outputs)
        with _at_reference(self._at, case.get("timeout", self._timeout)):
            want = self._references.want(case, inputs, list(outputs))
        if want is None:
            return _unstable(runs) or {"verdict": "right", "summary": "it ran; nothing says what is right"}
        missing = [name for name in want if name not in outputs]
        if missing:
            raise Error(f"what is right has {missing[0]!r}; the outputs are {', '.join(outputs)}")
        found = list(compared(runs[0], want, lambda name: _rule(case, name)))
        if not found:
            raise Error("what is right names no output")
        name, decides = next((both for both in found if not both[1].ok), found[-1])
        told = {"compare": {"output": name, **decides.to_dict()}, "summary": said(name, decides)}
        if not decides.ok:
            return {"verdict": "wrong", **told}
        return _unstable(runs) or {"verdict": "right", **told}

    def _ask(self, case, inputs):
        if self._runner is None:
            self._runner, self._seen = _Process(self._memory, self._folder), set()
        limit = case.get("timeout", self._timeout)
        wait = (limit + _GRACE) * len(case.get("schedules", [1])) * len(case.get("fills", [1]))
        # Kernels are compiled when they are loaded, those of operators at their first launch with these types.
        kind = (
            case.get("op"),
            case.get("chip"),
            str(case.get("build")),
            str([part and part.get("dtype") for part in case.parts]),
        )
        if case.kind == "op" and kind not in self._seen:
            wait += COMPILE
        job = {"case": case.fields, "inputs": inputs, "base": str(case.base), "timeout": limit}
        answer = self._runner.ask(job, COMPILE, wait)
        self._seen.add(kind)
        if not {"runs", "error", "full"} & set(answer):
            answer = {"error": self._runner.last_words() if answer["ended"] else _timed_out(answer["phase"])}
            self._end_runner()
        elif answer.get("spent"):
            self._end_runner()
        return answer


def _rule(case, name):
    rule = case.get("compare", "auto")
    return rule.get(name, "auto") if isinstance(rule, Mapping) else rule


def _unstable(runs):
    """The verdict where another legal run of the first gave other bytes."""
    found = differing(runs)
    if found is None:
        return None
    run, name, got, first = found
    under, before = (f"schedule {one['schedule']}, fill {one['fill']:#04x}" for one in (run, runs[0]))
    return {
        "verdict": "unstable",
        "summary": f"{name}: other bytes under {under} than under {before}",
        "schedule": run["schedule"],
        "compare": {"output": name, **compare(got, first, "exact").to_dict()},
    }


def _timed_out(phase):
    return {"verdict": "timeout", "summary": f"it was killed in its {phase}: it did not end by itself", "report": None}


class _Process:
    """The executor's end of a runner."""

    def __init__(self, memory, folder):
        self._stream, theirs = socket.socketpair()
        self._words, words = os.pipe()
        self._output = system.nameless_file("output")
        self.folder = tempfile.mkdtemp(dir=folder)
        parent = os.getpid()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                self._stream.close()
                os.close(self._words)
                self._become(parent, memory)
                _runner.run(theirs, words)
            finally:
                os._exit(1)
        theirs.close()
        os.close(words)

    def _become(self, parent, memory):
        system.die_with_parent(parent)
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.chdir(self.folder)
        null = os.open(os.devnull, os.O_RDONLY)
        for to, file in ((0, null), (1, self._output), (2, self._output)):
            os.dup2(file, to)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        most = system.mapped_bytes() + memory
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    def ask(self, job, load_wait, run_wait):
        """Its answer; {"ended", "phase"} when it died, or took longer than so many seconds to load or to run."""
        phase, deadline = "load", time.monotonic() + load_wait
        try:
            send(self._stream, b"J", encode(job))
            while select.select([self._stream], [], [], max(0.0, deadline - time.monotonic()))[0]:
                frame = receive(self._stream)
                if frame is None:
                    return {"ended": True}
                if frame[0] == b"R":
                    answer = decode(frame[1])
                    return answer if isinstance(answer, dict) else {"ended": True}
                phase, deadline = "run", time.monotonic() + run_wait
            return {"ended": False, "phase": phase}
        except (ConnectionError, BadFrame):
            return {"ended": True}

    def last_words(self):
        """The verdict of a runner that died."""
        status = os.waitpid(self._pid, 0)[1]
        self._pid = None
        report = last_report(left_in(self._words))
        if report:  # a fault after which a process cannot go on
            far = re.match(r"(\d+) bytes (before|past) ", report["found"])
            if far and int(far[1]) > _FAR:  # it differs from process to process
                report["found"] = "an address far from every block"
            return {"verdict": of_report(report).why, "summary": first_line(report["message"]), "report": report}
        code = os.waitstatus_to_exitcode(status)
        size = os.fstat(self._output).st_size
        log = os.pread(self._output, _TAIL, max(0, size - _TAIL)).decode(errors="replace")
        summary = f"the worker was ended by {how_ended(code)}"
        return {"verdict": "crashed", "summary": summary, "report": None, "log": log}

    def end(self):
        """It and what it started are gone after this."""
        if self._pid is not None:
            kill(self._pid, os.killpg)
            kill(self._pid)
            os.waitpid(self._pid, 0)
            self._pid = None
        self._stream.close()
        os.close(self._words)
        os.close(self._output)
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def _at_reference(at: int, seconds: float):
    """Around the code of a reference: it may print, nobody reads it; what takes longer ends the worker."""
    sys.stderr.flush()
    errors, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    os.pwrite(at, REFERENCE, 0)
    signal.setitimer(signal.ITIMER_REAL, seconds)  # of SIGALRM, which no code of the reference can delay
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        os.pwrite(at, b"\0", 0)
        sys.stderr.flush()
        os.dup2(errors, 2)
        os.close(errors)
        os.close(nothing)


def main(stream, at, folder, timeout, memory):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # of references
    executor = Executor(int(at), folder, float(timeout), int(memory))
    try:
        while (frame := receive(stream)) is not None:
            told = decode(frame[1])
            if frame[0] == b"A":
                told["array"].flags.writeable = False
                executor.arrays[told["name"]] = told["array"]
                continue
            result = executor.run(Case(told["fields"], Path(told["base"]), told["id"]))
            send(stream, b"R", json.dumps(result).encode())
    except ConnectionError:
        pass
    finally:
        executor.close()
        shutil.rmtree(folder, ignore_errors=True)  # of a client that was killed, too
