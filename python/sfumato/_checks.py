# SPDX-License-Identifier: Apache-2.0
"""What Python callers pass is checked here before the library sees it: each wrong value is an Error that says what is legal."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any


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
