# SPDX-License-Identifier: Apache-2.0
"""Vector programs whose blocks wait for each other."""

import numpy as np
import pytest
from ways import F32, integers, library, near, random, run, softmax


@pytest.fixture(scope="module")
def lib():
    return library("cross")


def words(count):
    return np.zeros(count, np.int32)


@pytest.mark.parametrize("name", ["wide_softmax", "wide_softmax_soft"])
def test_wide_softmax(lib, name):
    x = random(1000)
    y = run(lib[name], 6, x, np.zeros_like(x), np.zeros(96, F32), words(48), 1000)[1]
    near(y, softmax(x))


def test_prefix_sum(lib):
    x = integers(-100, 100, 500)
    assert np.array_equal(run(lib.prefix_sum, 7, x, words(500), words(56), 500)[1], np.cumsum(x))


def test_top_k(lib):
    x = integers(-300, 300, 5 * 128).astype(F32)
    got = run(lib.top_k, 5, x, np.zeros(32, F32), np.zeros(32, np.uint32), np.zeros(5 * 64, F32), words(48))
    order = np.argsort(-x, kind="stable")[:32]
    assert np.array_equal(got[1], x[order])
    assert np.array_equal(got[2], order)


def test_ring(lib):
    assert list(run(lib.ring, 6, words(8), words(8 * 19), 3)[0]) == [3 * 21] * 8


@pytest.mark.parametrize(("name", "line"), [("all_to_all_polled", 16), ("all_to_all_copied", 8)])
def test_all_to_all(lib, name, line):
    blocks, columns = 5, 16
    x = integers(-100, 100, blocks, blocks, columns)
    y = run(lib[name], blocks, x, np.zeros_like(x), np.zeros_like(x), words(blocks * blocks * line), columns)[1]
    assert np.array_equal(y, x.transpose(1, 0, 2))


def test_group_barrier(lib):
    x = integers(-100, 100, 4, 32)
    y = run(lib.group_barrier, 6, x, np.zeros((2, 32), np.int32), np.zeros_like(x), words(256), 32)[1]
    assert np.array_equal(y, (x * x).reshape(2, 2, 32).sum(0))


def test_ordered_sum(lib):
    x = random(12, 64)
    want = np.zeros(64, F32)
    for row in x:
        want += row
    assert np.array_equal(run(lib.ordered_sum, 4, x, np.zeros(64, F32), words(32), 12, 64)[1], want)


def test_exchange(lib):
    y = run(lib.exchange, 2, words(32), words(32))[1]
    assert y.tolist() == [2] * 16 + [1] * 16
