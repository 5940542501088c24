# SPDX-License-Identifier: Apache-2.0
"""In a worker: the cases of a task with what they should give. A submission never runs in such a process.

A prepared case: name, inputs {name: array or number}, want {output: array}, launch (of kind kernel), and `other`: inputs of
the same shapes with what they should give, by which results that do not depend on their inputs are found.
"""

import inspect
import itertools
import os
from collections.abc import Mapping

import numpy as np

from .._cases.scripts import load
from ._tasks import TaskError

_LAUNCH = ("blocks", "arguments", "workspace", "values", "kernel", "tiling_key", "ranks", "repeat", "window_mb")


def prepare(told, form, entry, folder, seed, most):
    """{"cases", "outputs", "compare", "allow", "model"}: plain values (_processes/frames.py). most: cases at most, or None."""
    try:
        if form == "kernelbench":
            from . import _kernelbench

            return _kernelbench.prepare(entry, folder, seed, most)
        task = _folder_task(entry) if form == "folder" else vars(load(entry, folder))
        return _Preparation(task, seed, most).result()
    except TaskError:
        raise
    except MemoryError:
        raise
    except Exception as error:
        frames = error.__traceback__
        while frames.tb_next is not None:
            frames = frames.tb_next
        raise TaskError(
            f"{type(error).__name__}: {error} ({os.path.basename(frames.tb_frame.f_code.co_filename)}:{frames.tb_lineno})"
        ) from error


def _folder_task(entry):
    try:
        import tomllib
    except ImportError:  # before Python 3.11, a dependency of the package
        import tomli as tomllib
    with open(entry, "rb") as file:
        task = tomllib.load(file)
    cases = [{name: _read(value) for name, value in case.items() if name != "want"} for case in task.get("cases", [])]
    wants = [{name: _read(value) for name, value in case.get("want", {}).items()} for case in task.get("cases", [])]
    if "reference" in task:
        reference = getattr(load(task["reference"], None), "reference", None)
    else:
        reference = wants
    return {**task, "cases": cases, "reference": reference}


def _read(value):
    return np.load(value, allow_pickle=False) if isinstance(value, str) and value.endswith(".npy") else value


class _Preparation:
    def __init__(self, task, seed, most):
        self._task, self._seed, self._most = task, seed, most
        if "cases" not in task or "reference" not in task:
            missing = "cases" if "cases" not in task else "reference"
            raise TaskError(f"it has no {missing}: a task has cases, reference, outputs and, of kernels, launch")
        outputs = task.get("outputs", ["out"])
        self._outputs = [outputs] if isinstance(outputs, str) else list(outputs)
        self._reference = task["reference"]

    def result(self):
        cases = self._cases(np.random.default_rng(self._seed))
        if not cases:
            raise TaskError("it has no cases")
        prepared = []
        for index, case in enumerate(cases):
            name = case.pop("name", f"case {index}")
            want = self._want(index, case)
            prepared.append(
                {"name": str(name), "inputs": case, "want": want, "launch": self._launch(case), "other": None}
            )
        prepared[0]["other"] = self._other(prepared[0])
        compare = self._task.get("compare", "auto")
        return {
            "cases": prepared,
            "outputs": self._outputs,
            "compare": compare if isinstance(compare, dict) else {name: compare for name in self._outputs},
            "kind": self._task.get("kind", "compute"),
            "allow": list(self._task.get("allow", [])),
            "model": None,
        }

    def _cases(self, rng):
        cases = self._task["cases"]
        if callable(cases):
            cases = cases(rng)
        cases = [dict(case) for case in itertools.islice(cases, self._most)]
        for case in cases:
            for name, value in case.items():
                if isinstance(value, np.generic):
                    case[name] = value.item()
                elif not isinstance(value, (np.ndarray, int, float, str, bytes)):
                    raise TaskError(f"case: {name} is an array, a number, a text or bytes, not {type(value).__name__}")
        return cases

    def _want(self, index, case):
        """{output: array} of one case."""
        if callable(self._reference):
            copies = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in case.items()}
            found = self._reference(**copies)
        else:
            found = list(self._reference)[index]
        if isinstance(found, Mapping):
            missing = set(self._outputs) ^ set(found)
            if missing:
                raise TaskError(f"reference: the outputs are {', '.join(self._outputs)}, given are {', '.join(found)}")
            found = [found[name] for name in self._outputs]
        elif not isinstance(found, (tuple, list)):
            found = [found]
        if len(found) != len(self._outputs):
            raise TaskError(f"reference: {len(found)} results for the outputs {', '.join(self._outputs)}")
        return {name: np.ascontiguousarray(value) for name, value in zip(self._outputs, found)}

    def _launch(self, case):
        launch = self._task.get("launch", {})
        if callable(launch):
            names = inspect.signature(launch).parameters
            launch = launch(**{name: value for name, value in case.items() if name in names})
        launch = dict(launch)
        unknown = [name for name in launch if name not in _LAUNCH]
        if unknown:
            raise TaskError(f"launch: {unknown[0]!r} is not known; legal: {', '.join(_LAUNCH)}")
        if launch.get("ranks") is None and (launch.get("repeat") or launch.get("window_mb")):
            raise TaskError("launch: 'repeat' and 'window_mb' are for several ranks; give 'ranks', too")
        if launch.get("ranks") is not None and not launch.get("arguments"):
            raise TaskError(
                "launch: with 'ranks' say the order of the 'arguments', 'rank', 'ranks' and 'context' among them"
            )
        return launch

    def _other(self, case):
        if not callable(self._reference):
            return None
        inputs = self._fresh(case) or _shuffled(case["inputs"], np.random.default_rng([self._seed, 1]))
        try:
            want = self._want(0, inputs)
        except Exception:  # noqa: BLE001 - a shuffled input need not be one of the reference's
            return None
        same = all(
            want[name].shape == array.shape and want[name].tobytes() == array.tobytes()
            for name, array in case["want"].items()
        )
        return None if same else {"inputs": inputs, "want": want}

    def _fresh(self, case):
        """The first case of another seed, when it has the same shapes and other values."""
        if not callable(self._task["cases"]):
            return None
        cases = self._cases(np.random.default_rng([self._seed, 1]))
        fresh = cases[0] if cases else {}
        fresh.pop("name", None)
        alike = fresh.keys() == case["inputs"].keys() and all(
            isinstance(value, np.ndarray) == isinstance(fresh[name], np.ndarray)
            and (
                not isinstance(value, np.ndarray)
                or (value.shape, value.dtype) == (fresh[name].shape, fresh[name].dtype)
            )
            and (isinstance(value, np.ndarray) or value == fresh[name])
            for name, value in case["inputs"].items()
        )
        return fresh if alike else None


def _shuffled(inputs, rng):
    """The elements of each array in another order: values stay legal."""
    return {
        name: rng.permutation(value.reshape(-1)).reshape(value.shape) if isinstance(value, np.ndarray) else value
        for name, value in inputs.items()
    }
