# SPDX-License-Identifier: Apache-2.0
"""A load takes a whole register, and so more than a tensor has: lanes that nothing uses are no access to wait for."""

import numpy as np
import pytest
from conftest import same
from schedules import CHECKS

RNG = np.random.default_rng(7)


def floats(n):
    return RNG.standard_normal(n).astype(np.float32)


def check(kernel, blocks, *arguments):
    result = kernel[blocks].options(check=CHECKS, warn=False)(*arguments)
    assert not result.findings, result.findings[0]


@pytest.mark.parametrize("n", [65, 100, 200])
def test_into_the_output_that_lies_behind(build, n):
    x, y, z = floats(n), floats(n), np.zeros(n, np.float32)
    check(build("elementwise").add_float, 1, x, y, z, n)
    same(z, x + y)


def test_into_the_other_buffer_of_a_queue(build):
    x, y, z = floats(777), floats(777), np.zeros(777, np.float32)
    check(build("elementwise").mul_float, 2, x, y, z, 777, 96)
    same(z, x * y)


@pytest.mark.parametrize("cols", [40, 100])
def test_into_the_next_row(build, cols):
    x, y = floats(3 * cols), np.zeros(3 * cols, np.float32)
    check(build("rows").softmax, 1, x, y, 3, cols)
