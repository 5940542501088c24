# SPDX-License-Identifier: Apache-2.0
"""torch_npu.npu_*: each against PyTorch on the CPU in float64, what is told of results, and whose operator wins."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
import torch
import torch_npu
from close import check
from conftest import HERE, python, run
from torch_npu._operators import OPERATORS
from vendor_cases import CASES

PAGE = Path(__file__).parents[2] / "docs/torch.md"
NAMES = sorted({re.split(r"[.(]", row.schema)[0] for row in OPERATORS})


def flat(value):
    return [part for one in value for part in flat(one)] if isinstance(value, (list, tuple)) else [value]


@pytest.mark.parametrize("name", NAMES)
def test_results(name):
    calls = 0
    for arguments, named, wanted in CASES[name]():
        got = flat(getattr(torch_npu, name)(*arguments, **named))
        for n, (result, want) in enumerate(zip(got, flat(wanted), strict=True)):
            if isinstance(result, torch.Tensor) and want is not None:
                check(result.cpu(), want, f"{name}, call {calls}, result {n}")
            else:
                assert want is None or result == want
        calls += 1
    assert calls >= 20


def test_in_place():
    for (query, key, *rest), named, wanted in CASES["npu_apply_rotary_pos_emb"]():
        results = torch_npu.npu_apply_rotary_pos_emb(query, key, *rest, **named)
        for given, result, want in zip((query, key), results, wanted, strict=True):
            assert result.data_ptr() == given.data_ptr()
            check(given.cpu(), want, "in place")


def test_formats_and_namespaces():
    x, w = torch.rand(16, 32).half().npu(), torch.rand(16, 32).half().npu()
    want = torch_npu.npu_linear(x, w)
    assert torch.equal(torch_npu.npu_linear(x, torch_npu.npu_format_cast(w, 29)).cpu(), want.cpu())
    assert torch.equal(torch.ops.npu.npu_linear(x, w).cpu(), want.cpu())


def test_fake_tensors():
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        y, root = torch_npu.npu_rms_norm(torch.rand(4, 8).half().npu(), torch.rand(8).half().npu())
        assert (y.shape, y.dtype, y.device.type) == ((4, 8), torch.float16, "npu")
        assert (root.shape, root.dtype) == ((4, 1), torch.float32)


def test_streams():
    """The call comes in the order of its stream: behind what another wrote without an event it is a race."""
    code = """
import torch, torch_npu
x, w = torch.ones(2, 8).npu(), torch.ones(8).npu()
other, event = torch.npu.Stream(), torch.npu.Event()
y, _ = torch_npu.npu_rms_norm(x, w)
event.record()
with torch.npu.stream(other):
    try:
        torch_npu.npu_swiglu(y)
    except RuntimeError as error:
        print("race", "stream-race" in str(error))
    other.wait_event(event)
    print("ordered", torch_npu.npu_swiglu(y).shape)
"""
    said = python(code, SFUMATO_OPTIONS="streams=check,strict=1")
    assert "race True\n" in said, said
    assert "ordered torch.Size([2, 4])\n" in said, said


def test_the_mark(tmp_path):
    code = """
import torch, torch_npu
x = torch.ones(2, 8).npu()
for _ in range(3):
    torch_npu.npu_silu(torch_npu.npu_swiglu(x))
