#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures SoftMax and LayerNorm of 4096 rows of 1024 floats on 8 blocks against NumPy.

Times are CPU seconds of the process, in interleaved pairs, both sides on the same core; the table gives the median of the
ratios. The package must be found: PYTHONPATH=build/release/python .venv/bin/python bench/rows.py
"""

import os
import statistics
import sys
import time
from pathlib import Path

import numpy as np

import sfumato

ROWS, COLUMNS, BLOCKS, ROUNDS = 4096, 1024, 8, 15
BOUND = 0.8  # of NumPy's speed
EPSILON = np.float32(1e-5)


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def layer_norm(x, gamma, beta):
    centred = x - x.mean(axis=1, keepdims=True)
    variance = (centred * centred).mean(axis=1, keepdims=True)
    return centred / np.sqrt(variance + EPSILON) * gamma + beta


def cpu(run, *arguments):
    start = time.process_time()
    run(*arguments)
    return time.process_time() - start


def main():
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    random = np.random.default_rng(1)
    x = random.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    gamma, beta = random.normal(size=(2, COLUMNS)).astype(np.float32)
    out = np.zeros_like(x)
    kernels = sfumato.compile(Path(__file__).with_name("row_kernels.cpp"), chip="Ascend910B1")
    cases = {
        "softmax": ((x,), softmax),
        "layer_norm": ((x, gamma, beta), layer_norm),
    }
    print(f"{'name':<20}{'ratio':>8}  {'bound':<8}  ok")
    missed = 0
    for name, (inputs, numpy) in cases.items():
        kernel = getattr(kernels, name)[BLOCKS]
        kernel(*inputs, out, np.uint32(ROWS))
        if not np.allclose(out, numpy(*inputs), rtol=1e-4, atol=1e-5):
            sys.exit(f"{name} computes something else than NumPy")
        pairs = [(cpu(numpy, *inputs), cpu(kernel, *inputs, out, np.uint32(ROWS))) for _ in range(ROUNDS)]
        speed = statistics.median(theirs / ours for theirs, ours in pairs)
        missed += speed < BOUND
        print(f"{name:<20}{speed:8.2f}  {f'>= {BOUND}':<8}  {'yes' if speed >= BOUND else 'NO'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
