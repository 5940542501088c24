# SPDX-License-Identifier: Apache-2.0
"""gate(x, y): x where y > 0, else 0."""

import torch_npu  # noqa: F401 - the library needs it

from ._C import gate as gate
