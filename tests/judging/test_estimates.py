# SPDX-License-Identifier: Apache-2.0
"""The estimate of time that a verdict carries."""

import jsonschema
import numpy as np
import pytest
import submissions
from known import CHIP, LIMITS, RIGHT, SCHEMA, TEXT

import sfumato


@pytest.mark.parametrize("name", ["body", "op", "tik"])
def test_an_estimate(cache, name):
    task = submissions.TIK_TASK if name == "tik" else submissions.TASK
    arguments = {"chip": CHIP, "limits": LIMITS, "cache": cache, "options": {"time": True}}
    verdict = sfumato.judge(TEXT[f"right-{name}-plain"], task, **arguments)
    jsonschema.validate(verdict.to_dict(), SCHEMA)
    assert verdict and verdict.estimate["estimate"] is True and verdict.estimate["chip"] == CHIP
    assert [case["index"] for case in verdict.estimate["cases"]] == list(range(len(verdict.cases)))
    assert verdict.estimate_reason is None and "  estimate of n=128: " in str(verdict)
    again = sfumato.judge(TEXT[f"right-{name}-plain"], task, **arguments)
    assert again.cached and again.to_dict() == verdict.to_dict()


def test_an_estimate_is_that_of_the_launch(judge, cache):
    kernel = sfumato.compile(RIGHT, chip=CHIP).work
    for words in ({}, {"l2": "warm"}, {"scalar_cycles": 10}):
        options = {"time": words, "schedules": ["late"], "fills": [7]}
        found = sfumato.judge(RIGHT, submissions.TASK, chip=CHIP, limits=LIMITS, cache=cache, options=options)
        for case, n in zip(found.estimate["cases"], (64, 128)):
            x, y, z = (np.ones(n, np.float32) for _ in range(3))
            told = kernel[1].time(x, y, z, np.zeros(4096, np.uint8), n, **words)
            assert (case["core_us"], case["task_us"], case["class"]) == (
                told.core_us,
                told.task_us,
                told.error["class"],
            )
            assert (case["low_us"], case["high_us"], case["why"]) == (told.low_us, told.high_us, told.error["why"])


def test_where_there_is_no_estimate(cache):
    arguments = {"limits": LIMITS, "cache": cache, "options": {"time": True}}
    verdict = sfumato.judge(RIGHT, submissions.TASK, chip="Ascend310P3", **arguments)
    assert verdict and verdict.estimate is None
    assert verdict.estimate_reason.startswith("no estimate of time for Ascend310P3: no public figures are known")
    assert str(verdict).splitlines()[1] == f"  {verdict.estimate_reason}"
    verdict = sfumato.judge(TEXT["wrong-body-subtracts"], submissions.TASK, chip=CHIP, **arguments)
    assert verdict.verdict == "wrong" and verdict.estimate is None and verdict.estimate_reason is None


@pytest.mark.parametrize(
    ("then", "why", "kept"),
    [
        ("LOAD volatile bool on = true; while (on) { ADD PipeBarrier<PIPE_V>(); }", "timeout: ", False),
        ("LOAD STORE return;", "wrong: n=128: z: ", True),
        ("abort();", "refused: ", True),
    ],
)
def test_a_submission_that_is_another_when_it_is_timed(tmp_path, then, why, kept):
    # The second launch that is judged is one of 64 elements, the second that is timed of 128.
    text = RIGHT.replace("LOAD ADD", f"static int count = 0; if (++count == 2 && n == 128) {{ {then} }} LOAD ADD", 1)
    assert text != RIGHT
    arguments = {"chip": CHIP, "limits": LIMITS, "cache": tmp_path, "options": {"time": True}}
    for cached in (False, kept):
        verdict = sfumato.judge(text, submissions.TASK, **arguments)
        assert verdict and verdict.estimate is None and verdict.cached is cached
        assert verdict.estimate_reason.startswith(f"no estimate: its run: {why}")


@pytest.mark.parametrize(
    "forged",
    [
        None,
        {},
        {"core_us": "1", "task_us": 1, "error": {"class": "a", "why": ""}},
        {"core_us": float("nan"), "task_us": 1, "error": {"class": "a", "why": ""}},
        {"core_us": -1, "task_us": 1, "error": {"class": "a", "why": ""}},
        {"core_us": 1, "task_us": True, "error": {"class": "a", "why": ""}},
        {"core_us": 1, "task_us": 1, "error": {"class": "f", "why": ""}},
        {"core_us": 1, "task_us": 1, "error": {"class": "a", "why": "", "low_us": 0}},
        {"core_us": 1, "task_us": 1, "error": {"class": "a", "why": "", "low_us": 2, "high_us": 3}},
    ],
)
def test_what_is_no_estimate(forged):
    from sfumato.judging._estimates import estimate
    from sfumato.judging.pool import Outcome

    z = np.ones(4, np.float32)
    cost = dict.fromkeys(("records", "bytes_gm_read", "bytes_gm_written", "vector_elements", "mac"), 1)
    told = {"seconds": 0.0, "records": 1, "blocks": 1, "tiling_key": None, "cost": cost, "outputs": {"z": z}}
    run = {"case": 0, "schedule": "eager", "fill": 1, "other": False, "changed": {}, "findings": []} | told
    value = {"compile": None, "ended": None, "runs": [run | {"estimate": forged}]}
    value["compile"] = {"seconds": 0.0, "cached": True}
    prepared = {"cases": [{"name": "0", "want": {"z": z}}], "compare": {"z": "exact"}, "kind": "compute"}
    plan = [(0, "eager", 1, False)]
    found = estimate(Outcome("returned", value), prepared, plan, CHIP)
    assert found[:2] == (None, "no estimate: what its run sent is none")
    value["runs"] = [run | {"outputs": {"z": z.astype("datetime64[s]")}}]
    found = estimate(Outcome("returned", value), prepared, plan, CHIP)
    assert found[0] is None and found[1].startswith("no estimate: its run: ")
    run["estimate"] = {"core_us": 1, "task_us": 1.5, "error": {"class": "a", "why": "w", "low_us": 0.5, "high_us": 2}}
    value["runs"] = [run]
    assert estimate(Outcome("returned", value), prepared, plan, CHIP)[0]["cases"][0]["high_us"] == 2
