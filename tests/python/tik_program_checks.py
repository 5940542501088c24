# SPDX-License-Identifier: Apache-2.0
"""What the programs of examples/tik must return: the registry, and the arithmetic that the checks share.

A check is called with a generator of random numbers and the chip, and returns what is fed and the outputs NumPy
expects, in order; or it yields several such launches of one build. Functions without a formula of their own (exp, ln,
roots, quotients) are rounded once, which float64 rounded to half or float does for the values fed here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

ALL = ("Ascend310", "Ascend910A", "Ascend310P3", "Ascend310P3-Vector", "Ascend910B1", "Ascend310B1")
NOT_310 = ALL[1:]  # vdiv, vsqrt, most conversions and functions of float32
ATOMIC_FLOATS = ("Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1")
LATER = ALL[2:]  # integer scalars, vmaxs, vgather, vreduce, modes 1 and 2 of vsel

MODULES = ("elementwise", "reductions", "layouts", "indices", "networks", "control")


@dataclass
class Program:
    """A script of examples/tik, the arguments its function is called with, and who has its calls."""

    script: str
    check: Callable
    chips: tuple[str, ...]
    arguments: dict = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.script, *map(str, self.arguments.values())])


PROGRAMS: list[Program] = []


def program(chips=ALL, **arguments):
    """Registers a check, for the script of its name; arguments are the script's and the check's."""

    def register(check):
        PROGRAMS.append(Program(check.__name__, check, tuple(chips), arguments))
        return check

    return register


def load() -> list[Program]:
    """All programs with a check."""
    for module in MODULES:
        importlib.import_module(f"tik_checks_{module}")
    return PROGRAMS


def halves(rng, *shape, low=-4.0, high=4.0):
    """Random half numbers of a range."""
    return rng.uniform(low, high, shape).astype(np.float16)


def floats(rng, *shape, low=-4.0, high=4.0):
    """Random float numbers of a range."""
    return rng.uniform(low, high, shape).astype(np.float32)


def reals(rng, dtype, *shape, low=-4.0, high=4.0):
    """Random numbers of a floating type."""
    return rng.uniform(low, high, shape).astype(dtype)


def once(function, *values):
    """The function rounded once to the type of its first argument."""
    return function(*(np.asarray(v).astype(np.float64) for v in values)).astype(np.asarray(values[0]).dtype)


def tree(values, lanes=None):
    """Neighbours added, then neighbours of those, each sum rounded: along the last axis, as vcadd adds."""
    values = np.asarray(values)
    count = values.shape[-1]
    size = lanes or 1 << (count - 1).bit_length()
    values = np.concatenate([values, np.zeros((*values.shape[:-1], size - count), values.dtype)], axis=-1)
    while values.shape[-1] > 1:
        values = values[..., 0::2] + values[..., 1::2]
    return values[..., 0]


def reduce_add(values, chip):
    """vec_reduce_add of rows of one repeat each: a tree in each, then Ascend910B adds the repeats in sequence."""
    sums = tree(values)
    if chip != "Ascend910B1":
        return tree(sums)
    total = sums[..., 0]
    for i in range(1, sums.shape[-1]):
        total = total + sums[..., i]
    return total
