# SPDX-License-Identifier: Apache-2.0
"""How arguments reach the instructions: masks, numbers, lists of tensors, dicts, keywords."""

import numpy as np
import pytest
from tik_support import instance

from sfumato import tik

MASKS = {
    "int": (lambda t: 20, range(20)),
    "NumPy": (lambda t: np.int64(20), range(20)),
    "Scalar": (lambda t: t.Scalar("int32", init_value=20), range(20)),
    "Expr": (lambda t: t.Scalar("int16", init_value=10) * 2, range(20)),
    "bits": (lambda t: [1, 0b1000], [3, 64]),
    "tuple": (lambda t: (1, 0b1000), [3, 64]),
    "Scalars": (lambda t: [t.Scalar("int64", init_value=-(2**63)), t.Scalar("int64", init_value=6)], [1, 2, 127]),
}


@pytest.mark.parametrize("kind", MASKS)
def test_masks(kind):
    make, lanes = MASKS[kind]
    t = instance()
    out = t.Tensor("float16", (128,), name="out", scope=tik.scope_gm)
    ub = t.Tensor("float16", (128,), name="ub", scope=tik.scope_ubuf)
    t.vec_dup(128, ub, 0.0, 1, 8)
    t.vector_dup(mask=make(t), dst=ub, scalar=1.5, repeat_times=1, dst_blk_stride=1, dst_rep_stride=8)
    t.data_move(out, ub, 0, 1, 8, 0, 0)
    t.BuildCCE("masks", [], [out])
    expected = np.zeros(128, np.float16)
    expected[list(lanes)] = 1.5
    assert np.array_equal(t.run({})[0], expected)


def test_lists_of_tensors():
    t = instance()
    src = t.Tensor("float16", (16, 16), name="src", scope=tik.scope_gm)
    dst = t.Tensor("float16", (16, 16), name="dst", scope=tik.scope_gm)
    a, b = (t.Tensor("float16", (16, 16), name=name, scope=tik.scope_ubuf) for name in "ab")
    t.data_move(a, src, 0, 1, 16, 0, 0)
    rows = [(b[16 * i], a[i, 0:]) for i in range(16)]
    t.vec_trans_scatter(False, False, [r[0] for r in rows], [r[1] for r in rows], 1, 0, 0)
    t.data_move(dst, b, 0, 1, 16, 0, 0)
    t.BuildCCE("transpose", [src], [dst])
    data = np.arange(256, dtype=np.float16).reshape(16, 16)
    assert np.array_equal(t.run({"src": data})[0], data.T)


def test_dicts():
    t = instance("Ascend910B1")
    a, b = (t.Tensor("float16", (16, 16), name=name, scope=tik.scope_gm) for name in "ab")
    c = t.Tensor("float32", (16, 16), name="c", scope=tik.scope_gm)
    a1, b1 = (t.Tensor("float16", (16, 16), name=name, scope=tik.scope_cbuf) for name in ("a1", "b1"))
    a0 = t.Tensor("float16", (16, 16), name="a0", scope=tik.scope_ca)
    b0 = t.Tensor("float16", (16, 16), name="b0", scope=tik.scope_cb)
    c0 = t.Tensor("float32", (16, 16), name="c0", scope=tik.scope_cc)
    for gm, l1, l0 in ((a, a1, a0), (b, b1, b0)):
        t.data_move(l1, gm, 0, 1, 16, 0, 0)
        t.load2dv1(l0, l1, 0, 1, 1, 0)
    t.mmad(c0, a0, b0, 16, 16, 16, 0)
    t.fixpipe(c, c0, 1, 32, 0, 0, extend_params={"relu": True, "quantize_params": None})
    t.BuildCCE("product", [a, b], [c])
    x = np.random.default_rng(1).integers(-4, 5, (16, 16))
    y = x + x.T  # B lies transposed in its fractal
    (result,) = t.run({"a": x.astype(np.float16), "b": y.astype(np.float16)})
    assert np.array_equal(result, np.maximum(x @ y, 0))


HALVES = np.rint(np.arange(-64, 64) / 2) + 3
DEQSCALES = {
    "tuple": (lambda t: (0.5, 3), HALVES),
    "list": (lambda t: [0.5, 3], HALVES),
    # Bit 46 says int8; scale 0, offset 48.
    "word": (lambda t: 2**46 + (48 << 37), np.full(128, 48)),
    "Scalar": (lambda t: t.Scalar("uint64", init_value=2**46 + (48 << 37)), np.full(128, 48)),
}


@pytest.mark.parametrize("kind", DEQSCALES)
def test_deqscale(kind):
    deqscale, expected = DEQSCALES[kind]
    t = instance("Ascend910B1")
    src = t.Tensor("int16", (128,), name="src", scope=tik.scope_gm)
    dst = t.Tensor("int8", (256,), name="dst", scope=tik.scope_gm)
    x = t.Tensor("int16", (128,), name="x", scope=tik.scope_ubuf)
    y = t.Tensor("int8", (256,), name="y", scope=tik.scope_ubuf)
    t.data_move(x, src, 0, 1, 8, 0, 0)
    t.data_move(y, dst, 0, 1, 8, 0, 0)
    t.vec_conv(128, "", y, x, 1, 8, 8, deqscale=deqscale(t))
    t.data_move(dst, y, 0, 1, 8, 0, 0)
    t.BuildCCE("scale", [src], [dst])
    values = np.arange(-64, 64).astype(np.int16)
    (result,) = t.run({"src": values, "dst": np.zeros(256, np.int8)})
    low = result.reshape(8, 32)[:, :16].reshape(-1)
    assert np.array_equal(low, expected)


def test_a_call_of_later():
    t = instance()
    with pytest.raises(
        NotImplementedError, match=r"Sfumato does not implement winograd_conv; its signature is wino.*\(dst"
    ):
        t.winograd_conv()
