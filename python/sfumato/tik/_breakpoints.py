# SPDX-License-Identifier: Apache-2.0
"""The debugger's breakpoints and the commands that make and remove them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from ._recorder import Recorder
from ._where import Where


class Sorry(Exception):
    """A command that cannot be done; the sentence is printed."""


class Breakpoint:
    """A line to stop at: always, or where a condition holds; once when temporary."""

    def __init__(self, where: Where, statements: list[int], condition: str, temporary: bool):
        self.where, self.statements = where, statements
        self.condition, self.temporary = condition, temporary
        self.enabled, self.hits = True, 0


class BreakpointCommands:
    """Base of Debugger, which has the program, the stop and _say."""

    _program: Recorder

    def __init__(self):
        self._numbered: dict[int, Breakpoint] = {}
        self._made = 0  # breakpoints so far

    def enabled_statements(self) -> set[int]:
        """Where the run is to stop."""
        return set().union(*(b.statements for b in self._numbered.values() if b.enabled))

    def hit(self, statement: int, holds: Callable[[str], bool]) -> int | None:
        """Counts a stop at a statement; the number of its breakpoint. holds: whether a condition does there."""
        for one, breakpoint in self._numbered.items():
            if not breakpoint.enabled or statement not in breakpoint.statements:
                continue
            if not breakpoint.condition or holds(breakpoint.condition):
                breakpoint.hits += 1
                return one
        return None

    def after_stop(self, one: int) -> None:
        """A temporary breakpoint has done its work."""
        if self._numbered[one].temporary:
            self._remove(one)

    def lines(self, file: str) -> set[int]:
        """The lines of a file with a breakpoint."""
        return {b.where[1] for b in self._numbered.values() if b.where[0] == file}

    def do_break(self, rest: str) -> None:
        """b(reak) [[FILE:]LINE [if CONDITION]]
        Stops before every statement of a line; where it has none, of the next line that has. With a condition, a Python
        expression as of p(rint): only where it is true, or cannot be computed. Without an argument: lists the
        breakpoints."""
        if not rest:
            return self._list_breakpoints()
        return self._break(rest, False)

    def do_tbreak(self, rest: str) -> None:
        """tb(reak) [FILE:]LINE [if CONDITION]
        The same for one stop: then the breakpoint is removed."""
        if not rest:
            raise Sorry("A line is needed: tb 12")
        self._break(rest, True)

    def _break(self, rest, temporary):
        # pdb separates a condition with a comma.
        place, condition = re.fullmatch(r"([^\s,]+)(?:\s*,\s*|\s+if\s+)(.+)|.*", rest.strip()).groups()
        if condition:
            check_expression(condition)
        where = self._resolve(place or rest)
        if (there := self._find(where)) is not None:
            raise Sorry(f"Breakpoint {there} is already there, at {short(where[0])}:{where[1]}.")
        self._made += 1
        statements = [statement for statement, step in self._program.steps.items() if step.where == where]
        made = self._numbered[self._made] = Breakpoint(where, statements, condition or "", temporary)
        self._say(f"Breakpoint {self._made} at {short(where[0])}:{where[1]}{manner(made)}.")

    def do_clear(self, rest: str) -> None:
        """clear [N ... | FILE:LINE]
        Removes breakpoints: by number, or with FILE:LINE the one of a line; without an argument all."""
        if ":" in rest:
            where = self._resolve(rest)
            there = self._find(where)
            if there is None:
                raise Sorry(f"There is no breakpoint at {short(where[0])}:{where[1]}.")
            numbers = [there]
        else:
            numbers = self._numbers(rest) if rest else list(self._numbered)
        for one in numbers:
            self._remove(one)
        if not numbers:
            self._say("There are no breakpoints.")

    def _remove(self, one):
        where = self._numbered.pop(one).where
        self._say(f"Removed breakpoint {one} at {short(where[0])}:{where[1]}.")

    def do_enable(self, rest: str) -> None:
        """enable N ...
        Lets breakpoints stop the run again."""
        self._switch(rest, True)

    def do_disable(self, rest: str) -> None:
        """disable N ...
        Keeps breakpoints from stopping the run."""
        self._switch(rest, False)

    def _switch(self, rest, enabled):
        for one in self._numbers(rest):
            self._numbered[one].enabled = enabled
            self._say(f"{'Enabled' if enabled else 'Disabled'} breakpoint {one}.")

    def _numbers(self, rest) -> list[int]:
        if not rest:
            raise Sorry("The number of a breakpoint is needed; b lists them.")
        numbers = list(dict.fromkeys(number(word, "breakpoint") for word in rest.split()))
        for one in numbers:
            if one not in self._numbered:
                raise Sorry(f"There is no breakpoint {one}; b lists them.")
        return numbers

    def _find(self, where) -> int | None:
        return next((one for one, b in self._numbered.items() if b.where == where), None)

    def _list_breakpoints(self):
        if not self._numbered:
            self._say("There are no breakpoints.")
        for one, b in self._numbered.items():
            state = "" if b.enabled else ", disabled"
            self._say(f"{one}: {short(b.where[0])}:{b.where[1]}{manner(b)}, hit {b.hits} times{state}")

    def _resolve(self, text: str) -> Where:
        """The line a breakpoint goes to."""
        name, _, line = text.rpartition(":")
        wanted = number(line, "line")
        files = sorted({step.where[0] for step in self._program.steps.values()})
        if name:
            matching = [f for f in files if f == name or os.path.realpath(f).endswith(os.sep + os.path.normpath(name))]
            if len(matching) != 1:
                known = ", ".join(map(short, files))
                raise Sorry(f"{name} names {len(matching)} files with statements; there are {known}.")
            file = matching[0]
        else:
            file = self._stop.where[0]
        lines = sorted({step.where[1] for step in self._program.steps.values() if step.where[0] == file})
        for candidate in lines:
            if candidate >= wanted:
                return file, candidate
        raise Sorry(f"{short(file)} has no statement at or after line {wanted}; its statements are on {ranges(lines)}.")


def manner(breakpoint: Breakpoint) -> str:
    """When a breakpoint stops, if not always."""
    condition = f" if {breakpoint.condition}" if breakpoint.condition else ""
    return condition + (", once" if breakpoint.temporary else "")


def check_expression(text: str) -> None:
    """Says what is wrong with a text that is no expression."""
    try:
        compile(text.strip(), "<tikdb>", "eval")
    except SyntaxError as error:
        raise Sorry(f"'{text.strip()}' is no Python expression: {error.msg}") from None


def number(text: str, what: str) -> int:
    """The number a command was given."""
    if not text.strip().isdecimal():
        raise Sorry(f"'{text.strip()}' is no {what}: a number is needed.")
    return int(text)


def short(file: str) -> str:
    """A file as the debugger names it."""
    return os.path.basename(file)


def ranges(lines: list[int]) -> str:
    """Ascending line numbers in words."""
    runs: list[list[int]] = []
    for line in lines:
        if runs and line == runs[-1][1] + 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    return "lines " + ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
