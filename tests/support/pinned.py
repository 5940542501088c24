# SPDX-License-Identifier: Apache-2.0
"""As golden.h: texts of reports in reports/ beside a test. SFUMATO_REWRITE=1 writes them anew: read what changed.

In a file a report is its name, ": " and its sentence, then a line for each field.
"""

import os
from pathlib import Path


class Pinned:
    """The texts of reports/NAME.txt beside `source`."""

    def __init__(self, source: str, name: str):
        self.path = Path(source).parent / "reports" / f"{name}.txt"
        self.texts: dict[str, str] = {}
        name = ""
        for line in self.path.read_text(encoding="utf-8").splitlines():
            if not line.startswith(" "):
                name, _, line = line.partition(": ")
            self.texts[name] = f"{self.texts[name]}\n{line}" if name in self.texts else line

    def text(self, name: str, said: str) -> str:
        """What is pinned under this name; `said`, once it is written anew."""
        if "SFUMATO_REWRITE" in os.environ:
            self.texts[name] = said
            lines = [(name, line) for name, text in self.texts.items() for line in text.split("\n")]
            written = (line if line.startswith(" ") else f"{name}: {line}" for name, line in lines)
            self.path.write_text("".join(f"{line}\n" for line in written), encoding="utf-8")
        return self.texts.get(name, "")
