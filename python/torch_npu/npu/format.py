# SPDX-License-Identifier: Apache-2.0
"""Formats of tensors, and switches of the vendor's operators, which nothing here reads."""

from enum import IntEnum
from types import SimpleNamespace

import torch


class Format(IntEnum):
    ND = 2
    FRACTAL_NZ = 29


def npu_format_cast(tensor, acl_format):
    """The tensor in ND (2) or FRACTAL_NZ (29): itself, or a copy laid out so. Raises RuntimeError for another format.

    tensor: of the device npu; in FRACTAL_NZ a matrix, or a batch of them, of elements of 1, 2 or 4 bytes.
    """
    return torch.ops.npu.npu_format_cast(tensor, int(acl_format))


def npu_format_cast_(tensor, acl_format):
    """The same in place: the tensor gets the storage of the cast one."""
    tensor.data = npu_format_cast(tensor, acl_format)
    return tensor


def get_npu_format(tensor):
    """2 or 29."""
    return torch.ops.npu.get_npu_format(tensor)


config = SimpleNamespace(allow_internal_format=False)


def set_compile_mode(jit_compile=False):
    """Of the vendor's operators: nothing to choose here."""


def set_option(option):
    """Of the vendor's operators: nothing to choose here."""
    if not isinstance(option, dict):
        raise TypeError(f"set_option: expected a dict, found {type(option).__name__}")
