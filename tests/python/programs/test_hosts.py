# SPDX-License-Identifier: Apache-2.0
"""Host programs by <<<>>>, ACLRT_LAUNCH_KERNEL and ICPU_RUN_KF, which read and write files."""

import os
import subprocess

import numpy as np
import pytest
from test_attention import attention
from test_flash import HEADS, WIDTH, flash
from ways import EXAMPLES, F32, HERE, WAYS, integers, near, random, softmax

COMMAND = os.environ.get("SFUMATO_COMMAND", "")
HALF = np.float16
INCLUDES = [f"-I{EXAMPLES}", f"-I{HERE}", f"-I{HERE / 'hosts'}"]

pytestmark = pytest.mark.skipif(not COMMAND, reason="SFUMATO_COMMAND names no command")


def build(folder, *words):
    subprocess.run([COMMAND, "build", *INCLUDES, *map(str, words)], cwd=folder, check=True)


def run(folder, *arguments, **inputs):
    """The bytes the program `host` leaves in y.bin, the same in every way."""
    for name, array in inputs.items():
        (folder / f"{name}.bin").write_bytes(array.tobytes())
    outputs = set()
    for way in WAYS:
        options = ",".join(f"{name}={value}" for name, value in way.items())
        done = subprocess.run(
            [folder / "host", *map(str, arguments)],
            cwd=folder,
            env={**os.environ, "SFUMATO_OPTIONS": options},
            capture_output=True,
            text=True,
        )
        # Under every check, notes may depend on the order of the run.
        told = [line for line in done.stderr.splitlines() if line.startswith(("fault", "warning"))]
        assert (done.returncode, done.stdout, told or (done.stderr if "check" not in way else "")) == (0, "", ""), way
        outputs.add((folder / "y.bin").read_bytes())
    assert len(outputs) == 1
    return outputs.pop()


def test_linear_softmax(tmp_path):
    build(tmp_path, HERE / "hosts/linear_softmax.cpp", "-o", "host")
    a, b, bias = integers(-2, 3, 70, 32), integers(-1, 2, 32, 80, seed=3), integers(-3, 3, 80)
    y = run(tmp_path, 70, 80, 32, a=a.astype(HALF), b=b.astype(HALF), bias=bias.astype(F32))
    sums = a @ b + bias
    near(np.frombuffer(y, F32).reshape(70, 80), softmax(np.where(sums < 0, sums * 0.25, sums)))


def test_normalise(tmp_path):
    build(tmp_path, HERE / "hosts/normalise.cpp", "-o", "host")
    x, gamma, beta = random(5, 40), random(40, seed=2), random(40, seed=3)
    y = run(tmp_path, 5, 40, x=x, gamma=gamma, beta=beta)
    wide = x.astype(np.float64)
    z = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5) * gamma + beta
    near(np.frombuffer(y, F32).reshape(5, 40), 0.5 * z * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3))))


def test_attention_on_a_board(tmp_path):
    build(tmp_path, HERE / "attention.cpp", "-c", "-o", "kernels.o", "--launch-headers", ".")
    build(tmp_path, HERE / "hosts/attention_board.cpp", "kernels.o", "-I.", "-o", "host")
    q, k, v = (random(2, 128, 64, seed=seed, dtype=HALF) for seed in (1, 2, 3))
    y = run(tmp_path, 2, 128, q=q, k=k, v=v)
    near(np.frombuffer(y, F32).reshape(2, 128, 64), attention(q, k, v, True), 2e-3)


def test_total_on_the_cpu(tmp_path):
    build(tmp_path, "-x", "asc", HERE / "hosts/total_cpu.cpp", "-DASCENDC_CPU_DEBUG", "-o", "host")
    x = integers(0, 64, 21, 48)
    y = np.frombuffer(run(tmp_path, 21, 48, x=x), np.int32)
    assert np.array_equal(y[:48], x.sum(0))
    assert np.array_equal(y[48:], np.bincount(x.reshape(-1), minlength=64))


def test_planned_attention(tmp_path):
    build(tmp_path, HERE / "hosts/planned_attention.cpp", "-o", "host")
    q = random(HEADS, 80, WIDTH, dtype=HALF)
    k, v = (random(HEADS, 112, WIDTH, seed=seed, dtype=HALF) for seed in (2, 3))
    y = np.frombuffer(run(tmp_path, HEADS, 80, 112, q=q, k=k, v=v), HALF).reshape(q.shape)
    for head in range(HEADS):
        assert np.array_equal(y[head], flash(q[head], k[head], v[head]))
