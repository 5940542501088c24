# SPDX-License-Identifier: Apache-2.0
"""In the caller's process: the verdict, from what a worker says of a submission and what it should have given."""

import json
import signal

import numpy as np

from .._cases.launches import COSTS
from .._cases.outputs import compared, differing, repeat_of, said
from .._cases.verdicts import KINDS, last_report
from ..comparing import compare

_MOST_DIAGNOSTICS = 20
_HAND_WRITTEN = 0.01  # share of an output of a model that operators of PyTorch may store last (D2)
# What is said by who gets no memory: compilers, tiling functions, kernels.
_MEMORY = ("out of memory allocating", "virtual memory exhausted", "std::bad_alloc", "Cannot allocate memory")
_MEMORY_RULE = "kernel-memory"
# What is said of the other limits: with others the verdict may be another.
_LIMITED = ("Resource temporarily unavailable", "File too large", "No space left on device", "Too many open files")


def decide(outcome, prepared, plan):
    """The fields of a verdict that depend on the run: verdict, summary and their reasons."""
    verdict, why, status = "crashed", outcome.why, outcome.status
    if status == "returned" and not outcome.exceeded:
        try:
            return _of_value(outcome.value, prepared, plan)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            why = f"what the job sent is no result ({type(error).__name__}: {error})"
    elif status in ("returned", "out-of-memory"):
        who = "it" if status == "out-of-memory" else "one of its processes"
        verdict, why = "out-of-memory", f"{who} took more memory than its limit"
    elif status == "timeout":
        verdict, why = status, "it took longer than its limit"
    elif status == "raised":
        why = f"{outcome.error['types'][0]}: {outcome.error['text']}"
    process = {"phase": outcome.phase, "signal": outcome.signal, "exit_code": outcome.exit_code}
    report = last_report(outcome.words) if status == "crashed" else None
    if report is not None:
        found = _ended({"why": "refused", "text": report["message"], "report": report, "findings": []})
        return {**found, "process": process}
    if why is None:
        signalled = outcome.signal and f"was ended by signal {outcome.signal}"
        why = f"its process {signalled or f'ended with exit code {outcome.exit_code}'}"
    return {"verdict": verdict, "summary": _line(f"{why}, in the phase {outcome.phase}"), "process": process}


def of_limits(found):
    """Whether the verdict may be another with other limits."""
    words = json.dumps([found.get("summary"), found.get("report"), found.get("compile")])
    return KINDS[found["verdict"]].passing or any(text in words for text in _LIMITED)


def task_failure(outcome, limits):
    """What is wrong with a task whose cases and reference did not come to an end."""
    what = "its cases and reference"
    if outcome.status == "timeout":
        return f"{what} took longer than {limits.wall:g} s"
    if outcome.status == "out-of-memory":
        return f"{what} took more memory than {limits.memory} bytes"
    if outcome.why:
        return f"{what}: {outcome.why}"
    if outcome.signal:
        return f"{what} ended their process by signal {outcome.signal} ({signal.strsignal(outcome.signal)})"
    return f"{what} ended their process with exit code {outcome.exit_code}"


def _line(text):
    line = " ".join(str(text).split("\n", 1)[0].split())
    return line if len(line) <= 200 else line[:196] + " ..."


def _of_value(value, prepared, plan):
    told = {"compile": _compile(value), "cases": []}
    runs, ended = value["runs"], value["ended"]
    told["cost"] = _cost(runs)
    if ended is not None:
        return told | _ended(ended) | {"repeat": _text(ended.get("repeat"))}
    if [[r["case"], r["schedule"], r["fill"], r["other"]] for r in runs] != [list(p) for p in plan]:
        raise ValueError("not the runs that were asked for")
    told["findings"] = [finding for run in runs[:1] for finding in run["findings"]]
    judged = _Runs(runs, prepared)
    told["cases"] = judged.cases
    return told | judged.verdict()


def _text(value):
    """What a job sent, as a text or nothing."""
    return value if isinstance(value, str) else None


def _compile(value):
    found = value["compile"]
    if found is None:
        ended = value["ended"]
        if ended["why"] != "no-compile":
            return None
        diagnostics = [
            {
                "file": str(f.get("file", "")),
                "line": int(f.get("line", 0)),
                "column": f.get("column"),
                "severity": "error",
                "text": str(f.get("message", "")),
            }
            for f in ended["findings"][:_MOST_DIAGNOSTICS]
        ]
        return {"ok": False, "seconds": None, "cached": False, "diagnostics": diagnostics}
    return {"ok": True, "seconds": found["seconds"], "cached": bool(found["cached"]), "diagnostics": []}


def _ended(ended):
    why, text, report = ended["why"], ended["text"], ended["report"]
    if why == "no-compile" and any(words in text for words in _MEMORY):
        return {"verdict": "out-of-memory", "summary": "the compiler took more memory than the limit"}
    told = " ".join(str((report or {}).get(name)) for name in ("message", "found")) + text
    if (report or {}).get("rule") == _MEMORY_RULE or (why != "invalid" and any(words in told for words in _MEMORY)):
        return {"verdict": "out-of-memory", "summary": _line(report["message"] if report else text), "report": report}
    if (report or {}).get("rule") == "timeout":
        why = "timeout"
    if why not in ("invalid", "no-compile", "refused", "tiling-failed", "timeout", "decoy"):
        raise ValueError(why)
    summary = report["message"] if report else text
    if why == "no-compile" and ended["findings"]:
        first = ended["findings"][0]
        summary = f"{first['file']}:{first['line']}: {first['message']}"
    return {"verdict": why, "summary": _line(summary), "report": report, "decoy": ended.get("decoy")}


