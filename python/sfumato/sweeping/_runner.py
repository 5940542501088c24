# SPDX-License-Identifier: Apache-2.0
"""The process that runs kernels and operators of cases, warm from case to case; forked by an executor (_executor.py).

To it     frame J: a job, {"case", "inputs", "base", "timeout"}
From it   frame L when what the case needs is loaded; frame R: {"runs" (_cases/launches.py), "seconds"}; outputs of other runs are
          left out where their bytes are those of the first. Or {"error": {"verdict", "summary", "report", "repeat"}}, or {"full":
          what disk is}; "spent" where the process is not what it was before
"""

import contextlib
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from .. import _native, _warn
from .._cases.launches import Kernel, Operator, copied, same
from .._cases.verdicts import first_line, of_error
from .._full_disk import full_disk
from .._kernel import compile
from .._native import Error
from .._op import load_op
from .._op_call import Tensor
from .._processes.frames import decode, encode, receive, send
from .._processes.state import state


def error_dict(error: BaseException) -> dict:
    """The verdict that an exception of a load or a launch is."""
    end = of_error(error)
    if end.why == "invalid" and (isinstance(error, MemoryError) or "bad_alloc" in str(error)):
        return {"verdict": "out-of-memory", "summary": "the memory limit of the worker is reached", "report": None}
    kind = f"{type(error).__name__}: " if end.why == "invalid" else ""
    text = end.report["message"] if end.report else str(end)
    return {
        "verdict": end.why,
        "summary": kind + first_line(text),
        "report": end.report or next(iter(end.findings), None),
    }


class Runner:
    """What is loaded stays: operators, and libraries of kernels."""

    def __init__(self, last_words):
        self._last_words = last_words
        self._loaded = {}
        self._launches = None  # of the latest case
        self._before = None  # the state of the process before the runs of a job

    def serve(self, stream):
        while (frame := receive(stream)) is not None:
            job = decode(frame[1])
            began, self._launches, self._before = time.perf_counter(), None, None
            try:
                answer = {"runs": list(self._runs(stream, **job))}
            except Exception as error:  # noqa: BLE001 - it becomes a verdict
                full = full_disk(error)
                repeat = self._launches and self._launches.repeat
                answer = {"full": full} if full else {"error": {**error_dict(error), "repeat": repeat}}
            answer["seconds"] = time.perf_counter() - began
            answer["spent"] = self._before is not None and state() != self._before
            send(stream, b"R", encode(answer))
            with contextlib.suppress(OSError):  # what was printed of a case that ended well
                os.ftruncate(1, 0)

    def _runs(self, stream, case, inputs, base, timeout):
        self._launches, run = self._operator(case, base) if "op" in case else self._kernel(case, base)
        send(stream, b"L")
        self._before = state()
        first, source = None, self._launches.op.kernel_source if "op" in case else str(Path(base, case["kernel"]))
        for schedule in case.get("schedules") or ["eager"]:
            for fill in case.get("fills") or [0xFE]:
                options = {
                    "overflow": _native.default_overflow["sweep"],
                    **(case.get("options") or {}),
                    "schedule": schedule,
                    "fill": fill,
                    "timeout": timeout,
                    "progress": False,
                    "cost": True,
                }
                told = run(copied(inputs), options) | {"schedule": schedule, "fill": fill, "source": source}
                outputs = {name: _listed(value) for name, value in told.pop("outputs").items()}
                if first is None:
                    first = outputs
                if first is outputs or any(not same(outputs[name], first[name]) for name in outputs):
                    told["outputs"] = outputs
                yield told

    def _load(self, case, base, path, load, **named):
        build = dict(case.get("build") or {})
        if "include_dirs" in build:
            build["include_dirs"] = [str(Path(base, folder)) for folder in build["include_dirs"]]
        key = json.dumps([path, case["chip"], named, build], sort_keys=True)
        if key not in self._loaded:
            loaded = load(path, chip=case["chip"], **{name: value for name, value in named.items() if value}, **build)
            source = getattr(loaded, "kernel_source", path)
            with contextlib.suppress(Error):
                _native.become_runner(self._last_words, case["chip"], source)
            self._loaded[key] = loaded
        return self._loaded[key]

    def _operator(self, case, base):
        op = self._load(case, base, str(Path(base, case["op"])), load_op, op=case.get("operator"))
        names = [p.name for p in op.outputs]
        wanted, out = case.get("outputs"), None
        if wanted:
            unknown = [name for name in wanted if name not in names]
            if unknown:
                raise Error(f"outputs.{unknown[0]}: the outputs of {op.name} are {', '.join(names)}")
            out = [_wanted_output(wanted.get(name)) for name in names]
        launches = Operator(op, case["op"])

        def run(inputs, options):
            named = {name: _formatted(case["inputs"][name], value) for name, value in inputs.items()}
            return launches.run((), named, case.get("attrs") or {}, options, out=out)

        return launches, run

    def _kernel(self, case, base):
        lib = self._load(case, base, str(Path(base, case["kernel"])), compile)
        entry = case.get("entry")
        if entry is None:
            if len(lib.kernels) != 1:
                raise Error(f'"entry": the kernels of {case["kernel"]} are {", ".join(lib.kernels)}; say which')
            entry = lib.kernels[0]
        lib[entry]  # throws where there is none
        launches = Kernel(lib, case["kernel"])
        outputs = case.get("outputs") or {}
        specs = {name: isinstance(spec, dict) and (spec["dtype"], spec["shape"]) for name, spec in outputs.items()}
        labels = [value if isinstance(value, str) else f"arg{i}" for i, value in enumerate(case["args"])]

        def arguments(places):
            values = [_argument(value, places, number) for number, value in enumerate(case["args"])]
            return list(zip(labels, values, [None] * len(labels)))

        def run(inputs, options):
            wanted = None if specs else case.get("want") or ()
            ranks = {name: case[name] for name in ("ranks", "repeat", "window_mb") if case.get(name) is not None}
            return launches.run(entry, inputs, specs, arguments, case["blocks"], options, wanted, ranks)

        return launches, run


