# SPDX-License-Identifier: Apache-2.0
"""Sfumato as a backend of KernelGYM, by its public contract (docs/spec/clients.md, 7.1; docs/cluster.md).

backend = SfumatoBackend("Ascend910B1")
backend.evaluate({"reference_code": task, "kernel_code": text, "num_correct_trials": 5})
"""

import ast
import dataclasses
from collections.abc import Mapping
from typing import Any

from .._native import Error
from ..judging import Judge, Limits, Verdict

__all__ = ["SfumatoBackend", "response"]

CODE_BYTES = (10, 100_000)
TRIALS = (1, 20)
TIMEOUT = (10, 3600)  # seconds

# Verdicts that are errors there.
ERRORS = {
    "invalid": "VALIDATION_ERROR",
    "no-compile": "COMPILATION_ERROR",
    "refused": "RUNTIME_ERROR",
    "tiling-failed": "RUNTIME_ERROR",
    "crashed": "RUNTIME_ERROR",
    "timeout": "TIMEOUT_ERROR",
    "out-of-memory": "RESOURCE_ERROR",
    "wrong": "CORRECTNESS_ERROR",
    "unstable": "CORRECTNESS_ERROR",
}
_NOT_COMPILED = ("invalid", "no-compile")


class SfumatoBackend:
    """The methods of a backend class: compile, load, run, create_model, cleanup. One at a time; its worker stays warm.

    chip   family or product
    judge  further arguments of sfumato.Judge: limits, options, cache, sandbox
    """

    name = "sfumato"

    def __init__(self, chip: str = "Ascend910B1", **judge: Any):
        self._chip, self._arguments = chip, judge
        self._judges: dict[tuple, Judge] = {}

    def compile(self, code: str, **_: Any) -> dict[str, Any]:
        """{"compiled", "artifact", "error_code", "error_message"}. What can be said without a task: the compiler runs with
        the task's launch, in the sandbox of `run`."""
        problem = _problem_of(code)
        if problem is None:
            return {"compiled": True, "artifact": {"code": code}, "error_code": None, "error_message": None}
        error, text = problem
        return {"compiled": False, "artifact": None, "error_code": error, "error_message": text}

    def load(self, artifact: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        """The handle of what compile gave."""
        if not isinstance(artifact, Mapping) or "code" not in artifact:
            raise Error("kernelgym: load takes the artifact of compile")
        return dict(artifact)

    def run(self, handle: Mapping[str, Any], inputs: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        """The answer about a handle. `inputs` (decided: the contract does not say what they hold) are the fields of a request:
        reference_code, num_correct_trials, timeout, entry_point."""
        try:
            verdict = self._judge_for(inputs)(handle["code"], _text(inputs, "reference_code"))
        except Error as error:
            return _failed("VALIDATION_ERROR", str(error))
        return response(verdict)

    def create_model(self, handle: Mapping[str, Any], *_: Any, **__: Any) -> Mapping[str, Any]:
        """The handle itself: models are made in the sandbox."""
        return handle

    def cleanup(self, *_: Any, **__: Any) -> None:
        """Ends the workers."""
        while self._judges:
            self._judges.popitem()[1].close()

    def evaluate(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request of POST /evaluate, with its task_id."""
        try:
            compiled = self.compile(_text(request, "kernel_code"))
        except Error as error:
            return {"task_id": request.get("task_id"), **_failed("VALIDATION_ERROR", str(error))}
        if compiled["compiled"]:
            answer = self.run(self.load(compiled["artifact"]), request)
        else:
            answer = _failed(compiled["error_code"], compiled["error_message"])
        return {"task_id": request.get("task_id"), **answer}

    def _judge_for(self, request):
        trials = _number(request, "num_correct_trials", TRIALS)
        seconds = _number(request, "timeout", TIMEOUT)
        entry = request.get("entry_point")
        key = (trials, seconds, entry)
        if key not in self._judges:
            given = dict(self._arguments)
            options = {**_mapping(given.pop("options", None)), **({} if trials is None else {"cases": trials})}
            # "Model" and "ModelNew" are what every model has; other words name a kernel.
            if entry not in (None, "Model", "ModelNew"):
                options["name"] = entry
            limits = given.pop("limits", None) or Limits()
            if seconds is not None:
                limits = dataclasses.replace(limits, wall=float(seconds))
            self._judges[key] = Judge(self._chip, limits=limits, options=options, **{"workers": 1, **given})
        return self._judges[key]


def response(verdict: Verdict) -> dict[str, Any]:
    """The fields of an answer. Times and speedup are None: those of a simulator say nothing about a board."""
    kind = verdict.verdict
    return {
        "status": {"timeout": "timeout", "invalid": "failed"}.get(kind, "completed"),
        "compiled": kind not in _NOT_COMPILED,
        "correctness": kind == "right",
        "decoy_kernel": kind == "decoy",
        "reference_runtime": None,
        "kernel_runtime": None,
        "speedup": None,
        "metadata": {"verdict": verdict.to_dict()},
        "error_message": None if kind == "right" else str(verdict),
        "error_code": ERRORS.get(kind),
    }


def _failed(code, text):
    none = dict.fromkeys(("reference_runtime", "kernel_runtime", "speedup"))
    told = {"status": "failed", "compiled": False, "correctness": False, "decoy_kernel": False, **none}
    return {**told, "metadata": {}, "error_message": text, "error_code": code}


def _problem_of(code):
    """(error, text), or None."""
    if not isinstance(code, str):
        return "VALIDATION_ERROR", f"the code is a text, not {type(code).__name__}"
    size = len(code.encode(errors="surrogatepass"))
    if not CODE_BYTES[0] <= size <= CODE_BYTES[1]:
        return "VALIDATION_ERROR", f"the code has {size} bytes; {CODE_BYTES[0]} to {CODE_BYTES[1]} are taken"
    if "class ModelNew" in code:
        try:
            ast.parse(code)
        except (SyntaxError, ValueError) as error:
            return "SYNTAX_ERROR", f"line {getattr(error, 'lineno', None)}: {error}"
    return None


def _text(request, name):
    value = request.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Error(f"{name}: it is a text; found {type(value).__name__}")
    return value if "\n" in value else value + "\n"  # a text of one line would be a path


def _number(request, name, bounds):
    value = request.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not bounds[0] <= value <= bounds[1]:
        raise Error(f"{name}: {value!r} must be an int of {bounds[0]} to {bounds[1]}")
    return value


def _mapping(options):
    if options is None or isinstance(options, Mapping):
        return dict(options or {})
    return {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
