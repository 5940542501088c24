# SPDX-License-Identifier: Apache-2.0
"""Comparing what a kernel wrote with what was wanted: rules by name, statistics, and the pattern of what differs (docs/testing.md).

result = sfumato.compare(got, want, "ascend")
assert result.ok, str(result)
"""

from ._compare import compare
from ._result import Comparison, Element

__all__ = ["Comparison", "Element", "compare"]
