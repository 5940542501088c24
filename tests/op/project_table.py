# SPDX-License-Identifier: Apache-2.0
"""The operator projects of projects/: on which chips, and for which cases (project_oracles.py says what a case is)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from ml_dtypes import bfloat16
import project_oracles as oracles
from project_oracles import f16, f32

SHAPES = [(1,), (7,), (16,), (33,), (1000,), (3, 5, 7), (2, 2048), (40, 4099), (0,), (4, 0, 3)]
ALIGNED = [(16,), (32,), (48,), (1024,), (3, 5, 16), (2, 2048), (40, 4112), (7, 16), (0,), (4, 0, 16)]
A2, P, A5 = "Ascend910B1", "Ascend310P3", "Ascend950PR"


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
        oracles.poly_activation,
        {
            A2: with_kinds(SHAPES, (f16, 4), (f32, 1), (f32, 2), (f16, 3), (f32, 4), (f16, 0)),
            P: with_kinds(ALIGNED, (f32, 4), (f16, 1), (f16, 2), (f32, 3), (f16, 4), (f32, 0)),
        },
        sample=True,
    ),
    Project(
        "RowReduce",
        oracles.row_reduce,
        {
            A2: with_kinds(ROWS, (f32, "sum", False), (f16, "max", True), (f16, "sum", False), (f32, "max", False))
            + [((3, 0), f32, "sum", True), ((2, 5000), f16, "sum", True), ((9,), f32, "max", False)]
        },
        sample=True,
    ),
    Project("LayerNormRows", oracles.layer_norm, {A2: with_kinds(ROWS, (1e-5,), (0.5,)) + [((3, 2048), 1e-3)]}),
    Project(
        "SoftmaxRows",
        oracles.softmax,
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
        oracles.broadcast_mul,
        {
            A2: [(s, s, t) for s, t in zip(SHAPES, (f32, f16, np.int32) * 4)]
            + [((5, 7), (7,), f16), ((300, 33), (33,), np.int32), ((4, 3, 64), (64,), f32), ((3, 0), (0,), f32)]
            + [((8, 1000), (1,), f32), ((33,), (1, 1), f16)]
        },
        sample=True,
    ),
    Project(
        "BiasScale",
        oracles.bias_scale,
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
        oracles.concat_last,
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
        oracles.add_n,
        {
            A2: [(s, n, t) for s, n, t in zip(SHAPES, (1, 2, 3, 4, 5, 2, 9, 3, 2, 4), (f32, np.int32) * 5)],
            P: [(s, n, t) for s, n, t in zip(ALIGNED, (2, 1, 3, 5, 4, 2, 3, 7, 2, 3), (np.int32, f32) * 5)],
        },
    ),
    Project(
        "RepeatRows",
        oracles.repeat_rows,
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
        oracles.cast_any,
        {
            A2: with_kinds(SHAPES, *CASTS, (bfloat16, f32), (f32, bfloat16)),
            P: with_kinds(ALIGNED_32, *CASTS),
        },
    ),
    Project("ScaleFractal", oracles.scale_fractal, {A2: FRACTALS, P: FRACTALS}),
    Project("MatmulLeaky", oracles.matmul_leaky, {A2: [(*p, (0.001, 0.5)[i % 2]) for i, p in enumerate(PRODUCTS)]}),
    Project(
        "CubeMatmul",
        oracles.cube_matmul,
        {
            A2: [((), *p, i % 2 == 0) for i, p in enumerate(PRODUCTS)]
            + [((3,), 40, 24, 56, True), ((), 0, 5, 7, False), ((0,), 2, 3, 4, True), ((2,), 33, 0, 16, False)]
        },
    ),
    Project("QuantizeFp8", oracles.quantize_fp8, {A5: with_kinds(SHAPES, (20.0,), (-0.3,))}, sample=True),
    Project(
        "ScaleShift",
        oracles.scale_shift,
        {chip: with_kinds(SHAPES, (1.5, -2.0), (-0.3, 7.1)) for chip in (A2, A5)},
        sample=True,
    ),
    Project("InplaceAxpy", oracles.inplace_axpy, {A2: with_kinds(SHAPES, (1.5,), (-0.3,))}),
    Project(
        "SwiGluSplit",
        oracles.swi_glu_split,
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
        oracles.pad_rows,
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
        "GlobalNormalize",
        oracles.global_normalize,
        {A2: with_kinds(SHAPES, (1,), (1e-3,)) + [((300, 700), 1), ((5,), 0)]},
    ),
    Project(
        "ColumnSums",
        oracles.column_sums,
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
        oracles.max_with_index,
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
        oracles.quantize_rows,
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
            oracles.pair(step),
            {A2: with_kinds(SHAPES, (f32,), (np.int32,)), P: with_kinds(ALIGNED, (np.int32,), (f32,))},
            folder="PairOps",
        )
        for name, step in (("PairSub", np.subtract), ("PairMax", np.maximum))
    ),
]
