# SPDX-License-Identifier: Apache-2.0
"""Tensors of the CPU go to kernels and operators as arrays do: written in place, results of the same kind."""

import pytest
import torch

sfumato = pytest.importorskip("sfumato", exc_type=ImportError)  # the native module of this Python

CHIP = "Ascend910B1"
SOURCE = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void relu(GM_ADDR x, uint32_t n) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, n * 2);
    GlobalTensor<half> data;
    data.SetGlobalBuffer((__gm__ half*)x, n);
    LocalTensor<half> tile = buffer.Get<half>();
    DataCopy(tile, data, n);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Relu(tile, tile, n);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(data, tile, n);
}
"""


def test_a_tensor_is_written_in_place():
    x = torch.linspace(-4, 4, 64, dtype=torch.float16)
    want = torch.relu(x)
    sfumato.compile(SOURCE, chip=CHIP).relu[1](x, 64)
    assert torch.equal(x, want)


def test_casts_give_tensors():
    x = torch.tensor([1.5, -2.25], dtype=torch.bfloat16)
    result = sfumato.cast(x, "float32", round_mode="CAST_NONE", chip=CHIP)
    assert result.dtype == torch.float32 and result.tolist() == [1.5, -2.25]
    back = sfumato.cast(result, "bfloat16", round_mode="CAST_RINT", chip=CHIP)
    assert back.dtype == torch.bfloat16 and torch.equal(back, x)


def test_comparisons_take_tensors():
    assert sfumato.compare(torch.ones(3), torch.ones(3)).ok


def test_a_tensor_with_gaps_is_refused():
    x = torch.zeros(8, 8, dtype=torch.float16).t()[:, ::2]
    with pytest.raises(sfumato.Error, match=r"or tensor\.contiguous\(\)"):
        sfumato.compile(SOURCE, chip=CHIP).relu[1](x, 32)
