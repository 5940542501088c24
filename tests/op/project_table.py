# SPDX-License-Identifier: Apache-2.0
"""The operator projects of projects/: on which chips, and for which cases; a case makes inputs, attributes and what
comes out, in the types and the order of steps that docs/spec gives."""

from dataclasses import dataclass
from typing import Any
from collections.abc import Callable

import numpy as np
import sfumato
from ml_dtypes import bfloat16
from project_oracles import f16, f32, sum_of_rows

SHAPES = [(1,), (7,), (16,), (33,), (1000,), (3, 5, 7), (2, 2048), (40, 4099), (0,), (4, 0, 3)]
ALIGNED = [(16,), (32,), (48,), (1024,), (3, 5, 16), (2, 2048), (40, 4112), (7, 16), (0,), (4, 0, 16)]
A2, P = "Ascend910B1", "Ascend310P3"


@dataclass(frozen=True)
class Project:
    name: str
    make: Callable[..., tuple[list, dict[str, Any], Any]]  # of a generator and a case: inputs, attributes, outputs
    chips: dict[str, list]
    folder: str = ""
    sample: bool = False

    def __post_init__(self):
        object.__setattr__(self, "folder", self.folder or self.name)


def copied(x):
    """The input again: kernels may write to it."""
    return [copied(t) for t in x] if isinstance(x, list) else x.copy() if isinstance(x, np.ndarray) else x


def normal(rng, shape, dtype):
    return rng.standard_normal(shape).astype(dtype)


def whole(rng, shape, dtype, most):
    """Whole numbers: their sums and products are exact."""
    return rng.integers(-most, most + 1, shape).astype(dtype)


POLYNOMIALS = [
    {"coeffs": [0.5]},
    {"coeffs": [0.25, -1.5], "repeat": 3},
    {"coeffs": [0.1, 2.0, -0.3, 0.7], "clip": True},
    {"coeffs": [0.0, 1.0], "activation": "relu"},
    {"coeffs": [-1.0, 0.3, 0.01], "activation": "leaky_relu", "slope": 0.2, "repeat": 2, "clip": True},
]


def poly_activation(rng, shape, dtype, which):
    attrs = {"repeat": 1, "slope": 0.125, "clip": False, "activation": "none", **POLYNOMIALS[which]}
    x = normal(rng, shape, dtype)
    t = dtype
    y = x
    for _ in range(attrs["repeat"]):
        value = np.full(shape, t(attrs["coeffs"][-1]), t)
        for c in attrs["coeffs"][-2::-1]:
            value = value * y + t(c)
        y = value + t(0)
    if attrs["clip"]:
        y = np.minimum(np.maximum(y, t(-1)), t(1))
    if attrs["activation"] == "relu":
        y = np.maximum(y, t(0))
    elif attrs["activation"] == "leaky_relu":
        y = np.where(y >= 0, y, y * t(np.float32(attrs["slope"])))
    else:
        y = y + t(0)
    return [x], POLYNOMIALS[which], y


def row_reduce(rng, shape, dtype, reduction, keep):
    x = normal(rng, shape, dtype)
    wide = x.astype(f32).reshape(-1, shape[-1]) if x.size else np.zeros((x.size, shape[-1]), f32)
    wide = x.astype(f32).reshape(int(np.prod(shape[:-1])), shape[-1])
    lanes = np.full((wide.shape[0], 64), 0 if reduction == "sum" else np.finfo(f32).min, f32)
    for at in range(0, wide.shape[1], 64):
        part = wide[:, at : at + 64]
        step = np.add if reduction == "sum" else np.maximum
        lanes[:, : part.shape[1]] = step(lanes[:, : part.shape[1]], part)
    y = sum_of_rows(lanes) if reduction == "sum" else lanes.max(1)
    y = y.astype(dtype).reshape(shape[:-1] + ((1,) if keep else ()))
    return [x], {"reduction": reduction, "keep_dims": keep}, y


