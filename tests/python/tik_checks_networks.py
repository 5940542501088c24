# SPDX-License-Identifier: Apache-2.0
"""Checks of the steps of networks: normalisation, optimisers, quantisation."""

import numpy as np
from tik_program_checks import NOT_310, floats, halves, program


@program(NOT_310)
def batch_norm(rng, chip):
    x, mean = floats(rng, 3, 24, 16), floats(rng, 3, 16)
    variance, gamma, beta = floats(rng, 3, 16, low=0.1, high=3), floats(rng, 3, 16), floats(rng, 3, 16)
    factor = gamma / np.sqrt(variance + np.float32(1e-3))
    feed = {"x_gm": x, "mean": mean, "variance": variance, "gamma": gamma, "beta": beta, "epsilon": 1e-3}
    return feed, [x * factor[:, None] + (beta - mean * factor)[:, None]]


@program()
def sgd(rng, chip):
    var, accum, grad = (floats(rng, 8, 128) for _ in range(3))
    after = grad + accum * np.float32(0.875)
    feed = {"var_gm": var, "accum_gm": accum, "grad_gm": grad, "rate": 0.1}
    return feed, [var + after * np.float32(-0.1), after]


@program(NOT_310)
def adam(rng, chip):
    var, m, grad, v = floats(rng, 320), floats(rng, 320), floats(rng, 320), floats(rng, 320, low=0.1)
    m2 = m * np.float32(0.875) + grad * np.float32(0.125)
    v2 = v * np.float32(0.9375) + grad * grad * np.float32(0.0625)
    step = m2 / (np.sqrt(v2) + np.float32(1e-6)) * np.float32(0.01)
    return {"var": var, "m": m, "v": v, "grad": grad, "rate": 0.01}, [var - step, m2, v2]


@program()
def quantize(rng, chip):
    x = halves(rng, 4, 128, low=-11, high=11)
    scaled = x * np.float16(12.5) + np.float16(-3)
    q = np.rint(scaled).clip(-128, 127).astype(np.int8)
    return {"x_gm": x}, [q, (q.astype(np.float16) + np.float16(3)) * np.float16(0.08)]


@program(("Ascend310P3", "Ascend310P3-Vector", "Ascend910B1"))
def requantize(rng, chip):
    a, b = (rng.integers(-1200, 1200, 128).astype(np.int16) for _ in range(2))
    low, high = ((np.rint(x * 0.25).clip(-256, 255) + 5).clip(-128, 127).astype(np.int8) for x in (a, b))
    return {"a_gm": a, "b_gm": b}, [np.stack([low.reshape(8, 16), high.reshape(8, 16)], axis=1).reshape(-1)]


@program(NOT_310)
def cast_chain(rng, chip):
    x = (rng.integers(-2000, 2000, 128) / 8).astype(np.float16)
    real = x.astype(np.float32) * np.float32(1.5)
    whole = np.stack([np.rint(real), np.floor(real), np.ceil(real), np.trunc(real)]).astype(np.int32)
    return {"x_gm": x}, [whole, (whole * 2.0).astype(np.float16)]


@program()
def reinterpret_bits(rng, chip):
    x, w = halves(rng, 128), floats(rng, 64)
    x[:2] = -0.0, np.nan
    top = (w.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
    sign = np.signbit(x).astype(np.uint16) << np.uint16(15)
    return {"x_gm": x, "w_gm": w}, [np.abs(x), sign, top]


@program(NOT_310)
def box_iou(rng, chip):
    low, size = rng.uniform(0, 8, (2, 2, 128)).astype(np.float16), rng.uniform(1, 8, (2, 2, 128)).astype(np.float16)
    boxes = np.concatenate([low, low + size])
    reference = np.zeros(16, np.float16)
    reference[:4] = 3, 2, 9, 8.5
    x1, y1, x2, y2 = (np.float16(v) for v in reference[:4])
    wide = np.maximum(np.minimum(boxes[2], x2) - np.maximum(boxes[0], x1), np.float16(0))
    tall = np.maximum(np.minimum(boxes[3], y2) - np.maximum(boxes[1], y1), np.float16(0))
    area = (boxes[2] - boxes[0]) * (boxes[3] - boxes[1]) + (x2 - x1) * (y2 - y1)
    return {"boxes_gm": boxes, "reference_gm": reference}, [wide * tall / (area - wide * tall)]