def _listed(value):
    if isinstance(value, (list, tuple)):
        return [np.asarray(a) for a in value]
    return None if value is None else np.asarray(value)


def _formatted(spec, value):
    if isinstance(value, list):
        return [_formatted(part, array) for part, array in zip(spec, value)]
    if spec is None or spec.get("format", "ND") == "ND":
        return value
    return Tensor(value, spec["format"], tuple(spec["origin"]) if spec.get("origin") else None)


def _wanted_output(spec):
    if spec is None or isinstance(spec, list):
        return spec and [_wanted_output(part) for part in spec]
    return tuple(spec["shape"]), spec["dtype"]


def _argument(value, places, number):
    """A text is an array by its name, {"bytes": HEX} a struct or a block of memory, {"zeros": N} memory; numbers are themselves."""
    if isinstance(value, str):
        if value not in places:
            raise Error(f"args[{number}]: {value!r} is neither an input nor an output; there are {', '.join(places)}")
        return places[value]
    if isinstance(value, dict):
        if set(value) == {"bytes"}:
            return bytes.fromhex(value["bytes"])
        if set(value) == {"zeros"}:
            return np.zeros(value["zeros"], np.uint8)
        raise Error(f'args[{number}]: {value!r} is neither {{"bytes": HEX}} nor {{"zeros": N}}')
    if isinstance(value, list):
        return [_argument(part, places, number) for part in value]
    return value


def run(stream, last_words):
    """In the forked process."""
    _warn.silence()  # findings go back with the runs
    try:
        Runner(last_words).serve(stream)
    except ConnectionError:
        pass
    finally:
        sys.stdout.flush()
        os._exit(0)
