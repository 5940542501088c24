# SPDX-License-Identifier: Apache-2.0
"""Verdicts about models and bundles for direct launches, decoys among them."""

import json
from pathlib import Path

import pytest

import sfumato
from sfumato.judging import Limits

HERE = Path(__file__).parent
LIMITS = Limits(wall=20, memory=8 << 30, compile=300)

TASK = """import torch


class Model(torch.nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x, y):
        return x * self.scale + y


def get_inputs():
    return [torch.randn(4, 32), torch.randn(4, 32)]


def get_init_inputs():
    return [2.0]
"""
# z = scale * x + y, launched by a function of C, which compiles faster than a binding.
MODEL = '''import ctypes
import os
import subprocess

import torch

SOURCE = r"""
#include "kernel_operator.h"
using namespace AscendC;
__global__ __aicore__ void axpy_kernel(GM_ADDR x, GM_ADDR y, GM_ADDR z, float scale, uint32_t n) {
    GlobalTensor<float> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ float*)x, n);
    gy.SetGlobalBuffer((__gm__ float*)y, n);
    gz.SetGlobalBuffer((__gm__ float*)z, n);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 2 * n * sizeof(float));
    LocalTensor<float> a = buffer.Get<float>(), b = a[n];
    DataCopy(a, gx, n);
    DataCopy(b, gy, n);
    WAIT
    Axpy(b, a, scale, n);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(gz, b, COUNT);
}
extern "C" void axpy(void* x, void* y, void* z, float scale, uint32_t n) {
    axpy_kernel<<<1, nullptr, nullptr>>>((GM_ADDR)x, (GM_ADDR)y, (GM_ADDR)z, scale, n);
}
"""
with open("axpy.asc", "w") as file:
    file.write(SOURCE)
bisheng = os.path.join(os.environ["ASCEND_HOME_PATH"], "bin", "bisheng")
subprocess.run([bisheng, "-x", "asc", "-shared", "-fPIC", "axpy.asc", "-o", "libaxpy.so"], check=True)
library = ctypes.CDLL("./libaxpy.so")


def axpy(x, y, z, scale):
    pointers = [ctypes.c_void_p(t.data_ptr()) for t in (x, y, z)]
    library.axpy(*pointers, ctypes.c_float(scale), x.numel())
    torch.npu.synchronize()
    return z


class ModelNew(torch.nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x, y):
        z = torch.empty_like(x)
        FORWARD
'''
BUNDLED = """import torch

import direct_add


class AddModel(torch.nn.Module):
    def __init__(self, scale):
        super().__init__()

    def forward(self, x, y):
        return direct_add.add(x, y, 2, 64)
"""
WAIT = "SetFlag<HardEvent::MTE2_V>(0); WaitFlag<HardEvent::MTE2_V>(0);"
RUN = "axpy(x, y, z, self.scale)"
# An aclnn function that no operator of PyTorch calls.
CALL = "from torch_npu import _aclnn as a; a.call('aclnnInplaceMuls', [z, a.Scalar(1.0)])"
# Verdict or rule of the decoy, then what forward does.
FORWARDS = [
    ("right", f"return {RUN}"),
    ("right", f"return {RUN}.view(32, 4).view(4, 32)"),
    ("right", "return axpy(x, y, torch.zeros_like(x), self.scale)"),
    ("right", "return axpy(x, y.contiguous(), z, self.scale)"),
    ("right", "w = y.clone(); return axpy(x, w, w, self.scale)"),
    ("wrong", "return axpy(x, y, z, 3.0)"),
    ("wrong", f"return {RUN}[:2]"),
    ("no-compile", "return ("),
    ("refused", "return axpy(x[:1], y[:1], z.cpu(), self.scale)"),
    ("refused", "raise ValueError('no')"),
    ("D1", "return x * self.scale + y"),
    ("D1", "return torch.add(y, x, alpha=self.scale)"),
    ("D1", "return torch.addcmul(y, x, torch.full_like(x, self.scale))"),
    ("D1", "return (x.cpu() * self.scale + y.cpu()).to('npu')"),
    ("D1", "return torch.ops.npu.npu_silu(x)"),
    ("D3", f"torch.ops.npu.npu_silu(x); return {RUN}"),
    ("D3", f"{RUN}; {CALL}; return z"),
    ("D2", f"z = x * self.scale + y; {RUN.replace('z', 'torch.empty_like(x)')}; return z"),
    ("D2", f"{RUN}; return x * self.scale + y"),
    ("D2", f"{RUN}; z.copy_((x.cpu() * self.scale + y.cpu())); return z"),
    ("D2", f"{RUN}; return z.clone()"),
    ("D2", f"{RUN}; z.mul_(1.0); return z"),
    ("D2", f"{RUN}; z[0] = x[0] * self.scale + y[0]; return z"),
    ("D2", f"{RUN}; return torch.cat([z[:2], z[2:]])"),
    ("D3", "return axpy(x * self.scale, y, z, 1.0)"),
    ("D3", "return axpy(torch.zeros_like(x), x * self.scale + y, z, 1.0)"),
    ("D3", f"x.sum(); return {RUN}"),
    ("D3", "return axpy(x, torch.abs(y) * torch.sign(y), z, self.scale)"),
    ("D6", f"{RUN}; x.zero_(); return z"),
    ("D6", f"{RUN}; axpy(x, y, y, 0.0); axpy(x, y, y, 1.0); return z"),
    ("D4", "k = torch.ones(4, 32).to('npu'); return axpy(k, k, z, 1.0)"),
]


