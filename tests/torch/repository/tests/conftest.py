# SPDX-License-Identifier: Apache-2.0
import pytest
import torch
import torch_npu  # noqa: F401 - brings the device


@pytest.fixture(autouse=True)
def device():
    torch.npu.set_device(0)
    torch.manual_seed(0)
    return "npu"
