# SPDX-License-Identifier: Apache-2.0
"""Tasks whose kernels run on many ranks (docs/ranks.md)."""

from pathlib import Path

from known import LIMITS

import sfumato

SOURCE = Path(__file__).parents[2] / "examples" / "ranks" / "all_to_all.cpp"
TASK = """
import numpy as np

outputs = ["dst", "received"]
compare = "exact"

def cases(rng):
    for ranks in (2, 3):
        src = rng.integers(0, 1000, (ranks, ranks, 16), dtype=np.int32)
        yield {"src": src, "counts": np.full((ranks, ranks), 16, np.int32)}

def reference(src, counts):
    received = np.ones((*counts.shape, 8), np.int32)
    received[:, :, 1] = 16
    return src.swapaxes(0, 1), received

def launch(src):
    order = ["src", "counts", "dst", "received", "context", "most"]
    return {"ranks": len(src), "window_mb": 1, "arguments": order, "values": {"most": 16}}
"""


def judged(text, task=TASK):
    return sfumato.judge(text, task, chip="Ascend910_9392", limits=LIMITS)


def test_right():
    verdict = judged(SOURCE.read_text())
    assert verdict.verdict == "right", verdict


def test_wrong_and_hanging():
    text = SOURCE.read_text()
    assert judged(text.replace("RowsOf(rank_, round)", "RowsOf(rank_, round) + 8")).verdict == "wrong"
    hangs = judged(text.replace("const int32_t round = flag.GetValue(0) + 1;", "const int32_t round = 1 + rank_;"))
    assert (hangs.verdict, hangs.report["rule"]) == ("refused", "deadlock")


def test_slips_of_tasks():
    text = SOURCE.read_text()
    for change, error in (
        (('"arguments": order, ', ""), "launch: with 'ranks' say the order of the 'arguments'"),
        (('"ranks": len(src), ', ""), "launch: 'repeat' and 'window_mb' are for several ranks; give 'ranks', too"),
    ):
        verdict = judged(text, TASK.replace(*change))
        assert verdict.verdict == "invalid" and error in verdict.task_error
