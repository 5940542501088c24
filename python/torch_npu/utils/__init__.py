# SPDX-License-Identifier: Apache-2.0
"""Building extensions: cpp_extension, imported when it is asked for, because PyTorch's says what it misses of CUDA."""

import importlib

__all__ = ["cpp_extension"]


def __getattr__(name):
    if name == "cpp_extension":
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
