# SPDX-License-Identifier: Apache-2.0
"""Arguments of a launch: what Python passes, as the native module takes it."""

from typing import Any

import numpy as np

from ._foreign import as_numpy, is_foreign
from ._native import Error
from ._types import dtype_of, flat_bytes, pack_int4, require_type, unpack_int4


class Struct:
    """A struct in C's layout, fields in the order given: Struct(x=array, n=numpy.uint32(64)).

    A NumPy scalar is a field of its type, a structured value a struct inside, an array the address of its copy in
    global memory, None a null pointer. For a parameter that is a struct by value, or a pointer to one."""

    def __init__(self, **fields: Any):
        kinds = []
        for name, value in fields.items():
            if value is None or isinstance(value, np.ndarray) and value.ndim > 0:
                kinds.append((name, np.uint64))
            elif isinstance(value, (np.generic, np.ndarray)):
                kinds.append((name, value.dtype))
            elif not isinstance(value, (bool, int, float)):
                raise Error(
                    f"Struct: {name}={value!r}: a field is a NumPy scalar, an array, a structured value or None, not a "
                    f"{type(value).__name__}"
                )
            else:
                raise Error(
                    f"Struct: {name}={value!r} has no size; write numpy.int32({value!r}), numpy.float32(...) ..."
                )
        self.dtype = np.dtype(kinds, align=True)
        self.fields = fields


class Argument:
    """One argument as the native module takes it: (kind, value, type name, writable)."""

    def __init__(self, position: int, value: Any):
        self._packed = []  # (two int4 a byte, the array they go back to)
        what = f"argument {position}"
        if is_foreign(value):
            value = as_numpy(value, what)
        if isinstance(value, np.ndarray) and (value.dtype.names is None or value.ndim > 0):
            name = "" if value.dtype.names else _name(value, what)
            data, writable = self._bytes(what, value)
            self.item = ("array", data, name, writable)
        elif value is None:
            self.item = ("null", None, "", False)
        elif isinstance(value, (list, tuple)):
            self.item = ("list", self._list(what, value), "", False)
        elif isinstance(value, Struct):
            self.item = ("struct", self._struct(what, value), "", False)
        elif isinstance(value, (np.void, np.ndarray)):
            self.item = ("bytes", value.tobytes(), "", False)
        elif isinstance(value, (bytes, bytearray, memoryview)):
            self.item = ("bytes", bytes(value), "", False)
        elif isinstance(value, (bool, int, float)):
            self.item = _number(what, value, "")
        elif isinstance(value, np.bool_):
            self.item = _number(what, int(value), "")
        elif isinstance(value, np.generic):
            # A NumPy scalar says its type; the kernel's parameter must be of that type.
            name = require_type(value.dtype, what)
            self.item = _number(what, float(value) if name.startswith(("float", "bfloat")) else int(value), name)
        else:
            raise Error(
                f"{what}: {type(value).__name__} is not understood; pass an array for global memory "
                "(NumPy's, a tensor, anything with DLPack), an int or a float for a value, bytes for a struct"
            )

    def finish(self):
        for packed, array in self._packed:
            unpack_int4(packed, array)

    def _list(self, what, values):
        items = []
        for index, value in enumerate(values):
            if is_foreign(value):
                value = as_numpy(value, f"{what}[{index}]")
            if not isinstance(value, np.ndarray):
                raise Error(f"{what}[{index}]: {type(value).__name__}; a list of tensors holds arrays")
            items.append((*self._bytes(f"{what}[{index}]", value), list(value.shape)))
        return items

    def _struct(self, what, value):
        data = np.zeros((), value.dtype)
        arrays = []
        for name, field in value.fields.items():
            if isinstance(field, np.ndarray) and field.ndim > 0:
                arrays.append((value.dtype.fields[name][1], *self._bytes(f"{what}.{name}", field)))
            elif field is not None:
                data[name] = field
        return (data.tobytes(), arrays)

    def _bytes(self, what, array):
        """The array's bytes as global memory holds them, and whether they go back."""
        name = "" if array.dtype.names else _name(array, what)
        if name and not array.dtype.isnative:
            raise Error(
                f"{what}: dtype {array.dtype.str} has the other byte order; pass array.astype({dtype_of(name).name!r})"
            )
        if not array.flags.c_contiguous:
            raise Error(
                f"{what}: the array is not C-contiguous (shape {array.shape}, strides {array.strides}); "
                "pass numpy.ascontiguousarray(array), or tensor.contiguous()"
            )
        if name != "int4":
            return flat_bytes(array), array.flags.writeable
        if array.ndim == 0 or array.shape[-1] % 2:
            raise Error(
                f"{what}: int4 is packed two a byte, so the last dimension must be even; the shape is {array.shape}"
            )
        packed = pack_int4(array)
        if array.flags.writeable:
            self._packed.append((packed, array))
        else:
            packed.flags.writeable = False
        return packed, array.flags.writeable


def _name(array, what):
    return "uint8" if array.dtype == np.bool_ else require_type(array.dtype, what)


def _number(what, value, name):
    if isinstance(value, float):
        return ("float", value, name, False)
    if not -(2**63) <= value < 2**64:
        raise Error(f"{what}: {value} fits no 64-bit integer")
    return ("negative" if value < 0 else "integer", int(value), name, False)
