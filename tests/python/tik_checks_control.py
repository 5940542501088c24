# SPDX-License-Identifier: Apache-2.0
"""Checks of the programs about control: run-time tiling, cores together, scalars, loops that end early."""

import math

import numpy as np
from tik_program_checks import floats, halves, program, reduce_add


@program()
def dynamic_add(rng, chip):
    # Full pieces, tails, cores without work, less than a repeat.
    for cores, per_core, last, per_loop in ((5, 400, 211, 128), (8, 64, 64, 64), (1, 0, 5, 64), (2, 1032, 1000, 504)):
        count = (cores - 1) * per_core + last
        x, y = floats(rng, -(-count // 8) * 8), floats(rng, -(-count // 8) * 8)
        x[count:] = y[count:] = 0  # moved with the last block, not computed
        tiling = np.array([cores, per_core, last, per_loop], np.int64)
        yield {"x_gm": x, "y_gm": y, "z_gm": np.empty_like(x), "tiling_gm": tiling}, [x + y]


@program()
def global_normalize(rng, chip):
    cores = {"Ascend310": 2, "Ascend310B1": 1}.get(chip, 4)
    x = floats(rng, cores, 768 // cores, low=0.5, high=2)
    total = np.float32(0)
    for part in reduce_add(x.reshape(cores, -1, 64), chip):
        total = total + part
    return {"x_gm": x}, [x * (np.float32(1) / total)]


@program()
def first_above(rng, chip):
    x = rng.integers(0, 100, (6, 40), dtype=np.int32)
    x[4] //= 2
    over = x > 96
    at = np.repeat(np.where(over.any(axis=1), over.argmax(axis=1) + 1, 40)[:, None], 8, axis=1).astype(np.int32)
    at[:, 0] = np.where(over.any(axis=1), over.argmax(axis=1), -1)
    return {"x_gm": x, "limit": 96}, [at]


@program()
def integer_math(rng, chip):
    x = rng.integers(-5000, 5000, 32, dtype=np.int32)
    rows = []
    for v in x.tolist():
        size, root = abs(v), math.isqrt(abs(v))
        quotient = size // 7 if v >= 0 else -(size // 7)
        branch = -v if v <= 0 else 3 * v + 1 if v % 2 else v // 2
        rows.append([quotient, v - 7 * quotient, (v << 3) ^ (v >> 2), root, bin(size).count("1"), min(v, root), branch])
    return {"x_gm": x}, [np.array(rows, np.int32).T]


@program()
def running_counts(rng, chip):
    key = rng.integers(0, 10, 64, dtype=np.int32)
    order = np.argsort(key, kind="stable").astype(np.int32)
    return {"key_gm": key}, [key[order], order]


@program()
def tiled_by_space(rng, chip):
    bytes_of_ub = {"Ascend310": 253952, "Ascend910B1": 196608, "Ascend310B1": 253952}.get(chip, 262144)
    rows = min((bytes_of_ub - 256) // 512, 255)
    x = halves(rng, 3 * rows, 128)
    table = (1 + np.arange(128) / 128).astype(np.float16) * np.float16(0.5)
    return {"x_gm": x}, [x * table]
