# SPDX-License-Identifier: Apache-2.0
"""Whole blocks at the end of an array: of NumPy, of a view, of a tensor of torch."""

import os
import subprocess

import numpy as np
import pytest
from conftest import CHIP

import sfumato

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
// Copies blocks of 32 bytes, from one byte offset to another.
extern "C" __global__ __aicore__ void blocks(GM_ADDR src, GM_ADDR dst, uint32_t from, uint32_t to, uint32_t count, bool sum) {
    GlobalTensor<int8_t> in, out;
    in.SetGlobalBuffer((__gm__ int8_t*)src + from);
    out.SetGlobalBuffer((__gm__ int8_t*)dst + to);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 1024);
    auto t = buffer.Get<int8_t>();
    DataCopy(t, in, count * 32);
    SetFlag<HardEvent::MTE2_MTE3>(0);
    WaitFlag<HardEvent::MTE2_MTE3>(0);
    if (sum) SetAtomicAdd<int8_t>();
    DataCopy(out, t, count * 32);
    SetAtomicNone();
}
"""


@pytest.fixture(scope="module")
def blocks():
    return sfumato.compile(SOURCE, chip=CHIP).blocks[1]


def rules(result, severity="warning"):
    return [f.rule for f in result.findings if f.severity == severity]


def refused(call, *arguments):
    with pytest.raises(sfumato.KernelError) as caught:
        call(*arguments)
    return [f.rule for f in caught.value.result.findings if f.severity == "fault"]


LONG = np.arange(1024, dtype=np.uint8)


@pytest.mark.parametrize("sum_up", [False, True])
def test_writes(blocks, sum_up):
    end = np.zeros(100, np.uint8)
    result = blocks(LONG, end, 0, 0, 4, sum_up)
    assert rules(result) == ["gm-padding"]
    assert np.array_equal(end, LONG[:100])
    # A byte further, and a block.
    assert refused(blocks, LONG, end, 0, 1, 4, sum_up) == ["gm-out-of-range"]
    assert refused(blocks, LONG, end, 0, 32, 4, sum_up) == ["gm-out-of-range"]


def test_reads(blocks):
    out, short = np.zeros(1024, np.uint8), LONG[:100].copy()
    assert rules(blocks(short, out, 0, 0, 4, False)) == ["gm-padding"]
    assert np.array_equal(out[:100], short)
    assert rules(blocks(short, out, 1, 0, 4, False)) == ["gm-padding"]
    assert refused(blocks, short, out, 32, 0, 4, False) == ["gm-out-of-range"]
    assert rules(blocks(LONG[:128].copy(), out, 0, 0, 4, False)) == []


def test_what_nobody_wrote(blocks):
    out, short = np.zeros(128, np.uint8), LONG[:100].copy()
    assert "uninitialised-read" in rules(blocks.options(check="all")(short, out, 0, 0, 4, False))


def test_strict(blocks):
    with pytest.raises(sfumato.KernelError):
        blocks.options(strict=True)(LONG, np.zeros(100, np.uint8), 0, 0, 4, False)


def test_large_arrays(blocks):
    """Those that are not copied."""
    src, dst = np.zeros((1 << 20) + 4, np.uint8), np.zeros((1 << 20) + 4, np.uint8)
    src[-100:] = LONG[:100]
    at = (1 << 20) - 96
    assert rules(blocks(src, dst, at, at, 4, False)) == ["gm-padding", "gm-padding"]
    assert np.array_equal(dst, src)


def test_views(blocks):
    """Behind a view lies the array it is a part of."""
    out, whole = np.zeros(1024, np.uint8), LONG.copy()
    for view in (whole[:100], whole[32:132]):
        first = int(view[0])
        result = blocks(view, out, 0, 0, 4, False)
        assert rules(result) == ["gm-padding"]
        assert np.array_equal(out[:128], LONG[first : first + 128])
    # To the end of the view's last block, which is others' memory.
    assert refused(blocks, LONG, whole[:100], 0, 0, 4, False) == ["gm-out-of-range"]
    # An array ends where its owner ends.
    short = np.zeros(132, np.uint8)
    assert rules(blocks(LONG, short[32:], 0, 0, 4, False)) == ["gm-padding"]
    assert refused(blocks, LONG, np.zeros(128, np.uint8)[4:], 0, 0, 4, False) == ["gm-out-of-range"]
    assert np.array_equal(whole, LONG)


@pytest.mark.skipif("SFUMATO_COMMAND" not in os.environ, reason="SFUMATO_COMMAND names no command")
def test_a_workspace(tmp_path):
    (tmp_path / "blocks.cpp").write_text(SOURCE)
    np.save(tmp_path / "long.npy", LONG)
    words = [os.environ["SFUMATO_COMMAND"], "run", "blocks.cpp", "--chip", CHIP, "--", "long.npy", "workspace:100"]
    for to, code, told in [
        (0, 0, "warning [gm-padding]"),
        (1, 4, "fault [gm-out-of-range]"),
        (32, 4, "fault [gm-out-"),
    ]:
        numbers = ["uint32:0", f"uint32:{to}", "uint32:4", "bool:false"]
        done = subprocess.run([*words, *numbers], cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr.startswith(told)) == (code, True), done.stderr


def test_tensors_of_torch(blocks):
    torch = pytest.importorskip("torch")
    whole, out = torch.arange(200, dtype=torch.uint8), torch.zeros(128, dtype=torch.uint8)
    assert rules(blocks(whole[:100], out, 0, 0, 4, False)) == ["gm-padding"]
    assert out.tolist() == list(range(128))
    assert refused(blocks, LONG, whole[:100], 0, 0, 4, False) == ["gm-out-of-range"]
