# SPDX-License-Identifier: Apache-2.0
"""Python expressions over the values of a kernel that stands (TIK page debug_print)."""

import ast
import builtins
from typing import Any

import numpy as np

from .._native import Error
from .._types import dtype_of
from ._expr import Value
from ._recorder import Declared, Recorder
from ._scalar import ScalarArray
from ._tensor import Tensor

_READ = "__read__"


class _Reading(ast.NodeTransformer):
    """Puts every name, attribute, subscript and call into a call that turns what the kernel holds into its value."""

    def _read(self, node):
        self.generic_visit(node)
        if isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return ast.Call(ast.Name(_READ, ast.Load()), [node], [])
        return node

    visit_Name = visit_Attribute = visit_Subscript = visit_Call = _read  # noqa: N815 - ast's names


def evaluate(text: str, program: Recorder, stop) -> Any:
    """The value of an expression where the run stands.

    Scalars and Exprs are numbers, a ScalarArray is a list, a Tensor or a slice of one is a NumPy array. The names are
    those the script's call could see, then those that tensors, scalars and loops were declared with.
    """
    tree = ast.fix_missing_locations(_Reading().visit(ast.parse(text.strip(), mode="eval")))
    step = program.step_at(stop.statement)
    declared = {name: made for name, made in program.declared(stop.statement).items() if not hasattr(builtins, name)}
    names = declared | {name: value for name, value, *_ in stop.loops} | step.globals | step.names
    names[_READ] = lambda thing: read(thing, program, stop)
    return eval(compile(tree, "<tikdb>", "eval"), names)  # noqa: S307 - that is what print is for


def read(thing: Any, program: Recorder, stop) -> Any:
    """The value of a thing of the kernel; another one is its own value."""
    if isinstance(thing, Declared):
        return getattr(stop, thing.reader)(thing.number)
    if not isinstance(thing, (Value, ScalarArray, Tensor)):
        return thing
    if thing._program is not program:
        raise Error(f"{thing!r} belongs to another Tik instance")
    if isinstance(thing, Tensor):
        return _array(thing, program, stop)
    if isinstance(thing, ScalarArray):
        return stop.values(thing._array)
    if hasattr(thing, "_scalar"):
        return stop.value_of(thing._scalar)
    value = stop.value(thing._id())
    return bool(value) if thing.dtype == "bool" else value


def _array(tensor: Tensor, program: Recorder, stop) -> np.ndarray:
    """The elements of a tensor or a view of it; a copy."""
    contents = stop.contents(tensor._tensor)
    shape = tuple(read(dim, program, stop) for dim in tensor._shape)
    if tensor._original and contents.size != np.prod(shape, dtype=np.int64):
        return contents  # its array was larger or smaller than the script says
    dtype = dtype_of(tensor.dtype)
    flat = contents.reshape(-1).view(dtype)
    offset = read(tensor._offset, program, stop)
    strides = [read(stride, program, stop) for stride in tensor._strides]
    last = offset + sum((dim - 1) * stride for dim, stride in zip(shape, strides))
    if offset < 0 or min(shape) < 1 or last >= flat.size:
        raise Error(f"the slice of {tensor.name} has elements {offset}..{last}, but there are only {flat.size}")
    steps = [stride * dtype.itemsize for stride in strides]
    return np.lib.stride_tricks.as_strided(flat[offset:], shape, steps).copy()


def shown(value: Any) -> str:
    """A value as the prompt prints it."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"{value.dtype} {value.shape}\n{value}"
    return str(value)
