# SPDX-License-Identifier: Apache-2.0
"""Every call of the native table is executed by a test: by a plan with every type of every chip, or where it says here."""

import re
from pathlib import Path

import numpy as np
import pytest
from tik_support import instance
from tik_table import CHIPS, PLANS

from sfumato import tik

ROOT = Path(__file__).resolve().parents[2]
PYTHON, NATIVE = "tests/python", "tests/frontends/tik"

# Calls without a plan, by the file that executes them. Their operands or results are not those of the general form: other
# memories, offsets, records, registers, or types and work tensors that follow a table of their own.
ELSEWHERE = {
    f"{PYTHON}/test_tik_conv.py": "vec_conv vconv",
    f"{PYTHON}/test_tik_rest.py": "vec_rec_high_preci vec_rsqrt_high_preci vec_ln_high_preci vec_expm1_high_preci vcbd vcopy "
    "vreducev2 set_flag wait_flag pipe_barrier",
    f"{PYTHON}/test_tik_tensors.py": "data_move",
    f"{PYTHON}/test_tik_cube.py": "tensor_mov broadcast_ub_to_l0c load2dv1 load2dv2 mmad",
    f"{PYTHON}/test_tik_convolution.py": "load3dv1 load3dv2",
    f"{PYTHON}/test_tik_vbi.py": "vbi",
    f"{PYTHON}/test_tik_sort.py": "vconcat vextract vrpsort16 vsort32 vmrgsort4 vmrgsort",
    f"{PYTHON}/test_tik_coverage.py": "vgatherb data_move_multi_nd2nz",
    f"{NATIVE}/calls_test.cpp": "data_move_pad",
    f"{NATIVE}/reduce_calls_test.cpp": "v4dtrans",
    f"{NATIVE}/select_calls_test.cpp": "mov_tensor_to_cmpmask mov_cmpmask_to_tensor set_scalar_to_cmpmask vbcb vci vgather "
    "vscatter vreduce",
}


def test_no_call_is_forgotten():
    table = (ROOT / "src/frontends/tik/calls.inc").read_text(encoding="utf-8")
    rows = re.findall(r'SFUMATO_TIK_CALL\("(\w+)"', table)
    elsewhere = [call for calls in ELSEWHERE.values() for call in calls.split()]
    assert len(rows) > 100
    assert sorted(rows) == sorted([*PLANS, *elsewhere])


@pytest.mark.parametrize("file", ELSEWHERE)
def test_the_file_has_the_call(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    called = re.sub(r"(?s)^ELSEWHERE = \{.*?^\}$", "", text, flags=re.MULTILINE)
    missing = [call for call in ELSEWHERE[file].split() if not re.search(rf"\b{call}\b", called)]
    assert missing == []


@pytest.mark.parametrize("family", ["Ascend910B", "Ascend310B"])
@pytest.mark.parametrize("dtype", ["int16", "uint16", "float16", "int32", "uint32", "float32"])
def test_vgatherb(family, dtype):
    t = instance(CHIPS[family])
    n = 32 // np.dtype(dtype).itemsize  # elements of a block
    x = np.random.default_rng(1).integers(0, 256, 64 * 32, dtype=np.uint8).view(dtype)
    blocks = np.random.default_rng(2).integers(0, 64, 16)
    feed = {"x": x, "offsets": (blocks * 32).astype(np.uint32)}
    gm = {name: t.Tensor(str(a.dtype), a.shape, name=name, scope=tik.scope_gm) for name, a in feed.items()}
    ub = {name: t.Tensor(str(a.dtype), a.shape, name=f"ub_{name}", scope=tik.scope_ubuf) for name, a in feed.items()}
    dst = t.Tensor(dtype, (32 * n,), name="dst", scope=tik.scope_ubuf)
    out = t.Tensor(dtype, (32 * n,), name="out", scope=tik.scope_gm)
    for name in feed:
        t.data_move(ub[name], gm[name], 0, 1, feed[name].nbytes // 32, 0, 0)
    t.vec_dup(n * 8, dst, 0, 4, 8)
    t.vgatherb(dst, ub["x"], ub["offsets"], 2, 2, 16)
    t.data_move(out, dst, 0, 1, 32, 0, 0)
    t.BuildCCE("gather_blocks", list(gm.values()), [out])
    expected = np.zeros((32, n), dtype)
    expected[::2] = x.reshape(64, n)[blocks]
    assert t.run(feed)[0].tobytes() == expected.tobytes()


@pytest.mark.parametrize("family", ["Ascend910B", "Ascend310B"])
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32"])
def test_data_move_multi_nd2nz(family, dtype):
    t = instance(CHIPS[family])
    c0 = 32 // np.dtype(dtype).itemsize
    rows, columns, matrices = 5, 2 * c0 + 3, 2
    x = np.random.default_rng(4).integers(-100, 100, (matrices, rows, columns)).astype(dtype)
    shape = (matrices, 3, 16, c0)
    src = t.Tensor(dtype, x.shape, name="src", scope=tik.scope_gm)
    l1 = t.Tensor(dtype, shape, name="l1", scope=tik.scope_cbuf)
    out = t.Tensor(dtype, shape, name="out", scope=tik.scope_gm)
    t.data_move_multi_nd2nz(l1, src, matrices, rows, columns, rows * columns, columns, 16, 1, 3 * 16 * c0)
    t.data_move(out, l1, 0, 1, np.prod(shape) // c0, 0, 0)
    t.BuildCCE("nd2nz", [src], [out])
    found = t.run({"src": x})[0].reshape(shape)[:, :, :rows]
    expected = np.zeros((matrices, rows, 3 * c0), dtype)
    expected[:, :, :columns] = x
    assert np.array_equal(found, expected.reshape(matrices, rows, 3, c0).transpose(0, 2, 1, 3))
