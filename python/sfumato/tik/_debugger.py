# SPDX-License-Identifier: Apache-2.0
"""The prompt of start_debug(interactive=True): pdb's commands for a kernel."""

from __future__ import annotations

import cmd
import difflib
import linecache
import pprint
import re
import sys
from typing import Any

from .._native import Error
from . import _inspect
from ._breakpoints import BreakpointCommands, Sorry, check_expression, number, short
from ._recorder import Recorder
from ._where import Where

_BANNER = "The kernel {} stands before its first statement. h lists the commands."


class DebugQuit(Exception):
    """The debugger was left before the kernel had ended."""


class Watcher:
    """Steers a run: prints what debug_print asks for and goes on."""

    stop_first = False

    def __init__(self, program: Recorder):
        self._program = program

    @property
    def breakpoints(self) -> set[int]:
        """The statements to stop at."""
        return set(self._program.prints)

    def stopped(self, stop) -> str:
        """Called where the run stands; "next", "continue" or "quit"."""
        expression = None if stop.fault else self._program.prints.get(stop.statement)
        if expression is not None:
            self._say(self._value(expression, stop))
        return "continue"

    def interrupted(self) -> None:
        """A Ctrl-C while the kernel runs."""
        raise KeyboardInterrupt

    def _value(self, expression, stop, shown=_inspect.shown) -> str:
        try:
            return shown(_inspect.evaluate(expression, self._program, stop))
        except SyntaxError as error:
            return f"'{expression.strip()}' is no Python expression: {error.msg}"
        except Error as error:
            return str(error)
        except Exception as error:  # of the user's expression
            return f"{type(error).__name__}: {error}"

    def _say(self, text: str) -> None:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