def layer_norm(rng, shape, epsilon):
    width = shape[-1]
    x, gamma, beta = normal(rng, shape, f32), normal(rng, width, f32), normal(rng, width, f32)
    rows = x.reshape(-1, width) if x.size else x.reshape(0, width)
    share = f32(1) / f32(width)
    away = rows - sum_of_rows(rows * share)[:, None]
    variance = sum_of_rows(away * away * share)[:, None]
    y = away * (f32(1) / np.sqrt(variance + f32(epsilon))) * gamma + beta
    return [x, gamma, beta], {"epsilon": epsilon}, y.reshape(shape)


def softmax(rng, shape):
    x = normal(rng, shape, f32) * f32(4)
    rows = x.reshape(-1, shape[-1]) if x.size else x.reshape(0, shape[-1])
    powers = np.exp((rows - rows.max(1, keepdims=True)).astype(np.float64)).astype(f32)
    return [x], {}, (powers / sum_of_rows(powers)[:, None]).reshape(shape)


def broadcast_mul(rng, shape, other, dtype):
    x, y = (whole(rng, s, dtype, 40) if dtype == np.int32 else normal(rng, s, dtype) for s in (shape, other))
    return [x, y], {}, (x * y).reshape(shape)


def bias_scale(rng, shape, dtype, has_bias, has_scale):
    x, width = normal(rng, shape, dtype), shape[-1]
    bias, scale = (normal(rng, width, f32) if has else None for has in (has_bias, has_scale))
    y = x.astype(f32) * (f32(1) if scale is None else scale) + (f32(0) if bias is None else bias)
    return [x, bias, scale], {}, y.astype(dtype)


def concat_last(rng, rows, widths, dtype):
    tensors = [whole(rng, (*rows, width), dtype, 100) for width in widths]
    return [tensors], {}, np.concatenate(tensors, -1)


def add_n(rng, shape, count, dtype):
    tensors = [
        (whole(rng, shape, dtype, 10**6) if dtype == np.int32 else normal(rng, shape, dtype)) for _ in range(count)
    ]
    total = np.zeros(shape, dtype)
    for tensor in tensors:
        total = total + tensor
    return [tensors], {}, total


def repeat_rows(rng, width, repeats, dtype):
    x = whole(rng, (len(repeats), width), np.int64, 100).astype(dtype)
    repeats = np.array(repeats, np.int64)
    return [x, repeats], {}, np.repeat(x, repeats, 0)


def cast_any(rng, shape, x_type, y_type):
    x = (normal(rng, shape, f32) * f32(50)).astype(x_type)
    y = np.ceil(x) if y_type == np.int8 else np.trunc(x) if y_type == np.int32 else x
    y = np.clip(y, -128, 127) if y_type == np.int8 else y
    return [x], {"out": (shape, np.dtype(y_type).name)}, y.astype(y_type)


def scale_fractal(rng, shape, format):
    """The channel is the pair of axes 1 and 4 of NC1HWC0, of axes 0 and 3 of FRACTAL_NZ, the last axis of ND."""
    x = normal(rng, shape, f16)
    pair = {"NC1HWC0": (1, 4), "FRACTAL_NZ": (0, 3), "ND": (1,)}[format]
    alpha = normal(rng, [shape[i] for i in pair], f16)
    spread = alpha.reshape([n if i in pair else 1 for i, n in enumerate(shape)])
    return [x if format == "ND" else sfumato.Tensor(x, format), alpha], {}, x * spread


def matmul_leaky(rng, m, n, k, alpha):
    a, b, bias = whole(rng, (m, k), f16, 8), whole(rng, (k, n), f16, 8), whole(rng, n, f32, 100)
    c = a.astype(f32) @ b.astype(f32) + bias
    return [a, b, bias], {"alpha": alpha}, np.where(c >= 0, c, c * f32(alpha))


