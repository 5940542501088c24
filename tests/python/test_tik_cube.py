# SPDX-License-Identifier: Apache-2.0
"""Programs of single instructions of the cube unit, and the moves to and from its memories, against NumPy."""

import numpy as np
import pytest
from tik_cube import CHIPS, COUPLED, CubeProgram, pack, product, unpack, whole

from sfumato import tik


@pytest.mark.parametrize("chip", CHIPS)
def test_product_by_single_instructions(chip):
    """load2dv2 where the fractals of B change their order, k in two mmads, the second on top of the first."""
    m, k, n = 32, 64, 32
    rng = np.random.default_rng(37)
    a, b = whole(rng, (m, k), "float16"), whole(rng, (k, n), "float16")
    p = CubeProgram(chip)
    t = p.t
    # A as rows of fractals, half of k after the other; B as columns of fractals, each with n along its rows.
    halves = [a[:, i : i + k // 2].reshape(m // 16, 16, k // 32, 16).transpose(0, 2, 1, 3) for i in (0, k // 2)]
    a_l1 = p.load("a", np.ascontiguousarray(np.stack(halves)))
    b_l1 = p.load("b", np.ascontiguousarray(b.reshape(k // 16, 16, n // 16, 16).transpose(2, 0, 3, 1)))
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
    got = p.run(out)
    np.testing.assert_array_equal(unpack(got, n), product(a, b))


@pytest.mark.parametrize("chip", CHIPS)
def test_load2dv1_transposes_fractals(chip):
    """B as it is written, row by row in each fractal: if_transpose puts its columns along the rows of L0B."""
    rng = np.random.default_rng(41)
    a, b = whole(rng, (16, 32), "float16"), whole(rng, (32, 48), "float16")
    p = CubeProgram(chip)
    t = p.t
    a_l1 = p.load("a", pack(a, 16))
    b_l1 = p.load("b", np.ascontiguousarray(b.reshape(2, 16, 3, 16).transpose(0, 2, 1, 3)))
    l0a = t.Tensor("float16", (2, 16, 16), name="l0a", scope=tik.scope_ca)
    l0b = t.Tensor("float16", (2, 3, 16, 16), name="l0b", scope=tik.scope_cb)
    l0c = t.Tensor("float32", (3, 16, 16), name="l0c", scope=tik.scope_cc)
    out = t.Tensor("float32", (3, 16, 16), name="out", scope=tik.scope_gm)
    t.load2dv1(l0a, a_l1, 0, 2, 1, 0)
    t.load2dv1(l0b, b_l1, 0, 6, 1, 0, if_transpose=True)
    t.mmad(l0c, l0a, l0b, 16, 32, 48, 0)
    t.fixpipe(out, l0c, 3, 32, 0, 0)
    np.testing.assert_array_equal(unpack(p.run(out), 48), product(a, b))


@pytest.mark.parametrize("chip", COUPLED)
@pytest.mark.parametrize("how", ["scale", "scales", "data_move"])
def test_tensor_mov_dequantises(chip, how):
    """int32 in L0C to float16 in UB: one scale, 16 of them, or data_move with the same parameter; and back to L0C."""
    rng = np.random.default_rng(47)
    values = whole(rng, (2, 16, 16), "int32", 500)
    scales = rng.choice([0.25, 0.5, 1, 2], 16).astype("float16")
    p = CubeProgram(chip)
    t = p.t
    ub = p.load("values", values, tik.scope_ubuf)
    scales_ub = p.load("scales", scales, tik.scope_ubuf)
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
    got = p.run(out)
    np.testing.assert_array_equal(got, want.astype("float16"))


@pytest.mark.parametrize("chip", COUPLED)
@pytest.mark.parametrize(
    ("nburst", "burst_len", "src_stride", "dst_stride"),
    [(1, 1, 0, 0), (1, 5, 9, 9), (3, 1, 0, 2), (2, 3, 5, 0), (3, 2, 1, 1)],
)
@pytest.mark.parametrize("dtype", ["float16", "float32", "int32"])
def test_broadcast_fills_fractals_with_rows(chip, dtype, nburst, burst_len, src_stride, dst_stride):
    """Every 16 elements become the 16 rows of a fractal; what lies in the gaps stays."""
    rng = np.random.default_rng(53)
    gap, size = src_stride * 32 // np.dtype(dtype).itemsize, 16
    rows = whole(rng, (nburst * (burst_len * size + gap),), dtype, 1000)
    before = whole(rng, (nburst * (burst_len + dst_stride), 16, 16), dtype, 1000)
    p = CubeProgram(chip)
    t = p.t
    src, ub = p.load("rows", rows, tik.scope_ubuf), p.load("before", before, tik.scope_ubuf)
    l0c = t.Tensor(dtype, before.shape, name="l0c", scope=tik.scope_cc)
    out = t.Tensor(dtype, before.shape, name="out", scope=tik.scope_gm)
    t.tensor_mov(l0c, ub, "m", 1, len(before), 0, 0)
    # A Scalar among the strides: what it holds is known when the program runs.
    stride = t.Scalar("int32", "stride", dst_stride)
    t.broadcast_ub_to_l0c(l0c, src, nburst, burst_len, src_stride, stride)
    t.tensor_mov(ub, l0c, "m", 1, len(before), 0, 0)
    t.data_move(out, ub, 0, 1, before.nbytes // 32, 0, 0)
    want = before.copy()
    for burst in range(nburst):
        for unit in range(burst_len):
            start = burst * (burst_len * size + gap) + unit * size
            want[burst * (burst_len + dst_stride) + unit] = rows[start : start + size]
    np.testing.assert_array_equal(p.run(out), want)


@pytest.mark.parametrize("chip", COUPLED)
def test_moves_between_ub_and_l1(chip):
    """GM to L1 to UB to L1 to UB to GM, in blocks of 32 bytes anywhere in L1."""
    array = np.arange(1024, dtype="float16")
    p = CubeProgram(chip)
    t = p.t
    src = p.input("src", array)
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
    np.testing.assert_array_equal(p.run(dst), want)
