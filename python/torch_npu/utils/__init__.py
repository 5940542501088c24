# SPDX-License-Identifier: Apache-2.0
"""Building extensions."""

from . import cpp_extension

__all__ = ["cpp_extension"]
