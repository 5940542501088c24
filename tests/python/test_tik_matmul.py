# SPDX-License-Identifier: Apache-2.0
"""matmul and fixpipe as users call them, bit for bit against NumPy; one case of real data keeps the stated order."""

import numpy as np
import pytest
from tik_cube import C0, CHIPS, COUPLED, RESULT, SEPARATE, CubeProgram, ceil, pack, product, unpack, whole
from tik_support import instance

from sfumato import tik


def multiply(chip, a, b, out_dtype=None, bias=None, product_bias=None, **extend):
    """matmul and fixpipe of whole matrices; the result as a matrix."""
    dtype = a.dtype.name
    (m, k), n = a.shape, b.shape[1]
    n1, accumulator = ceil(n, 16) // 16, RESULT[dtype]
    p = CubeProgram(chip)
    t = p.t
    a_l1, b_l1 = p.load_factors(a, b)
    c = t.Tensor(accumulator, (n1, ceil(m, 16), 16), name="c", scope=tik.scope_cbuf_out)
    out = t.Tensor(out_dtype or accumulator, (n1, m, 16), name="out", scope=tik.scope_gm)
    t.matmul(c, a_l1, b_l1, m, k, n, bias=None if product_bias is None else p.load("bias", product_bias))
    extensions = dict(extend)
    if bias is not None:
        extensions["bias"] = p.load("bias", bias)
    for key in ("mode_param", "addend"):
        if isinstance(extensions.get(key), np.ndarray):
            extensions[key] = p.load(key, extensions[key])
    if "addend" in extensions:
        extensions["element-wise-add"] = extensions.pop("addend")
    if out_dtype == "float16":
        mode = "fp322fp16" if accumulator == "float32" else "int322fp16"
        extensions["quantize_params"] = {"mode": mode, "mode_param": extensions.pop("mode_param", None)}
    t.fixpipe(out, c, n1, m * 16 * 4 // 32, 0, 0, extend_params=extensions or None)
    return unpack(p.run(out), n)


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
    p = CubeProgram(chip)
    t = p.t
    a_l1, b_l1 = p.load_factors(a, b)
    c = t.Tensor("float32", (n // 16, m, 16), name="c", scope=tik.scope_cbuf_out)
    out = t.Tensor("float32", (n // 16, m, 16), name="out", scope=tik.scope_gm)
    t.matmul(c, a_l1, b_l1, m, k, n)
    with t.for_range(1, parts) as i:
        t.matmul(c, a_l1[i * k // 16, 0, 0], b_l1[i * k // 16, 0, 0], m, k, n, init_l1out=False)
    t.fixpipe(out, c, n // 16, m * 2, 0, 0)
    got = p.run(out)
    np.testing.assert_array_equal(unpack(got, n), product(a, b))


@pytest.mark.parametrize("chip", CHIPS)
def test_matmul_on_several_cores_with_two_buffers(chip):
    """Blocks of rows over the cores, blocks of columns in a double-buffered loop, each with tensors of its own."""
    blocks, parts, m, k, n = 2, 4, 32, 48, 16
    rng = np.random.default_rng(4)
    a, b = whole(rng, (blocks * m, k), "float16"), whole(rng, (k, parts * n), "float16")
    rows = np.stack([pack(part, 16) for part in np.split(a, blocks)])
    columns = np.stack([pack(part.T, 16) for part in np.split(b, parts, axis=1)])
    p = CubeProgram(chip)
    t = p.t
    a_gm, b_gm = p.input("a", rows), p.input("b", columns)
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
    got = p.run(out)
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
    np.testing.assert_array_equal(multiply(chip, a, b, "float16", mode_param=scales, bias=bias), want.astype("float16"))


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
    p = CubeProgram(chip)
    t = p.t
    a_l1, b_l1 = p.load_factors(a, b)
    c = t.Tensor("float32", (4, 16, 16), name="c", scope=tik.scope_cbuf_out)
    out = t.Tensor("float32", (2, 18, 16), name="out", scope=tik.scope_gm, is_atomic_add=True)
    t.matmul(c, a_l1, b_l1, 16, 16, 64)
    t.fixpipe(out, c, 2, 32, 4, 1)
    got = p.run(out)
    want = product(a, b)
    np.testing.assert_array_equal(got[0, :16], want[:, :16])
    np.testing.assert_array_equal(got[1, :16], want[:, 32:48])
    assert not got[0, 16:].any() and not got[1, 16:].any()


@pytest.mark.parametrize("chip", [*COUPLED, "Ascend310B1"])
def test_fixpipe_into_ub(chip):
    """Rows behind the last one keep what UB held: a move follows that shows them."""
    rng = np.random.default_rng(25)
    a, b = whole(rng, (10, 16), "int8"), whole(rng, (16, 32), "int8")
    p = CubeProgram(chip)
    t = p.t
    a_l1, b_l1 = p.load_factors(a, b)
    c = t.Tensor("int32", (2, 16, 16), name="c", scope=tik.scope_cbuf_out)
    ub = t.Tensor("int32", (2, 16, 16), name="ub", scope=tik.scope_ubuf)
    out = t.Tensor("int32", (2, 16, 16), name="out", scope=tik.scope_gm)
    t.vec_dup(64, ub, 7, 8, 8)
    t.matmul(c, a_l1, b_l1, 10, 16, 32)
    t.fixpipe(ub, c, 2, 20, 12, 0)
    t.data_move(out, ub, 0, 1, 64, 0, 0)
    got = p.run(out)
    np.testing.assert_array_equal(unpack(got[:, :10], 32), product(a, b))
    assert (got[:, 10:] == 7).all()


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
