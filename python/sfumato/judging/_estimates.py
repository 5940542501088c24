# SPDX-License-Identifier: Apache-2.0
"""In the caller's process: the field `estimate` of a right verdict, from the outcome of one more run of each case.

That run is a job of its own, so that nothing about it changes the verdict; where its outputs are not right, too, there is
no estimate.
"""

import math

from .._native import Error
from . import _decide

# Their launches say nothing to who called forward.
WITHOUT = ("model", "direct")


def without(kind):
    """Why a kind of submission has no estimate; None where it has."""
    return f"no estimate: there is none of submissions of kind {kind}" if kind in WITHOUT else None


def estimate(outcome, prepared, plan, chip):
    """(the object or None, why there is none or None, the verdict about its run)."""
    try:
        found = _decide.decide(outcome, prepared, plan)
    except Error as error:  # of sfumato.compare, of arrays that the first run did not send
        return None, _decide._line(f"no estimate: its run: {error}"), {"verdict": "wrong"}
    if found["verdict"] != "right":
        # A chip without figures says so before anything runs.
        unsupported = found["verdict"] == "refused" and not found.get("report")
        why = found["summary"] if unsupported else f"no estimate: its run: {found['verdict']}: {found['summary']}"
        return None, _decide._line(why), found
    try:
        cases = [_case(run) for run in outcome.value["runs"]]
    except (KeyError, TypeError, ValueError):
        return None, "no estimate: what its run sent is none", found
    return {"estimate": True, "chip": chip, "cases": cases}, None, found


def _case(run):
    told = run["estimate"]
    error = told["error"]
    low, high = error.get("low_us"), error.get("high_us")
    core, task = _microseconds(told["core_us"]), _microseconds(told["task_us"])
    if (low is None) != (high is None) or (low is not None and not _microseconds(low) <= core <= _microseconds(high)):
        raise ValueError("interval")
    if error["class"] not in tuple("abcde"):
        raise ValueError("class")
    return {
        "index": int(run["case"]),
        "core_us": core,
        "task_us": task,
        "low_us": low,
        "high_us": high,
        "class": error["class"],
        "why": _decide._line(error["why"]),
    }


def _microseconds(value):
    if type(value) not in (int, float) or not 0 <= value < math.inf:
        raise ValueError("time")
    return value
