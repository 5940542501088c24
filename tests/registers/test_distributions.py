# SPDX-License-Identifier: Apache-2.0
"""Every distribution of loads and stores (arch950.md 2.5, tables L and S), and every pattern of masks (2.3)."""

import numpy as np
from conftest import run, same

X = np.random.default_rng(3).integers(0, 256, 512).astype(np.uint8)
UNTOUCHED = 0xAA


def words(width, start=0, count=None):
    """Elements of `width` bytes from a byte on, as rows of bytes."""
    part = X[start:] if count is None else X[start : start + width * count]
    return part.reshape(-1, width)


def spaced(width, lane):
    """Each element in a lane of `lane` bytes, the rest of which is 0."""
    lanes = np.zeros((256 // lane, lane), np.uint8)
    lanes[:, :width] = words(width, 0, 256 // lane)
    return lanes.reshape(-1)


def test_loads(build):
    rows = [X[:256], np.full(256, X[3]), np.tile(X[6:8], 128), np.tile(X[4:8], 64)]
    rows += [np.repeat(words(w, 0, 128 // w), 2, axis=0).reshape(-1) for w in (1, 2)]
    rows += [words(w)[0::2].reshape(-1) for w in (1, 2)]
    rows += [spaced(1, 2), spaced(2, 4), spaced(4, 8), spaced(1, 4)]
    rows += [np.tile(X[32:64], 8)]
    rows += [np.repeat(words(w, at, 8), 32 // w, axis=0).reshape(-1) for w, at in ((2, 16), (4, 32))]
    rows += [words(w)[half::2].reshape(-1) for w in (1, 2, 4) for half in (0, 1)]
    same(run(build("distributions").loads, X, np.zeros((21, 256), np.uint8), outputs=(1,)), np.array(rows))


def stored(width, kept, at=0, first=False):
    """Elements of `width` bytes, of which `kept` go to memory: every third one, or the first alone."""
    row = np.full(512, UNTOUCHED, np.uint8)
    for i, element in enumerate(words(width, 0, 256 // width)):
        if i == 0 if first else i % 3 == 0:
            row[at + i * kept : at + (i + 1) * kept] = element[:kept]
    return row


def test_stores(build):
    rows = [stored(w, w) for w in (8, 1, 2, 4)]
    rows += [stored(w, w, at, first=True) for w, at in ((1, 5), (2, 6), (4, 12))]
    rows += [stored(w, kept) for w, kept in ((2, 1), (4, 2), (8, 4), (4, 1))]
    for w in (1, 2, 4):
        halves = words(w).reshape(2, -1, w)
        rows.append(np.stack([halves[0], halves[1]], axis=1).reshape(-1))
    same(run(build("distributions").stores, X, np.zeros((14, 512), np.uint8), outputs=(1,)), np.array(rows))


def test_patterns_of_masks(build):
    rows = []
    for width in (1, 2, 4, 8):
        lanes = 256 // width
        lane = np.arange(lanes)
        on = [lane < lanes, *(lane < n for n in (1, 2, 3, 4, 8, 16, 32, 64, 128))]
        on += [lane % 3 == 0, lane % 4 == 0, lane < lanes // 2, lane < lanes // 4, lane < 0]
        for each in on:
            bits = np.zeros((lanes, width), bool)
            bits[:, 0] = each
            rows.append(np.packbits(bits.reshape(-1), bitorder="little"))
    same(run(build("distributions").patterns, np.zeros((60, 32), np.uint8), outputs=(0,)), np.array(rows))
