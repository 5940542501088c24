#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An all-to-all by counts on eight ranks, three times in a row, compared with NumPy; then the same with a mistake."""

import os
from pathlib import Path

import numpy as np

import sfumato

CHIP, RANKS, MOST = "Ascend910_9392", 8, 64
SOURCE = os.path.relpath(Path(__file__).with_name("all_to_all.cpp"))  # as reports show it


def run(lib, counts):
    """counts[r][s]: how many rows rank r sends to rank s. What each rank has afterwards, and how many came from each."""
    with sfumato.ranks(RANKS, chip=CHIP, window_mb=1) as world:
        src = world.arrays(lambda r: r * 1000 + np.arange(RANKS * MOST, dtype=np.int32))
        dst = world.arrays(lambda r: np.zeros((RANKS, MOST), np.int32))
        received = world.arrays(lambda r: np.zeros((RANKS, 8), np.int32))
        arguments = lambda r: (src[r], counts[r], dst[r], received[r], world.context("world", r), MOST)  # noqa: E731
        world.launch(lib.all_to_all, blocks=1, args=arguments, repeat=3)
    return [a.numpy() for a in dst], [a.numpy()[:, 1] for a in received]


def main():
    counts = np.random.default_rng(1).integers(0, MOST + 1, (RANKS, RANKS), dtype=np.int32)
    counts[2] = 0  # rank 2 has nothing to send
    dst, received = run(sfumato.compile(SOURCE, chip=CHIP), counts)
    right = 0
    for r in range(RANKS):
        for s in range(RANKS):
            sent = s * 1000 + r * MOST + np.arange(counts[s, r])
            right += received[r][s] == counts[s, r] and np.array_equal(dst[r][s][: counts[s, r]], sent)
    print(f"{right} of {RANKS * RANKS} pairs of ranks have what was sent")

    try:
        run(sfumato.compile(SOURCE, chip=CHIP, defines={"SKIP_EMPTY": 1}), counts)
    except sfumato.KernelError as error:
        print(error.report)


if __name__ == "__main__":
    main()
