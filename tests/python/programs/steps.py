# SPDX-License-Identifier: Apache-2.0
"""The steps of high-level calls in NumPy, each rounded to its type in the stated order (adv.md 2.9, 4.0 to 9)."""

import numpy as np
from ways import F32

HALF = np.float16


def exp(x):
    """Exp of an array, rounded once to its type."""
    with np.errstate(over="ignore"):
        return np.exp(x.astype(np.float64)).astype(x.dtype)


def log(x):
    return np.log(x.astype(np.float64)).astype(x.dtype)


def tree(x):
    """Sums of the last axis: groups of 256 bytes by neighbours, the sums of groups in the same way."""
    lanes = 256 // x.dtype.itemsize
    while x.shape[-1] > 1:
        groups = -(-x.shape[-1] // lanes)
        filled = np.zeros((*x.shape[:-1], groups * lanes), x.dtype)
        filled[..., : x.shape[-1]] = x
        x = filled.reshape(*x.shape[:-1], groups, lanes)
        while x.shape[-1] > 1:
            x = x[..., ::2] + x[..., 1::2]
        x = x[..., 0]
    return x[..., 0]


def product(a, b, start=None):
    """A x B in float: the terms of each element one after another from `start`, the bias."""
    a, b = a.astype(F32), b.astype(F32)
    sums = np.zeros((a.shape[0], b.shape[1]), F32)
    sums += F32(0) if start is None else start
    for k in range(a.shape[1]):
        sums += a[:, k : k + 1] * b[k]
    return sums


def swish(x, beta=1):
    return x / (exp(x * x.dtype.type(-beta)) + x.dtype.type(1))


def gelu(x):
    t = (x * x * x * F32(0.044715) + x) * F32(-1.5957691)
    return x / (exp(t) + F32(1))


def sigmoid(x):
    return x.dtype.type(1) / (exp(x * x.dtype.type(-1)) + x.dtype.type(1))


def softmax_parts(x):
    """SoftMax of float rows: the result, the sums, the maxima."""
    maxima = x.max(-1, keepdims=True)
    e = exp(x - maxima)
    sums = tree(e)[..., None]
    return e / sums, sums, maxima


def blocks(x, dtype=F32):
    """A value a row in a block of 32 bytes each."""
    return np.repeat(x.reshape(-1, 1), 32 // np.dtype(dtype).itemsize, axis=1).astype(dtype)


def quantise(x, scale, offset):
    """AscendQuant: in half, to the nearest even integer, saturating."""
    h = x.astype(HALF) * HALF(scale) + HALF(offset)
    return np.clip(np.rint(h), -128, 127).astype(np.int8)