def _cost(runs):
    """Of each case's first run, together."""
    first = {}
    for run in runs:
        if not run["other"]:
            first.setdefault(run["case"], run["cost"])
    if not first:
        return None
    return {
        name: None if any(cost[name] is None for cost in first.values()) else sum(int(c[name]) for c in first.values())
        for name in COSTS
    }


class _Runs:
    """The runs of a submission that came to its end."""

    def __init__(self, runs, prepared):
        self._prepared = prepared
        self._by_case = {}
        self._other = None
        for run in runs:
            if run["other"]:
                self._other = run
            else:
                self._by_case.setdefault(run["case"], []).append(run)
        self.mismatch, self._why = None, {}
        self.decoy = self._find_decoy()
        self.cases = [self._case(index, found) for index, found in self._by_case.items()]

    def verdict(self):
        if self.decoy is not None:
            rule, why = self.decoy["rule"], self.decoy.pop("why")
            return {"verdict": "decoy", "summary": f"{rule}: {why}", "decoy": self.decoy}
        for kind in ("wrong", "unstable"):
            bad = [case for case in self.cases if case["verdict"] == kind]
            if bad:
                return {
                    "verdict": kind,
                    "summary": _line(f"{bad[0]['name']}: {self._why[bad[0]['index']]}"),
                    "mismatch": self.mismatch,
                    "repeat": self._repeat(bad[0]),
                }
        count, runs = len(self.cases), sum(map(len, self._by_case.values()))
        return {
            "verdict": "right",
            "summary": f"{count} case{'s' if count != 1 else ''} in {runs} runs",
            "repeat": self._repeat(self.cases[0]) if self.cases else None,
        }

    def _repeat(self, case):
        return _text(repeat_of(self._by_case[case["index"]], case["schedule"]))

    def _case(self, index, runs):
        case, first = self._prepared["cases"][index], runs[0]
        comparisons, verdict, why, schedule = {}, "right", "", None
        kind, rules = self._prepared["kind"], self._prepared["compare"]
        for name, found in compared(first, case["want"], rules.__getitem__, kind=kind, blocks=first["blocks"] or None):
            comparisons[name] = found.to_dict()
            if not found.ok and verdict == "right":
                verdict, why = "wrong", said(name, found)
                self._note(index, name, comparisons[name])
        other = differing(runs, case["want"]) if verdict == "right" else None
        if other is not None:
            run, name, got, want = other
            verdict, schedule = "unstable", run["schedule"]
            found = compare(got, want, "exact", fill=run["fill"])
            what = f"fill 0x{run['fill']:02x}" if schedule == first["schedule"] else f"schedule {schedule}"
            why = f"{name} has other bytes under {what}: {found.mismatches} of {found.count} elements"
            self._note(index, name, found.to_dict())
        self._why[index] = why
        return {
            "index": index,
            "name": case["name"],
            "verdict": verdict,
            "seconds": sum(run["seconds"] for run in runs),
            "records": first["records"],
            "blocks": first["blocks"],
            "tiling_key": first["tiling_key"],
            "schedule": schedule,
            "compare": comparisons,
        }

    def _note(self, case, output, found):
        """The first element that differs, of the first case that does."""
        if self.mismatch is None and found["first"] is not None:
            words = "index got want abs rel ulp bits_got bits_want".split()
            self.mismatch = {"case": case, "output": output, **{name: found["first"][name] for name in words}}

    def _find_decoy(self):
        for runs in self._by_case.values():
            for run in runs:
                if run["changed"]:
                    name, count = next(iter(run["changed"].items()))
                    return self._decoy(
                        "D6", f"the input {name} is changed ({count} bytes), which the reference leaves", run
                    )
            first = runs[0]
            if "provenance" in first:
                found = self._of_model(first)
                if found is not None:
                    return found
                continue
            stored = first["cost"]["bytes_gm_written"]
            if stored == 0 and self._written(first):
                return self._decoy("D2", "the outputs are stored by other code than instructions of a kernel", first)
        other = self._other
        if other is None:
            return None
        runs = [run for run in self._by_case[other["case"]] if run["schedule"] == other["schedule"]]
        outputs = [{name: array.tobytes() for name, array in run["outputs"].items()} for run in (*runs, other)]
        if all(one == outputs[0] for one in outputs) and self._written(other):
            return self._decoy(
                "D4", "the outputs are the same for other inputs, for which the reference's change", other
            )
        return None

    def _of_model(self, run):
        """D1 to D3, by what stored the outputs of a model."""
        told = run["provenance"]
        if not told["kernels"]:
            return told | {"rule": "D1", "why": "no kernel of the submission ran"}
        for output in told["outputs"]:
            others = output["by_torch"] + output["by_copy"]
            if others > _HAND_WRITTEN * output["bytes"]:
                why = (
                    f"of {output['name']} {others} of {output['bytes']} bytes were stored last by operators of PyTorch"
                )
                return told | {"rule": "D2", "why": why}
        if told["operators"]:
            return told | {"rule": "D3", "why": f"forward computes by {', '.join(told['operators'][:5])}"}
        return None

    @staticmethod
    def _written(run):
        return any(
            array.size and not np.all(array.reshape(-1).view(np.uint8) == run["fill"])
            for array in run["outputs"].values()
        )

    def _decoy(self, rule, why, run):
        stored = dict.fromkeys(("by_kernel", "by_torch", "by_copy", "untouched"))
        outputs = [{"name": name, "bytes": array.nbytes, **stored} for name, array in run["outputs"].items()]
        told = run.get("provenance") or {"outputs": outputs, "operators": [], "kernels": []}
        return told | {"rule": rule, "why": why}
