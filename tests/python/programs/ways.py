# SPDX-License-Identifier: Apache-2.0
"""Whole programs of every kind against NumPy: the same bytes under every schedule, on one worker and on two.

No run has a finding, not even a note, and six of them look with every check. `last-bit` says what hangs on a bit.
"""

from functools import cache
from pathlib import Path

import numpy as np

import sfumato

HERE = Path(__file__).parent
CHIP = "Ascend910B1"
EXAMPLES = HERE.parents[2] / "examples" / "matmul"
SCHEDULES = ["eager", "serial", "late", "ahead", *(f"seed:{n}" for n in range(10))]
WAYS = [{"schedule": schedule, "workers": workers} for workers in (1, 2) for schedule in SCHEDULES]
WAYS += [
    {"schedule": schedule, "check": "all"} for schedule in ("eager", "serial", "late", "ahead", "seed:1", "seed:2")
]

F32 = np.float32


@cache
def library(name, template=()):
    """Compiled once; template: pairs of ASCENDC_TPL values."""
    return sfumato.compile(HERE / f"{name}.cpp", chip=CHIP, include_dirs=[EXAMPLES], template=dict(template))


def copied(argument):
    """Arrays of an argument are written to: every launch gets its own."""
    if isinstance(argument, list):
        return [a.copy() for a in argument]
    return argument.copy() if isinstance(argument, np.ndarray) else argument


def arrays(arguments):
    for argument in arguments:
        yield from argument if isinstance(argument, list) else [argument] * isinstance(argument, np.ndarray)


def run(kernel, blocks, *arguments):
    """Launches in every way, with the same bytes in all arguments afterwards and no finding; these arguments."""
    first = None
    for way in WAYS:
        mine = [copied(argument) for argument in arguments]
        result = kernel[blocks].options(**way)(*mine)
        # Under every check, notes may depend on the order of the run.
        told = [str(f) for f in result.findings if f.severity != "note" or "check" not in way]
        assert told == [], (way, told)
        if first is None:
            first = mine
        same(first, mine, way)
    mine = [copied(argument) for argument in arguments]
    told = {f.rule for f in kernel[blocks].options(check="last-bit")(*mine).findings}
    assert told <= {"last-bit", "last-bit-flips"}
    same(first, mine, "last-bit")
    return first


def same(first, others, way):
    first, others = list(arrays(first)), list(arrays(others))
    assert len(first) == len(others), way
    for a, b in zip(first, others):
        assert a.tobytes() == b.tobytes(), way


def random(*shape, seed=1, dtype=F32):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def integers(low, high, *shape, seed=2, dtype=np.int32):
    return np.random.default_rng(seed).integers(low, high, shape).astype(dtype)


def near(got, want, tolerance=1e-5):
    np.testing.assert_allclose(got.astype(np.float64), want, rtol=tolerance, atol=tolerance)


def softmax(x):
    e = np.exp(x.astype(np.float64) - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
