# SPDX-License-Identifier: Apache-2.0
"""What tests of Ascend programs import."""

from . import testcase

__all__ = ["testcase"]
