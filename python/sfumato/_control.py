# SPDX-License-Identifier: Apache-2.0
"""The options `timeout`, `progress`, `isolated` and `trace` of a launch, and the bar on a terminal."""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time

import numpy as np

from . import _warn
from ._native import Error

BAR_AFTER = 2.0  # seconds


def seconds(value, where):
    """A timeout as the engine takes it: a number above 0, or None."""
    if value is None:
        return None
    number = not isinstance(value, (bool, np.bool_)) and isinstance(value, (int, float, np.integer, np.floating))
    if not number or not value > 0 or not math.isfinite(value):
        raise Error(f"{where}: timeout={value!r} must be seconds above 0, or None")
    return float(value)


def check(options, where="options"):
    """Refuses values of these options that are none; changes numbers to what the engine takes."""
    _warn.check(options.get("warn"), where)
    if "timeout" in options:
        options["timeout"] = seconds(options["timeout"], where)
    value = options.get("progress")
    if value is not None and value is not False and not callable(value):
        raise Error(f"{where}: progress={value!r} must be a callable, None or False")

    value = options.get("isolated")
    if value is not None and not isinstance(value, (bool, np.bool_)):
        raise Error(f"{where}: isolated={value!r} must be True, False or None")

    value = options.get("trace")
    if value is not None:
        if not isinstance(value, (str, os.PathLike)):
            raise Error(f"{where}: trace={value!r} must be the path of a file, or None")
        options["trace"] = os.path.abspath(value)


_default = {"isolated": None}


def set_default(*, isolated: bool | None) -> bool | None:
    """Whether launches of kernels whose options do not say run in a process of their own; returns what it was.

    None, where every process starts: as the environment variable SFUMATO_ISOLATED says, "1" or "0"."""
    check({"isolated": isolated}, "set_default")
    before, _default["isolated"] = _default["isolated"], isolated
    return before


def isolated(options):
    """Whether a launch with these options is."""
    for value in (options["isolated"], _default["isolated"]):
        if value is not None:
            return bool(value)
    word = os.environ.get("SFUMATO_ISOLATED", "0")
    if word not in ("", "0", "1"):
        raise Error(f"SFUMATO_ISOLATED is {word!r}; legal are 1 and 0")
    return word == "1"


@contextlib.contextmanager
def progress(options, kernel):
    """Around a launch: puts what the engine calls into `options`, and clears the bar."""
    wanted = options["progress"]
    bar = None
    if callable(wanted):
        options["progress"] = lambda ended, cores, records: wanted(ended, cores)
    elif wanted is None and sys.stderr is not None and sys.stderr.isatty():
        options["progress"] = bar = _Bar(kernel)
    else:
        options["progress"] = None
    try:
        yield
    finally:
        if bar is not None:
            bar.close()


class _Bar:
    """Cores that have ended, and how many instructions were issued: how many a core will issue nobody knows."""

    def __init__(self, kernel):
        self._kernel = kernel
        self._begun = time.monotonic()
        self._bar = None
        self._off = False

    def __call__(self, ended, cores, records):
        if self._off or time.monotonic() - self._begun < BAR_AFTER:
            return
        if self._bar is None:
            try:
                from tqdm import tqdm
            except ImportError:
                self._off = True
                return
            self._bar = tqdm(total=cores, desc=self._kernel, unit="core", leave=False, file=sys.stderr)
        self._bar.n = ended
        self._bar.set_postfix_str(f"{records:,} instructions")

    def close(self):
        if self._bar is not None:
            self._bar.close()
