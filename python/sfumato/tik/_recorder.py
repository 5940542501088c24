# SPDX-License-Identifier: Apache-2.0
"""A program that also remembers, for the debugger, the script's calls and the names they could see."""

import bisect
from types import FrameType
from typing import Any, NamedTuple

from .._native import tik as native
from ._where import Where, frames


class Step(NamedTuple):
    """One call of the script that made statements."""

    where: Where
    names: dict[str, Any]  # of the calling frame, as they were then
    globals: dict[str, Any]  # of a function
    function: str


class Declared(NamedTuple):
    """A tensor or scalar the script declared."""

    reader: str  # the method of a stop that reads it
    number: int


class Recorder(native.Program):
    """Replaces native.Program, but for Tik(disable_debug=True)."""

    def __init__(self, chip: str):
        super().__init__(chip)
        self.steps: dict[int, Step] = {}  # by the first statement of the call
        self.prints: dict[int, str] = {}  # the expressions of debug_print
        self._declared: list[tuple[int, str, Declared]] = []
        self._latest: FrameType | None = None

    def step_at(self, statement: int) -> Step:
        """The call a statement belongs to."""
        starts = list(self.steps)
        return self.steps[starts[max(0, bisect.bisect_right(starts, statement) - 1)]]

    def declared(self, statement: int) -> dict[str, Declared]:
        """Tensors and scalars by their name= in the script, declared before a statement; the latest of a name."""
        return {name: made for at, name, made in self._declared if at <= statement}

    def debug_print(self, expression: str, where: Where) -> None:
        """A place that prints the expression each time the run comes by."""
        self.prints[self.statements] = expression
        self.mark(where)

    def build(self, *args, **kwargs):
        self._latest = None
        return super().build(*args, **kwargs)

    def tensor(self, dtype, shape, scope, name, where, **flags):
        return self._declare("contents", name, super().tensor(dtype, shape, scope, name, where, **flags))

    def scalar(self, dtype, name, where):
        return self._declare("value_of", name, super().scalar(dtype, name, where))

    def input_scalar(self, dtype, name, where):
        return self._declare("value_of", name, super().input_scalar(dtype, name, where))

    def scalar_array(self, dtype, length, name, where):
        return self._declare("values", name, super().scalar_array(dtype, length, name, where))

    def _declare(self, reader, name, made):
        self._declared.append((self.statements, name, Declared(reader, made)))
        return made

    def _note(self, statement: int) -> None:
        # One call may make several statements: it is one step.
        frame, call = frames()
        if call is self._latest:
            return
        self._latest = call
        where = (frame.f_code.co_filename, frame.f_lineno)
        outer = {} if frame.f_locals is frame.f_globals else frame.f_globals
        self.steps[statement] = Step(where, dict(frame.f_locals), outer, frame.f_code.co_name)


def _recording(method):
    def record(self, *args, **kwargs):
        statement = self.statements
        result = method(self, *args, **kwargs)
        if self.statements > statement:
            self._note(statement)
        return result

    return record


# What makes statements a run may stop at.
_MAKING = "set_scalar set_array store begin_for begin_if begin_scope brk cont ret block_barrier call printf mark"
for _name in _MAKING.split():
    setattr(Recorder, _name, _recording(getattr(native.Program, _name)))
