# SPDX-License-Identifier: Apache-2.0
"""Mask registers: in memory, among each other, what they squeeze; lanes that change places in registers."""

import numpy as np
import pytest
from conftest import run, same

RNG = np.random.default_rng(31)


@pytest.mark.parametrize("n", [1, 30, 64, 65, 200, 500])
@pytest.mark.parametrize(("kernel", "dtype"), [("compact_float", np.float32), ("compact_int16", np.int16)])
def test_compaction(build, n, kernel, dtype):
    x = RNG.integers(-5, 6, n).astype(dtype)
    y, count = run(getattr(build("masks"), kernel), x, np.zeros(n, dtype), np.zeros(1, np.int32), n, outputs=(1, 2))
    kept = x[x > 0]
    assert count[0] == len(kept)
    same(y, np.concatenate([kept, np.zeros(n - len(kept), dtype)]))


def bits_of(on, width):
    """The 32 bytes of a mask register in which the lowest bit of an element of `width` bytes is set where it is on."""
    wide = np.zeros((len(on), width), bool)
    wide[:, 0] = on
    return np.packbits(wide.reshape(-1), bitorder="little")


@pytest.mark.parametrize("n", [1, 64, 130, 256])
def test_bits_in_memory(build, n):
    x, y = (RNG.integers(-2, 3, n).astype(np.float32) for _ in range(2))
    rounds = -(-n // 64)
    masks, packed, chosen = run(
        build("masks").bits,
        x,
        y,
        np.zeros(32 * rounds, np.uint8),
        np.zeros(2 * rounds, np.uint32),
        np.zeros(n, np.float32),
        n,
        outputs=(2, 3, 4),
    )
    greater = np.zeros(64 * rounds, bool)
    greater[:n] = x > y
    same(masks, bits_of(greater, 4))
    same(packed.view(np.uint8), np.packbits(greater, bitorder="little"))
    same(chosen, np.where(x > y, x, y))


def test_masks_of_packed_bits(build):
    x, w = RNG.standard_normal(64).astype(np.float32), RNG.standard_normal(128).astype(np.float16)
    words = RNG.integers(0, 2**32, 64).astype(np.uint32)
    on = np.unpackbits(words.view(np.uint8), bitorder="little").astype(bool)
    y, z = run(build("masks").dropout, x, w, words, np.zeros(64, np.float32), np.zeros(128, np.float16), outputs=(3, 4))
    same(y, np.where(on[64:128], x, np.float32(0)))
    same(z, np.where(on[:128], w, np.float16(0)))


def test_logic_of_masks(build):
    x = RNG.standard_normal(128).astype(np.float16)
    y, seen = run(build("masks").halves, x, np.zeros(128, np.float32), np.zeros(256, np.uint8), outputs=(1, 2))
    below = x < 0
    low = np.where(below[:64], np.float32(2), np.float32(0))
    same(y, np.concatenate([low, np.where(below[64:], np.float32(1), low)]))
    third, half = np.arange(128) % 3 == 0, np.arange(128) < 64
    rows = [below, ~below, below & third, below ^ third, np.where(half, third, below)]
    packed = np.concatenate([np.packbits(below, bitorder="little"), np.zeros(16, np.uint8)])
    woven = np.stack([below, third], axis=1).reshape(-1)
    same(seen, np.concatenate([*(bits_of(row, 2) for row in rows), packed, bits_of(woven, 2)]))


def test_lanes_change_places(build):
    x = RNG.integers(-(2**31), 2**31, 128, np.int64).astype(np.int32)
    a, b = x[:64], x[64:]
    lane = np.arange(64)
    third = a[::3]
    got = run(build("masks").lanes, x, np.zeros((8, 64), np.int32), outputs=(1,))
    rows = [
        np.stack([a, b], axis=1).reshape(2, 64)[0],
        np.stack([a, b], axis=1).reshape(2, 64)[1],
        x[0::2],
        x[1::2],
        a[::-1],
        np.where(lane % 4 == 0, b, a[::-1]),
        np.concatenate([third, np.zeros(64 - len(third), np.int32)]),
        np.where(lane < 16, a[0], 0),
    ]
    same(got, np.array(rows, np.int32))


@pytest.mark.parametrize("n", [1, 64, 100, 300])
def test_arange(build, n):
    lane = np.arange(n)
    same(run(build("masks").arange_int32, np.zeros(n, np.int32), -5, n, outputs=(0,)), (lane - 5).astype(np.int32))
    same(run(build("masks").arange_int8, np.zeros(n, np.int8), 100, n, outputs=(0,)), (lane + 100).astype(np.int8))
    down = 3 + lane // 64 * 64 + 63 - lane % 64
    got = run(build("masks").arange_float_down, np.zeros(n, np.float32), 3, n, outputs=(0,))
    same(got, down.astype(np.float32))
