# SPDX-License-Identifier: Apache-2.0
"""One case after another in a trusted process: makes the inputs, has a runner run it, works out what is right, compares.

Kernels and the host code of operators run in the runner (_runner.py), forked from here and replaced when it dies; it has
ended its part of a case before the reference of the case exists.
"""

from __future__ import annotations

import ctypes
import os
import re
import resource
import select
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Mapping

import numpy as np

from .. import _native
from .._full_disk import full_disk
from .._native import Error
from ..comparing import compare
from ..judging._frames import BadFrame, decode
from . import _runner
from ._case import Case
from ._data import References, make_inputs
from ._worker import at_reference

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
                found = {"verdict": "invalid", "summary": _runner.first_line(error)}
            else:
                found = _runner.error_dict(error)
        spent["total"] = time.perf_counter() - began
        return result_line(case, found, answer.get("runs"), spent)

    def _judge(self, case, inputs, answer):
        if "error" in answer:
            return answer["error"]
        runs = answer["runs"]
        outputs = runs[0]["outputs"]
        with at_reference(self._at, case.get("timeout", self._timeout)):
            want = self._references.want(case, inputs, list(outputs))
        if want is None:
            return _unstable(runs) or {"verdict": "right", "summary": "it ran; nothing says what is right"}
        missing = [name for name in want if name not in outputs]
        if missing:
            raise Error(f"what is right has {missing[0]!r}; the outputs are {', '.join(outputs)}")
        worst = None
        for name, right in want.items():
            for got, wanted in _pairs(name, outputs[name], right):
                compared = compare(got, wanted, _rule(case, name), fill=runs[0]["fill"])
                if worst is None or worst[1].ok:
                    worst = (name, compared)
        if worst is None:
            raise Error("what is right names no output")
        name, compared = worst
        told = {"compare": {"output": name, **compared.to_dict()}}
        told["summary"] = f"{name}: {str(compared).splitlines()[0]}"
        if not compared.ok:
            return {"verdict": "wrong", **told}
        return _unstable(runs) or {"verdict": "right", **told}

    def _ask(self, case, inputs):
        if self._runner is None:
            self._runner, self._seen = _Process(self._memory, self._folder), set()
        limit = case.get("timeout", self._timeout)
        wait = (limit + _GRACE) * len(case.get("schedules", [1])) * len(case.get("fills", [1]))
        # Kernels are compiled when they are loaded, those of operators at their first launch with these types.
        kind = (case.get("op"), case.get("chip"), str(case.get("build")), _types(case))
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


def result_line(
    case: Case, found: dict, runs: list[dict] | None = None, spent: Mapping[str, float] | None = None
) -> dict:
    """The fields of a result in their order; those of time are in `seconds` alone."""
    spent = spent or {}
    # Places are those of the case, so that results are the same wherever it runs.
    found, runs = (_below(part, f"{case.base}/") for part in (found, runs))
    first = runs[0] if runs else {}
    return {
        "id": case.id,
        "name": case.get("name"),
        "verdict": found["verdict"],
        "ok": found["verdict"] == "right",
        "summary": found["summary"],
        "report": found.get("report"),
        "findings": found.get("findings") or first.get("findings", []),
        "compare": found.get("compare"),
        "schedule": found.get("schedule") or first.get("schedule"),
        "blocks": first.get("blocks"),
        "tiling_key": first.get("key"),
        "repeat": found.get("repeat") or _repeat(runs or [], found.get("schedule")),
        "cost": found.get("cost") or first.get("cost") or dict.fromkeys(("records", *_runner.COSTS)),
        "decoy": found.get("decoy"),
        "diagnostic": found.get("diagnostic"),
        "log": found.get("log"),
        "seconds": {"run": spent.get("run"), "total": spent.get("total")},
        "case": dict(case.fields),
    }


def _repeat(runs, schedule):
    """The command of the run that decided."""
    same = (run for run in reversed(runs) if run["schedule"] == schedule)
    return next(same, runs[0] if runs else {}).get("repeat")


def _below(value, base):
    if isinstance(value, str):
        return value.replace(base, "")
    if isinstance(value, dict):
        return {name: part if name == "outputs" else _below(part, base) for name, part in value.items()}
    return [_below(part, base) for part in value] if isinstance(value, list) else value


