# SPDX-License-Identifier: Apache-2.0
"""The instruction calls of Tik: one method for each call of signatures.tsv, all by one mechanism.

A call reaches the native program with its arguments by name.
"""

import functools
import inspect
import numbers
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from .._native import tik as native
from ._errors import fault
from ._expr import Value, is_number, number
from ._scalar import ScalarArray
from ._tensor import Tensor, item_size, product, total
from ._where import here


class CmpMask:
    """The comparison register, as vcmp_* and mov_tensor_to_cmpmask return it and vsel takes it."""

    def __repr__(self) -> str:
        return "<tik CMPMASK>"


CMPMASK = CmpMask()

# What calls with **argv take of it.
_FURTHER = {"data_move": ("deqscale", "relu", "sid_store_mode")}

# What an instruction cannot be encoded without.
_NEEDED = ("mask", "round_mode", "repeat_times", "scalar")
_NEEDED_ENDS = ("_blk_stride", "_rep_stride")

# Parameters that take nothing but True and False (tik.md 3.3).
_BOOLS = ("ldst_high_half",)

# Parameters that say yes or no and have no default that shows it.
_FLAGS = {
    "_csize",
    "chw2hwc",
    "dst_high_half",
    "enable",
    "extend_params['relu']",
    "if_exhausted_suspension",
    "is_bias",
    "src_high_half",
}

# The calls that leave their result in the comparison register, which they return.
_TO_CMPMASK = ("vcmp_", "mov_tensor_to_cmpmask", "set_scalar_to_cmpmask")


def read_table() -> dict[str, str]:
    """call -> its parameters as Python writes them."""
    lines = (Path(__file__).parent / "signatures.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines[1:])
    return dict(sorted((call, parameters) for calls, parameters in rows for call in calls.split()))


@functools.cache
def flags() -> set[str]:
    """The parameters that take True and False, as well as 1 and 0. Every other one is no bool."""
    return _FLAGS | set(re.findall(r"(\w+)=(?:True|False)", " ".join(read_table().values())))


@functools.cache
def signature(parameters: str) -> inspect.Signature:
    """The text of a row, such as "dst, src, mode=0, *args", as a signature."""
    return inspect.signature(eval(f"lambda {parameters}: None"))  # noqa: S307 - a row of our own


def bind(call: str, parameters: str, args: tuple, kwargs: dict) -> dict:
    """The arguments by name, defaults included."""
    form = signature(parameters)

    def refuse(found):
        raise fault(
            "the arguments do not fit the signature", instruction=call, found=found, legal=f"{call}({parameters})"
        ) from None

    try:
        bound = form.bind(*args, **kwargs)
    except TypeError as error:
        refuse(str(error))
    bound.apply_defaults()
    named = dict(bound.arguments)
    for name, parameter in form.parameters.items():
        needed = parameter.default is inspect.Parameter.empty and (name in _NEEDED or name.endswith(_NEEDED_ENDS))
        if needed and named.get(name, name) is None:
            refuse(f"None for {name}")
        # *strides is an argument, *args only what the vendor never named.
        if name == "args" and named.pop(name):
            refuse(f"more than {len(form.parameters) - 2} positional arguments")
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            for further, value in named.pop(name).items():
                if further not in _FURTHER.get(call, ()):
                    refuse(f"got an unexpected keyword argument {further!r}")
                named[further] = value
    return named


def convert(program, call: str, name: str, value):
    """An argument as the native program takes it."""
    wrong = functools.partial(fault, instruction=call, operand=name)
    if isinstance(value, np.bool_):
        value = bool(value)
    if isinstance(value, bool) and name not in flags():
        hint = f"write {int(value)} where the number is meant"
        raise wrong("{operand} takes no bool", hint=hint, found=repr(value))
    if name in _BOOLS and not isinstance(value, bool):
        raise wrong("{operand} must be a bool", found=repr(value))
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Tensor):
        _same_program(program, value, call, name)
        return value._ref()
    if isinstance(value, Value):
        _same_program(program, value, call, name)
        return value._id()
    if is_number(value):
        if isinstance(value, numbers.Integral) and not -(2**63) <= value < 2**64:
            raise wrong("{operand} fits no 64-bit integer", found=str(value))
        return number(value)
    if isinstance(value, ScalarArray):
        return [value[i]._id() for i in range(len(value))]
    if isinstance(value, CmpMask):
        return "CMPMASK"
    if isinstance(value, Mapping):
        return [one for key, item in value.items() for one in _entry(program, call, name, key, item)]
    if isinstance(value, (list, tuple)):
        return [convert(program, call, f"{name}[{i}]", item) for i, item in enumerate(value)]
    found = f"{type(value).__name__} {value!r}"
    raise wrong("the call does not take this kind of argument", found=found)


def _entry(program, call, name, key, value):
    """A dict's entry as key and value; of a dict in it, as of quantize_params, the entries."""
    made = convert(program, call, f"{name}[{key!r}]", value)
    return made if isinstance(value, Mapping) else [str(key), made]


def _same_program(program, value, call, name):
    if value._program is not program:
        raise fault("the argument belongs to another Tik instance", instruction=call, operand=name, found=repr(value))


def _halves(named: dict) -> list:
    """The calls of a mask of four words, for the 256 elements of 8 bits a repeat has: its low half, then its high one.

    The high half begins four blocks further on. Other masks make one call.
    """
    mask = named.get("mask")
    tensors = {name: value for name, value in named.items() if isinstance(value, Tensor)}
    four = isinstance(mask, (list, tuple)) and len(mask) == 4
    if not four or any(item_size(tensor.dtype) != 1 for tensor in tensors.values()):
        return [named]
    upper = {
        name: tensor._view(_offset=total(tensor._offset, product((128, named.get(f"{name}_blk_stride", 1)))))
        for name, tensor in tensors.items()
    }
    parts = [named | {"mask": mask[2:]}, named | upper | {"mask": mask[:2]}]
    return [part for part in parts if any(not is_number(word) or word for word in part["mask"])] or parts[:1]


def _record(program, call: str, named: dict) -> None:
    program.call(call, [], {name: convert(program, call, name, value) for name, value in named.items()}, here())


def _method(call: str, parameters: str):
    def method(self, *args, **kwargs):
        if not native.knows(call):
            raise NotImplementedError(f"tik: Sfumato does not implement {call}; its signature is {call}({parameters})")
        for named in _halves(bind(call, parameters, args, kwargs)):
            _record(self._program, call, named)
        return CMPMASK if call.startswith(_TO_CMPMASK) else None

    method.__name__ = method.__qualname__ = call
    method.__doc__ = f"{call}({parameters})"
    return method


class Calls:
    """Base of Tik: the calls of the table. Tik's other bases stand before it and write some of them by hand."""


for _call, _parameters in read_table().items():
    setattr(Calls, _call, _method(_call, _parameters))