@pytest.fixture(scope="module")
def judge():
    with sfumato.Judge("Ascend910B1", limits=LIMITS, cache=False) as one:
        yield one


def model(forward, wait=WAIT, count="n"):
    return MODEL.replace("FORWARD", forward).replace("WAIT", wait).replace("COUNT", count)


@pytest.fixture(autouse=True)
def no_package_of_other_tests(monkeypatch):
    monkeypatch.delenv("ASCEND_CUSTOM_OPP_PATH", raising=False)


@pytest.mark.parametrize(("wanted", "forward"), FORWARDS)
def test_known_verdicts(judge, wanted, forward):
    verdict = judge(model(forward), TASK)
    found = verdict.decoy["rule"] if verdict.verdict == "decoy" else verdict.verdict
    assert found == wanted, verdict.to_json(1)


def test_what_is_told_of_a_decoy(judge):
    told = judge(model(f"{RUN}; return z.clone()"), TASK).decoy
    assert told["kernels"] == [{"name": "axpy_kernel", "launches": 1}] and told["operators"] == []
    (output,) = told["outputs"]
    assert output == {
        "name": "out0",
        "bytes": 512,
        "by_kernel": 0,
        "by_torch": 0,
        "by_copy": 512,
        "untouched": 0,
    }


def test_allowed_operators(judge):
    assert judge(model("return axpy(x * 1.0, y, z, self.scale)"), TASK + "\n\nallow = ['mul']\n")


@pytest.mark.parametrize(("allowed", "name", "forward"), [
    ("npu_silu", "aclnnSilu", f"torch.ops.npu.npu_silu(x); return {RUN}"),
    ("aclnnInplaceMuls", "aclnnInplaceMuls", f"{RUN}; {CALL}; return z"),
])  # fmt: skip
def test_reference_operators_are_marked(judge, allowed, name, forward):
    told = judge(model(forward), TASK).decoy
    assert told["operators"] == ["npu::npu_silu" if allowed == "npu_silu" else name]
    verdict = judge(model(forward), TASK + f"\n\nallow = [{allowed!r}]\n")
    assert verdict.verdict == "right", verdict.to_json(1)
    (note,) = verdict.findings
    assert (note["rule"], note["severity"], note["instruction"]) == ("reference-operator", "note", name)
    assert f"  note:   {name}: the result is reference, not the board's bits" in str(verdict).splitlines()
    assert judge(model(f"return {RUN}"), TASK).findings == []


def test_unstable(judge):
    verdict = judge(model(f"return {RUN}", wait=""), TASK)
    assert verdict.verdict == "unstable" and "schedule late" in verdict.summary


def test_a_forgotten_tail_is_no_decoy(judge):
    verdict = judge(model(f"return {RUN}", count="n - 8"), TASK)
    assert verdict.verdict == "wrong" and verdict.cases[0]["compare"]["out0"]["pattern"] == "fill bytes"


def test_there_is_no_estimate_of_a_model():
    options = {"time": True}
    verdict = sfumato.judge(
        model(f"return {RUN}"), TASK, chip="Ascend910B1", limits=LIMITS, cache=False, options=options
    )
    assert verdict and verdict.estimate is None
    assert verdict.estimate_reason == "no estimate: there is none of submissions of kind model"


def test_a_bundle(judge):
    bundle = {
        "sources": [
            {"path": "kernels/direct_add.asc", "content": (HERE / "extensions/direct_add.asc").read_text()},
            {"path": "model.py", "content": BUNDLED},
        ],
        "entry": {"model": "model.py::AddModel"},
        "build": {"kernel_sources": ["kernels/direct_add.asc"], "module_name": "direct_add"},
    }
    task = TASK.replace("x * self.scale + y", "x + y").replace("torch.randn(4, 32)", "torch.randn(4, 64)")
    verdict = judge(json.dumps(bundle, indent=1), task)
    assert verdict.verdict == "right" and verdict.kind == "direct", verdict.to_json(1)
    bundle["sources"][0]["content"] += "\nint broken = ;\n"
    verdict = judge(json.dumps(bundle, indent=1), task)
    assert verdict.verdict == "no-compile" and verdict.compile["diagnostics"][0]["line"] > 10