def _types(case):
    specs = case.get("inputs", {}).values()
    return str([[part.get("dtype") for part in (s if isinstance(s, list) else [s])] if s else None for s in specs])


def _rule(case, name):
    rule = case.get("compare", "auto")
    return rule.get(name, "auto") if isinstance(rule, Mapping) else rule


def _pairs(name, got, want):
    if isinstance(got, list):
        if not isinstance(want, (list, tuple)) or len(want) != len(got):
            raise Error(f"what is right has no list of {len(got)} arrays for {name}")
        return list(zip(got, want))
    if got is None or want is None:
        raise Error(f"{name}: an absent output cannot be compared")
    return [(got, np.asarray(want) if not hasattr(want, "__dlpack__") else want)]


def _unstable(runs):
    """The verdict where another legal run of the first gave other bytes."""
    for other in runs[1:]:
        if "outputs" not in other:
            continue
        what = f"schedule {other['schedule']}, fill {other['fill']:#04x}"
        name, compared = next(
            (name, compared)
            for name, got in other["outputs"].items()
            for a, b in zip(got if isinstance(got, list) else [got], _as_list(runs[0]["outputs"][name]))
            if not (compared := compare(a, b, "exact")).ok
        )
        summary = (
            f"{name}: other bytes under {what} than under schedule {runs[0]['schedule']}, fill {runs[0]['fill']:#04x}"
        )
        return {
            "verdict": "unstable",
            "summary": summary,
            "schedule": other["schedule"],
            "compare": {"output": name, **compared.to_dict()},
        }
    return None


def _as_list(value):
    return value if isinstance(value, list) else [value]


def _timed_out(phase):
    return {"verdict": "timeout", "summary": f"it was killed in its {phase}: it did not end by itself", "report": None}


class _Process:
    """The executor's end of a runner."""

    def __init__(self, memory, folder):
        self._stream, theirs = socket.socketpair()
        self._words, words = os.pipe()
        self._output = os.memfd_create("output")
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
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(1)
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.chdir(self.folder)
        null = os.open(os.devnull, os.O_RDONLY)
        for to, file in ((0, null), (1, self._output), (2, self._output)):
            os.dup2(file, to)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        mapped = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (mapped + memory, mapped + memory))

    def ask(self, job, load_wait, run_wait):
        """Its answer; {"ended", "phase"} when it died, or took longer than so many seconds to load or to run."""
        phase, deadline = "load", time.monotonic() + load_wait
        try:
            _runner.send(self._stream, b"J", job)
            while select.select([self._stream], [], [], max(0.0, deadline - time.monotonic()))[0]:
                frame = _runner.receive(self._stream)
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
        os.set_blocking(self._words, False)
        try:
            words = os.read(self._words, 1 << 16)
        except BlockingIOError:
            words = b""
        report = None
        if words:
            faults = [finding for finding in _native.unpack_result(words).findings if finding.severity == "fault"]
            report = _runner.report_dict(faults[0]) if faults else None
            far = report and re.match(r"(\d+) bytes (before|past) ", report["found"])
            if far and int(far[1]) > _FAR:  # it differs from process to process
                report["found"] = "an address far from every block"
        if report:  # a fault after which a process cannot go on
            verdict = "timeout" if report["rule"] == "timeout" else "refused"
            return {"verdict": verdict, "summary": _runner.first_line(report["message"]), "report": report}
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            why = f"signal {number} ({signal.strsignal(number)})"
        else:
            why = f"exit code {os.WEXITSTATUS(status)}"
        size = os.fstat(self._output).st_size
        log = os.pread(self._output, _TAIL, max(0, size - _TAIL)).decode(errors="replace")
        return {"verdict": "crashed", "summary": f"the worker was ended by {why}", "report": None, "log": log}

    def end(self):
        """It and what it started are gone after this."""
        if self._pid is not None:
            for kill, whom in ((os.killpg, self._pid), (os.kill, self._pid)):
                try:
                    kill(whom, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            os.waitpid(self._pid, 0)
            self._pid = None
        self._stream.close()
        os.close(self._words)
        os.close(self._output)
        shutil.rmtree(self.folder, ignore_errors=True)
