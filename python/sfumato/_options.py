# SPDX-License-Identifier: Apache-2.0
"""The options of launches, as their table has them (sfumato/launch_options.inc): names, defaults, what is legal."""

import argparse
import functools
import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import IntFlag
from typing import Any, NamedTuple, Optional

from . import _checks, _control, _native


class Route(IntFlag):
    """Who has an option; the bits of OptionRoute."""

    RUN_COMMAND = 1 << 0
    TIK_COMMAND = 1 << 1
    OP_COMMAND = 1 << 2
    ENVIRONMENT = 1 << 3
    PYTHON = 1 << 4
    TIK_RUN = 1 << 5
    JUDGE = 1 << 6
    SWEEP = 1 << 7
    ESTIMATE = 1 << 8


class Option(NamedTuple):
    name: str
    kind: str  # text, word, switch, number, seconds, cycles, other
    words: list[str]
    legal: str  # as errors say it
    standard: str  # the default's text; "": None
    routes: int
    sentence: str

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    @property
    def default(self) -> Any:
        if self.kind == "switch":
            return self.standard == "on"
        if self.kind == "number":
            return int(self.standard, 0)
        if self.kind == "cycles":
            return float(self.standard)
        return self.standard or ("" if self.name == "check" else None)


# Options that choose which bits results have where boards or pages leave them open (docs/last-bits.md).
NUMERICS = ("numerics", "estimate", "div", "mmad_order")

TABLE = {option.name: option for option in (Option(*row) for row in _native.launch_options())}


def of(route: int) -> dict[str, Option]:
    """The options of a route, in the order of the table."""
    return {name: option for name, option in TABLE.items() if option.routes & route}


def numerics(options: Mapping[str, Any]) -> dict[str, str]:
    """Which of them a launch with these options has; Error for a record that is not there."""
    return _native.numerics_of({name: options.get(name) for name in NUMERICS})


_WIDTH = max(len(name) for name in TABLE) + 2


@functools.cache
def _listed() -> str:
    lines = []
    for name, option in of(Route.PYTHON).items():
        legal = f". Values: {option.legal}" if option.legal and option.kind != "switch" else ""
        text = f"{option.sentence}{legal}. Default: {option.default!r}"
        lines += textwrap.wrap(text, 120, initial_indent=name.ljust(_WIDTH), subsequent_indent=" " * _WIDTH)
    return "\n".join(lines)


def documented(method: Callable) -> Callable:
    """Adds the options that Python has to the text of help()."""
    method.__doc__ = f"{method.__doc__}\n\n{_listed()}"
    return method


check = _native.check_options

DEFAULTS = {name: option.default for name, option in of(Route.PYTHON).items()}


def changed(before: Mapping[str, Any], given: dict[str, Any], legal: Iterable[str], chip: str) -> dict[str, Any]:
    """The options of a launcher with those given: refuses what a launch on the chip would refuse of them."""
    _checks.known(given, legal, "options")
    check(given)
    _control.check(given)
    options = {**before, **given}
    _native.check_launch_options(chip, {**options, "timeout": None})  # a launch of nothing takes time, too
    return options


def add_to(parser: argparse.ArgumentParser, route: int, names: Optional[Collection[str]] = None) -> None:
    """The options of a command, or some of them; those that are not given are None."""
    for option in of(route).values():
        if option.kind == "other" or (names is not None and option.name not in names):
            continue
        if option.kind == "switch" and option.standard == "off":
            parser.add_argument(option.flag, action="store_true", default=None, help=option.sentence)
            continue
        words: dict[str, Any] = {"metavar": _PLACEHOLDERS.get(option.name) or _PLACEHOLDERS.get(option.kind)}
        if option.kind in ("word", "switch"):
            words = {"choices": option.words}
        shown = f" (default {option.standard})" if option.standard else ""
        parser.add_argument(option.flag, help=(option.sentence + shown).replace("%", "%%"), **words)


_PLACEHOLDERS = {"fill": "0xNN", "trace": "FILE", "number": "N", "seconds": "SECONDS", "cycles": "N", "text": "TEXT"}


def given(arguments: argparse.Namespace, route: int) -> dict[str, Any]:
    """What a command line says, by the names of Python. Texts of numbers are read as C++ reads them."""
    said = {}
    for name, option in of(route).items():
        text = getattr(arguments, name, None)
        if text is None or option.kind == "other":
            continue
        said[name] = text if isinstance(text, bool) else _native.option_value(name, text, option.flag)
    return said


def repeated(options: Mapping[str, Any], route: int) -> list[str]:
    """The words of a command line that ask for these options: for all but switches that stand as they do by default, the
    number of threads, which changes no result, and the file of a timeline."""
    words = []
    for name, option in of(route).items():
        value = options.get(name)
        if option.kind == "other" or value is None or value == "" or name in ("workers", "trace", "timeout"):
            continue
        if option.kind == "switch":
            off = option.standard == "off"
            words += (
                [] if value == option.default else [option.flag] if off else [option.flag, "on" if value else "off"]
            )
        else:
            words += [option.flag, f"{value:#04x}" if name == "fill" else str(value)]
    return words
