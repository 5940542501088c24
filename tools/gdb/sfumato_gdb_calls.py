# SPDX-License-Identifier: Apache-2.0
"""Operators and accessors of tensors in expressions: gdb reads the memory itself and calls nothing."""

import re
import sys

import gdb
import gdb.xmethod

import sfumato_debug_state as state
from sfumato_debug_printers import GlobalTensor, LocalTensor


def kind(type):
    """The printer of a type of tensors, or of references to them; None of any other."""
    type = type.strip_typedefs()
    if type.code == gdb.TYPE_CODE_REF:
        type = type.target().strip_typedefs()
    found = re.match(r"AscendC::(Local|Global)Tensor<.*>$", str(type.unqualified()))
    return found and {"Local": LocalTensor, "Global": GlobalTensor}[found[1]]


def tensor_of(value):
    """The printer of a tensor that has a place; any other has no elements."""
    tensor = kind(value.type)(value)
    by_hand = isinstance(tensor, LocalTensor) and tensor.by_hand()
    if by_hand or not tensor.address:
        raise ValueError(f"{tensor.name()}, {by_hand or 'nowhere'}: it has no elements yet")
    return tensor


def limits(tensor):
    """How many elements lie before the tensor's start, and from there on. Nothing that is not known limits."""
    if isinstance(tensor, LocalTensor):
        return 0, min(tensor.size, tensor.elements(int(tensor.view["room"])))
    before, after = tensor.allocation() or (sys.maxsize, sys.maxsize)
    return tensor.elements(before), tensor.elements(after)


def check(tensor, what, index, first, last):
    if not first <= index <= last:
        raise IndexError(f"{tensor.name()}: the {what} leads out of the tensor: {index}; legal: {first} to {last}")


def at(value, index):
    """operator(), GetValue: an element."""
    tensor = tensor_of(value)
    after = limits(tensor)[1]
    check(tensor, "index", index, 0, min(after, tensor.size or after) - 1)
    return gdb.Value(tensor.element(index))


def changed(value, **fields):
    """The tensor with other values of its view."""
    raw = bytearray(state.memory(int(value.address), value.type.sizeof))
    view = value["view_"]
    start = next(field for field in value.type.fields() if field.name == "view_").bitpos // 8
    for field in view.type.fields():
        if field.name in fields:
            begin = start + field.bitpos // 8
            raw[begin : begin + field.type.sizeof] = fields[field.name].to_bytes(field.type.sizeof, "little")
    return gdb.Value(bytes(raw), value.type)


def from_there(value, index):
    """operator[]: the tensor from an element on; global memory before its start, too."""
    tensor = tensor_of(value)
    before, after = limits(tensor)
    check(tensor, "offset", index, -before, after)
    bytes = tensor.bytes(abs(index)) * (1 if index >= 0 else -1)
    more = {}
    if isinstance(tensor, LocalTensor):
        if tensor.int4 and index % 2:
            raise IndexError(f"{tensor.name()}: a tensor starts at whole bytes: {index}; legal: an even offset")
        more["room"] = int(tensor.view["room"]) - bytes
    size = max(tensor.size - index, 0) if tensor.size else 0
    return changed(value, address=tensor.address + bytes, size=size, **more)


def size_of(value):
    return gdb.Value(tensor_of(value).size)


class Worker(gdb.xmethod.XMethodWorker):
    def __init__(self, function, indices):
        self.function, self.indices = function, indices

    def get_arg_types(self):
        return [gdb.lookup_type("long")] * self.indices

    def __call__(self, tensor, *indices):
        if tensor.type.code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF):  # operators get the address
            tensor = tensor.referenced_value()
        return self.function(tensor, *map(int, indices))


class Tensors(gdb.xmethod.XMethodMatcher):
    CALLS = {"operator[]": (from_there, 1), "operator()": (at, 1), "GetValue": (at, 1), "GetSize": (size_of, 0)}

    def __init__(self):
        super().__init__("sfumato")
        self.methods = [gdb.xmethod.XMethod(name) for name in self.CALLS]

    def match(self, class_type, method_name):
        return Worker(*self.CALLS[method_name]) if method_name in self.CALLS and kind(class_type) else None


class Print(gdb.Command):
    __doc__ = gdb.execute("help print", to_string=True).partition("\n")[2]  # without the line of its names

    # A name with its members and elements before a parenthesis: it may be a tensor that is called. Not in a literal.
    CALL = re.compile(
        r""" "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' |
        (?<![\w.$]) (?<!->) (?<!::) (?P<name> [A-Za-z_]\w* (?: (?:\.|->)[A-Za-z_]\w* | \[[^][]*\] )* ) (?=\s*\() """,
        re.VERBOSE,
    )

    def __init__(self):
        super().__init__("print", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def spelt(self, match):
        """gdb knows no call operator of objects, only the function of that name."""
        try:
            tensor = match["name"] and kind(gdb.parse_and_eval(match["name"]).type)
        except gdb.error:
            tensor = None
        return match[0] + (".operator()" if tensor else "")

    def invoke(self, argument, from_tty):
        try:
            gdb.execute("call " + self.CALL.sub(self.spelt, argument), from_tty)
        except gdb.error as error:
            raise gdb.GdbError(str(error)) from None
