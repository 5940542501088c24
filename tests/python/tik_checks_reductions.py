# SPDX-License-Identifier: Apache-2.0
"""Checks of the programs that reduce: the order of the sums decides bits."""

import numpy as np
from tik_program_checks import NOT_310, floats, halves, once, program, reduce_add, tree


@program(NOT_310)
def softmax(rng, chip):
    x = floats(rng, 4, 320)
    e = once(np.exp, x + -x.max(axis=1, keepdims=True))
    total = reduce_add(e.reshape(4, 5, 64), chip)
    return {"x_gm": x}, [e / total[:, None]]


@program()
def layer_norm(rng, chip):
    x, gamma, beta = floats(rng, 3, 256), floats(rng, 256), floats(rng, 256)
    mean = reduce_add(x.reshape(3, 4, 64), chip) * np.float32(-1 / 256)
    centred = x + mean[:, None]
    variance = reduce_add((centred * centred).reshape(3, 4, 64), chip) * np.float32(1 / 256)
    root = once(lambda v: 1 / np.sqrt(v), variance + np.float32(1e-5))
    return {"x_gm": x, "gamma_gm": gamma, "beta_gm": beta}, [centred * root[:, None] * gamma + beta]


@program()
def argmax(rng, chip):
    x = rng.integers(-40, 41, (9, 128)).astype(np.float16)
    value, index = np.zeros(16, np.float16), np.full(16, -1, np.int32)
    value[:9], index[:9] = x.max(axis=1), x.argmax(axis=1)
    return {"x_gm": x}, [value, index]


@program()
def extremes(rng, chip):
    x = rng.integers(-900, 901, (70, 128)).astype(np.float16)
    out = np.zeros((2, 16), np.float16)
    out[:, 0] = x.max(), x.min()
    out.view(np.uint16)[:, 1] = x.argmax(), x.argmin()
    return {"x_gm": x}, [out]


@program(rows=4, columns=216)
@program(rows=2, columns=640)
def row_sum(rng, chip, rows, columns):
    x = floats(rng, rows, columns)
    whole = columns // 64 * 64
    parts = [tree(x[:, i : i + 64]) for i in range(0, whole, 64)] + [tree(x[:, whole:], lanes=64)]
    total = np.zeros(rows, np.float32)
    for part in parts:
        total = total + part
    return {"x_gm": x}, [np.repeat(total[:, None], 8, axis=1)]


@program()
def block_sum(rng, chip):
    x = halves(rng, 4, 128)
    blocks = x.reshape(4, 8, 16)
    pairs = (x[:, 0::2] + x[:, 1::2]) * np.float16(0.5)
    return {"x_gm": x}, [tree(blocks) * np.float16(1 / 16), pairs, blocks.max(axis=2)]


@program()
def mean_variance(rng, chip):
    x = halves(rng, 2, 40, 16)
    total, squares = np.zeros((2, 16), np.float32), np.zeros((2, 16), np.float32)
    for row in x.astype(np.float32).transpose(1, 0, 2):
        total, squares = total + row, squares + row * row
    mean = total * np.float32(1 / 40)
    return {"x_gm": x}, [mean, squares * np.float32(1 / 40) - mean * mean]


@program()
def l2_normalize(rng, chip):
    x = floats(rng, 2, 8, 64)
    norm = tree(x * x) + np.float32(1e-12)
    return {"x_gm": x}, [x * once(lambda v: 1 / np.sqrt(v), norm)[..., None]]


@program()
def prefix_sum(rng, chip):
    x = rng.integers(-1000, 1000, (10, 64), dtype=np.int32)
    return {"x_gm": x}, [x.cumsum(axis=0, dtype=np.int32), x[0].reshape(8, 8).cumsum(axis=0, dtype=np.int32)]


@program()
def cross_entropy(rng, chip):
    x, target = halves(rng, 16, 128), rng.integers(0, 128, 16, dtype=np.int32)
    sums = tree(once(np.exp, x))
    return {"x_gm": x, "target_gm": target}, [once(np.log, sums) - x[np.arange(16), target]]
