# SPDX-License-Identifier: Apache-2.0
"""The kernels of the timed rows compute what they are said to, in small, under several schedules with every check on."""

from __future__ import annotations

from pathlib import Path

import measurements
import numpy as np
import sfumato

HERE = Path(__file__).parent
RANDOM = np.random.default_rng(7)


def compiled(source, chip="Ascend910B1", **defines):
    return sfumato.compile(HERE / "kernels" / source, chip=chip, defines=defines)


def check(kernel, blocks, *arguments):
    found = [f for f in kernel[blocks].options(schedule="all:2").check(*arguments).findings if f.severity != "note"]
    assert not found, found[0]


def small(*shape):
    """Whole numbers: sums of products are exact."""
    return RANDOM.integers(-3, 4, shape)


def fractals(b):
    """[k, n] of int8 to column strips of 32."""
    k, n = b.shape
    return np.ascontiguousarray(b.reshape(k, n // 32, 32).transpose(1, 0, 2))


def matmuls():
    lib = compiled("matmul.cpp")
    tilings = [
        # size, base, step, grid, single, flags, passes
        ((256, 512, 256), (128, 256, 64), (4, 2), (1, 2), (256, 256), measurements.TRANSPOSED_B | measurements.UNIT, 1),
        (
            (512, 512, 512),
            (128, 256, 64),
            (4, 4),
            (2, 2),
            (128, 256),
            measurements.TRANSPOSED_B | measurements.STAGGER,
            2,
        ),
        ((256, 176, 192), (128, 128, 64), (2, 1), (2, 1), (128, 176), measurements.ONE_BUFFER, 1),
        ((16, 512, 384), (16, 256, 64), (2, 2), (1, 2), (16, 256), 0, 1),
        ((128, 272, 64), (128, 64, 64), (1, 1), (1, 1), (128, 272), measurements.UNIT, 1),
    ]
    for size, base, step, grid, single, flags, passes in tilings:
        m, n, k = size
        a, b = small(m, k), small(k, n)
        for kernel, type, out in (
            ("half_to_float", np.float16, np.float32),
            ("float_to_float", np.float32, np.float32),
        ):
            base_k = base[2] * 2 // np.dtype(type).itemsize
            cut = measurements.cut(m, n, k, (*base[:2], base_k), step, grid[1], single, flags, passes)
            in_b = b.T if flags & measurements.TRANSPOSED_B else b
            c = np.zeros((m, n), out)
            check(lib[kernel], grid[0] * grid[1], a.astype(type), np.ascontiguousarray(in_b).astype(type), c, cut)
            assert np.array_equal(c, a @ b), (kernel, size)


def high_level():
    lib = compiled("matmul_high.cpp")
    for size, base, step, grid, single, passes in (
        ((256, 512, 256), (128, 256, 64), (2, 1), (1, 2), (256, 256), 1),
        ((512, 512, 512), (128, 128, 64), (4, 4), (2, 2), (128, 256), 2),
        ((200, 176, 192), (64, 64, 64), (1, 1), (2, 1), (112, 176), 1),
    ):
        m, n, k = size
        a, b = small(m, k), small(k, n)
        cut = measurements.cut(m, n, k, base, step, grid[1], single, passes=passes)
        for kernel, type in (
            ("norm_to_half", np.float16),
            ("mdl_to_half", np.float16),
            ("norm_to_float", np.float32),
            ("mdl_to_float", np.float32),
        ):
            turned = type == np.float16
            tiling = measurements.high_tiling(
                size, base, step, single, grid[0] * grid[1], b="half transposed" if turned else "half"
            )
            c, in_b = np.zeros((m, n), type), np.ascontiguousarray(b.T if turned else b).astype(np.float16)
            check(lib[kernel], grid[0] * grid[1], a.astype(np.float16), in_b, c, tiling, cut)
            assert np.array_equal(c, (a @ b).astype(type)), (kernel, size)


def gelu(x):
    return x / (1 + np.exp(-1.5957691 * (x + 0.044715 * x**3)))


def near(got, want, by):
    error = np.abs(got.astype(np.float64) - want) / np.maximum(1, np.abs(want))
    assert error.max() <= by, error.max()


def fused():
    m, n, k = 256, 512, 256
    a, b, c = (small(m, k) / 32).astype(np.float16), small(k, n).astype(np.float16), np.zeros((m, n), np.float32)
    cut = measurements.cut(
        m, n, k, (128, 256, 64), (4, 2), 2, (256, 256), measurements.TRANSPOSED_B | measurements.UNIT
    )
    check(compiled("matmul_gelu.cpp").matmul_gelu, 2, a, np.ascontiguousarray(b.T), c, cut)
    near(c, gelu(a.astype(np.float64) @ b), 1e-5)


def grouped():
    m, n, k, groups = 512, 1024, 256, 2
    x, w = small(m, k).astype(np.int8), small(groups, k, n).astype(np.int8)
    columns, scales = RANDOM.random((groups, n), np.float32) / 64, RANDOM.random(m, np.float32)
    flat = np.concatenate([fractals(part).reshape(-1) for part in w])
    cut = measurements.cut(m, n, k, (128, 256, 128), (2, 2), 1, (128, 512), measurements.FRACTAL_B)
    want = np.concatenate([x[i * 256 : i * 256 + 256].astype(np.float64) @ w[i] * columns[i] for i in range(groups)])
    want *= scales[:, None]
    want /= 1 + np.exp(-1.702 * want)
    lib = compiled("grouped.cpp")
    for kernel, slots in (("one_vector_core", 1), ("two_vector_cores", 4)):
        out, workspace = np.zeros((m, n), np.float16), np.zeros(3 * slots * 128 * 256, np.int32)
        words = sfumato.Struct(group_rows=np.uint32(m // groups), slots=np.uint32(slots))
        check(lib[kernel], 3, x, flat, columns, scales, workspace, out, cut, words)
        near(out, want, 2e-3)


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def attention():
    lib = compiled("attention.cpp")
    for queries, keys, blocks in ((384, 512, 2), (128, 1024, 1)):
        q, k, v = (RANDOM.standard_normal((n, 128)).astype(np.float16) for n in (queries, keys, keys))
        out, workspace = np.zeros((queries, 128), np.float16), np.zeros(blocks * measurements.FLASH_BYTES, np.uint8)
        words = sfumato.Struct(queries=np.uint32(queries), keys=np.uint32(keys))
        check(lib.flash, blocks, q, k, v, out, workspace, words)
        near(out, softmax(q.astype(np.float64) @ k.astype(np.float64).T / 128**0.5) @ v, 2e-3)


def elementwise():
    lib = compiled("elementwise.cpp")
    x, y = RANDOM.random(5003, np.float32) + 0.1, RANDOM.random(5003, np.float32)
    wants = {
        "add": x + y,
        "sqrt": np.sqrt(x),
        "sigmoid": 1 / (1 + np.exp(-x)),
        "relu": x,
        "tanh": np.tanh(x),
        "gelu": gelu(x),
    }
    for name in ("add_half", "sqrt_half", "sigmoid_half", "sigmoid_float", "relu_float", "tanh_float", "gelu_float"):
        operator, type = name.split("_")
        dtype = np.float16 if type == "half" else np.float32
        z = np.zeros(x.size, dtype)
        check(lib[name], 3, x.astype(dtype), y.astype(dtype), z, np.uint32(x.size), np.uint32(1024))
        near(z, wants[operator], 3e-3 if type == "half" else 1e-5)


def additions():
    x, y = (RANDOM.random(8192 * 8192 // 1024, np.float32).astype(np.float16) for _ in range(2))
    for defines in ({"SCALAR": 1}, {"OVERLAP": 1}, {}):
        z = np.zeros_like(x)
        check(compiled("add.cpp", TILE=4096, BUFFERS=1, PART=1024, **defines).add, 2, x, y, z)
        assert np.array_equal(z, x + y), defines


if __name__ == "__main__":
    for test in (matmuls, high_level, fused, grouped, attention, elementwise, additions):
        test()
        print(test.__name__, "as NumPy")
