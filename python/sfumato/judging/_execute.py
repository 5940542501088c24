# SPDX-License-Identifier: Apache-2.0
"""In a worker: builds a submission and runs it; what comes back is judged elsewhere (_decide.py).

What comes back: compile {ok, seconds, cached, text, findings}, runs (_cases/launches.py), each with case, schedule, fill, other and
`changed`, the bytes of its inputs that it changed; and where it ended early `ended`: {why, text, report, findings, repeat}.
"""

import os
import time
from pathlib import Path

import numpy as np

import sfumato
from sfumato import _native, _warn

from .._cases.launches import Kernel, Operator, changed, copied, empty
from .._cases.scripts import Script
from .._cases.verdicts import Ended, of_error

_MARGIN = 0.8  # of the wall limit: a launch that takes longer ends with a report, before the job ends without
# What is said of a project without the operator that is judged.
_NO_ENTRY = ("the host code registers ", "the host code does not register ")


def execute(told, submission, cases, plan, options):
    """submission: a _submissions.Submission, whose files lie in the working folder; cases: prepared ones without what they
    should give; plan: (case, schedule, fill, other) of each run; options: chip, wall, and those of launches."""
    result = {"compile": None, "runs": [], "ended": None}
    _warn.silence()  # findings go back with the result
    built = None
    try:
        told.phase("compile")
        began = time.perf_counter()
        built = _KINDS[submission.kind](told, submission, options)
        seconds = time.perf_counter() - began
        result["compile"] = {"ok": True, "seconds": seconds, "cached": built.cached, "text": "", "findings": []}
        if not built.compiling:
            told.keep(_cache_files())
            told.phase("run")
        built.began = time.monotonic()
        for case, schedule, fill, other in plan:
            inputs = cases[case]["other"] if other else cases[case]["inputs"]
            used = copied(inputs)
            run = built.run(used, cases[case], schedule, fill)
            run["changed"] = changed(inputs, used, run["outputs"])
            result["runs"].append({"case": case, "schedule": schedule, "fill": fill, "other": other} | run)
            if built.compiling:  # the first run of an operator, for the types and the key that tiling chose
                built.compiling = False
                told.keep(_cache_files())
                told.phase("run")
    except (Ended, sfumato.Error) as error:
        end = of_error(error, running=built is not None)
        ended = {"why": end.why, "text": str(end), "report": end.report, "findings": end.findings}
        result["ended"] = ended | {"repeat": built and built.launches.repeat}
    return result


def _cache_files():
    found = sorted(Path(os.environ["SFUMATO_CACHE"]).glob("*"))
    return {path.name: path.read_bytes() for path in found if path.suffix in (".so", ".deps") and path.is_file()}


class _Built:
    """A submission that is ready to run: `launches` runs its cases."""

    cached = False
    compiling = False  # whether the first run compiles, too
    began = 0.0  # the first run

    def __init__(self, told, submission, options):
        self.submission, self.options = submission, options
        self.launches = self.build(told, options["chip"])

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


class _Kernel(_Built):
    def build(self, told, chip):
        source = self.submission.entry
        _native.become_runner(told.last_words, chip, source)
        library = sfumato.compile(source, chip=chip, **self.options["compile"])
        self.cached = library.from_cache
        return Kernel(library, source)

    def run(self, inputs, case, schedule, fill):
        launch = case["launch"]
        options = self.launch_options(schedule, fill)
        if launch.get("tiling_key") is not None:
            options["tiling_key"] = launch["tiling_key"]

        def arguments(places):
            values = {**launch.get("values", {}), **places}
            if launch.get("workspace"):
                values["workspace"] = empty(("uint8", [launch["workspace"]]), fill)
            order = launch.get("arguments") or list(values)
            missing = [name for name in order if name not in values]
            if missing:
                raise Ended(
                    "invalid",
                    f"task: launch: 'arguments' names {missing[0]!r}, which is no input, output or value of the task",
                )
            return [(name, values[name], "workspace" if name == "workspace" else None) for name in order]

        blocks = int(launch.get("blocks", 1))
        ranks = {name: launch[name] for name in ("ranks", "repeat", "window_mb") if launch.get(name) is not None}
        run = self.launches.run(self._name(launch), inputs, case["specs"], arguments, blocks, options, ranks=ranks)
        return run | {"tiling_key": launch.get("tiling_key")}

    def _name(self, launch):
        library = self.launches.library
        names, wanted = library.kernels, self.submission.name or launch.get("kernel")
        if wanted is None and len(names) > 1:
            raise Ended(
                "invalid", f"the source has several kernels, {', '.join(names)}: say which to run, with name= or --name"
            )
        try:
            return library[wanted or names[0]].name
        except sfumato.Error as error:
            if len(names) == 1 and self.submission.name is None:
                return names[0]
            raise Ended("invalid", f"no entry: {error}") from None


class _Op(_Built):
    compiling = True

    def build(self, told, chip):
        files = self.submission.files
        project = files["project.py"] if list(files) == ["project.py"] else "."
        _native.become_runner(told.last_words, chip, "op_host")
        try:
            op = sfumato.load_op(project, chip=chip, op=self.submission.name)
        except sfumato.OperatorError as error:
            if any(words in str(error) for words in _NO_ENTRY):
                raise Ended("invalid", f"no entry: {error.report.message}: {error.report.found}") from None
            raise
        self.cached = op.from_cache
        return Operator(op, ".")

    def run(self, inputs, case, schedule, fill):
        names = [param.name for param in self.launches.op.inputs]
        arrays = {name: value for name, value in inputs.items() if isinstance(value, np.ndarray)}
        if arrays.keys() <= set(names):
            positional, named = [], {name: value for name, value in inputs.items() if name in names}
        else:
            positional, named = list(arrays.values()), {}
        attrs = {name: value for name, value in inputs.items() if name not in (named or arrays)}
        options = self.launch_options(schedule, fill)
        return self.launches.run(positional, named, attrs, options, specs=case["specs"])


class _Tik(_Built):
    def build(self, told, chip):
        path = self.submission.entry
        return Script(path, self.submission.files[path], self.submission.name, chip)

    def run(self, inputs, case, schedule, fill):
        options = self.launch_options(schedule, fill)
        del options["workers"]  # its launches have what they need
        return self.launches.run(inputs, case["specs"], options)


class _Model(_Built):
    def build(self, told, chip):
        from .._cases.model import Model

        return Model(self.submission, chip, self.options["model"], self.options["allow"])

    def run(self, inputs, case, schedule, fill):
        limit = self.launch_options(schedule, fill)["timeout"]
        words = {"schedule": schedule, "fill": fill, "timeout": f"{limit:.3f}", **self.options["launch"]}
        return self.launches.run(inputs, case["specs"], words)


_KINDS = {"kernel": _Kernel, "op": _Op, "tik": _Tik, "model": _Model, "direct": _Model}
