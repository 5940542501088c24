# SPDX-License-Identifier: Apache-2.0
"""Convolutions by conv2d, load3dv1 and load3dv2, bit for bit against NumPy."""

import numpy as np
import pytest
from tik_cube import C0, CHIPS, COUPLED, RESULT, SEPARATE, CubeProgram, ceil, channels, convolve, filters, unpack, whole

from sfumato import tik


CONVOLUTIONS = {
    "1x1": ((1, 5, 7), (16, 1, 1), [1, 1], [0, 0, 0, 0], [1, 1]),
    "3x3": ((2, 8, 9), (32, 3, 3), [1, 1], [1, 1, 1, 1], [1, 1]),
    "stride": ((1, 11, 13), (16, 3, 2), [2, 3], [1, 0, 2, 1], [1, 1]),
    "dilation": ((2, 9, 10), (16, 2, 3), [1, 2], [2, 1, 0, 3], [3, 2]),
    "deep": ((4, 10, 10), (64, 3, 3), [1, 1], [0, 0, 0, 0], [1, 1]),
}


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("dtype", C0)
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_conv2d(chip, dtype, name):
    (c1, h, w), (cout, kh, kw), stride, pad, dilation = CONVOLUTIONS[name]
    c0 = C0[dtype]
    rng = np.random.default_rng(kh + kw)
    fm, weight = whole(rng, (c1 * c0, h, w), dtype), whole(rng, (cout, c1 * c0, kh, kw), dtype)
    want = convolve(fm, weight, stride, pad, dilation, 3)
    howo = want.shape[1] * want.shape[2]
    p = CubeProgram(chip)
    t = p.t
    fm_l1 = p.load("fm", channels(fm, c0))
    weight_l1 = p.load("weight", filters(weight, c0))
    c = t.Tensor(RESULT[dtype], (cout // 16, ceil(howo, 16), 16), name="c", scope=tik.scope_cbuf_out)
    out = t.Tensor(RESULT[dtype], (cout // 16, howo, 16), name="out", scope=tik.scope_gm)
    t.conv2d(c, fm_l1, weight_l1, [c1, h, w, c0], [c1, kh, kw, cout, c0], stride, pad, dilation, pad_value=3)
    t.fixpipe(out, c, cout // 16, howo * 2, 0, 0)
    got = p.run(out)
    np.testing.assert_array_equal(unpack(got, cout), want.reshape(cout, howo).T)


@pytest.mark.parametrize("chip", SEPARATE)
def test_bias_of_conv2d(chip):
    rng = np.random.default_rng(29)
    fm, weight = whole(rng, (16, 6, 6), "float16"), whole(rng, (32, 16, 3, 3), "float16")
    bias = whole(rng, (32,), "float32", 50)
    p = CubeProgram(chip)
    t = p.t
    fm_l1 = p.load("fm", channels(fm, 16))
    weight_l1 = p.load("weight", filters(weight, 16))
    bias_l1 = p.load("bias", bias)
    c = t.Tensor("float32", (2, 16, 16), name="c", scope=tik.scope_cbuf_out)
    out = t.Tensor("float32", (2, 16, 16), name="out", scope=tik.scope_gm)
    t.conv2d(c, fm_l1, weight_l1, [1, 6, 6, 16], [1, 3, 3, 32, 16], [1, 1], [0, 0, 0, 0], [1, 1], bias=bias_l1)
    t.fixpipe(out, c, 2, 32, 0, 0)
    got = p.run(out)
    want = convolve(fm, weight, [1, 1], [0] * 4, [1, 1], 0).reshape(32, 16).T + bias
    np.testing.assert_array_equal(unpack(got, 32), want)


@pytest.mark.parametrize("chip", COUPLED)
def test_convolution_by_load3dv1(chip):
    """As operators write it: the image's fractals row by row, the filter as it lies, tensor_mov, data_move."""
    c1, h, w, cout, k = 2, 6, 8, 32, 3
    rng = np.random.default_rng(31)
    fm, weight = whole(rng, (c1 * 16, h, w), "float16"), whole(rng, (cout, c1 * 16, k, k), "float16")
    p = CubeProgram(chip)
    t = p.t
    fm_l1 = p.load("fm", channels(fm, 16))
    weight_l1 = p.load("weight", filters(weight, 16))
    depth = c1 * k * k
    l0a = t.Tensor("float16", (h * w // 16, depth, 16, 16), name="l0a", scope=tik.scope_ca)
    l0b = t.Tensor("float16", (depth, cout // 16, 16, 16), name="l0b", scope=tik.scope_cb)
    l0c = t.Tensor("float32", (cout // 16, h * w, 16), name="l0c", scope=tik.scope_cc)
    ub = t.Tensor("float16", (cout // 16, h * w, 16), name="ub", scope=tik.scope_ubuf)
    out = t.Tensor("float16", (cout // 16, h * w, 16), name="out", scope=tik.scope_gm)
    with t.for_range(0, h * w // 16) as i:
        t.load3dv1(l0a[i, 0, 0, 0], fm_l1, (1, 1, 1, 1), h, w, 0, 0, 0, -1, i * 2 - 1,
                   1, 1, k, k, 1, 1, 1, 0, depth)  # fmt: skip
    t.load2dv1(l0b, weight_l1, 0, depth * cout // 16, 1, 0)
    t.mmad(l0c, l0a, l0b, h * w, depth * 16, cout, 0)
    t.tensor_mov(ub, l0c, "m", 1, cout * h * w // 256, 0, 0, relu=True)
    t.data_move(out, ub, 0, 1, cout * h * w // 16, 0, 0)
    got = p.run(out)
    want = np.maximum(convolve(fm, weight, [1, 1], [1] * 4, [1, 1], 0), 0).astype("float16")
    np.testing.assert_array_equal(unpack(got, cout), want.reshape(cout, h * w).T)


@pytest.mark.parametrize("chip", ["Ascend310P3", *SEPARATE])
def test_convolution_by_load3dv2(chip):
    """The matrix of all windows in two parts of k."""
    c1, h, w, cout, k = 2, 5, 6, 16, 2
    rng = np.random.default_rng(43)
    fm, weight = whole(rng, (c1 * 32, h, w), "int8"), whole(rng, (cout, c1 * 32, k, k), "int8")
    want = convolve(fm, weight, [1, 1], [0, 1, 0, 1], [1, 1], 0)
    howo, half = want.shape[1] * want.shape[2], k * k * 32
    p = CubeProgram(chip)
    t = p.t
    fm_l1 = p.load("fm", channels(fm, 32))
    weight_l1 = p.load("weight", filters(weight, 32))
    l0a = t.Tensor("int8", (2, k * k, 16, 32), name="l0a", scope=tik.scope_ca)
    l0b = t.Tensor("int8", (k * k, 16, 32), name="l0b", scope=tik.scope_cb)
    l0c = t.Tensor("int32", (1, 32, 16), name="l0c", scope=tik.scope_cc)
    out = t.Tensor("int32", (1, howo, 16), name="out", scope=tik.scope_gm)
    for part in range(c1):
        t.load3dv2(l0a, fm_l1, [0, 1, 0, 1], h, w, c1 * 32, half, howo, part * half, 0, 1, 1, k, k, 1, 1)
        t.load2dv1(l0b, weight_l1, part * k * k, k * k, 1, 0)
        t.mmad(l0c, l0a, l0b, howo, half, cout, part)
    t.fixpipe(out, l0c, 1, howo * 2, 0, 0)
    got = p.run(out)
    np.testing.assert_array_equal(unpack(got, cout), want.reshape(cout, howo).T)
