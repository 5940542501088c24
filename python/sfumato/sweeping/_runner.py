# SPDX-License-Identifier: Apache-2.0
"""The process that runs kernels and operators of cases, warm from case to case; forked by an executor (_executor.py).

To it     frame J: a job, {"case", "inputs", "base", "timeout"}
From it   frame L when what the case needs is loaded; frame R: {"runs": [{"schedule", "fill", "blocks", "key", "cost", "findings", "outputs": {name: array}}], "seconds"};
          outputs are left out where their bytes are those of the first run. Or {"error": {"verdict", "summary", "report"}}, or {"full": what disk is};
          "spent" where the process is not what it was before
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from .. import _native, _repeat, _warn
from .._errors import KernelError, OperatorError, TilingError
from .._full_disk import full_disk
from .._kernel import compile
from .._native import CompileError, Error
from .._op import Tensor, load_op
from .._process_state import changed, state
from ..golden import dtype_named
from ..judging._frames import HEADER, decode, encode


COSTS = ("bytes_gm_read", "bytes_gm_written", "vector_elements", "mac")


def send(stream, kind, value):
    data = encode(value)
    stream.sendall(HEADER.pack(kind, len(data)) + data)


def receive(stream):
    """(kind, payload); None at the end of the stream."""
    header = _exactly(stream, HEADER.size)
    if header is None:
        return None
    kind, size = HEADER.unpack(header)
    payload = _exactly(stream, size)
    return None if payload is None else (kind, payload)


def _exactly(stream, size):
    data = bytearray(size)
    view = memoryview(data)
    while view:
        count = stream.recv_into(view)
        if not count:
            return None
        view = view[count:]
    return data


def report_dict(report) -> dict:
    """A report as judgements have it."""
    return json.loads(report.json())


def error_dict(error: BaseException) -> dict:
    """The verdict that an exception of a load or a launch is."""
    if isinstance(error, CompileError):
        findings = [report_dict(finding) for finding in error.findings[:20]]
        return {"verdict": "no-compile", "summary": first_line(error), "report": findings[0] if findings else None}
    if isinstance(error, (KernelError, OperatorError)):
        verdict = "tiling-failed" if isinstance(error, TilingError) else "refused"
        if isinstance(error, KernelError) and error.report.rule == "timeout":
            verdict = "timeout"
        return {"verdict": verdict, "summary": first_line(error.report.message), "report": report_dict(error.report)}
    if isinstance(error, MemoryError) or "bad_alloc" in str(error):
        return {"verdict": "out-of-memory", "summary": "the memory limit of the worker is reached", "report": None}
    return {"verdict": "invalid", "summary": f"{type(error).__name__}: {first_line(error)}", "report": None}


def first_line(text):
    return (str(text).strip().splitlines() or [""])[0][:400]


class Runner:
    """What is loaded stays: operators, and libraries of kernels."""

    def __init__(self, last_words):
        self._last_words = last_words
        self._loaded = {}
        self._repeat = None  # the command that repeats the latest run
        self._before = None  # the state of the process before the runs of a job

    def serve(self, stream):
        while (frame := receive(stream)) is not None:
            job = decode(frame[1])
            began, self._repeat, self._before = time.perf_counter(), None, None
            try:
                answer = {"runs": list(self._runs(stream, **job))}
            except Exception as error:  # noqa: BLE001 - it becomes a verdict
                full = full_disk(error)
                answer = {"full": full} if full else {"error": {**error_dict(error), "repeat": self._repeat}}
            answer["seconds"] = time.perf_counter() - began
            answer["spent"] = self._before is not None and changed(self._before)
            send(stream, b"R", answer)
            with contextlib.suppress(OSError):  # what was printed of a case that ended well
                os.ftruncate(1, 0)

    def _runs(self, stream, case, inputs, base, timeout):
        run = self._operator(case, base) if "op" in case else self._kernel(case, base)
        send(stream, b"L", None)
        self._before = state()
        first = None
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
                result, outputs, blocks, key = run(_copied(inputs), options)
                told = {"schedule": schedule, "fill": fill, "blocks": blocks, "key": key, "repeat": self._repeat}
                told["cost"] = {"records": result.records, **{name: getattr(result.cost, name) for name in COSTS}}
                told["findings"] = [report_dict(finding) for finding in result.findings[:4]]
                plain = {name: _listed(value) for name, value in outputs.items()}
                if first is None:
                    first = told["outputs"] = plain
                elif any(not _same(plain[name], first[name]) for name in plain):
                    told["outputs"] = plain
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
        given = {**(case.get("attrs") or {})}
        if case.get("outputs"):
            unknown = [name for name in case["outputs"] if name not in names]
            if unknown:
                raise Error(f"outputs.{unknown[0]}: the outputs of {op.name} are {', '.join(names)}")
            given["out"] = [_wanted_output(case["outputs"].get(name)) for name in names]

        def run(inputs, options):
            ready = op.options(**options)
            named = {name: _formatted(case["inputs"][name], value) for name, value in inputs.items()}
            attrs = case.get("attrs") or {}
            self._repeat = _repeat.operator(case["op"], case["chip"], op.name, inputs, attrs, names, options)
            out = ready(**named, **given)
            out = out if isinstance(out, tuple) else (out,)
            tiling = ready.last.tiling
            return ready.last, dict(zip(names, out)), tiling.blocks, tiling.key

        return run

    def _kernel(self, case, base):
        lib = self._load(case, base, str(Path(base, case["kernel"])), compile)
        entry = case.get("entry")
        if entry is None:
            if len(lib.kernels) != 1:
                raise Error(f'"entry": the kernels of {case["kernel"]} are {", ".join(lib.kernels)}; say which')
            entry = lib.kernels[0]
        kernel = lib[entry]

        def run(inputs, options):
            places = dict(inputs)
            for name, spec in (case.get("outputs") or {}).items():
                if name not in places:
                    places[name] = _filled(spec, options["fill"])
            args = [_argument(value, places, number) for number, value in enumerate(case["args"])]
            roles = {name: "inout" if name in inputs else "out" for name in case.get("outputs") or {}}
            labels = [value if isinstance(value, str) else f"arg{i}" for i, value in enumerate(case["args"])]
            labelled = [(label, value, roles.get(label, "in")) for label, value in zip(labels, args)]
            self._repeat = _repeat.kernel(lib, entry, case["kernel"], case["blocks"], labelled, options)
            result = kernel[case["blocks"]].options(**options)(*args)
            names = case.get("outputs") or case.get("want") or {}
            return result, {name: places[name] for name in names}, case["blocks"], None

        return run


def _copied(inputs):
    """Arrays of this run alone: kernels may write to their inputs."""
    copied = {}
    for name, value in inputs.items():
        copied[name] = [a.copy() for a in value] if isinstance(value, list) else None if value is None else value.copy()
    return copied


def _listed(value):
    return (
        [np.asarray(a) for a in value]
        if isinstance(value, (list, tuple))
        else None
        if value is None
        else np.asarray(value)
    )


def _same(a, b):
    if isinstance(a, list):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b))
    return (a is None) == (b is None) and (a is None or (a.shape == b.shape and a.tobytes() == b.tobytes()))


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


def _filled(spec, fill):
    """An output as memory is that nobody wrote."""
    array = np.empty(tuple(spec["shape"]), dtype_named(spec["dtype"]))
    array.reshape(-1).view(np.uint8)[...] = fill
    return array


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
