# SPDX-License-Identifier: Apache-2.0
"""Exit codes of the command (src/report/exit_code.h)."""

from ._native import exit_codes

_CODES = exit_codes()
OK, DIFFERENT, USAGE, COMPILE, FAULT, QUIT, NOT_RIGHT, UNWRITTEN, INTERRUPTED = (
    _CODES[name] for name in "OK DIFFERENT USAGE COMPILE FAULT QUIT NOT_RIGHT UNWRITTEN INTERRUPTED".split()
)