def cube_matmul(rng, batch, m, n, k, to_float):
    a, b = whole(rng, (*batch, m, k), f16, 4), whole(rng, (*batch, n, k), f16, 4)
    c = a.astype(f32) @ np.swapaxes(b, -1, -2).astype(f32)
    return [a, b], {"to_float": to_float}, c if to_float else c.astype(f16)


def inplace_axpy(rng, shape, alpha):
    acc, x = normal(rng, shape, f32), normal(rng, shape, f32)
    return [acc, x], {"alpha": alpha}, acc + x * f32(alpha)


def swi_glu_split(rng, shape, dtype, beta):
    x = normal(rng, shape, dtype)
    a, b = (part.astype(f32) for part in np.split(x, 2, -1))
    power = np.exp((a * f32(-beta)).astype(np.float64)).astype(f32)
    return [x], {"beta": beta}, (a / (power + f32(1)) * b).astype(dtype)


def pad_rows(rng, shape, pads, value, dtype):
    x = whole(rng, shape, dtype, 1000)
    width = [(0, 0)] * (len(shape) - 1) + [tuple(pads)]
    return [x], {"pads": pads, "value": value}, np.pad(x, width, constant_values=dtype(value))


def global_normalize(rng, shape, scale):
    x = normal(rng, shape, f32) * f32(scale)
    most = np.max(np.abs(x), initial=f32(0))
    return [x], {}, x / most if most > 0 else x + f32(0)


def column_sums(rng, shape, dtype):
    x = whole(rng, shape, dtype, 1000)
    return [x], {}, x.sum(0, dtype=dtype)


