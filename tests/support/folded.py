# SPDX-License-Identifier: Apache-2.0
"""Texts of reports as files of tests hold them, two lines a report, as support/golden.h writes them."""

import re


def folded(text: str) -> str:
    """The text with all fields of a report on the line below its sentence."""
    return re.sub(r"(?<=\n)  .*(?:\n  .*)+", lambda fields: fields[0].replace("\n  ", " | "), text)
