# SPDX-License-Identifier: Apache-2.0
"""Importing this makes a program written for CUDA use the device npu: torch.cuda has what torch.npu has, and a device
"cuda" that PyTorch is given is "npu". Of the thread that imports it, as modes of PyTorch are.
"""

import torch
from torch.overrides import TorchFunctionMode

from .. import npu


def _moved(value):
    if isinstance(value, str) and (value == "cuda" or value.startswith("cuda:")):
        return "npu" + value[len("cuda") :]
    if isinstance(value, torch.device) and value.type == "cuda":
        return torch.device("npu", npu.current_device() if value.index is None else value.index)
    return value


class _Transfer(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function is torch.Tensor.cuda:
            function = torch.Tensor.npu
        elif function == torch.Tensor.is_cuda.__get__:
            return args[0].is_npu
        return function(*map(_moved, args), **{name: _moved(value) for name, value in (kwargs or {}).items()})


for _name in dir(npu):
    if not _name.startswith("_"):
        setattr(torch.cuda, _name, getattr(npu, _name))
_Transfer().__enter__()
