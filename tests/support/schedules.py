# SPDX-License-Identifier: Apache-2.0
"""Kernels of Ascend950, compiled once and run under several schedules; bytes of arrays compared."""

import numpy as np

import sfumato

CHIP = "Ascend950PR"
CHECKS = "races,init,outputs,sync,raw"
SCHEDULES = ("eager", "late", "ahead", "seed:3")
# Of kernels that leave some of an output as it was.
IN_PART = CHECKS.replace("outputs,", "")


def builder(kernels):
    """of("rows") compiles rows.cpp of the folder, the first time that it is asked for."""
    built = {}

    def of(name):
        if name not in built:
            built[name] = sfumato.compile(kernels / f"{name}.cpp", chip=CHIP)
        return built[name]

    return of


def run(kernel, *arguments, outputs, blocks=1, whole=True):
    """Arguments at these places, as a launch leaves them: the same bytes under each schedule, and nothing found.
    whole: the kernel writes every byte of them."""
    first = None
    for schedule in SCHEDULES:
        given = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        checks = {"check": CHECKS if whole else IN_PART} if schedule == "eager" else {}
        result = kernel[blocks].options(schedule=schedule, warn=False, **checks)(*given)
        assert not result.findings, f"{schedule}: {result.findings[0]}"
        left = [given[place] for place in outputs]
        first = first or left
        for one, other in zip(first, left, strict=True):
            assert one.tobytes() == other.tobytes(), schedule
    return first[0] if len(first) == 1 else first


def same(got, expected):
    """The bytes of two arrays are equal."""
    expected = np.ascontiguousarray(expected)
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    if got.tobytes() == expected.tobytes():
        return
    words = f"u{got.dtype.itemsize}"
    wrong = np.flatnonzero(got.reshape(-1).view(words) != expected.reshape(-1).view(words))
    at = wrong[0]
    raise AssertionError(
        f"{len(wrong)} of {got.size} elements differ, first number {at}: "
        f"{got.reshape(-1)[at]!r}, expected {expected.reshape(-1)[at]!r}"
    )