print("end")
"""
    said = python(code, SFUMATO_OPTIONS=f"json={tmp_path / 'found.json'}")
    for name in ("aclnnSwiGlu", "aclnnSilu"):
        assert said.count(f"note [reference-operator] {name}: the result is reference, not the board's bits\n") == 1
    found = json.loads((tmp_path / "found.json").read_text())["findings"]
    told = [(f["rule"], f["severity"], f["instruction"]) for f in found]
    assert told == [("reference-operator", "note", name) for name in ("aclnnSwiGlu", "aclnnSilu")]


def test_the_mark_in_a_profile():
    x = torch.ones(2, 8).npu()
    with torch_npu.profiler.profile() as profile:
        torch_npu.npu_silu(torch_npu.npu_silu(x))
    assert [note["instruction"] for note in profile.references] == ["aclnnSilu"] * 2 and not profile.launches


def test_a_function_of_the_users_wins(monkeypatch):
    from torch_npu import _vendor

    monkeypatch.setattr(_vendor, "registered", {})
    assert not hasattr(torch_npu, "npu_add_rms_norm") and hasattr(torch_npu, "npu_silu")
    torch_npu.register("npu_add_rms_norm", lambda x, y, weight: torch_npu.npu_rms_norm(x + y, weight)[0])
    x, w = torch.rand(3, 8).npu(), torch.rand(8).npu()
    got = torch_npu.npu_add_rms_norm(x, x, w)
    assert torch.equal(got.cpu(), torch_npu.npu_rms_norm(x + x, w)[0].cpu())
    torch_npu.register("npu_silu", lambda self: self * 2)
    with torch_npu.profiler.profile() as profile:
        for function in (torch_npu.npu_silu, torch.ops.npu.npu_silu):
            assert torch.equal(function(x).cpu(), x.cpu() * 2)
    assert not profile.references


@pytest.mark.parametrize("way", ["ASCEND_CUSTOM_OPP_PATH", "ASCEND_OPP_PATH"])
def test_an_operator_of_a_package_wins(tmp_path, way):
    library = tmp_path / "vendors/mine/op_api/lib/libcust_opapi.so"
    library.parent.mkdir(parents=True)
    (tmp_path / "vendors/config.ini").write_text("load_priority=mine,other\n")
    toolkit = Path(os.environ["ASCEND_HOME_PATH"])
    command = ["g++", "-shared", "-fPIC", str(HERE / "extensions/own_silu.cpp"), "-o", str(library)]
    run([*command, f"-I{toolkit}/include", f"-L{toolkit}/lib64", "-lnnopbase", f"-Wl,-rpath,{toolkit}/lib64"])
    code = "import torch, torch_npu; x = torch.ones(2, 3).npu()\n"
    code += "print(torch_npu.npu_silu(x).tolist(), torch_npu.npu_swiglu(torch.ones(2, 2).npu()).shape)"
    environment = {"ASCEND_CUSTOM_OPP_PATH": "", way: str(tmp_path / "vendors/mine" if "CUSTOM" in way else tmp_path)}
    said = python(code, **environment)
    assert said.endswith("[[3.0, 3.0, 3.0], [3.0, 3.0, 3.0]] torch.Size([2, 1])\n"), said
    assert "aclnnSwiGlu: the result is reference" in said and "aclnnSilu" not in said


@pytest.mark.parametrize("shape", [(1, 16), (3, 32), (40, 64)])
def test_an_extension_that_mixes_them_with_its_kernel(residual, shape):
    random = np.random.default_rng(shape)
    x, y = (random.integers(-9, 10, shape).astype(np.float16) / 4 for _ in range(2))
    weight = random.integers(1, 5, shape[1]).astype(np.float16) / 2
    h = 2 * x + y
    wide = h.astype(np.float64)
    root = 1 / np.sqrt((wide**2).mean(-1, keepdims=True) + 1e-5)
    normed = (wide * root * weight).astype(np.float16)
    want = np.concatenate([np.maximum(normed, 0), normed[:, ::-1]]).T
    with torch_npu.profiler.profile() as profile:
        got = residual.residual(*(torch.from_numpy(values).npu() for values in (x, y, weight)))
    for result, values in zip(got, (h, want), strict=True):
        assert result.cpu().numpy().tobytes() == np.ascontiguousarray(values).tobytes()
    assert [launch.kernel for launch in profile.launches] == ["twice_and_add"]
    assert [note["instruction"] for note in profile.references] == ["aclnnRmsNorm"]


def test_the_page():
    """docs/torch.md has every operator, its page and its aclnn functions, and no other."""
    rows = re.findall(r"^\| `(npu_\w+)` \| (\S+) \| ([^|]+) \|", PAGE.read_text(encoding="utf-8"), re.M)
    assert sorted(name for name, _, _ in rows) == NAMES
    pages = {re.split(r"[.(]", row.schema)[0]: row.page for row in OPERATORS}
    assert {name: page for name, page, _ in rows} == pages
