# SPDX-License-Identifier: Apache-2.0
"""Exit codes of the command (src/report/exit_code.h): OK, USAGE, FAULT and the others."""

from ._native import exit_codes

globals().update(exit_codes())
