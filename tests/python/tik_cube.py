# SPDX-License-Identifier: Apache-2.0
"""What the tests of the cube unit share: chips, layouts, a program that is fed, products and convolutions by NumPy.

Whole numbers stay so small that the order of a sum does not matter.
"""

import numpy as np
from tik_support import instance

from sfumato import tik

COUPLED = ("Ascend310", "Ascend910A", "Ascend310P3")  # L0C to UB
SEPARATE = ("Ascend910B1", "Ascend310B1")  # L0C to GM by the instruction fixpipe
CHIPS = COUPLED + SEPARATE
C0 = {"float16": 16, "int8": 32}
RESULT = {"float16": "float32", "int8": "int32"}


def ceil(n, unit):
    return -(-n // unit) * unit


def pack(x, c0):
    """[rows, columns] as [columns / c0, rows rounded up to 16, c0]."""
    rows, columns = x.shape
    padded = np.zeros((ceil(rows, 16), ceil(columns, c0)), x.dtype)
    padded[:rows, :columns] = x
    return np.ascontiguousarray(padded.reshape(padded.shape[0], -1, c0).transpose(1, 0, 2))


def unpack(x, columns):
    """[blocks, rows, 16] as [rows, columns]."""
    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)[:, :columns]


def whole(rng, shape, dtype, most=4):
    return rng.integers(-most, most + 1, shape).astype(dtype)


def product(a, b):
    """A x B of whole numbers."""
    return (a.astype(np.int64) @ b.astype(np.int64)).astype(RESULT[a.dtype.name])


def convolve(fm, weight, stride, pad, dilation, pad_value):
    """[C, H, W] and [Cout, C, Kh, Kw] to [Cout, Ho, Wo], by the definition."""
    left, right, top, bottom = pad
    fm = np.pad(fm.astype(np.int64), ((0, 0), (top, bottom), (left, right)), constant_values=pad_value)
    cout, _, kh, kw = weight.shape
    ho = (fm.shape[1] - dilation[0] * (kh - 1) - 1) // stride[0] + 1
    wo = (fm.shape[2] - dilation[1] * (kw - 1) - 1) // stride[1] + 1
    out = np.zeros((cout, ho, wo), np.int64)
    for h in range(ho):
        for w in range(wo):
            y, x = h * stride[0], w * stride[1]
            window = fm[:, y : y + dilation[0] * kh : dilation[0], x : x + dilation[1] * kw : dilation[1]]
            out[:, h, w] = np.tensordot(weight.astype(np.int64), window[:, :kh, :kw], 3)
    return out


def channels(x, c0):
    """[C, H, W] as [C1, H, W, C0]."""
    return np.ascontiguousarray(x.reshape(-1, c0, *x.shape[1:]).transpose(0, 2, 3, 1))


def filters(x, c0):
    """[Cout, C, Kh, Kw] as [C1, Kh, Kw, Cout, C0]."""
    cout, c, kh, kw = x.shape
    return np.ascontiguousarray(x.reshape(cout, c // c0, c0, kh, kw).transpose(1, 3, 4, 0, 2))


class CubeProgram:
    """A program that is fed its inputs as they are declared."""

    def __init__(self, chip):
        self.t, self.feed, self.inputs = instance(chip), {}, []

    def input(self, name, array):
        """An input in GM."""
        self.inputs.append(self.t.Tensor(array.dtype.name, array.shape, name=name + "_gm", scope=tik.scope_gm))
        self.feed[name + "_gm"] = array
        return self.inputs[-1]

    def load(self, name, array, scope=tik.scope_cbuf):
        """An input in GM, all of which is moved to a tensor of another memory; that tensor."""
        gm = self.input(name, array)
        local = self.t.Tensor(array.dtype.name, array.shape, name=name, scope=scope)
        self.t.data_move(local, gm, 0, 1, array.nbytes // 32, 0, 0)
        return local

    def load_factors(self, a, b):
        """A and B of a product in L1, K in blocks of C0."""
        c0 = C0[a.dtype.name]
        return self.load("a", pack(a, c0)), self.load("b", pack(b.T, c0))

    def run(self, out):
        self.t.BuildCCE(kernel_name="cube", inputs=self.inputs, outputs=[out])
        (result,) = self.t.run(self.feed)
        return result