class Debugger(Watcher, BreakpointCommands, cmd.Cmd):
    """The prompt. An empty line repeats the command before it."""

    prompt = "(tikdb) "
    doc_header = "Commands (help COMMAND tells more; an empty line repeats the last one):"
    stop_first = True

    def __init__(self, program: Recorder, kernel: str):
        Watcher.__init__(self, program)
        cmd.Cmd.__init__(self)
        BreakpointCommands.__init__(self)
        self._kernel = kernel
        self._stepping, self._block, self._listed = True, -1, 0
        self._until: tuple[int, str, int] | None = None  # the block, the file, the line before which no step stops
        self._displayed: dict[str, str] = {}  # by expression: what was shown last
        self._first = True
        self.quit_at: Where | None = None

    # -- the run -------------------------------------------------------------------------------------------------------

    @property
    def breakpoints(self) -> set[int]:
        return set(self._program.prints).union(self.enabled_statements())

    def interrupted(self) -> None:
        self._stepping, self._block, self._until = True, -1, None
        self._say("\nInterrupted.")

    def stopped(self, stop) -> str:
        hit = self._hit(stop)
        if hit or self._stepping and stop.statement in self._program.steps and not self._short_of(stop) or stop.fault:
            if not self._prompt_at(stop, hit):
                return "quit"
        super().stopped(stop)
        return "next" if self._stepping else "continue"

    def _hit(self, stop):
        """The number of the breakpoint the run stands at."""
        if stop.fault or self._block not in (-1, stop.block):
            return None
        return self.hit(stop.statement, lambda condition: self._holds(condition, stop))

    def _holds(self, condition, stop) -> bool:
        """Whether the run is to stop; it does where the condition has no value, as under pdb."""
        try:
            return bool(_inspect.evaluate(condition, self._program, stop))
        except Exception:  # of the user's expression
            self._say(f"The condition {condition} has no value: {self._value(condition, stop)}")
            return True

    def _short_of(self, stop) -> bool:
        """Whether `until` goes on here."""
        if self._until is None:
            return False
        block, file, line = self._until
        return stop.block == block and (stop.where[0] != file or stop.where[1] < line)

    def _prompt_at(self, stop, hit) -> bool:
        """Asks for commands until one lets the run go on; False: it is to end."""
        if self._block not in (-1, stop.block) and not stop.fault:
            return True
        self._stop, self._block, self._stepping, self._until = stop, -1, False, None
        self._listed = 0
        if self._first:
            self._say(_BANNER.format(self._kernel))
        self._first = False
        if stop.fault:
            self._say(f"{stop.fault}\nThe kernel cannot go on; its memory can be looked at.")
        elif hit:
            self._say(f"Breakpoint {hit}.")
            self.after_stop(hit)
        self._say(self._place())
        self._show_displayed()
        while True:
            try:
                self.cmdloop()
                return self.quit_at is None
            except KeyboardInterrupt:
                self._say("\nInterrupted; q leaves the debugger.")

    def _place(self) -> str:
        stop = self._stop
        file, line = stop.where
        block = f" block {stop.block} of {len(stop.blocks)}" if len(stop.blocks) > 1 else ""
        loops = "".join(f" {self._loop_name(name, where)}={value}" for name, value, _, where in stop.loops)
        source = linecache.getline(file, line).strip()
        return f"> {short(file)}:{line}{block}{loops}" + (f"\n-> {source}" if source else "")

    @staticmethod
    def _loop_name(name: str, where: Where) -> str:
        """What the script calls a loop's variable: `as i`, or else the name= of the loop."""
        bound = re.search(r"\bas\s+([A-Za-z_]\w*)\s*:", linecache.getline(*where))
        return bound.group(1) if bound else name

    # -- going on ------------------------------------------------------------------------------------------------------

    def do_next(self, rest: str) -> bool:
        """n(ext)
        Runs one statement of the script: one call, whatever it expands to. After the last statement of a block the
        next block begins."""
        self._stepping = True
        return True

    def do_until(self, rest: str) -> bool:
        """unt(il) [LINE]
        Runs to a later line of the file than this one, so past the end of a loop; or to LINE or a later one. It stops at
        the end of the block, too."""
        file, at = self._stop.where
        line = number(rest, "line") if rest else at + 1
        if line <= at:
            raise Sorry(f"The run stands at line {at}; until goes to a later one.")
        self._until, self._stepping = (self._stop.block, file, line), True
        return True

    def do_continue(self, rest: str) -> bool:
        """c(ontinue)
        Runs to the next breakpoint, a fault, or the end."""
        return True

    def do_quit(self, rest: str) -> bool:
        """q(uit), or Ctrl-D
        Ends the run: start_debug raises DebugQuit. After a fault it raises the fault."""
        self.quit_at = self._stop.where
        return True

    def do_EOF(self, rest: str) -> bool:  # noqa: N802 - cmd's name
        """Ctrl-D: as q(uit)."""
        self._say("")
        return self.do_quit(rest)

    def do_block(self, rest: str) -> bool:
        """block [N]
        Shows the blocks of the multi-core loop. With a number: runs on and stops next in that block. The blocks run
        one after another."""
        blocks = self._stop.blocks
        if not rest:
            if len(blocks) == 1:
                self._say("The kernel has one block.")
            else:
                self._say("\n".join(f"block {i}: {state}" for i, state in enumerate(blocks)))
            return False
        wanted = number(rest, "block")
        if wanted >= len(blocks):
            raise Sorry(f"There is no block {wanted}; there are blocks 0..{len(blocks) - 1}.")
        if wanted == self._stop.block:
            raise Sorry(f"The run stands in block {wanted}.")
        if blocks[wanted] == "ended":
            raise Sorry(f"Block {wanted} has ended; blocks run one after another and none runs twice.")
        self._block, self._stepping = wanted, True
        return True

    do_switch_block = do_block

    # -- looking -------------------------------------------------------------------------------------------------------

    def do_print(self, rest: str) -> None:
        """p(rint) EXPRESSION
        Prints a Python expression. Scalars and loop variables are numbers in it, a ScalarArray is a list, a Tensor is
        a NumPy array; all instructions before the statement have been executed."""
        if not rest:
            raise Sorry("An expression is needed: p ub[0:8]")
        self._say(self._value(rest, self._stop))

    def do_pp(self, rest: str) -> None:
        """pp EXPRESSION
        The same, long lists and dicts a line for each element."""
        if not rest:
            raise Sorry("An expression is needed: pp table")
        self._say(self._value(rest, self._stop, pprint.pformat))

    def do_display(self, rest: str) -> None:
        """display [EXPRESSION]
        Prints the expression now, and at each stop where its value is another. Without an argument: lists what is
        displayed."""
        if not rest:
            self._say("\n".join(self._displayed) or "Nothing is displayed.")
            return
        check_expression(rest)
        self._displayed[rest.strip()] = ""
        self._show_displayed()

    def do_undisplay(self, rest: str) -> None:
        """undisplay [EXPRESSION]
        Ends display of the expression; without an argument of all."""
        if rest and rest.strip() not in self._displayed:
            known = ", ".join(self._displayed) or "nothing"
            raise Sorry(f"{rest.strip()} is not displayed; there is {known}.")
        for expression in [rest.strip()] if rest else list(self._displayed):
            del self._displayed[expression]

    def _show_displayed(self) -> None:
        for expression, before in self._displayed.items():
            text = self._value(expression, self._stop)
            self._displayed[expression] = text
            if text == before:
                continue
            old = f"  [was {before}]" if before and "\n" not in before + text else ""
            self._say(f"display {expression}: {text}{old}")

    def do_list(self, rest: str) -> None:
        """l(ist) [LINE | FIRST, LAST]
        Shows the script: around the statement, on from there when repeated, around LINE, or FIRST to LAST.
        -> marks the statement, B a line with a breakpoint."""
        file, at = self._stop.where
        lines = linecache.getlines(file)
        if not lines:
            raise Sorry(f"The text of {file} cannot be read.")
        first, comma, last = rest.partition(",")
        start = number(first, "line") if rest else self._listed + 1 if self._listed else at - 5
        start = start if comma or not rest else start - 5
        end = number(last, "line") if comma else max(1, start) + 10
        if start > len(lines):
            raise Sorry(f"{short(file)} has {len(lines)} lines.")
        marked = self.lines(file)
        for i in range(max(1, start), min(end, len(lines)) + 1):
            mark = ("B" if i in marked else " ") + ("->" if i == at else "  ")
            self._say(f"{i:4} {mark} {lines[i - 1].rstrip()}".rstrip())
        self._listed = min(end, len(lines))

    def do_where(self, rest: str) -> None:
        """w(here)
        Shows the statement, the block, and the loops around it."""
        stop = self._stop
        function = self._program.step_at(stop.statement).function
        self._say(f"{self._place().splitlines()[0]} in {function}")
        self._say(f"block {stop.block} of {len(stop.blocks)} on core {stop.core}, {stop.issued} instructions so far")
        for name, value, end, where in stop.loops:
            self._say(f"loop at {short(where[0])}:{where[1]}: {self._loop_name(name, where)} = {value}, ends at {end}")

    def do_help(self, arg: str) -> None:
        """h(elp) [COMMAND]
        Lists the commands, or tells what one does."""
        if arg:
            method = getattr(self, f"do_{_ALIASES.get(arg, arg)}", None)
            if method is None:
                raise Sorry(_unknown(arg))
            return self._say(re.sub(r"\n\s+", "\n  ", method.__doc__))
        self._say(self.doc_header)
        for name in _COMMANDS:
            form, what = getattr(self, f"do_{name}").__doc__.split("\n", 1)
            self._say(f"  {form:<32} {re.split(r'[.:](?:[ ]|$)', what.strip(), maxsplit=1, flags=re.M)[0]}")
        return None

    # -- cmd's own -----------------------------------------------------------------------------------------------------

    def onecmd(self, line: str) -> bool:
        try:
            return bool(super().onecmd(line))
        except Sorry as sorry:
            self._say(str(sorry))
            return False

    def parseline(self, line: str) -> tuple[str | None, str | None, str]:
        command, rest, line = super().parseline(line)
        return _ALIASES.get(command, command), rest, line

    def default(self, line: str) -> None:
        self._say(_unknown(line.split()[0]))

    def completenames(self, text: str, *ignored: Any) -> list[str]:
        return [name for name in _COMMANDS if name.startswith(text)]


