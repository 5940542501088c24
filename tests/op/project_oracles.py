# SPDX-License-Identifier: Apache-2.0
"""What the operator projects of projects/ take and give: each function makes inputs, attributes and outputs of one case,
in the types and the order of steps that docs/spec gives."""

import ml_dtypes
import numpy as np
import sfumato

f16, f32 = np.float16, np.float32


def sum_of_rows(rows):
    """RS of docs/spec/adv.md 4.0: groups of 256 bytes, each by the tree of neighbours, their sums likewise."""
    lanes = 256 // rows.dtype.itemsize
    while True:
        groups = max(1, -(-rows.shape[1] // lanes))
        padded = np.zeros((rows.shape[0], groups * lanes), rows.dtype)
        padded[:, : rows.shape[1]] = rows
        tree = padded.reshape(rows.shape[0], groups, lanes)
        while tree.shape[2] > 1:
            tree = tree[:, :, 0::2] + tree[:, :, 1::2]
        rows = tree[:, :, 0]
        if groups == 1:
            return rows[:, 0]


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


def quantize_fp8(rng, shape, scale):
    x = normal(rng, shape, f32)
    return [x], {"scale": scale}, (x * f32(scale)).astype(ml_dtypes.float8_e4m3fn)


def scale_shift(rng, shape, scale, shift):
    x = normal(rng, shape, f32)
    return [x], {"scale": scale, "shift": shift}, x * f32(scale) + f32(shift)


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
