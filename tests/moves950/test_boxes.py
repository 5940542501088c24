# SPDX-License-Identifier: Apache-2.0
"""NDDMA: transposes, broadcasts and pads of boxes of one to five dimensions, against views of numpy."""

from itertools import permutations

import numpy as np
import pytest
from conftest import run, same
from numpy.lib.stride_tricks import as_strided

RNG = np.random.default_rng(950)
WIDTHS = {"bytes": np.uint8, "shorts": np.int16, "box": np.float32, "longs": np.int64}


def numbers(count, dtype):
    return RNG.integers(1, 120, count).astype(dtype)


def boxed(x, loops, fill=0, nearest=False):
    """What a move writes. Loops, the innermost first: source stride, target stride, size, pads before and behind."""
    outer = loops[::-1]
    item = x.itemsize
    box = as_strided(x, [size for _, _, size, _, _ in outer], [stride * item for stride, *_ in outer])
    pads = [(before, behind) for *_, before, behind in outer]
    padded = np.pad(box, pads, mode="edge") if nearest else np.pad(box, pads, constant_values=fill)
    places = 1 + sum((n - 1) * stride for n, (_, stride, *_) in zip(padded.shape, outer, strict=True))
    out = np.zeros(places, x.dtype)
    as_strided(out, padded.shape, [stride * item for _, stride, *_ in outer])[...] = padded
    return out


def moved(kernel, x, loops, fill=0, nearest=False):
    expected = boxed(x, loops, fill, nearest)
    words = np.array(loops, np.int64)
    got = run(kernel, x, np.zeros_like(expected), words, x.size, expected.size, fill, outputs=(1,))
    same(got, expected)


def dense(shape, order):
    """Loops of an array of this shape, innermost dimension first, whose axes stand in another order in UB."""
    source = np.cumprod([1, *shape[:-1]])
    target = dict(zip(order, np.cumprod([1, *(shape[axis] for axis in order[:-1])]), strict=True))
    return [(int(source[axis]), int(target[axis]), shape[axis], 0, 0) for axis in range(len(shape))]


def kernel_of(build, name, dims):
    return getattr(build("boxes"), f"{name}{dims}")


@pytest.mark.parametrize("dims", [2, 3, 4])
def test_every_order_of_the_axes(build, dims):
    shape = (5, 3, 4, 2)[:dims]
    x = numbers(int(np.prod(shape)), np.float32)
    for order in permutations(range(dims)):
        loops = dense(shape, order)
        # The same by axes, of which numpy names the outermost first.
        axes = [dims - 1 - axis for axis in order[::-1]]
        np.testing.assert_array_equal(boxed(x, loops), x.reshape(shape[::-1]).transpose(axes).ravel())
        moved(kernel_of(build, "box", dims), x, loops)


@pytest.mark.parametrize("name", WIDTHS)
@pytest.mark.parametrize("order", [(4, 3, 2, 1, 0), (1, 4, 0, 3, 2), (0, 1, 2, 4, 3)])
def test_transposes_of_five_dimensions(build, name, order):
    shape = (3, 4, 2, 5, 3)
    moved(kernel_of(build, name, 5), numbers(int(np.prod(shape)), WIDTHS[name]), dense(shape, order))


@pytest.mark.parametrize("name", WIDTHS)
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (7, 33), (64, 64), (129, 5)])
def test_transposes_of_two_dimensions(build, name, rows, columns):
    x = numbers(rows * columns, WIDTHS[name])
    loops = [(1, rows, columns, 0, 0), (columns, 1, rows, 0, 0)]
    np.testing.assert_array_equal(boxed(x, loops), x.reshape(rows, columns).T.ravel())
    moved(kernel_of(build, name, 2), x, loops)


