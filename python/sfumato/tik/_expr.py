# SPDX-License-Identifier: Apache-2.0
"""Values of the scalar unit: expressions of scalars, loop variables and numbers, typed by the native program."""

from __future__ import annotations

import functools
import numbers
from typing import Any

from ._errors import fault
from ._where import here


def _binary(op):
    def forward(self, other):
        return self._combine(op, self, other)

    return forward


def _reflected(op):
    def backward(self, other):
        return self._combine(op, other, self)

    return backward


class Value:
    """What has a value when the kernel runs. Operators give an Expr; nothing is computed while the script runs."""

    def __init__(self, program):
        self._program = program

    def _id(self) -> int:
        """The native expression that reads this value."""
        raise NotImplementedError

    def _combine(self, op, a, b) -> Expr:
        program = self._program
        result = Expr(program, program.binary(op, operand(program, a, op), operand(program, b, op), here()))
        result._made_of = (op, a, b)
        return result

    @property
    def dtype(self) -> str:
        """The type by the rules of tik.md 3.10; "bool" of a condition."""
        return self._program.type_of(self._id())

    def astype(self, dtype: str) -> Expr:
        """The value converted, as C converts it."""
        return Expr(self._program, self._program.convert(self._id(), dtype, here()))

    def reinterpret_cast_to(self, dtype: str) -> Expr:
        """The same bits as a value of another type of the same width."""
        return Expr(self._program, self._program.reinterpret(self._id(), dtype, here()))

    __add__, __radd__ = _binary("+"), _reflected("+")
    __sub__, __rsub__ = _binary("-"), _reflected("-")
    __mul__, __rmul__ = _binary("*"), _reflected("*")
    __truediv__, __rtruediv__ = _binary("/"), _reflected("/")
    __floordiv__, __rfloordiv__ = _binary("//"), _reflected("//")
    __mod__, __rmod__ = _binary("%"), _reflected("%")
    __lshift__, __rlshift__ = _binary("<<"), _reflected("<<")
    __rshift__, __rrshift__ = _binary(">>"), _reflected(">>")
    __and__, __rand__ = _binary("&"), _reflected("&")
    __or__, __ror__ = _binary("|"), _reflected("|")
    __xor__, __rxor__ = _binary("^"), _reflected("^")
    __eq__, __ne__ = _binary("=="), _binary("!=")
    __lt__, __le__, __gt__, __ge__ = _binary("<"), _binary("<="), _binary(">"), _binary(">=")
    __hash__ = object.__hash__

    def __neg__(self) -> Expr:
        return Expr(self._program, self._program.unary("neg", self._id(), here()))

    def __invert__(self) -> Expr:
        return Expr(self._program, self._program.unary("~", self._id(), here()))

    def __pos__(self) -> Value:
        return self

    def __bool__(self) -> bool:
        raise fault(
            "a value of the kernel is not known while the script runs, so Python cannot decide on it",
            found=f"{type(self).__name__} of {self.dtype} used as a Python condition",
        )


class Expr(Value):
    """An expression; also the variable of a loop."""

    # (operator, operand, operand) of what an operator made.
    _made_of: tuple | None = None

    def __init__(self, program, expr: int):
        super().__init__(program)
        self._expr = expr

    def _id(self) -> int:
        return self._expr

    def set_as(self, value) -> None:
        """Refused: only scalars and elements of tensors can be set."""
        raise fault("this cannot be assigned", found=f"an Expr of {self.dtype}, such as a loop variable")

    def __repr__(self) -> str:
        return f"<tik.Expr of {self.dtype}>"


def difference(a, b):
    """a - b: a number where what the run decides cancels, as in 16 * (i + 1) - 16 * i."""
    known, late, left = 0, {}, [(1, a), (-1, b)]
    while left:
        factor, value = left.pop()
        op, x, y = getattr(value, "_made_of", None) or ("", None, None)
        if isinstance(value, numbers.Integral):
            known += factor * int(value)
        elif op in ("+", "-"):
            left += [(factor, x), (factor if op == "+" else -factor, y)]
        elif op == "*" and isinstance(y, numbers.Integral):
            left.append((factor * int(y), x))
        elif op == "*" and isinstance(x, numbers.Integral):
            left.append((factor * int(x), y))
        else:
            late[value] = late.get(value, 0) + factor
    return a - b if any(late.values()) else known


def number(value) -> int | float:
    """A Python or NumPy number as the native program takes it."""
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def is_number(value: Any) -> bool:
    """A Python or NumPy number."""
    return isinstance(value, numbers.Real)


def operand(program, value, what: str) -> int | float:
    """A number, or the native expression of a value."""
    if isinstance(value, Value):
        if value._program is not program:
            raise fault("the value belongs to another Tik instance", operand=what, found=repr(value))
        return value._id()
    if is_number(value):
        return number(value)
    raise fault(
        "an operand of an expression must be a number or a value of the kernel",
        operand=what,
        found=f"{type(value).__name__} {value!r}",
        hint="read an element of a tensor into a Scalar with set_as first" if hasattr(value, "access_ptr") else "",
    )


def _condition(op, name, conditions):
    if conditions and all(is_number(c) for c in conditions):
        # Nothing of the kernel in it: Python's own truth, as a number.
        return int({"and": min, "or": max}[op](bool(c) for c in conditions))
    values = [c for c in conditions if isinstance(c, Value)]
    if not values:
        raise fault(
            "the arguments are conditions",
            instruction=name,
            found=", ".join(repr(c) for c in conditions) or "no argument",
        )
    program = values[0]._program
    ids = [operand(program, c, name) for c in conditions]
    return Expr(program, functools.reduce(lambda a, b: program.binary(op, a, b, here()), ids))


def all_of(*conditions) -> Expr:
    """tik.all: true when every condition is."""
    return _condition("and", "all", conditions)


def any_of(*conditions) -> Expr:
    """tik.any: true when one of the conditions is."""
    return _condition("or", "any", conditions)


def negate(condition) -> Expr:
    """True when the condition is not."""
    if is_number(condition):
        return int(not condition)
    if not isinstance(condition, Value):
        raise fault("the argument is a condition", found=repr(condition))
    return Expr(condition._program, condition._program.unary("not", condition._id(), here()))
