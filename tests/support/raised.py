# SPDX-License-Identifier: Apache-2.0
"""As raised.h: which rules a test in Python has seen raised with the report it expects."""

import atexit
import os
from pathlib import Path

_rules: set[str] = set()


def keep(program: str) -> None:
    """Writes the rules at the end, in a file of the program's name in the folder SFUMATO_RAISED."""
    folder = os.environ.get("SFUMATO_RAISED")
    if folder:
        path = Path(folder, f"{program}.txt")
        atexit.register(lambda: path.write_text("".join(f"{rule}\n" for rule in sorted(_rules)), encoding="utf-8"))


def raised(rule: str) -> None:
    """Call it where a report is what the test expects."""
    _rules.add(rule)
