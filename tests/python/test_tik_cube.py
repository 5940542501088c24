# SPDX-License-Identifier: Apache-2.0
"""Programs over the cube unit, as users write them, bit for bit against NumPy.

Whole numbers stay so small that the order of a sum does not matter; one case of real data keeps the stated order.
"""

import numpy as np
import pytest

from sfumato import tik
from tik_support import instance

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


def load(t, scope, name, array):
    """An input in GM, and all of it in a tensor of another memory."""
    gm = t.Tensor(array.dtype.name, array.shape, name=name + "_gm", scope=tik.scope_gm)
    local = t.Tensor(array.dtype.name, array.shape, name=name, scope=scope)
    t.data_move(local, gm, 0, 1, array.nbytes // 32, 0, 0)
    return gm, local


def run(t, name, tensors, arrays, out):
    t.BuildCCE(kernel_name=name, inputs=tensors, outputs=[out])
    (result,) = t.run({tensor.name: array for tensor, array in zip(tensors, arrays)})
    return result


def multiply(chip, a, b, out_dtype=None, bias=None, product_bias=None, **extend):
    """matmul and fixpipe of whole matrices; the result as a matrix."""
    dtype = a.dtype.name
    (m, k), n = a.shape, b.shape[1]
    n1, accumulator = ceil(n, 16) // 16, RESULT[dtype]
    t = instance(chip)
    packed = [pack(a, C0[dtype]), pack(b.T, C0[dtype])]
    a_gm, a_l1 = load(t, tik.scope_cbuf, "a", packed[0])
    b_gm, b_l1 = load(t, tik.scope_cbuf, "b", packed[1])
    inputs = [a_gm, b_gm]

    def further(name, array):
        gm, local = load(t, tik.scope_cbuf, name, array)
        inputs.append(gm)
        packed.append(array)
        return local

    c = t.Tensor(accumulator, (n1, ceil(m, 16), 16), name="c", scope=tik.scope_cbuf_out)
    out = t.Tensor(out_dtype or accumulator, (n1, m, 16), name="out", scope=tik.scope_gm)
    t.matmul(c, a_l1, b_l1, m, k, n, bias=None if product_bias is None else further("bias", product_bias))
    extensions = dict(extend)
    if bias is not None:
        extensions["bias"] = further("bias", bias)
    for key in ("mode_param", "addend"):
        if isinstance(extensions.get(key), np.ndarray):
            extensions[key] = further(key, extensions[key])
    if "addend" in extensions:
        extensions["element-wise-add"] = extensions.pop("addend")
    if out_dtype == "float16":
        mode = "fp322fp16" if accumulator == "float32" else "int322fp16"
        extensions["quantize_params"] = {"mode": mode, "mode_param": extensions.pop("mode_param", None)}
    t.fixpipe(out, c, n1, m * 16 * 4 // 32, 0, 0, extend_params=extensions or None)
    return unpack(run(t, "multiply", inputs, packed, out), n)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("dtype", C0)
@pytest.mark.parametrize("sizes", [(16, 32, 16), (30, 70, 160), (1, 5, 3), (100, 33, 50)])
def test_matmul(chip, dtype, sizes):
    m, k, n = sizes
    rng = np.random.default_rng(m)
    a, b = whole(rng, (m, k), dtype), whole(rng, (k, n), dtype)
    np.testing.assert_array_equal(multiply(chip, a, b), product(a, b))


@pytest.mark.parametrize("sizes", [(48, 2000, 64), (2100, 20, 16), (16, 100, 2064), (272, 500, 160)])
def test_matmul_larger_than_l0(sizes):
    """Parts in k, in m and in n, each larger than L0A or L0B."""
    m, k, n = sizes
    rng = np.random.default_rng(k)
    a, b = whole(rng, (m, k), "int8"), whole(rng, (k, n), "int8")
    np.testing.assert_array_equal(multiply("Ascend310P3", a, b), product(a, b))


@pytest.mark.parametrize("chip", ["Ascend910A", "Ascend910B1"])
def test_matmul_of_real_numbers(chip):
    """k ascending, each product and each sum rounded once to float32."""
    rng = np.random.default_rng(7)
    a, b = (rng.standard_normal(s).astype("float16") for s in ((20, 1100), (1100, 40)))
    want = np.zeros((20, 40), "float32")
    for i in range(a.shape[1]):
        want = want + a[:, i, None].astype("float32") * b[None, i].astype("float32")
    np.testing.assert_array_equal(multiply(chip, a, b), want)


@pytest.mark.parametrize("chip", CHIPS)
def test_matmul_in_a_loop_over_k(chip):
    """Slices of L1 that the loop chooses, and init_l1out=False after the first."""
    parts, m, k, n = 4, 32, 64, 48
    rng = np.random.default_rng(3)
    a, b = whole(rng, (m, parts * k), "float16"), whole(rng, (parts * k, n), "float16")
    t = instance(chip)
    packed = [pack(a, 16), pack(b.T, 16)]
    a_gm, a_l1 = load(t, tik.scope_cbuf, "a", packed[0])
    b_gm, b_l1 = load(t, tik.scope_cbuf, "b", packed[1])
    c = t.Tensor("float32", (n // 16, m, 16), name="c", scope=tik.scope_cbuf_out)
    out = t.Tensor("float32", (n // 16, m, 16), name="out", scope=tik.scope_gm)
    t.matmul(c, a_l1, b_l1, m, k, n)
    with t.for_range(1, parts) as i:
        t.matmul(c, a_l1[i * k // 16, 0, 0], b_l1[i * k // 16, 0, 0], m, k, n, init_l1out=False)
    t.fixpipe(out, c, n // 16, m * 2, 0, 0)
    got = run(t, "loop", [a_gm, b_gm], packed, out)
    np.testing.assert_array_equal(unpack(got, n), product(a, b))


@pytest.mark.parametrize("chip", CHIPS)
def test_matmul_on_several_cores_with_two_buffers(chip):
    """Blocks of rows over the cores, blocks of columns in a double-buffered loop, each with tensors of its own."""
    blocks, parts, m, k, n = 2, 4, 32, 48, 16
    rng = np.random.default_rng(4)
    a, b = whole(rng, (blocks * m, k), "float16"), whole(rng, (k, parts * n), "float16")
    rows = np.stack([pack(part, 16) for part in np.split(a, blocks)])
    columns = np.stack([pack(part.T, 16) for part in np.split(b, parts, axis=1)])
    t = instance(chip)
    a_gm = t.Tensor("float16", rows.shape, name="a", scope=tik.scope_gm)
    b_gm = t.Tensor("float16", columns.shape, name="b", scope=tik.scope_gm)
    out = t.Tensor("float32", (blocks, parts, m, n), name="out", scope=tik.scope_gm)
    with t.for_range(0, blocks, block_num=blocks) as block:
        a_l1 = t.Tensor("float16", rows.shape[1:], name="a_l1", scope=tik.scope_cbuf)
        t.data_move(a_l1, a_gm[block, 0, 0, 0], 0, 1, m * k // 16, 0, 0)
        with t.for_range(0, parts, thread_num=2) as part:
            b_l1 = t.Tensor("float16", columns.shape[1:], name="b_l1", scope=tik.scope_cbuf)
            c = t.Tensor("float32", (1, m, n), name="c", scope=tik.scope_cbuf_out)
            t.data_move(b_l1, b_gm[part, 0, 0, 0], 0, 1, n * k // 16, 0, 0)
            t.matmul(c, a_l1, b_l1, m, k, n)
            t.fixpipe(out[block, part, 0, 0], c, 1, m * 2, 0, 0)
    got = run(t, "cores", [a_gm, b_gm], [rows, columns], out)
    np.testing.assert_array_equal(got.transpose(0, 2, 1, 3).reshape(blocks * m, parts * n), product(a, b))


@pytest.mark.parametrize("chip", SEPARATE)
@pytest.mark.parametrize("dtype", C0)
def test_bias_of_matmul(chip, dtype):
    """Through the bias table, which holds 256 columns of the 320."""
    rng = np.random.default_rng(5)
    a, b = whole(rng, (20, 40), dtype), whole(rng, (40, 320), dtype)
    bias = whole(rng, (320,), RESULT[dtype], 100)
    np.testing.assert_array_equal(multiply(chip, a, b, product_bias=bias), product(a, b) + bias)


@pytest.mark.parametrize("chip", COUPLED)
@pytest.mark.parametrize("dtype", C0)
@pytest.mark.parametrize("m", [5, 1100])
def test_bias_and_relu_of_fixpipe(chip, dtype, m):
    rng = np.random.default_rng(m)
    a, b = whole(rng, (m, 40), dtype), whole(rng, (40, 48), dtype)
    bias = whole(rng, (48,), RESULT[dtype], 100)
    want = np.maximum(product(a, b) + bias, 0)
    np.testing.assert_array_equal(multiply(chip, a, b, bias=bias, relu=True), want)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("relu", [False, True])
def test_float32_to_float16(chip, relu):
    rng = np.random.default_rng(9)
    a, b = (rng.standard_normal(s).astype("float16") for s in ((33, 16), (16, 32)))
    want = multiply(chip, a, b).astype("float16")
    got = multiply(chip, a, b, "float16", relu=relu)
    np.testing.assert_array_equal(got, np.maximum(want, 0) if relu else want)


@pytest.mark.parametrize("chip", CHIPS)
def test_int32_to_float16_by_one_scale(chip):
    rng = np.random.default_rng(11)
    a, b = whole(rng, (17, 64), "int8"), whole(rng, (64, 32), "int8")
    np.testing.assert_array_equal(
        multiply(chip, a, b, "float16", mode_param=0.5, relu=True),
        np.maximum(product(a, b) * 0.5, 0).astype("float16"),
    )


@pytest.mark.parametrize("chip", COUPLED)
@pytest.mark.parametrize("columns", [16, 48])
@pytest.mark.parametrize("biased", [False, True])
def test_int32_to_float16_by_scales(chip, columns, biased):
    """One for each column, or 16 that every block of columns takes; a bias is added before."""
    rng = np.random.default_rng(13)
    a, b = whole(rng, (40, 64), "int8"), whole(rng, (64, 48), "int8")
    scales = rng.choice([0.25, 0.5, 1, 2, 3], columns).astype("float16")
    bias = whole(rng, (48,), "int32", 50) if biased else None
    want = (product(a, b) + (bias if biased else 0)) * np.tile(scales, 48 // columns).astype("float64")
    np.testing.assert_array_equal(
        multiply(chip, a, b, "float16", mode_param=scales, bias=bias), want.astype("float16")
    )


@pytest.mark.parametrize("chip", SEPARATE)
def test_int32_to_float16_by_words(chip):
    """The words of the instruction: the bits of a float32 for each column."""
    rng = np.random.default_rng(17)
    a, b = whole(rng, (40, 64), "int8"), whole(rng, (64, 32), "int8")
    scales = rng.choice([0.25, 0.5, 1, 2, 3], 32).astype("float32")
    want = (product(a, b) * scales.astype("float64")).astype("float16")
    words = scales.view("uint32").astype("uint64")
    np.testing.assert_array_equal(multiply(chip, a, b, "float16", mode_param=words), want)


@pytest.mark.parametrize("chip", COUPLED)
@pytest.mark.parametrize("out_dtype", ["float32", "float16"])
def test_element_wise_add(chip, out_dtype):
    """What is added lies as the result does, and has its type."""
    rng = np.random.default_rng(19)
    a, b = whole(rng, (21, 16), "float16"), whole(rng, (16, 32), "float16")
    addend = whole(rng, (2, 21, 16), out_dtype, 200)
    want = np.maximum(product(a, b), 0) + unpack(addend, 32)
    got = multiply(chip, a, b, out_dtype if out_dtype == "float16" else None, relu=True, addend=addend)
    np.testing.assert_array_equal(got, want.astype(out_dtype))


@pytest.mark.parametrize("chip", CHIPS)
def test_strides_of_fixpipe(chip):
    """Every second block of columns, with a gap of two rows in GM; the gap keeps what it held."""
    rng = np.random.default_rng(23)
    a, b = whole(rng, (16, 16), "float16"), whole(rng, (16, 64), "float16")
    t = instance(chip)
    packed = [pack(a, 16), pack(b.T, 16)]
    a_gm, a_l1 = load(t, tik.scope_cbuf, "a", packed[0])
    b_gm, b_l1 = load(t, tik.scope_cbuf, "b", packed[1])
    c = t.Tensor("float32", (4, 16, 16), name="c", scope=tik.scope_cbuf_out)
    out = t.Tensor("float32", (2, 18, 16), name="out", scope=tik.scope_gm, is_atomic_add=True)
    t.matmul(c, a_l1, b_l1, 16, 16, 64)
    t.fixpipe(out, c, 2, 32, 4, 1)
    got = run(t, "strides", [a_gm, b_gm], packed, out)
    want = product(a, b)
    np.testing.assert_array_equal(got[0, :16], want[:, :16])
    np.testing.assert_array_equal(got[1, :16], want[:, 32:48])
    assert not got[0, 16:].any() and not got[1, 16:].any()


@pytest.mark.parametrize("chip", [*COUPLED, "Ascend310B1"])
def test_fixpipe_into_ub(chip):
    """Rows behind the last one keep what UB held: a move follows that shows them."""
    rng = np.random.default_rng(25)
    a, b = whole(rng, (10, 16), "int8"), whole(rng, (16, 32), "int8")
    t = instance(chip)
    packed = [pack(a, 32), pack(b.T, 32)]
    a_gm, a_l1 = load(t, tik.scope_cbuf, "a", packed[0])
    b_gm, b_l1 = load(t, tik.scope_cbuf, "b", packed[1])
    c = t.Tensor("int32", (2, 16, 16), name="c", scope=tik.scope_cbuf_out)
    ub = t.Tensor("int32", (2, 16, 16), name="ub", scope=tik.scope_ubuf)
    out = t.Tensor("int32", (2, 16, 16), name="out", scope=tik.scope_gm)
    t.vec_dup(64, ub, 7, 8, 8)
    t.matmul(c, a_l1, b_l1, 10, 16, 32)
    t.fixpipe(ub, c, 2, 20, 12, 0)
    t.data_move(out, ub, 0, 1, 64, 0, 0)
    got = run(t, "into_ub", [a_gm, b_gm], packed, out)
    np.testing.assert_array_equal(unpack(got[:, :10], 32), product(a, b))
    assert (got[:, 10:] == 7).all()


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
    t = instance(chip)
    packed = [channels(fm, c0), filters(weight, c0)]
    fm_gm, fm_l1 = load(t, tik.scope_cbuf, "fm", packed[0])
    weight_gm, weight_l1 = load(t, tik.scope_cbuf, "weight", packed[1])
    c = t.Tensor(RESULT[dtype], (cout // 16, ceil(howo, 16), 16), name="c", scope=tik.scope_cbuf_out)
    out = t.Tensor(RESULT[dtype], (cout // 16, howo, 16), name="out", scope=tik.scope_gm)
    t.conv2d(c, fm_l1, weight_l1, [c1, h, w, c0], [c1, kh, kw, cout, c0], stride, pad, dilation, pad_value=3)
    t.fixpipe(out, c, cout // 16, howo * 2, 0, 0)
    got = run(t, "conv", [fm_gm, weight_gm], packed, out)
    np.testing.assert_array_equal(unpack(got, cout), want.reshape(cout, howo).T)


@pytest.mark.parametrize("chip", SEPARATE)
def test_bias_of_conv2d(chip):
    rng = np.random.default_rng(29)
    fm, weight = whole(rng, (16, 6, 6), "float16"), whole(rng, (32, 16, 3, 3), "float16")
    bias = whole(rng, (32,), "float32", 50)
    t = instance(chip)
    packed = [channels(fm, 16), filters(weight, 16), bias]
    fm_gm, fm_l1 = load(t, tik.scope_cbuf, "fm", packed[0])
    weight_gm, weight_l1 = load(t, tik.scope_cbuf, "weight", packed[1])
    bias_gm, bias_l1 = load(t, tik.scope_cbuf, "bias", bias)
    c = t.Tensor("float32", (2, 16, 16), name="c", scope=tik.scope_cbuf_out)
    out = t.Tensor("float32", (2, 16, 16), name="out", scope=tik.scope_gm)
    t.conv2d(c, fm_l1, weight_l1, [1, 6, 6, 16], [1, 3, 3, 32, 16], [1, 1], [0, 0, 0, 0], [1, 1], bias=bias_l1)
    t.fixpipe(out, c, 2, 32, 0, 0)
    got = run(t, "conv", [fm_gm, weight_gm, bias_gm], packed, out)
    want = convolve(fm, weight, [1, 1], [0] * 4, [1, 1], 0).reshape(32, 16).T + bias
    np.testing.assert_array_equal(unpack(got, 32), want)


@pytest.mark.parametrize("chip", COUPLED)
def test_convolution_by_load3dv1(chip):
    """As operators write it: the image's fractals row by row, the filter as it lies, tensor_mov, data_move."""
    c1, h, w, cout, k = 2, 6, 8, 32, 3
    rng = np.random.default_rng(31)
    fm, weight = whole(rng, (c1 * 16, h, w), "float16"), whole(rng, (cout, c1 * 16, k, k), "float16")
    t = instance(chip)
    packed = [channels(fm, 16), filters(weight, 16)]
    fm_gm, fm_l1 = load(t, tik.scope_cbuf, "fm", packed[0])
    weight_gm, weight_l1 = load(t, tik.scope_cbuf, "weight", packed[1])
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
    got = run(t, "conv", [fm_gm, weight_gm], packed, out)
    want = np.maximum(convolve(fm, weight, [1, 1], [1] * 4, [1, 1], 0), 0).astype("float16")
    np.testing.assert_array_equal(unpack(got, cout), want.reshape(cout, h * w).T)


@pytest.mark.parametrize("chip", CHIPS)
def test_product_by_single_instructions(chip):
    """load2dv2 where the fractals of B change their order, k in two mmads, the second on top of the first."""
    m, k, n = 32, 64, 32
    rng = np.random.default_rng(37)
    a, b = whole(rng, (m, k), "float16"), whole(rng, (k, n), "float16")
    t = instance(chip)
    # A as rows of fractals, half of k after the other; B as columns of fractals, each with n along its rows.
    halves = [a[:, i : i + k // 2].reshape(m // 16, 16, k // 32, 16).transpose(0, 2, 1, 3) for i in (0, k // 2)]
    packed = [
        np.ascontiguousarray(np.stack(halves)),
        np.ascontiguousarray(b.reshape(k // 16, 16, n // 16, 16).transpose(2, 0, 3, 1)),
    ]
    a_gm, a_l1 = load(t, tik.scope_cbuf, "a", packed[0])
    b_gm, b_l1 = load(t, tik.scope_cbuf, "b", packed[1])
    l0a = t.Tensor("float16", (m // 16, k // 32, 16, 16), name="l0a", scope=tik.scope_ca)
    l0b = t.Tensor("float16", (k // 32, n // 16, 16, 16), name="l0b", scope=tik.scope_cb)
    l0c = t.Tensor("float32", (n // 16, m, 16), name="l0c", scope=tik.scope_cc)
    out = t.Tensor("float32", (n // 16, m, 16), name="out", scope=tik.scope_gm)
    for half in range(2):
        t.load2dv1(l0a, a_l1, half * m * k // 512, m * k // 512, 1, 0)
        for step in range(k // 32):
            t.load2dv2(l0b[step, 0, 0, 0], b_l1, half * k // 32 + step, n // 16, 0, k // 16, 0)
        t.mmad(l0c, l0a, l0b, m, k // 2, n, half)
    if chip in COUPLED:
        ub = t.Tensor("float32", (n // 16, m, 16), name="ub", scope=tik.scope_ubuf)
        t.tensor_mov(ub, l0c, "m", 1, m * n // 256, 0, 0)
        t.data_move(out, ub, 0, 1, m * n // 8, 0, 0)
    else:
        t.fixpipe(out, l0c, n // 16, m * 2, 0, 0)
    got = run(t, "steps", [a_gm, b_gm], packed, out)
    np.testing.assert_array_equal(unpack(got, n), product(a, b))


@pytest.mark.parametrize("chip", CHIPS)
def test_load2dv1_transposes_fractals(chip):
    """B as it is written, row by row in each fractal: if_transpose puts its columns along the rows of L0B."""
    rng = np.random.default_rng(41)
    a, b = whole(rng, (16, 32), "float16"), whole(rng, (32, 48), "float16")
    t = instance(chip)
    packed = [pack(a, 16), np.ascontiguousarray(b.reshape(2, 16, 3, 16).transpose(0, 2, 1, 3))]
    a_gm, a_l1 = load(t, tik.scope_cbuf, "a", packed[0])
    b_gm, b_l1 = load(t, tik.scope_cbuf, "b", packed[1])
    l0a = t.Tensor("float16", (2, 16, 16), name="l0a", scope=tik.scope_ca)
    l0b = t.Tensor("float16", (2, 3, 16, 16), name="l0b", scope=tik.scope_cb)
    l0c = t.Tensor("float32", (3, 16, 16), name="l0c", scope=tik.scope_cc)
    out = t.Tensor("float32", (3, 16, 16), name="out", scope=tik.scope_gm)
    t.load2dv1(l0a, a_l1, 0, 2, 1, 0)
    t.load2dv1(l0b, b_l1, 0, 6, 1, 0, if_transpose=True)
    t.mmad(l0c, l0a, l0b, 16, 32, 48, 0)
    t.fixpipe(out, l0c, 3, 32, 0, 0)
    np.testing.assert_array_equal(unpack(run(t, "transpose", [a_gm, b_gm], packed, out), 48), product(a, b))


@pytest.mark.parametrize("chip", ["Ascend310P3", *SEPARATE])
def test_convolution_by_load3dv2(chip):
    """The matrix of all windows in two parts of k."""
    c1, h, w, cout, k = 2, 5, 6, 16, 2
    rng = np.random.default_rng(43)
    fm, weight = whole(rng, (c1 * 32, h, w), "int8"), whole(rng, (cout, c1 * 32, k, k), "int8")
    want = convolve(fm, weight, [1, 1], [0, 1, 0, 1], [1, 1], 0)
    howo, half = want.shape[1] * want.shape[2], k * k * 32
    t = instance(chip)
    packed = [channels(fm, 32), filters(weight, 32)]
    fm_gm, fm_l1 = load(t, tik.scope_cbuf, "fm", packed[0])
    weight_gm, weight_l1 = load(t, tik.scope_cbuf, "weight", packed[1])
    l0a = t.Tensor("int8", (2, k * k, 16, 32), name="l0a", scope=tik.scope_ca)
    l0b = t.Tensor("int8", (k * k, 16, 32), name="l0b", scope=tik.scope_cb)
    l0c = t.Tensor("int32", (1, 32, 16), name="l0c", scope=tik.scope_cc)
    out = t.Tensor("int32", (1, howo, 16), name="out", scope=tik.scope_gm)
    for part in range(c1):
        t.load3dv2(l0a, fm_l1, [0, 1, 0, 1], h, w, c1 * 32, half, howo, part * half, 0, 1, 1, k, k, 1, 1)
        t.load2dv1(l0b, weight_l1, part * k * k, k * k, 1, 0)
        t.mmad(l0c, l0a, l0b, howo, half, cout, part)
    t.fixpipe(out, l0c, 1, howo * 2, 0, 0)
    got = run(t, "conv", [fm_gm, weight_gm], packed, out)
    np.testing.assert_array_equal(unpack(got, cout), want.reshape(cout, howo).T)


@pytest.mark.parametrize("chip", COUPLED)
@pytest.mark.parametrize("how", ["scale", "scales", "data_move"])
def test_tensor_mov_dequantises(chip, how):
    """int32 in L0C to float16 in UB: one scale, 16 of them, or data_move with the same parameter; and back to L0C."""
    rng = np.random.default_rng(47)
    values = whole(rng, (2, 16, 16), "int32", 500)
    scales = rng.choice([0.25, 0.5, 1, 2], 16).astype("float16")
    t = instance(chip)
    gm, ub = load(t, tik.scope_ubuf, "values", values)
    scales_gm, scales_ub = load(t, tik.scope_ubuf, "scales", scales)
    l0c = t.Tensor("int32", (2, 16, 16), name="l0c", scope=tik.scope_cc)
    halves = t.Tensor("float16", (2, 16, 16), name="halves", scope=tik.scope_ubuf)
    out = t.Tensor("float16", (2, 16, 16), name="out", scope=tik.scope_gm)
    t.tensor_mov(l0c, ub, "m", 1, 2, 0, 0)
    if how == "scales":
        for block in range(2):
            t.tensor_mov(halves[block, 0, 0], l0c[block, 0, 0], "m", 1, 1, 0, 0, deqscale=scales_ub)
    elif how == "scale":
        t.tensor_mov(halves, l0c, "m", 1, 2, 0, 0, deqscale=0.5, relu=True)
    else:
        t.data_move(halves, l0c, 0, 1, 2, 0, 0, deqscale=0.5, relu=True)
    t.data_move(out, halves, 0, 1, 32, 0, 0)
    want = values * scales if how == "scales" else np.maximum(values * 0.5, 0)
    got = run(t, "deq", [gm, scales_gm], [values, scales], out)
    np.testing.assert_array_equal(got, want.astype("float16"))


@pytest.mark.parametrize("chip", COUPLED)
def test_moves_between_ub_and_l1(chip):
    """GM to L1 to UB to L1 to UB to GM, in blocks of 32 bytes anywhere in L1."""
    array = np.arange(1024, dtype="float16")
    t = instance(chip)
    src = t.Tensor("float16", (1024,), name="src", scope=tik.scope_gm)
    dst = t.Tensor("float16", (1024,), name="dst", scope=tik.scope_gm)
    l1 = t.Tensor("float16", (2048,), name="l1", scope=tik.scope_cbuf)
    ub = t.Tensor("float16", (1024,), name="ub", scope=tik.scope_ubuf)
    t.data_move(l1[16], src, 0, 1, 64, 0, 0)
    t.data_move(ub, l1[16], 0, 32, 1, 1, 0)
    t.data_move(ub[512], l1[32], 0, 32, 1, 1, 0)
    t.data_move(l1[48], ub, 0, 1, 64, 0, 0)
    t.data_move(ub, l1[48], 0, 1, 64, 0, 0)
    t.data_move(dst, ub, 0, 1, 64, 0, 0)
    want = array.reshape(32, 2, 16).transpose(1, 0, 2).ravel()
    np.testing.assert_array_equal(run(t, "moves", [src], [array], dst), want)


WRONG_BIASES = {
    "both": (
        lambda t, c, a, bias: t.matmul(c, a, a, 16, 16, 16, init_l1out=False, bias=bias),
        ("mmad-bias", "a bias and init_l1out=False"),
    ),
    "other type": (
        lambda t, c, a, bias: t.matmul(c, a, a, 16, 16, 16, bias=a),
        ("mmad-bias", "float16"),
    ),
    "too short": (
        lambda t, c, a, bias: t.matmul(c, a, a, 16, 16, 16, bias=bias[8]),
        ("tensor-size", "8 elements"),
    ),
    "of fixpipe": (
        lambda t, c, a, bias: t.fixpipe(c, c, 1, 32, 0, 0, {"bias": bias}),
        ("parameter-unsupported", "a Tensor"),
    ),
    "element-wise-add": (
        lambda t, c, a, bias: t.fixpipe(c, c, 1, 32, 0, 0, {"element-wise-add": bias}),
        ("parameter-unsupported", "a Tensor"),
    ),
}


@pytest.mark.parametrize("name", WRONG_BIASES)
def test_wrong_bias_with_a_bias_table(name):
    call, want = WRONG_BIASES[name]
    t = instance("Ascend910B1")
    a = t.Tensor("float16", (1, 16, 16), name="a", scope=tik.scope_cbuf)
    bias = t.Tensor("float32", (16,), name="bias", scope=tik.scope_cbuf)
    c = t.Tensor("float32", (1, 16, 16), name="c", scope=tik.scope_cbuf_out)
    with pytest.raises(tik.TikError) as caught:
        call(t, c, a, bias)
    assert (caught.value.rule, caught.value.found) == want
