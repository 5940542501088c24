# SPDX-License-Identifier: Apache-2.0
"""The examples of the high-level calls: the command that each names, with every check, bit for bit."""

import os
import re
import shlex
import subprocess

import numpy as np
import pytest
from steps import HALF, gelu, product, quantise, softmax_parts, tree
from ways import CHIP, F32, HERE, integers, random

from sfumato import tiling

EXAMPLES = HERE.parents[2] / "examples"
COMMAND = os.environ.get("SFUMATO_COMMAND", "")

pytestmark = pytest.mark.skipif(not COMMAND, reason="SFUMATO_COMMAND names no command")


def halves(*shape, seed=1):
    return random(*shape, seed=seed, dtype=HALF)


def matmul_gelu():
    a, b, bias = halves(300, 160), halves(160, 192, seed=2), random(192, seed=3)
    return {"a": a, "b": b, "bias": bias}, {"c": gelu(product(a, b, bias))}


def high_level():
    a, b, bias = halves(300, 500), halves(500, 200, seed=2), random(200, seed=3)
    plan = tiling.Matmul(
        **dict(chip=CHIP, m=300, n=200, k=500, a="half", b="half", c="float", bias="float"),
        **dict(cores=4, single_m=80, single_n=200),
    )
    words = np.frombuffer(plan.tobytes(), np.int32)
    return {"a": a, "b": b, "bias": bias, "tiling": words}, {"c": product(a, b, bias)}


def softmax():
    x = halves(100, 256)
    return {"x": x}, {"y": softmax_parts(x.astype(F32))[0].astype(HALF)}


def layer_norm():
    x, gamma, beta = random(96, 120), random(120, seed=2), random(120, seed=3)
    d = x - tree(x * F32(1 / 120))[:, None]
    rstd = F32(1) / np.sqrt(tree(d * d * F32(1 / 120)) + F32(0.001))
    return {"x": x, "gamma": gamma, "beta": beta}, {"y": d * rstd[:, None] * gamma + beta}


def quantize():
    x, scale, offset = halves(50, 96), halves(96, seed=2) + HALF(30), integers(-9, 10, 96).astype(HALF)
    y = quantise(x, scale, offset)
    return {"x": x, "scale": scale, "offset": offset}, {"y": y, "z": (y.astype(HALF) - offset) * (HALF(1) / scale)}


def top_k():
    x = random(30, 160)
    places = np.argsort(-x, axis=1, kind="stable")[:, :8].astype(np.int32)
    return {"x": x}, {"y": np.take_along_axis(x, places, 1), "places": places}


def row_variance():
    x = random(48, 136)
    d = x - (tree(x) * F32(1 / 136))[:, None]
    return {"x": x}, {"y": tree(d * d) * F32(1 / 136)}


CASES = {
    "matmul/high_level": high_level,
    "high_level/matmul_gelu": matmul_gelu,
    "high_level/softmax": softmax,
    "high_level/layer_norm": layer_norm,
    "high_level/quantize": quantize,
    "high_level/top_k": top_k,
    "high_level/row_variance": row_variance,
}


@pytest.mark.parametrize("name", CASES)
def test_example(name, tmp_path):
    inputs, outputs = CASES[name]()
    for array, values in inputs.items():
        np.save(tmp_path / f"{array}.npy", values)
    text = (EXAMPLES / f"{name}.cpp").read_text(encoding="utf-8")
    lines = re.search(r"^//   sfumato (run .*\n(?://       .*\n)*)", text, re.MULTILINE).group(1)
    command = shlex.split(lines.replace("\n//", " ").replace("examples/", f"{EXAMPLES}/"))
    done = subprocess.run(
        [COMMAND, *command],
        cwd=tmp_path,
        env={**os.environ, "SFUMATO_CHECK": "all"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "0 faults, 0 warnings, 0 notes"), done.stderr
    for array, want in outputs.items():
        assert np.array_equal(np.load(tmp_path / f"{array}.npy"), want), array


def test_every_example_is_run():
    assert sorted(f"high_level/{path.stem}" for path in (EXAMPLES / "high_level").iterdir()) == sorted(
        name for name in CASES if name.startswith("high_level/")
    )
