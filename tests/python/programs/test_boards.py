# SPDX-License-Identifier: Apache-2.0
"""The examples for boards of 310B and 310P: the command that each names, with every check and in every schedule, on one
block and, where there are more cores, on as many as those, bit for bit."""

import os
import re
import shlex
import subprocess

import numpy as np
import pytest
from steps import HALF, exp, product, softmax_parts
from ways import F32, HERE, integers, random

EXAMPLES = HERE.parents[2] / "examples"
COMMAND = os.environ.get("SFUMATO_COMMAND", "")
BOARDS = [("Ascend310B4", 1), ("Ascend310P3", 1), ("Ascend310P3", 8)]

pytestmark = pytest.mark.skipif(not COMMAND, reason="SFUMATO_COMMAND names no command")


def halves(*shape, seed=1):
    return random(*shape, seed=seed, dtype=HALF)


def add():
    x, y = halves(10000), halves(10000, seed=2)
    return {"x": x, "y": y}, {"z": x + y}


def softmax():
    x = halves(50, 64)
    return {"x": x}, {"y": softmax_parts(x.astype(F32))[0].astype(HALF)}  # in float, rounded once


def matmul():
    a, b, bias = halves(100, 80), halves(80, 72, seed=2), random(72, seed=3)
    return {"a": a, "b": b, "bias": bias}, {"c": product(a, b, bias)}


def conv():
    """Sums of small integers, which no order of adding changes."""
    image, weights = integers(-4, 5, 12, 20, 16), integers(-3, 4, 3, 3, 16, 24, seed=2)
    bias, padded = integers(-9, 10, 24, seed=3), np.pad(image, ((1, 1), (1, 1), (0, 0)))
    out = np.tile(bias, (12, 20, 1))
    for i, j in np.ndindex(3, 3):
        out += padded[i : i + 12, j : j + 20] @ weights[i, j]
    inputs = {"image": padded.astype(HALF), "weights": weights.astype(HALF), "bias": bias.astype(F32)}
    return inputs, {"out": out.astype(F32)}


def detections(deltas, anchors, scores, most, least, overlap):
    """One image, box by box: each good one that no better one overlaps too much."""
    centre, size = anchors[:2] + deltas[:2] * anchors[2:], exp(deltas[2:]) * anchors[2:]
    low, high, area = centre - size * F32(0.5), centre + size * F32(0.5), size[0] * size[1]
    boxes, kept = np.zeros((most, 8), F32), []

    def overlaps(a, b):
        sides = np.maximum(np.minimum(high[:, a], high[:, b]) - np.maximum(low[:, a], low[:, b]), F32(0))
        common = sides[0] * sides[1]
        return common > (area[a] + area[b] - common) * overlap

    for i in np.argsort(-scores, kind="stable"):
        if len(kept) < most and scores[i] > least and not any(overlaps(i, k) for k in kept):
            boxes[len(kept), :5] = *low[:, i], *high[:, i], scores[i]
            kept.append(i)
    assert len(kept) > 3
    return boxes


def detect():
    """Clusters of boxes around few places: of the second image more than there is room for."""
    generator = np.random.default_rng(5)
    anchors = np.concatenate([generator.uniform(0, 256, (2, 320)), generator.uniform(16, 64, (2, 320))]).astype(F32)
    deltas = (generator.standard_normal((2, 4, 320)) * 0.2).astype(F32)
    scores = generator.uniform(0, 0.6, (2, 320)).astype(F32)
    scores[1] += F32(0.4)
    scores[0, 300:] = scores[0, :20]  # equal ones: the first goes first
    boxes = np.stack([detections(d, anchors, s, 16, F32(0.3), F32(0.5)) for d, s in zip(deltas, scores)])
    return {"deltas": deltas, "anchors": anchors, "scores": scores}, {"boxes": boxes}


CASES = {"add": add, "softmax": softmax, "matmul": matmul, "conv": conv, "detect": detect}


@pytest.mark.parametrize("chip, blocks", BOARDS)
@pytest.mark.parametrize("name", CASES)
def test_example(name, chip, blocks, tmp_path):
    inputs, outputs = CASES[name]()
    for array, values in inputs.items():
        np.save(tmp_path / f"{array}.npy", values)
    text = (EXAMPLES / "boards" / f"{name}.cpp").read_text(encoding="utf-8")
    lines = re.search(r"^//   sfumato run (.*\n(?://       .*\n)*)", text, re.MULTILINE).group(1)
    words = lines.replace("\n//", " ").replace("examples/", f"{EXAMPLES}/").replace("Ascend310B4", chip)
    words = words.replace("--blocks 1", f"--blocks {blocks}").replace("cores=1", f"cores={blocks}")
    done = subprocess.run(
        [COMMAND, "check", "--schedule", "all", *shlex.split(words)], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "checked: races, init, outputs, sync, numbers, raw: no findings\n")
    for array, want in outputs.items():
        assert np.load(tmp_path / f"{array}.npy").tobytes() == want.tobytes(), array


def test_every_example_is_run():
    assert sorted(path.stem for path in (EXAMPLES / "boards").glob("*.cpp")) == sorted(CASES)
