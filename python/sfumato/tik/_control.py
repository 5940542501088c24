# SPDX-License-Identifier: Apache-2.0
"""Program control: loops, conditions, scopes."""

import numbers

from ._calls import convert
from ._errors import fault
from ._expr import Expr, operand
from ._tensor import Tensor
from ._where import here


class Block:
    """A `with` block: begin(where) opens it and gives what `as` binds."""

    def __init__(self, program, begin, depth=1):
        self._program, self._begin, self._depth = program, begin, depth

    def __enter__(self):
        return self._begin(here())

    def __exit__(self, kind, *_):
        if kind is None:
            for _ in range(self._depth):
                self._program.end(here())


class Control:
    """Base of Tik: what decides which statements run."""

    def for_range(
        self,
        begint,
        endt,
        name="i",
        thread_num=1,
        thread_type="whole",
        block_num=1,
        dtype="int32",
        for_type="serial",
        subblock_num=0,
        sub_dtype="int32",
        enable_subblk=False,
    ) -> Block:
        """A loop; `as` binds its variable: begint, begint + 1 .. endt - 1, each an int, a Scalar or an Expr.

        thread_num  2 gives the tensors made inside two buffers, which the trips take in turn
        block_num   endt gives each trip a core of its own; 1 does not
        dtype       of the variable, an integer type
        """
        if subblock_num or enable_subblk:
            raise NotImplementedError("tik: Sfumato does not implement for_range with subblock_num")
        program = self._program
        for what, bound in (("begint", begint), ("endt", endt), ("block_num", block_num)):
            if isinstance(bound, bool):
                raise fault(
                    "{operand} takes no bool",
                    rule="for-range",
                    instruction="for_range",
                    operand=what,
                    found=repr(bound),
                    legal="an int, a Scalar or an Expr",
                    hint=f"write {int(bound)} where the number is meant",
                )
        if isinstance(thread_num, bool) or not isinstance(thread_num, numbers.Integral):
            raise fault("thread_num is an int known when the script runs", found=repr(thread_num))

        def begin(where):
            loop = program.begin_for(
                operand(program, begint, "begint"),
                operand(program, endt, "endt"),
                name,
                dtype,
                int(thread_num),
                operand(program, block_num, "block_num"),
                where,
            )
            return Expr(program, program.var(loop, where))

        return Block(program, begin)

    def multi_for_range(self, begint, endt, name="i", dtype="int32", for_type="serial") -> Block:
        """Nested loops over lists of bounds; `as` binds the list of their variables."""
        if not isinstance(begint, (list, tuple)) or not isinstance(endt, (list, tuple)) or len(begint) != len(endt):
            raise fault("begint and endt are lists of one length", found=f"{begint!r}, {endt!r}")
        loops = [self.for_range(b, e, f"{name}{i}", dtype=dtype) for i, (b, e) in enumerate(zip(begint, endt))]
        return Block(self._program, lambda where: [loop._begin(where) for loop in loops], len(loops))

    def if_scope(self, cond) -> Block:
        """The block runs when the condition holds."""
        return self._conditional(self._program.begin_if, cond, "if_scope")

    def elif_scope(self, cond) -> Block:
        """After an if_scope or elif_scope: runs when those did not and the condition holds."""
        return self._conditional(self._program.begin_elif, cond, "elif_scope")

    def _conditional(self, begin, cond, call):
        program = self._program
        return Block(program, lambda where: begin(operand(program, cond, call), where))

    def else_scope(self) -> Block:
        """After an if_scope or elif_scope: runs when those did not."""
        return Block(self._program, self._program.begin_else)

    def new_stmt_scope(self, disable_sync: bool = False) -> Block:
        """A block whose tensors and scalars end with it. disable_sync: without inserted synchronisation."""
        return Block(self._program, lambda where: self._program.begin_scope(bool(disable_sync), where))

    def new_scope(self) -> Block:
        """new_stmt_scope() by its older name."""
        return self.new_stmt_scope()

    def tik_break(self) -> None:
        """Leaves the innermost loop."""
        self._program.brk(here())

    def tik_continue(self) -> None:
        """Goes on with the next trip of the innermost loop."""
        self._program.cont(here())

    def tik_return(self) -> None:
        """Ends the kernel on this core."""
        self._program.ret(here())

    def block_barrier(self, sync_workspace: Tensor) -> None:
        """Waits until every core of the multi-core loop has come here."""
        if not isinstance(sync_workspace, Tensor):
            raise fault("sync_workspace must be a Tensor", found=repr(sync_workspace))
        ref = convert(self._program, "block_barrier", "sync_workspace", sync_workspace)
        self._program.block_barrier(ref, here())

    def printf(self, fmt: str, *values) -> None:
        """Prints values when the kernel runs: C's format, up to six values."""
        program = self._program
        self._printf.check_format(fmt)
        program.printf(fmt, [operand(program, value, f"argument {i}") for i, value in enumerate(values, 1)], here())

    def set_printf_params(
        self, print_workspace_size=128, single_print_length=512, is_printf_to_screen=True, printf_file_path=None
    ) -> None:
        """Where printf prints: the standard output, and <printf_file_path>/<kernel_name>.txt.

        The sizes are checked as on the chip; no text is lost when they are exceeded.
        """
        self._printf.set(print_workspace_size, single_print_length, is_printf_to_screen, printf_file_path)
