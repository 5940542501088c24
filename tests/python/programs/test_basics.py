# SPDX-License-Identifier: Apache-2.0
"""The examples written by basic calls: the command that each names, on two chips, with every check and in every schedule,
bit for bit."""

import os
import re
import shlex
import subprocess

import numpy as np
import pytest
from steps import HALF, exp, tree
from ways import F32, HERE, random

EXAMPLES = HERE.parents[2] / "examples"
COMMAND = os.environ.get("SFUMATO_COMMAND", "")

pytestmark = pytest.mark.skipif(not COMMAND, reason="SFUMATO_COMMAND names no command")


def softmax():
    x = random(50, 192)
    e = exp(x - x.max(-1, keepdims=True))
    return {"x": x}, {"y": e / tree(e)[:, None]}


def layer_norm():
    x, gamma, beta = random(50, 192), random(192, seed=2), random(192, seed=3)
    d = x - (tree(x) * F32(1 / 192))[:, None]
    deviation = np.sqrt(tree(d * d) * F32(1 / 192) + F32(0.001))
    return {"x": x, "gamma": gamma, "beta": beta}, {"y": d / deviation[:, None] * gamma + beta}


def double_buffering():
    x = random(20480)
    return {"x": x}, {"y": x * x + x}


def atomic_sum():
    x = random(6 * 4096)
    sums = np.zeros(8, F32)
    for block in x.reshape(6, 4, 1024):
        lanes = np.zeros(1024, F32)
        for tile in block:
            lanes += tile
        sums[0] += tree(lanes)
    return {"x": x, "zeros": np.zeros(8, F32)}, {"y": sums}


def quantize():
    x = random(50, 160)
    x[7] = 0
    largest = np.abs(x).max(-1, keepdims=True)
    factor = np.divide(F32(127), largest, out=np.zeros_like(largest), where=largest > 0)
    y = np.rint((x * factor).astype(HALF)).astype(np.int8)
    return {"x": x}, {"y": y, "scales": np.repeat(largest / F32(127), 8, axis=1)}


CASES = {
    "softmax": softmax,
    "layer_norm": layer_norm,
    "double_buffering": double_buffering,
    "atomic_sum": atomic_sum,
    "quantize": quantize,
}
RUNS = [*((name, "") for name in CASES), ("double_buffering", "with_queues")]


@pytest.mark.parametrize("chip", ["Ascend910B1", "Ascend310P3"])
@pytest.mark.parametrize("name, kernel", RUNS)
def test_example(name, kernel, chip, tmp_path):
    inputs, outputs = CASES[name]()
    for array, values in inputs.items():
        np.save(tmp_path / f"{array}.npy", values)
    text = (EXAMPLES / "basics" / f"{name}.cpp").read_text(encoding="utf-8")
    lines = re.search(r"^//   sfumato run (.*\n(?://       .*\n)*)", text, re.MULTILINE).group(1)
    words = lines.replace("\n//", " ").replace("examples/", f"{EXAMPLES}/").replace("Ascend910B1", chip)
    words = re.sub(r"--kernel \w+", f"--kernel {kernel}", words) if kernel else words
    done = subprocess.run(
        [COMMAND, "check", "--schedule", "all", *shlex.split(words)], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "checked: races, init, outputs, sync, numbers, raw: no findings\n")
    for array, want in outputs.items():
        assert np.load(tmp_path / f"{array}.npy").tobytes() == want.tobytes(), array


def test_every_example_is_run():
    assert sorted(path.stem for path in (EXAMPLES / "basics").iterdir()) == sorted(CASES)
