# SPDX-License-Identifier: Apache-2.0
"""The line of the user's script a call comes from."""

import os
import sys
from types import FrameType

_FOLDER = os.path.dirname(__file__) + os.sep

Where = tuple[str, int]


def here() -> Where:
    """(file, line) of the first frame outside this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_FOLDER):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def frames() -> tuple[FrameType, FrameType]:
    """The first frame outside this package, and the one it called."""
    inner = frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_FOLDER):
        inner, frame = frame, frame.f_back
    return frame, inner
