# SPDX-License-Identifier: Apache-2.0
"""Products by the high-level Matmul in kernels of the cube alone, bit for bit."""

import numpy as np
import pytest
from steps import HALF, product
from ways import CHIP, F32, integers, library, random, run

import sfumato
from sfumato import tiling


@pytest.fixture(scope="module")
def lib():
    return library("linear_cube")


def test_matmul_dequant_vector(lib):
    m, n, k = 70, 112, 160
    a, b = integers(-128, 128, m, k).astype(np.int8), integers(-128, 128, k, n, seed=3).astype(np.int8)
    words = (np.abs(random(n)) * F32(1e-3)).view(np.uint32) & np.uint32(0xFFFFE000)
    t = tiling.Matmul(chip=CHIP, m=m, n=n, k=k, a="int8", b="int8", c="half", cores=3, single_m=m, single_n=48)
    c = run(lib.matmul_dequant_vector, 3, a, b, words.astype(np.uint64), np.zeros((m, n), HALF), t)[3]
    sums = (a.astype(np.int32) @ b.astype(np.int32)).astype(np.float64)
    assert np.array_equal(c, (sums * words.view(F32).astype(np.float64)).astype(HALF))


def test_matmul_split_k(lib):
    m, n, k = 40, 56, 200
    a, b, c = (integers(-5, 6, *shape, seed=i) for i, shape in enumerate([(k, m), (k, n), (m, n)]))
    t = tiling.Matmul(chip=CHIP, m=m, n=n, k=k, a="half transposed", b="half", c="float", cores=4, single_m=m,
                      single_n=n, single_k=64, split_k=True)  # fmt: skip
    got = run(lib.matmul_split_k, 4, a.astype(HALF), b.astype(HALF), c.astype(F32), t)[2]
    assert np.array_equal(got, c + a.T @ b)


def test_batch_scores(lib):
    batches, heads, rows, columns, width = 3, 4, 24, 40, 32
    q = random(batches, rows, heads, width, dtype=HALF)
    k = random(batches, columns, heads, width, seed=2, dtype=HALF)
    t = tiling.Matmul(
        **dict(chip=CHIP, m=rows, n=columns, k=width, a="half", b="half transposed", c="float", batch=heads),
        a_layout=(batches, rows, heads, 1, width),
        b_layout=(batches, columns, heads, 1, width),
        c_layout=(batches, rows, heads, 1, columns),
    )
    c = run(lib.batch_scores, 2, q, k, np.zeros((batches, rows, heads, columns), F32), t)[2]
    for batch in range(batches):
        for head in range(heads):
            assert np.array_equal(c[batch, :, head], product(q[batch, :, head], k[batch, :, head].T))


# A piece of 75 rows in blocks of 32; blocks of one row, which no callback leaves as a vector.
@pytest.mark.parametrize(("m", "base_m"), [(75, 32), (65, 32), (1, 16), (17, 16)])
def test_gather_matmul(lib, m, base_m):
    n, k, table = 48, 80, 200
    a, b, rows = random(table, k, dtype=HALF), random(k, n, seed=2, dtype=HALF), integers(0, table, m)
    t = tiling.Matmul(chip=CHIP, m=m, n=n, k=k, a="half", b="half", c="float", cores=2,
                      single_m=-(-m // 2) if m > 32 else m, single_n=n, base_m=base_m, base_n=16)  # fmt: skip
    data = sfumato.Struct(table_rows=np.uint32(table), mm=t)
    c = run(lib.gather_matmul, 2, a, rows, b, np.zeros((m, n), F32), data)[3]
    assert np.array_equal(c, product(a[rows], b))
