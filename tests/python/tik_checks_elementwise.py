# SPDX-License-Identifier: Apache-2.0
"""Checks of the programs that work element by element."""

import numpy as np
from tik_program_checks import LATER, NOT_310, floats, halves, once, program, reals


@program(length=3000, dtype="float16")
@program(length=61, dtype="float32")
@program(length=1024, dtype="int32")
@program(LATER, length=2047, dtype="int16")
def add_tail(rng, chip, length, dtype):
    shape = -(-length * np.dtype(dtype).itemsize // 32) * 32 // np.dtype(dtype).itemsize
    x, y = (rng.integers(-9000, 9000, shape).astype(dtype) for _ in range(2))
    sums = x + y
    # Beyond the length lies what was moved with the last block.
    sums[length:] = x[length:]
    return {"x_gm": x, "y_gm": y}, [sums]


@program(rows=12)
@program(rows=24)
def add_columns(rng, chip, rows):
    src = halves(rng, rows, 32)
    return {"src_gm": src}, [src[:, :16] + src[:, 16:]]


@program(dtype="float32")
@program(dtype="float16")
def axpy(rng, chip, dtype):
    x, y = (reals(rng, dtype, 8, 5, 256) for _ in range(2))
    real = np.dtype(dtype).type
    return {"x_gm": x, "y_gm": y}, [(y + x * real(0.75)) + real(-2.5)]


@program()
def sigmoid(rng, chip):
    x = halves(rng, 6, 128)
    return {"x_gm": x}, [once(lambda e: 1 / e, once(np.exp, -x) + np.float16(1))]


@program(NOT_310)
def gelu(rng, chip):
    x = halves(rng, 3, 192, low=-6, high=6)
    wide = x.astype(np.float32)
    bottom = once(np.exp, wide * np.float32(-1.702)) + np.float32(1)
    return {"x_gm": x}, [(wide / bottom).astype(np.float16)]


@program(NOT_310)
def tanh(rng, chip):
    x = floats(rng, 5, 64)
    e = once(np.exp, x * np.float32(-2))
    return {"x": x}, [(np.float32(1) - e) / (np.float32(1) + e)]


@program()
def leaky_relu(rng, chip):
    x = halves(rng, 3, 128)
    return {"x_gm": x}, [np.where(x < 0, x * np.float16(0.125), x), np.where(x > 0, x, np.float16(0))]


@program(LATER, count=300, dtype="int32")
@program(LATER, count=77, dtype="float16")
def clip(rng, chip, count, dtype):
    block = 32 // np.dtype(dtype).itemsize
    x = rng.integers(-100, 100, -(-count // block) * block).astype(dtype)
    y = x.copy()
    y[:count] = x[:count].clip(-30, 45)
    kind = int if dtype == "int32" else float
    return {"x_gm": x, "low": kind(-30), "high": kind(45)}, [y]


@program()
def where_less(rng, chip):
    a, b = halves(rng, 5, 128), halves(rng, 5, 128)
    b[0, ::3] = a[0, ::3]
    return {"a_gm": a, "b_gm": b}, [np.where(a < b, a * a, b)]


@program(LATER)
def threshold(rng, chip):
    x = (rng.integers(-8, 9, (4, 64)) / 4).astype(np.float32)
    over = x >= np.float32(0.5)
    bits = np.packbits(over.reshape(-1), bitorder="little")
    return {"x_gm": x}, [np.where(over, x, np.float32(-1)), np.where(over, np.float32(0.5), x), bits]


@program()
def conjugate(rng, chip):
    z = halves(rng, 2, 64, 2)
    out = z * np.array([1, -1], np.float16)
    out[:, 7::8] = 0
    return {"z_gm": z}, [out]


@program()
def max_pool(rng, chip):
    x = halves(rng, 2, 6, 32, 16)
    return {"x_gm": x}, [x.reshape(2, 3, 2, 16, 2, 16).max(axis=(2, 4))]


@program()
def dropout(rng, chip):
    x, mask = halves(rng, 4, 128), rng.integers(0, 256, (4, 32), dtype=np.uint8)
    kept = np.unpackbits(mask[:, :16], axis=1, bitorder="little").astype(bool)
    return {"x_gm": x, "mask_gm": mask}, [np.where(kept, x * np.float16(1 / 0.75), np.float16(0))]


@program(("Ascend310P3-Vector", "Ascend910B1", "Ascend310B1"))
def pack_colours(rng, chip):
    red, green, blue = planes = rng.integers(0, 256, (3, 128), dtype=np.uint16)
    return {"planes_gm": planes}, [red // 8 * 2048 + green // 4 * 32 + blue // 8, green // 4]


@program(("Ascend910B1", "Ascend310B1"))
def outer_product(rng, chip):
    a, b = floats(rng, 24), floats(rng, 8)
    return {"a_gm": a, "b_gm": b}, [np.outer(a, b)]
