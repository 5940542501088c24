# SPDX-License-Identifier: Apache-2.0
"""What a record is refused for."""

from __future__ import annotations


class Refused(Exception):
    """A record that cannot be used: what, where, what was found, what is legal, what to do. str() is the report."""

    def __init__(self, what: str, *, where: str = "", found: str = "", legal: str = "", do: str = ""):
        self.what, self.where, self.found, self.legal, self.do = what, where, found, legal, do
        said = (("where", where), ("found", found), ("legal", legal), ("do", do))
        super().__init__("\n".join([f"error: {what}", *(f"  {name + ':':<7} {text}" for name, text in said if text)]))
