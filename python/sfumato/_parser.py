# SPDX-License-Identifier: Apache-2.0
"""Command lines that Python reads, with errors in the words of those that C++ reads."""

from __future__ import annotations

import argparse
import difflib
import re

from ._exit import USAGE

# What argparse says, and what is said instead. What it may say besides stays.
_SAID = (
    (r"argument (\S+): invalid choice: (.*?) \(choose from (.*)\)", r"\1: \2 is not legal; legal: \3"),
    (r"argument (\S+): invalid (?:int|float) value: (.*)", r"\1: \2 is not a number"),
    (r"argument (\S+): expected one argument", r"\1: its value is missing"),
    (r"the following arguments are required: (.*)", r"missing: \1"),
    (r"argument (\S+): (.*)", r"\1: \2"),
)


class Parser(argparse.ArgumentParser):
    def __init__(self, program: str, about: str | None = None, more: str | None = None, **words):
        form = argparse.RawDescriptionHelpFormatter
        super().__init__(program, description=about, epilog=more, formatter_class=form, **words)

    def error(self, message):
        self.exit(USAGE, f"error: {self.plain(message)}\n`{self.prog} --help` lists what is legal.\n")

    def plain(self, message: str) -> str:
        if found := re.fullmatch(r"unrecognized arguments: (\S+).*", message, re.DOTALL):
            word = found[1].partition("=")[0]
            near = difflib.get_close_matches(word, self._option_string_actions, 3)
            meant = f"; did you mean {', '.join(near)}?" if near else ""
            return f"unknown option {word}{meant}" if word.startswith("-") else f"{found[1]!r} is one word too many"
        for said, instead in _SAID:
            if found := re.fullmatch(said, message, re.DOTALL):
                text = found.expand(instead)
                return re.sub(r"(?<=legal: ).*", lambda legal: legal[0].replace("'", ""), text)
        return message