def test_one_dimension(build):
    x = numbers(100, np.float32)
    for loop in [(1, 1, 100, 0, 0), (3, 1, 30, 0, 0), (0, 1, 40, 0, 0), (1, 1, 9, 4, 11), (2, 1, 1, 0, 255)]:
        moved(build("boxes").box1, x, [loop], fill=9)


@pytest.mark.parametrize("name", WIDTHS)
def test_broadcasts(build, name):
    x = numbers(12, WIDTHS[name])
    rows = [(1, 1, 12, 0, 0), (0, 12, 5, 0, 0)]
    np.testing.assert_array_equal(boxed(x, rows), np.tile(x, 5))
    columns = [(0, 1, 7, 0, 0), (1, 7, 12, 0, 0)]
    np.testing.assert_array_equal(boxed(x, columns), np.repeat(x, 7))
    for loops in (rows, columns):
        moved(kernel_of(build, name, 2), x, loops)
    moved(
        kernel_of(build, name, 5),
        x,
        [(0, 1, 3, 0, 0), (1, 3, 4, 0, 0), (0, 12, 2, 0, 0), (4, 24, 3, 0, 0), (0, 72, 2, 0, 0)],
    )


@pytest.mark.parametrize("name", ["bytes", "shorts", "box"])
@pytest.mark.parametrize(("inner", "outer"), [((1, 0), (0, 2)), ((3, 5), (1, 1)), ((0, 255), (0, 0))])
def test_pads_that_hold_a_constant(build, name, inner, outer):
    x = numbers(4 * 6, WIDTHS[name])
    width = 6 + sum(inner)
    moved(kernel_of(build, name, 2), x, [(1, 1, 6, *inner), (6, width, 4, *outer)], fill=99)
    # Transposed: pads go with their dimension.
    height = 4 + sum(outer)
    moved(kernel_of(build, name, 2), x, [(1, height, 6, *inner), (6, 1, 4, *outer)], fill=99)


def test_pads_of_64_bits_hold_zeros(build):
    x = numbers(24, np.int64)
    moved(build("boxes").longs2, x, [(1, 1, 6, 2, 1), (6, 9, 4, 0, 3)])


@pytest.mark.parametrize(("name", "dtype"), [("bytes", np.uint8), ("shorts", np.int16), ("floats", np.float32)])
def test_pads_that_hold_the_nearest_element(build, name, dtype):
    x = numbers(3 * 4 * 5, dtype)
    for pads in (((1, 2), (0, 0), (0, 0)), ((0, 0), (3, 1), (2, 0)), ((2, 2), (1, 1), (1, 3))):
        sizes = [size + sum(pad) for size, pad in zip((5, 4, 3), pads, strict=True)]
        loops = [
            (1, 1, 5, *pads[0]),
            (5, sizes[0], 4, *pads[1]),
            (20, sizes[0] * sizes[1], 3, *pads[2]),
        ]
        moved(getattr(build("boxes"), f"nearest_{name}"), x, loops, fill=77, nearest=True)


def test_pads_of_the_configuration_replace_those_of_each_dimension(build):
    x = numbers(24, np.float32)
    asked = np.array([(1, 1, 6, 9, 9), (6, 9, 4, 9, 0)], np.int64)
    expected = boxed(x, [(1, 1, 6, 2, 1), (6, 9, 4, 2, 1)], fill=5)
    got = run(build("boxes").same_pads, x, np.zeros_like(expected), asked, x.size, expected.size, 5, outputs=(1,))
    same(got, expected)


@pytest.mark.parametrize(("rows", "columns", "pitch"), [(3, 8, 8), (5, 7, 9), (2, 30, 64)])
def test_what_lies_between_rows_stays(build, rows, columns, pitch):
    x = numbers(rows * columns, np.float32).reshape(rows, columns)
    expected = np.zeros((rows, pitch), np.float32)
    expected[:, :columns] = x + 1
    same(run(build("boxes").gaps, x, np.zeros_like(expected), rows, columns, pitch, outputs=(1,)), expected)
