# SPDX-License-Identifier: Apache-2.0
"""Programs that a build and a launch tell what to do: tiling structs and keys, template keys, lists of tensors."""

import numpy as np
import pytest
from ways import F32, WAYS, integers, library, random, run

import sfumato


@pytest.fixture(scope="module")
def lib():
    return library("tiling")


class Keyed:
    """A kernel whose launches all have one tiling key."""

    def __init__(self, kernel, key):
        self.kernel, self.key = kernel, key

    def __getitem__(self, blocks):
        return self.kernel[blocks].options(tiling_key=self.key)


@pytest.mark.parametrize("key", [1, 2, 31])
def test_scale_by_tiling_key(lib, key):
    x = random(5, 24)
    tiling = sfumato.Struct(rows=np.uint32(5), columns=np.uint32(24), factor=F32(1.5), offset=F32(-3))
    y = run(Keyed(lib.scale, key), 2, x, np.zeros_like(x), tiling)[1]
    want = {1: x * F32(1.5), 2: x + F32(-3), 31: x * F32(1.5) + F32(-3)}[key]
    assert np.array_equal(y, want)


@pytest.mark.parametrize(
    ("template", "dtype", "operation"),
    [
        ({"T": "float", "OPERATION": 1, "NEGATE": True}, F32, lambda a, b: -(a * b)),
        ({"T": "half", "OPERATION": 0, "NEGATE": False}, np.float16, np.add),
        ({"T": "int32_t", "OPERATION": 2, "NEGATE": True}, np.int32, lambda a, b: -np.maximum(a, b)),
    ],
)
def test_combine_by_template_key(template, dtype, operation):
    kernel = library("tiling", tuple(template.items())).combine
    x = integers(-20, 20, 5, 2, 32).astype(dtype)
    y = run(kernel, 2, x, np.zeros((5, 32), dtype), 5, 32)[1]
    assert np.array_equal(y, operation(x[:, 0], x[:, 1]))


def test_concat(lib):
    parts = [random(6, width, seed=width) for width in (3, 16, 29)]
    y = run(lib.concat, 4, parts, np.zeros((6, 48), F32), 6, 48)[1]
    assert np.array_equal(y, np.concatenate(parts, axis=1))


def test_foreach_axpy(lib):
    shapes = [(5,), (3, 7), (2, 3, 4), (64,)]
    xs = [integers(-9, 9, *shape).astype(F32) for shape in shapes]
    ys = [integers(-9, 9, *shape, seed=4).astype(F32) for shape in shapes]
    got = run(lib.foreach_axpy, 3, xs, ys, F32(0.5), 64)[1]
    for x, y, result in zip(xs, ys, got):
        assert np.array_equal(result, y + x * F32(0.5))


def test_every_way_is_run():
    assert len(WAYS) == 28 + 6
