# SPDX-License-Identifier: Apache-2.0
"""Checks of the programs that go by indices."""

import numpy as np
from tik_program_checks import ALL, ATOMIC_FLOATS, LATER, NOT_310, floats, program, reals, tree


@program(dtype="float16", count=22)
@program(dtype="float32", count=5)
def embedding(rng, chip, dtype, count):
    table = reals(rng, dtype, 30, 32)
    index = np.zeros(-(-count // 8) * 8, np.int32)
    index[:count] = rng.integers(0, 30, count)
    return {"table_gm": table, "index_gm": index}, [table[index[:count]]]


@program(ATOMIC_FLOATS)
def scatter_nd_add(rng, chip):
    index = rng.integers(0, 12, 64).astype(np.int32)
    update = rng.integers(-99, 99, (64, 24)).astype(np.float32)
    out = np.zeros((12, 24), np.float32)
    np.add.at(out, index, update)
    return {"index_gm": index, "update_gm": update}, [out]


@program(ATOMIC_FLOATS, dtype="float32")
@program(("Ascend910B1", "Ascend310B1"), dtype="int32")
def histogram(rng, chip, dtype):
    x = rng.integers(-10, 74, (4, 48), dtype=np.int32)
    inside = x[(x >= 0) & (x < 64)]
    return {"x_gm": x}, [np.bincount(inside, minlength=64).astype(dtype)]


@program()
def unsorted_segment_sum(rng, chip):
    x, ids = floats(rng, 20, 4, 16), np.zeros(24, np.int32)
    ids[:20] = rng.integers(-1, 6, 20)
    y = np.zeros((5, 4, 16), np.float32)
    for i in range(20):
        if 0 <= ids[i] < 5:
            y[ids[i]] = y[ids[i]] + x[i]
    return {"x_gm": x, "id_gm": ids}, [y]


@program()
def one_hot(rng, chip):
    index = rng.integers(-4, 44, 24, dtype=np.int32)
    out = np.where(np.arange(40) == index[:21, None], 7, -1).astype(np.int32)
    return {"index_gm": index, "on": 7, "off": -1}, [out]


@program(count=256)
@program(count=312)
def arange(rng, chip, count):
    return {"start": -5, "step": 3}, [-5 + 3 * np.arange(count, dtype=np.int32)]


@program(LATER)
def gather_elements(rng, chip):
    x, index = floats(rng, 3, 128), rng.integers(0, 128, (3, 128), dtype=np.int32)
    return {"x_gm": x, "index_gm": index}, [np.take_along_axis(x, index, axis=1)]


@program(LATER)
def masked_select(rng, chip):
    x = floats(rng, 3, 64)
    kept, count = np.zeros(192, np.float32), np.zeros(8, np.int32)
    chosen = x[x > 0]
    kept[: chosen.size], count[0] = chosen, chosen.size
    return {"x_gm": x}, [kept.reshape(3, 64), count, x[:, 0::2], x[:, 1::2]]


@program(NOT_310)
def nll_loss(rng, chip):
    x, weight = floats(rng, 40, 16), floats(rng, 16, low=0.5, high=2)
    target = rng.integers(0, 16, 40, dtype=np.int32)
    target[::7] = -100
    used = target != -100
    picked, weights = (np.zeros(64, np.float32) for _ in range(2))
    picked[:40][used] = x[used, target[used]]
    weights[:40][used] = weight[target[used]]
    top, bottom = tree(picked * weights), tree(weights)
    loss = np.zeros(8, np.float32)
    loss[0] = -top / bottom
    return {"x_gm": x, "target_gm": target, "weight_gm": weight}, [loss]


@program()
def resize_nearest(rng, chip):
    x = reals(rng, "float16", 5, 7, 16)
    return {"x_gm": x}, [x[np.arange(8) * 5 // 8][:, np.arange(12) * 7 // 12]]


@program(("Ascend310P3", "Ascend310P3-Vector", "Ascend310B1"))
def invert_permutation(rng, chip):
    x, p = floats(rng, 128), rng.permutation(128).astype(np.int32)
    return {"x_gm": x, "p_gm": p}, [x[np.argsort(p)]]


@program(("Ascend310P3-Vector", "Ascend310B1"))
def ramp(rng, chip):
    x = floats(rng, 5, 64)
    return {"x_gm": x}, [x + np.arange(64, dtype=np.float32) * np.float32(0.25)]


@program(ALL[1:])
def sample_line(rng, chip):
    x, f = floats(rng, 64), np.float32
    places = f(0.75) + np.arange(48, dtype=np.float32) * f(1.28)
    whole = np.floor(places).astype(np.int32)
    left, right = x[whole], x[whole + 1]
    feed = {"x_gm": x, "start": 0.75, "step": float(f(1.28))}
    return feed, [left + (right - left) * (places - whole.astype(np.float32))]