def max_with_index(rng, rows, cols):
    x = whole(rng, (rows, cols), f32, max(2, cols // 3))
    return [x], {}, (x.max(1), x.argmax(1).astype(np.int32))


def quantize_rows(rng, shape, per_channel, dtype, offset):
    x, scale = normal(rng, shape, dtype), normal(rng, shape[-1:] if per_channel else (1,), f32) * f32(60)
    y = np.rint((x.astype(f32) * scale + f32(offset)).astype(f16))
    return [x, scale], {"offset": offset}, np.clip(y, -128, 127).astype(np.int8)


def pair(step):
    def make(rng, shape, dtype):
        x1, x2 = (whole(rng, shape, dtype, 10**4) for _ in range(2))
        return [x1, x2], {}, step(x1, x2)

    return make


def with_kinds(shapes, *kinds):
    """Each shape with one of the kinds after the other."""
    return [(shape, *kinds[i % len(kinds)]) for i, shape in enumerate(shapes)]


ROWS = [(1, 1), (1, 7), (3, 8), (5, 65), (2, 3, 100), (0, 5), (64, 128), (7, 1000), (33, 2047), (200, 40)]
ALIGNED_32 = [(32,), (64,), (96,), (1024,), (3, 5, 32), (2, 2048), (40, 4128), (7, 32), (0,), (4, 0, 16)]
CASTS = [(f16, f32), (f32, f16), (f32, np.int32), (np.int32, f32), (f16, np.int8)]
FRACTALS = [
    ((1, 1, 1, 1, 16), "NC1HWC0"),
    ((2, 3, 5, 7, 16), "NC1HWC0"),
    ((1, 4, 13, 10, 16), "NC1HWC0"),
    ((0, 2, 3, 3, 16), "NC1HWC0"),
    ((1, 1, 16, 16), "FRACTAL_NZ"),
    ((3, 5, 16, 16), "FRACTAL_NZ"),
    ((2, 33, 16, 16), "FRACTAL_NZ"),
    ((0, 4, 16, 16), "FRACTAL_NZ"),
    ((1, 16), "ND"),
    ((17, 48), "ND"),
    ((40, 4096), "ND"),
    ((0, 32), "ND"),
]
PRODUCTS = [
    (1, 64, 16),
    (16, 64, 16),
    (33, 64, 50),
    (64, 128, 64),
    (100, 200, 130),
    (7, 65, 9),
    (128, 64, 300),
    (300, 192, 160),
    (2, 1000, 33),
    (65, 72, 31),
]

PROJECTS = [
    Project(
        "PolyActivation",
        poly_activation,
        {
            A2: with_kinds(SHAPES, (f16, 4), (f32, 1), (f32, 2), (f16, 3), (f32, 4), (f16, 0)),
            P: with_kinds(ALIGNED, (f32, 4), (f16, 1), (f16, 2), (f32, 3), (f16, 4), (f32, 0)),
        },
        sample=True,
    ),
    Project(
        "RowReduce",
        row_reduce,
        {
            A2: with_kinds(ROWS, (f32, "sum", False), (f16, "max", True), (f16, "sum", False), (f32, "max", False))
            + [((3, 0), f32, "sum", True), ((2, 5000), f16, "sum", True), ((9,), f32, "max", False)]
        },
        sample=True,
    ),
    Project("LayerNormRows", layer_norm, {A2: with_kinds(ROWS, (1e-5,), (0.5,)) + [((3, 2048), 1e-3)]}),
    Project(
        "SoftmaxRows",
        softmax,
        {
            A2: with_kinds(ROWS, ()),
            P: with_kinds(
                [(1, 8), (3, 8), (5, 64), (2, 3, 104), (0, 8), (64, 128), (7, 1000), (33, 2048), (200, 40), (1, 16)], ()
            ),
        },
        sample=True,
    ),
    Project(
        "BroadcastMul",
        broadcast_mul,
        {
            A2: [(s, s, t) for s, t in zip(SHAPES, (f32, f16, np.int32) * 4)]
            + [((5, 7), (7,), f16), ((300, 33), (33,), np.int32), ((4, 3, 64), (64,), f32), ((3, 0), (0,), f32)]
            + [((8, 1000), (1,), f32), ((33,), (1, 1), f16)]
        },
        sample=True,
    ),
    Project(
        "BiasScale",
        bias_scale,
        {
            A2: with_kinds(
                [
                    (1, 1),
                    (3, 7),
                    (5, 16),
                    (2, 100),
                    (0, 5),
                    (60, 128),
                    (7, 1000),
                    (33, 2047),
                    (4, 4096),
                    (100, 33),
                    (3, 0),
                ],
                (f16, True, True),
                (bfloat16, True, False),
                (f16, False, True),
                (bfloat16, True, True),
                (f16, False, False),
            )
        },
    ),
    Project(
        "ConcatLast",
        concat_last,
        {
            A2: [
                ((1,), (1,), f32),
                ((3,), (5, 6), np.int8),
                ((2, 3), (7, 1, 9), np.int16),
                ((60,), (16, 16), f32),
                ((4,), (0, 3), np.int64),
                ((4,), (3, 0, 2), np.int8),
                ((0,), (3, 4), f32),
                ((2,), (5000, 1, 17), np.int64),
                ((), (10, 20, 30, 40), np.int16),
                ((100,), (33,) * 8, np.int8),
                ((1, 1, 2), (64, 65), f32),
            ]
        },
        sample=True,
    ),
    Project(
        "AddNTensors",
        add_n,
        {
            A2: [(s, n, t) for s, n, t in zip(SHAPES, (1, 2, 3, 4, 5, 2, 9, 3, 2, 4), (f32, np.int32) * 5)],
            P: [(s, n, t) for s, n, t in zip(ALIGNED, (2, 1, 3, 5, 4, 2, 3, 7, 2, 3), (np.int32, f32) * 5)],
        },
    ),
    Project(
        "RepeatRows",
        repeat_rows,
        {
            A2: [
                (1, [1], f16),
                (1, [0], f16),
                (7, [2, 0, 3], np.uint8),
                (33, [1] * 20, f16),
                (100, [0, 0], np.uint8),
                (16, [5], f16),
                (8192, [1, 2], f16),
                (64, list(range(40)), np.uint8),
                (5, [], f16),
                (0, [2, 1], np.uint8),
                (1000, [3] * 64, np.uint8),
            ]
        },
    ),
    Project(
        "CastAny",
        cast_any,
        {
            A2: with_kinds(SHAPES, *CASTS, (bfloat16, f32), (f32, bfloat16)),
            P: with_kinds(ALIGNED_32, *CASTS),
        },
    ),
    Project("ScaleFractal", scale_fractal, {A2: FRACTALS, P: FRACTALS}),
    Project("MatmulLeaky", matmul_leaky, {A2: [(*p, (0.001, 0.5)[i % 2]) for i, p in enumerate(PRODUCTS)]}),
    Project(
        "CubeMatmul",
        cube_matmul,
        {
            A2: [((), *p, i % 2 == 0) for i, p in enumerate(PRODUCTS)]
            + [((3,), 40, 24, 56, True), ((), 0, 5, 7, False), ((0,), 2, 3, 4, True), ((2,), 33, 0, 16, False)]
        },
    ),
    Project("InplaceAxpy", inplace_axpy, {A2: with_kinds(SHAPES, (1.5,), (-0.3,))}),
    Project(
        "SwiGluSplit",
        swi_glu_split,
        {
            A2: with_kinds(
                [
                    (1, 2),
                    (3, 8),
                    (5, 130),
                    (2, 3, 200),
                    (0, 10),
                    (64, 256),
                    (7, 2000),
                    (33, 4094),
                    (200, 80),
                    (2, 30000),
                ],
                (f32, 1.0),
                (f16, 1.0),
                (f32, -0.7),
            )
        },
        sample=True,
    ),
    Project(
        "PadRows",
        pad_rows,
        {
            A2: [
                ((1,), [1, 2], 3.5, f32),
                ((7,), [0, 0], 0.0, f32),
                ((5000,), [0, 0], 0.0, np.int32),
                ((3, 5), [4, 0], -1.0, f32),
                ((2, 3, 9), [0, 11], 7.0, np.int32),
                ((60, 100), [8, 8], 0.0, f32),
                ((4, 1024), [1, 1], 2.0, np.int32),
                ((4, 1025), [3, 5], 2.0, f32),
                ((0, 4), [1, 1], 1.0, f32),
                ((3, 0), [2, 1], 9.0, f32),
                ((0,), [0, 0], 1.0, f32),
                ((2, 4099), [0, 100], -0.5, f32),
            ]
        },
    ),
    Project(
        "GlobalNormalize", global_normalize, {A2: with_kinds(SHAPES, (1,), (1e-3,)) + [((300, 700), 1), ((5,), 0)]}
    ),
    Project(
        "ColumnSums",
        column_sums,
        {
            A2: with_kinds(
                [(1, 1), (2, 7), (16, 8), (100, 33), (3, 1024), (50, 1025), (0, 5), (4, 0), (333, 100), (7, 5000)],
                (f32,),
                (np.int32,),
            )
        },
    ),
    Project(
        "MaxWithIndex",
        max_with_index,
        {
            A2: [
                s
                for s in [
                    (1, 1),
                    (1, 9),
                    (8, 64),
                    (9, 65),
                    (0, 3),
                    (20, 100),
                    (7, 1000),
                    (160, 33),
                    (3, 4096),
                    (41, 2047),
                ]
            ]
        },
    ),
    Project(
        "QuantizeRows",
        quantize_rows,
        {
            A2: with_kinds(
                [(1,), (3, 7), (2, 3, 33), (5, 100), (0, 4), (4, 0), (64, 256), (7, 4097), (100, 40), (3, 9000)],
                (False, f32, 0.0),
                (True, f16, 3.0),
                (True, f32, -1.5),
                (False, f16, 0.25),
            )
        },
    ),
    *(
        Project(
            name,
            pair(step),
            {A2: with_kinds(SHAPES, (f32,), (np.int32,)), P: with_kinds(ALIGNED, (np.int32,), (f32,))},
            folder="PairOps",
        )
        for name, step in (("PairSub", np.subtract), ("PairMax", np.maximum))
    ),
]
