# SPDX-License-Identifier: Apache-2.0
"""Tells PyTorch that its private device is called npu."""

import torch

from . import _faults


def install(native):
    taken = torch._C._get_privateuse1_backend_name()
    if taken not in ("privateuseone", "npu"):
        raise ImportError(f"torch_npu: PyTorch's one private device is taken in this process, by '{taken}'")
    torch.utils.rename_privateuse1_backend("npu")
    native.raise_faults_as(_faults.KernelFault)


def attach(module):
    torch._register_device_module("npu", module)
    torch.utils.generate_methods_for_privateuse1_backend(for_storage=True)