def _unknown(command: str) -> str:
    """The sentence about a command that is none."""
    near = difflib.get_close_matches(command, _COMMANDS, 1, 0.7) if command not in _INSTEAD else []
    instead = f"did you mean {near[0]}?" if near else _INSTEAD.get(command)
    sentence = f"There is no command {command}" + (f"; {instead}" if instead else "")
    return f"{sentence}{'' if near else '.'} There are {', '.join(_COMMANDS)}."


_ALIASES = {
    "b": "break",
    "tb": "tbreak",
    "unt": "until",
    "c": "continue",
    "cont": "continue",
    "n": "next",
    "l": "list",
    "p": "print",
    "w": "where",
    "q": "quit",
    "exit": "quit",
    "h": "help",
}
_COMMANDS = (
    "next", "until", "continue", "break", "tbreak", "clear", "enable", "disable", "print", "pp", "display", "undisplay",
    "list", "where", "block", "quit", "help",
)  # fmt: skip
# Commands of pdb and gdb.
_STEP = "a call is one statement, which n runs"
_INSTEAD = {
    "s": _STEP,
    "step": _STEP,
    "r": "until LINE goes on to a line",
    "return": "until LINE goes on to a line",
    "j": "statements run in their order",
    "jump": "statements run in their order",
    "run": "q leaves, and the script starts anew",
    "restart": "q leaves, and the script starts anew",
    "bt": "w shows the loops around the statement",
    "condition": "clear the breakpoint, and b LINE if CONDITION",
    "whatis": "p type(EXPRESSION) tells",
    "info": "b lists the breakpoints, w tells where the run stands",
}
