# SPDX-License-Identifier: Apache-2.0
"""Products that meet vector work in other ways than by global memory and IterateAll, bit for bit."""

import numpy as np
import pytest
from steps import HALF, product, softmax_parts, swish, tree
from ways import CHIP, F32, library, random, run

import sfumato
from sfumato import tiling


def plan(m, n, k, **settings):
    return tiling.Matmul(**(dict(chip=CHIP, m=m, n=n, k=k, a="half", b="half", c="float") | settings))


@pytest.mark.parametrize("m", [150, 64, 20])
def test_scores_softmax(m):
    n, k, tile = 80, 64, 32
    a, b = random(m, k, dtype=HALF), random(n, k, seed=2, dtype=HALF)
    data = sfumato.Struct(
        rows=np.uint32(m),
        tile=np.uint32(tile),
        scale=F32(0.125),
        mm=plan(tile, n, k, b="half transposed"),
        softmax=tiling.SoftMax([tile // 2, n], "float"),
    )
    workspace = np.zeros(2 * 2 * tile * n, F32)
    y = run(library("linear_split").scores_softmax, 2, a, b, np.zeros((m, n), F32), workspace, data)[2]
    assert np.array_equal(y, softmax_parts(product(a, b.T) * F32(0.125))[0])


def test_norm_project_silu():
    rows, tile, width, n = 48, 8, 96, 64
    x, gamma, w = (
        random(rows, width, dtype=HALF),
        random(width, seed=2, dtype=HALF),
        random(width, n, seed=3, dtype=HALF),
    )
    w *= HALF(0.25)
    data = sfumato.Struct(
        rows=np.uint32(rows),
        tile=np.uint32(tile),
        epsilon=F32(HALF(1e-3)),
        mm=plan(tile, n, width, a="half VECOUT", c="half VECIN"),
        norm=tiling.RmsNorm([1, tile, width], "half"),
    )
    y = run(library("linear_ub").norm_project_silu, 2, x, gamma, w, np.zeros((rows, n), HALF), data)[3]
    wide = x.astype(F32)
    root = F32(1) / np.sqrt(tree(wide * wide * F32(1 / width)) + F32(HALF(1e-3)))
    normed = (wide * root[:, None] * gamma.astype(F32)).astype(HALF)
    assert np.array_equal(y, swish(product(normed, w).astype(HALF)))


def test_matmul_relu_async():
    m, n, k = 128, 96, 80
    a, b = random(m, k, dtype=HALF), random(k, n, seed=2, dtype=HALF)
    t = plan(m, n, k, c="float VECIN", cores=4, single_m=32, single_n=n, base_m=16, base_n=32)
    c, workspace = np.zeros((m, n), F32), np.zeros((m, n), F32)
    got = run(library("linear_ub").matmul_relu_async, 2, a, b, c, workspace, t)[2]
    assert np.array_equal(got, np.maximum(product(a, b), 0))
