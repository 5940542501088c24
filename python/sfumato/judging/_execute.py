# SPDX-License-Identifier: Apache-2.0
"""In a worker: builds a submission and runs it; what comes back is judged elsewhere (_decide.py).

What comes back: compile {ok, seconds, cached, text, findings}, runs [{case, schedule, fill, seconds, records, blocks,
tiling_key, cost, estimate, outputs, changed, findings}], and where it ended early `ended`: {why, phase, report, text, case}.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np

import sfumato
from sfumato import _native, _repeat, _warn

from .._errors import FIELDS
from ._frames import dtype_of

_MARGIN = 0.8  # of the wall limit: a launch that takes longer ends with a report, before the job ends without
# What is said of a project without the operator that is judged.
_NO_ENTRY = ("the host code registers ", "the host code does not register ")
_CHECKS = ("records", "bytes_gm_read", "bytes_gm_written", "vector_elements", "mac")


class Ended(Exception):
    """The submission came no further: why is a verdict."""

    def __init__(self, why, text, report=None, findings=()):
        super().__init__(text)
        self.why, self.report, self.findings = why, report, list(findings)


def execute(told, submission, cases, plan, options):
    """submission: a _submissions.Submission, whose files lie in the working folder; cases: prepared ones without what they
    should give; plan: (case, schedule, fill, other) of each run; options: chip, wall, and those of launches."""
    result = {"compile": None, "runs": [], "ended": None}
    _warn.silence()  # findings go back with the result
    runner = None
    try:
        runner = _RUNNERS[submission.kind](told, submission, options)
        told.phase("compile")
        began = time.perf_counter()
        cached = runner.build()
        seconds = time.perf_counter() - began
        result["compile"] = {"ok": True, "seconds": seconds, "cached": cached, "text": "", "findings": []}
        if not runner.compiling:
            told.keep(_cache_files())
            told.phase("run")
        runner.building, runner.began = False, time.monotonic()
        for case, schedule, fill, other in plan:
            inputs = cases[case]["other"] if other else cases[case]["inputs"]
            result["runs"].append(
                {"case": case, "schedule": schedule, "fill": fill, "other": other}
                | runner.run(inputs, cases[case], schedule, fill, other)
            )
    except Ended as end:
        ended = {"why": end.why, "text": str(end), "report": end.report, "findings": end.findings}
        result["ended"] = ended | {"repeat": None if runner is None else runner.repeat}
    return result


def _cache_files():
    folder = Path(os.environ["SFUMATO_CACHE"])
    files = {}
    if folder.is_dir():
        for path in sorted(folder.iterdir()):
            if path.suffix in (".so", ".deps") and path.is_file():
                files[path.name] = path.read_bytes()
    return files


def _report(report):
    return json.loads(report.json())


class _Runner:
    """What the kinds share."""

    building = True  # until the first run
    compiling = False  # when build is over: whether the first run compiles, too
    repeat = None  # the command that repeats the latest run

    def __init__(self, told, submission, options):
        self.told, self.submission, self.options = told, submission, options
        self.chip = options["chip"]
        self.began = time.monotonic()

    def launch_options(self, schedule, fill):
        left = _MARGIN * self.options["wall"] - (time.monotonic() - self.began)
        return {
            "schedule": schedule,
            "fill": fill,
            "workers": 1,
            "timeout": max(0.05, left),
            "progress": False,
            "cost": True,
            "overflow": _native.default_overflow["judge"],
            **({"time": self.options["time"]} if "time" in self.options else {}),
            **self.options["launch"],
        }

    def guarded(self, call):
        """The value of `call`, whose exceptions become the end of the submission."""
        try:
            return call()
        except Ended:
            raise
        except sfumato.CompileError as error:
            raise Ended("no-compile", str(error), findings=[_report(f) for f in error.findings]) from None
        except sfumato.TilingError as error:
            raise Ended("tiling-failed", str(error), _report(error.report)) from None
        except (sfumato.KernelError, sfumato.OperatorError) as error:
            why = "timeout" if error.rule == "timeout" else "refused"
            raise Ended(why, str(error), _report(error.report)) from None
        except sfumato.Error as error:
            raise Ended("invalid" if self.building else "refused", str(error)) from None

    def finish(self, began, result, outputs, before, inputs, blocks, key=None):
        """One run as it is sent. before: copies of the inputs; what changed of them is told by name."""
        changed = {
            name: int(np.count_nonzero(_bytes(value) != _bytes(before[name])))
            for name, value in inputs.items()
            if isinstance(value, np.ndarray) and name not in outputs and value.tobytes() != before[name].tobytes()
        }
        cost = getattr(result, "cost", None)
        estimate = getattr(result, "estimate", None)
        return {
            "seconds": time.perf_counter() - began,
            "records": result.records,
            "blocks": blocks,
            "tiling_key": key,
            "cost": {name: getattr(cost, name, None) for name in _CHECKS} | {"records": result.records},
            "estimate": estimate and {name: estimate.data[name] for name in ("core_us", "task_us", "error")},
            "outputs": outputs,
            "changed": changed,
            "repeat": self.repeat,
            "findings": [_report(finding) for finding in result.findings],
        }


def _bytes(array):
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _empty(spec, fill):
    """An array of (dtype, shape) whose bytes nobody wrote."""
    dtype, shape = spec
    array = np.empty(shape, dtype_of(dtype))
    array.reshape(-1).view(np.uint8)[:] = fill
    return array


def _copies(inputs):
    return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in inputs.items()}


class _KernelRunner(_Runner):
    def build(self):
        source = self.submission.entry
        _native.become_runner(self.told.last_words, self.chip, source)
        self.library = self.guarded(lambda: sfumato.compile(source, chip=self.chip, **self.options["compile"]))
        return self.library.from_cache

    def run(self, inputs, case, schedule, fill, other):
        launch = case["launch"]
        inputs = _copies(inputs)
        before = _copies(inputs)
        kernel = self._kernel(launch)
        outputs = {name: inputs[name] if name in inputs else _empty(spec, fill) for name, spec in case["specs"].items()}
        values = {**launch.get("values", {}), **inputs, **outputs}
        if launch.get("workspace"):
            values["workspace"] = _empty(("uint8", [launch["workspace"]]), fill)
        arguments = self._arguments(kernel, launch, values, case)
        options = self.launch_options(schedule, fill)
        if launch.get("tiling_key") is not None:
            options["tiling_key"] = launch["tiling_key"]
        blocks = int(launch.get("blocks", 1))
        roles = {name: "inout" if name in inputs else "out" for name in outputs} | {"workspace": "workspace"}
        labels = launch.get("arguments") or list(values)
        self.repeat = _repeat.kernel(
            self.library,
            kernel.name,
            self.submission.entry,
            blocks,
            [(label, value, roles.get(label, "in")) for label, value in zip(labels, arguments)],
            options,
        )
        began = time.perf_counter()
        result = self.guarded(lambda: kernel[blocks].options(**options)(*arguments))
        return self.finish(began, result, outputs, before, inputs, blocks, launch.get("tiling_key"))

    def _kernel(self, launch):
        names, wanted = self.library.kernels, self.submission.name or launch.get("kernel")
        if wanted is None and len(names) > 1:
            raise Ended("invalid", f"it has several kernels, {', '.join(names)}: which is the entry?")
        try:
            return self.library[wanted or names[0]]
        except sfumato.Error as error:
            if len(names) == 1 and self.submission.name is None:
                return self.library[names[0]]
            raise Ended("invalid", f"no entry: {error}") from None

    def _arguments(self, kernel, launch, values, case):
        order = launch.get("arguments") or list(values)
        missing = [name for name in order if name not in values]
        if missing:
            raise Ended("invalid", f"task: launch: the argument {missing[0]!r} is no input, output or value")
        return [values[name] for name in order]


class _OpRunner(_Runner):
    compiling = True

    def build(self):
        files = self.submission.files
        project = "."
        if list(files) == ["project.py"]:
            project = files["project.py"]
        _native.become_runner(self.told.last_words, self.chip, "op_host")
        try:
            self.op = self.guarded(lambda: sfumato.load_op(project, chip=self.chip, op=self.submission.name))
        except Ended as end:
            if any(words in str(end) for words in _NO_ENTRY):
                raise Ended("invalid", f"no entry: {end.report['message']}: {end.report['found']}") from None
            raise
        self.arrays = [param.name for param in self.op.inputs]
        return self.op.from_cache

    def run(self, inputs, case, schedule, fill, other):
        inputs = _copies(inputs)
        before = _copies(inputs)
        out = [_empty(spec, fill) for spec in case["specs"].values()]
        given = [value for value in inputs.values() if isinstance(value, np.ndarray)]
        attrs = {name: value for name, value in inputs.items() if not isinstance(value, np.ndarray)}
        if all(name in self.arrays for name, value in inputs.items() if isinstance(value, np.ndarray)):
            given, attrs = [], inputs
        options = self.launch_options(schedule, fill)
        names = [param.name for param in self.op.inputs]
        arrays = dict(zip(names, given)) or {name: inputs[name] for name in inputs if name in names}
        named = {name: value for name, value in attrs.items() if name not in names}
        self.repeat = _repeat.operator(".", self.chip, self.op.name, arrays, named, case["specs"], options)
        began = time.perf_counter()
        op = self.op.options(**options)
        self.guarded(lambda: op(*given, **attrs, out=out))
        result = op.last
        self._kernel_is_compiled()
        return self.finish(
            began, result, dict(zip(case["specs"], out)), before, inputs, result.blocks, result.tiling.key
        )

    def _kernel_is_compiled(self):
        """The first run compiles it, for the types and the key that tiling chose."""
        if self.compiling:
            self.compiling = False
            self.told.keep(_cache_files())
            self.told.phase("run")


class _TikRunner(_Runner):
    def build(self):
        from sfumato import tik
        from sfumato.tik import _container, compat

        compat.install()
        tik.set_current_compile_soc_info(self.chip)
        _container.registry.built = []
        path = self.submission.entry
        names = {"__name__": "__main__", "__file__": path, "tik": tik}
        sys.path.insert(0, ".")
        try:
            exec(compile(self.submission.files[path], path, "exec"), names)
        except sfumato.KernelError as error:
            raise Ended("refused", str(error), _report(error.report)) from None
        except tik.TikError as error:
            raise Ended(
                "refused", str(error), {name: getattr(error, name) for name in FIELDS if name != "related"}
            ) from None
        except MemoryError:
            raise
        except BaseException as error:  # noqa: BLE001 - the script's
            raise Ended(
                "no-compile", f"{type(error).__name__}: {error}", findings=[_script_place(error, path)]
            ) from None
        built = [k for k in _container.registry.built if self.submission.name in (None, k.kernel_name)]
        if len(built) != 1:
            raise Ended("invalid", f"the script builds {len(built)} kernels; one is judged")
        self.kernel = built[0]
        return False

    def run(self, inputs, case, schedule, fill, other):
        inputs = _copies(inputs)
        before = _copies(inputs)
        wanted = self.kernel.inputs
        if [value.name for value in wanted] != list(inputs) and len(wanted) == len(inputs):
            feed = dict(zip((value.name for value in wanted), inputs.values()))
        else:
            feed = dict(inputs)
        options = self.launch_options(schedule, fill)
        del options["workers"]  # its launches have what they need
        self.repeat = _repeat.tik(self.submission.entry, self.chip, feed, case["specs"], options)
        began = time.perf_counter()
        with redirect_stdout(io.StringIO()):
            arrays = self.guarded(lambda: self.kernel.run(feed, **options))
        outputs = dict(zip(case["specs"], arrays))
        return self.finish(began, self.kernel.last, outputs, before, inputs, None)


def _script_place(error, path):
    """The last line of the script in a traceback, as a finding has it."""
    line, frame = getattr(error, "lineno", 0) or 0, error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == path:
            line = frame.tb_lineno
        frame = frame.tb_next
    return {"file": path, "line": line, "severity": "fault", "message": f"{type(error).__name__}: {error}"}


def _torch_runner(*arguments):
    from . import _torch

    return _torch.ModelRunner(*arguments)


_RUNNERS = {
    "kernel": _KernelRunner,
    "op": _OpRunner,
    "tik": _TikRunner,
    "model": _torch_runner,
    "direct": _torch_runner,
}
