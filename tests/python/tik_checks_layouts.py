# SPDX-License-Identifier: Apache-2.0
"""Checks of the programs that only move, transpose or repeat data."""

import numpy as np
from tik_program_checks import LATER, halves, program


@program()
def transpose_matrix(rng, chip):
    src = halves(rng, 48, 32)
    return {"src_gm": src}, [src.T]


@program(shape=(3, 32, 4, 12))
@program(shape=(2, 48, 4, 4))
def permute_nchw_nhwc(rng, chip, shape):
    x = halves(rng, *shape)
    return {"x_gm": x}, [x.transpose(0, 2, 3, 1)]


@program()
def nchw_to_nc1hwc0(rng, chip):
    x = halves(rng, 20, 64)
    padded = np.concatenate([x, np.zeros((12, 64), np.float16)])
    return {"x_gm": x}, [padded.reshape(2, 16, 64).transpose(0, 2, 1)]


@program(dtype="int8")
@program(dtype="uint8")
def transpose_bytes(rng, chip, dtype):
    src = rng.integers(-128, 128, (32, 32)).astype(dtype)
    return {"src_gm": src}, [src.T]


@program(LATER, dtype="int32")
@program(LATER, dtype="float32")
def transpose_words(rng, chip, dtype):
    src = rng.integers(-(2**30), 2**30, (16, 40)).astype(dtype)
    return {"src_gm": src}, [src.T]


@program()
def pad_border(rng, chip):
    x = halves(rng, 3, 5, 6, 16)
    return {"x_gm": x}, [np.pad(x, ((0, 0), (1, 1), (2, 2), (0, 0)), constant_values=-1.5)]


@program(dtype="float16")
@program(dtype="int8")
@program(dtype="int64")
def concat_split(rng, chip, dtype):
    block = 32 // np.dtype(dtype).itemsize
    edges = [block, 4 * block]
    parts = [rng.integers(-99, 99, (6, n * block)).astype(dtype) for n in (1, 3, 2)]
    whole = rng.integers(-99, 99, (6, 6 * block)).astype(dtype)
    feed = {"whole_gm": whole, **{f"part_{i}": part for i, part in enumerate(parts)}}
    return feed, [np.concatenate(parts, axis=1), *np.split(whole, edges, axis=1)]


@program()
def tile_rows(rng, chip):
    x = halves(rng, 5, 128)
    return {"x_gm": x}, [np.repeat(x[:, None], 7, axis=1)]


@program()
def strided_slice(rng, chip):
    x = halves(rng, 14, 80)
    return {"x_gm": x}, [x[1::2, 16:48]]


@program(("Ascend910B1", "Ascend310B1"))
def scale_ragged(rng, chip):
    x = halves(rng, 6, 13)
    first = np.full(16, -14, np.float16)
    first[:13] = x[0] * 2
    return {"x_gm": x}, [x * 2, first]


@program()
def upsample(rng, chip):
    x = halves(rng, 4, 3, 10, 16)
    y = (x * np.float16(0.25)).repeat(2, axis=1).repeat(2, axis=2)
    return {"x_gm": x}, [y.reshape(4, 3, 2, 20, 16)]


@program(("Ascend310P3", "Ascend310P3-Vector"), dtype="uint8", channels=3)
@program(("Ascend310P3", "Ascend310P3-Vector"), dtype="float16", channels=4)
def image_to_planes(rng, chip, dtype, channels):
    image = rng.integers(0, 256, (96, channels)).astype(dtype)
    return {"image_gm": image}, [image.T, image]
