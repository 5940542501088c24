# SPDX-License-Identifier: Apache-2.0
"""What Python callers pass is checked here before the library sees it: each wrong value is an Error that says what is legal."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ._native import Error


def path(value: Any, what: str) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise Error(f"{what}={value!r}: a path is needed, not {type(value).__name__}")
    return os.fspath(value)


def chip(value: Any, what: str) -> str:
    """The name, or '' for the error that lists them."""
    if value is not None and not isinstance(value, str):
        raise Error(f"{what}: chip={value!r}: a name is needed, e.g. 'Ascend910B1'")
    return value or ""


def words(values: Iterable[Any], what: str, example: str) -> list[str]:
    """A list of words: a single string would be read as its letters."""
    if isinstance(values, (str, bytes, os.PathLike)) or not isinstance(values, Iterable):
        raise Error(f"{what}={values!r}: a list is needed, e.g. {example}")
    return [os.fspath(value) if isinstance(value, os.PathLike) else str(value) for value in values]


def pairs(values: Mapping[str, Any] | None, what: str, example: str) -> list[tuple[str, Any]]:
    if values is not None and not isinstance(values, Mapping):
        raise Error(f"{what}={values!r}: a dict is needed, e.g. {example}")
    return list((values or {}).items())


def defines(values: Mapping[str, Any] | None, what: str) -> list[tuple[str, str]]:
    """Macros as a compiler takes them: -DNAME is -DNAME=1."""
    given = pairs(values, f"{what}: defines", '{"TILE": 256, "FAST": None}')
    return [(name, "1" if value is None else str(value)) for name, value in given]


_NAMES = ("schedule", "check", "overflow", "core", "cast_round", "mmad_order", "flags", "log_order")
_SWITCHES = ("auto_sync", "strict", "collect", "rests_on", "cost")
_NUMBERS = {"fill": 0xFF, "workers": 4096}


def options(given: Mapping[str, Any]) -> None:
    """Refuses options of a launch that are of a wrong type or out of range; which names are legal the library knows."""
    for name, value in given.items():
        if name in _NAMES and not isinstance(value, str) and not (name == "overflow" and value is None):
            raise Error(f"options: {name}={value!r} must be a string")
        if name in _SWITCHES and not isinstance(value, (bool, np.bool_)):
            raise Error(f"options: {name}={value!r} must be True or False")
        if name in ("log", "print") and value is not None and not callable(value):
            raise Error(f"options: {name}={value!r} must be a function that takes a text, or None")
        if name in _NUMBERS:
            most = _NUMBERS[name]
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value <= most:
                raise Error(f"options: {name}={value!r} must be an int in [0, {most}]")
