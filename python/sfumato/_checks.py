# SPDX-License-Identifier: Apache-2.0
"""What Python callers pass is checked here before the library sees it: each wrong value is an Error that says what is legal."""

from __future__ import annotations

import functools
import inspect
import operator
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ._missing import did_you_mean
from ._native import Error


def known(given: Iterable[str], legal: Iterable[str], where: str) -> None:
    """Refuses a name that is none of the legal ones."""
    legal = list(legal)
    for name in given:
        if name not in legal:
            raise Error(f"{where}: {name!r} is not known{did_you_mean(str(name), legal)}; legal: {', '.join(legal)}")


def named(function: Callable) -> Callable:
    """The function, which tells of keywords that it lacks as `known` does."""
    legal = [p.name for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    positional = [name for name in inspect.signature(function).parameters if name not in legal]

    @functools.wraps(function)
    def checked(*arguments, **words):
        known([name for name in words if name not in positional], legal, function.__name__)
        return function(*arguments, **words)

    return checked


def integer(value: Any, low: int, high: int, what: str, note: str = "") -> int:
    """An integer of Python or of NumPy, or an array without dimensions that holds one."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        raise Error(f"{what} must be an int in [{low}, {high}]{note}")
    return number


def switch(value: Any, what: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise Error(f"{what}={value!r} must be True or False")
    return bool(value)


def cache(value: Any, what: str) -> str:
    """A cache_dir of the library: '' for its own place, 'none' for nothing read and nothing kept."""
    if value is None or value is False:
        return "none"
    if value is True:
        return ""
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        raise Error(f"{what}: cache={value!r} must be a folder, True for the usual one, or None for none")
    return os.fspath(value)


def text(value: Any, what: str, example: str) -> str:
    """A string, '' for None."""
    if value is not None and not isinstance(value, str):
        raise Error(f"{what}={value!r}: a string is needed, e.g. {example!r}")
    return value or ""


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
    listed = list(values)
    for index, value in enumerate(listed):
        if not isinstance(value, (str, os.PathLike)):
            raise Error(f"{what}: [{index}] is {value!r}: a list of strings is needed, e.g. {example}")
    return [os.fspath(value) for value in listed]


def pairs(values: Mapping[str, Any] | None, what: str, example: str) -> list[tuple[str, Any]]:
    if values is not None and not isinstance(values, Mapping):
        raise Error(f"{what}={values!r}: a dict is needed, e.g. {example}")
    for name in values or {}:
        if not isinstance(name, str):
            raise Error(f"{what}: the name {name!r} must be a string, e.g. {example}")
    return list((values or {}).items())


def defines(values: Mapping[str, Any] | None, what: str) -> list[tuple[str, str]]:
    """Macros as a compiler takes them: -DNAME is -DNAME=1."""
    example = '{"TILE": 256, "FAST": None}'
    given = []
    for name, value in pairs(values, f"{what}: defines", example):
        if not isinstance(value, (str, bool, int, float, np.generic, type(None))):
            raise Error(f"{what}: defines: {name}={value!r}: a number, a string or None is needed, e.g. {example}")
        given.append((name, "1" if value is None else str(value)))
    return given


def texts(values: Mapping[str, Any] | None, what: str, example: str) -> list[tuple[str, str]]:
    """pairs() of strings."""
    given = pairs(values, what, example)
    for name, value in given:
        if not isinstance(value, str):
            raise Error(f"{what}: {name}={value!r}: a string is needed, e.g. {example}")
    return given
