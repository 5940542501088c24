# SPDX-License-Identifier: Apache-2.0
"""Scalar, ScalarArray and InputScalar."""

from __future__ import annotations

from ._errors import fault
from ._expr import Expr, Value, operand
from ._where import here


def source(program, value, what: str) -> int | float:
    """What set_as takes: a number, a value, or one element of a tensor."""
    load = getattr(value, "_load", None)
    return operand(program, value, what) if load is None else load()


class _Variable(Value):
    """A scalar that the native program knows by a number."""

    def __init__(self, program, dtype: str, name: str, scalar: int):
        super().__init__(program)
        self._dtype, self.name, self._scalar = dtype, name, scalar

    def _id(self) -> int:
        return self._program.var(self._scalar, here())

    @property
    def dtype(self) -> str:
        """The declared type."""
        return self._dtype

    def set_as(self, value) -> None:
        """Sets the scalar: from a number, a Scalar, an Expr, or one element of a tensor."""
        self._program.set_scalar(self._scalar, source(self._program, value, "value"), here())

    def __repr__(self) -> str:
        return f"<tik.{type(self).__name__} {self.name} of {self._dtype}>"


class Scalar(_Variable):
    """A variable of the scalar unit. Made by Tik.Scalar."""

    def __init__(self, program, dtype: str, name: str):
        super().__init__(program, dtype, name, program.scalar(dtype, name, here()))


class InputScalar(_Variable):
    """A value the kernel is launched with; it cannot be set. Made by Tik.InputScalar."""

    def __init__(self, program, dtype: str, name: str):
        super().__init__(program, dtype, name, program.input_scalar(dtype, name, here()))


class ScalarArray:
    """Scalars by index. Made by Tik.ScalarArray."""

    def __init__(self, program, dtype: str, length: int, name: str):
        self._program, self.dtype, self.length, self.name = program, dtype, length, name
        self._array = program.scalar_array(dtype, length, name, here())

    def __getitem__(self, index) -> ScalarArrayElement:
        if isinstance(index, slice):
            raise fault("there are no slices of it", operand=self.name, found="a slice")
        return ScalarArrayElement(self, operand(self._program, index, "index"))

    def __setitem__(self, index, value) -> None:
        self[index].set_as(value)

    def __len__(self) -> int:
        return self.length

    __iter__ = None

    def __repr__(self) -> str:
        return f"<tik.ScalarArray {self.name}[{self.length}] of {self.dtype}>"


class ScalarArrayElement(Expr):
    """One scalar of an array."""

    def __init__(self, array: ScalarArray, index: int | float):
        super().__init__(array._program, array._program.element_of_array(array._array, index, here()))
        self._array, self._index = array._array, index

    def set_as(self, value) -> None:
        """Sets the element; the same values as for a Scalar."""
        program = self._program
        program.set_array(self._array, self._index, source(program, value, "value"), here())
