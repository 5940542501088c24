# SPDX-License-Identifier: Apache-2.0
"""The device `npu` for PyTorch, on the memory of this machine: what Ascend programs find under the name torch_npu.

Importing it is all that is needed: torch.npu, Tensor.npu() and device="npu" are there afterwards. The C++ part is
compiled on the first import (docs/torch.md).
"""

from . import _build as _build

_build.refuse_another()


def _autoload():
    """What `import torch` calls, by the entry point beside this package. Above torch, for torch asks while it loads."""


import torch  # noqa: E402

_C = _build.load(__name__)
__version__ = _build.VERSION
# Programs find include/ and lib/ beside this file: those that belong to the PyTorch in use.
__file__ = str(_build.folder() / "__init__.py")

from . import _device as _device  # noqa: E402

_device.install(_C)

from . import _distributed  # noqa: E402

_distributed.install()

from . import npu, profiler, testing, utils  # noqa: E402
from ._faults import KernelFault, last_report  # noqa: E402
from ._vendor import find as _find  # noqa: E402
from ._vendor import register  # noqa: E402
from .npu.format import Format, get_npu_format, npu_format_cast, npu_format_cast_  # noqa: E402

_device.attach(npu)
_C._npu_get_soc_version = npu.get_soc_version

__all__ = [
    "Format",
    "KernelFault",
    "get_npu_format",
    "last_report",
    "npu",
    "npu_format_cast",
    "npu_format_cast_",
    "profiler",
    "register",
    "testing",
    "torch",
    "utils",
]


def __getattr__(name):
    return _find(name)
