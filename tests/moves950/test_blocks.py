# SPDX-License-Identifier: Apache-2.0
"""DataCopyPad with a padding mode and strides that go back; moves under loop mode, step by step as numpy slices."""

import numpy as np
import pytest
from conftest import run, same

RNG = np.random.default_rng(31)
WIDTHS = {"bytes": np.uint8, "shorts": np.int16}


def numbers(count, dtype):
    return RNG.integers(1, 120, count).astype(dtype)


def rows_of(x, blocks, length, step):
    return np.stack([x[i * step : i * step + length] for i in range(blocks)])


@pytest.mark.parametrize("name", WIDTHS)
@pytest.mark.parametrize(("blocks", "length"), [(1, 1), (2, 7), (5, 13), (3, 16), (31, 33), (4, 64)])
@pytest.mark.parametrize("gap", [0, 3, 50])
def test_compact_into_ub(build, name, blocks, length, gap):
    dtype = np.dtype(WIDTHS[name])
    step = length + gap
    x = numbers(blocks * step, dtype)
    data = rows_of(x, blocks, length, step).ravel()
    # The whole is filled with the first element of the last block.
    filled = -(-data.nbytes // 32) * 32 // dtype.itemsize
    expected = np.full(filled, x[(blocks - 1) * step], dtype)
    expected[: data.size] = data
    kernel = getattr(build("blocks"), f"compact_{name}")
    same(run(kernel, x, np.zeros_like(expected), blocks, length, gap * dtype.itemsize, outputs=(1,)), expected)


@pytest.mark.parametrize("name", WIDTHS)
@pytest.mark.parametrize(("blocks", "length"), [(1, 1), (3, 7), (5, 13), (9, 33)])
@pytest.mark.parametrize("gap", [0, 1, 40])
def test_compact_out_of_ub(build, name, blocks, length, gap):
    dtype = np.dtype(WIDTHS[name])
    x = numbers(blocks * length, dtype).reshape(blocks, length)
    expected = np.full((blocks, length + gap), 121, dtype)
    y = expected.copy()
    expected[:, :length] = x
    # The last row has nothing behind it.
    y, expected = (a.ravel()[: (blocks - 1) * (length + gap) + length] for a in (y, expected))
    kernel = getattr(build("blocks"), f"{name}_out")
    same(run(kernel, x, y, blocks, length, gap * dtype.itemsize, outputs=(1,), whole=gap == 0), expected)


@pytest.mark.parametrize(("blocks", "length", "back"), [(3, 8, 8), (4, 5, 5), (4, 9, 3), (2, 1, 1), (3, 6, 0)])
def test_strides_that_go_back(build, blocks, length, back):
    x = numbers(blocks * length, np.float32)
    expected = rows_of(x, blocks, length, length - back)
    same(run(build("blocks").again, x, np.zeros_like(expected), blocks, length, 4 * back, outputs=(1,)), expected)


def steps(loops):
    """Where each step of the two loops begins, (source, target), the inner one first."""
    first, second, *strides = loops
    for outer in range(second):
        for inner in range(first):
            yield inner * strides[0] + outer * strides[2], inner * strides[1] + outer * strides[3]


def looped(x, y, loops, blocks, length):
    """Bytes of both, as the moves in and out leave them."""
    block = -(-length // 32) * 32
    ub = np.zeros(1 << 16, np.int8)
    for source, target in steps(loops[:6]):
        for i in range(blocks):
            ub[target + i * block :][:length] = x[source + i * length :][:length]
    for source, target in steps(loops[6:]):
        for i in range(blocks):
            y[target + i * length :][:length] = ub[source + i * block :][:length]
    return y


@pytest.mark.parametrize(
    ("blocks", "length", "loops"),
    [
        (1, 32, (1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0)),
        (1, 32, (4, 1, 40, 32, 0, 0, 4, 1, 32, 32, 0, 0)),
        (1, 32, (1, 3, 0, 0, 33, 64, 1, 3, 0, 0, 64, 32)),
        # Both loops in both directions: source rows of 100 bytes in planes of 700; out again in another order.
        (2, 20, (3, 4, 100, 64, 700, 192, 4, 3, 192, 40, 64, 160)),
        (3, 7, (2, 5, 21, 96, 42, 192, 2, 5, 96, 105, 192, 21)),
        # The same source again and again.
        (1, 17, (3, 2, 0, 32, 17, 96, 3, 2, 32, 17, 96, 51)),
    ],
)
def test_loops_in_both_directions(build, blocks, length, loops):
    x, y = numbers(4000, np.int8), np.zeros(1200, np.int8)
    expected = looped(x, y.copy(), loops, blocks, length)
    words = np.array(loops, np.int64)
    got = run(build("blocks").looped, x, y, words, blocks, length, 4096, outputs=(1,), whole=False)
    same(got, expected)


def test_a_mode_holds_for_its_direction_until_it_is_reset(build):
    x = numbers(24, np.float32)
    expected = np.concatenate([x[:8], x[16:24], x[:8]])
    same(run(build("blocks").one_way, x, np.zeros(24, np.float32), outputs=(1,)), expected)
