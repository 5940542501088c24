# SPDX-License-Identifier: Apache-2.0
"""Arguments of a launch: what Python passes, as the native module takes it."""

from typing import Any

import numpy as np

from ._foreign import as_numpy, is_foreign, plain
from ._native import Error
from ._types import memory_of, pack_int4, require_type, type_name, unpack_int4


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


class Address(int):
    """An address in global memory, such as World.context gives: what a kernel gets for a pointer, as it is."""

    def __repr__(self):
        return f"Address({int(self):#x})"


class Argument:
    """One argument as the native module takes it: (kind, value, type name, writable, the number a 0-d array is)."""

    def __init__(self, position: int, value: Any, name: str = ""):
        self._packed = []  # (two int4 a byte, the array they go back to)
        what = f"argument {position} ({name})" if name else f"argument {position}"
        if is_foreign(value):
            value = as_numpy(value, what)
        if isinstance(value, np.ndarray):
            value = plain(value, what)
        if isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.names is None:
            self.item = self._one(what, value)
        elif isinstance(value, np.ndarray) and value.ndim > 0:
            self.item = ("array", *self._bytes(what, value), None)
        elif isinstance(value, Address):
            self.item = ("address", int(value), "", False, None)
        elif value is None:
            self.item = ("null", None, "", False, None)
        elif isinstance(value, (list, tuple)):
            self.item = ("list", self._list(what, value), "", False, None)
        elif isinstance(value, Struct):
            self.item = ("struct", self._struct(what, value), "", False, None)
        elif isinstance(value, (np.void, np.ndarray)):
            self.item = ("bytes", value.tobytes(), "", False, None)
        elif isinstance(value, (bytes, bytearray, memoryview)):
            self.item = ("bytes", bytes(value), "", False, None)
        elif isinstance(value, (bool, int, float, np.generic)):
            self.item = _number(what, value)
        else:
            raise Error(
                f"{what}: {type(value).__name__} is not understood; pass an array for global memory "
                f"({'numpy.asarray of it' if hasattr(value, '__array__') else _ARRAYS}), an int or a float for a value, "
                "bytes for a struct"
            )

    def finish(self):
        for packed, array in self._packed:
            unpack_int4(packed, array)

    def _one(self, what, value):
        """A 0-d array: one element of memory where the kernel takes a pointer, else a number."""
        if type_name(value.dtype) in (None, "int4") or not value.dtype.isnative:
            return _number(what, value[()])
        return ("array", *self._bytes(what, value), _number(what, value[()]))

    def _list(self, what, values):
        items = []
        for index, value in enumerate(values):
            if is_foreign(value):
                value = as_numpy(value, f"{what}[{index}]")
            if not isinstance(value, np.ndarray):
                raise Error(
                    f"{what}[{index}]: {type(value).__name__}; a list of tensors holds arrays (ListTensorDesc): for one array "
                    f"of numbers pass numpy.array({type(values).__name__}, dtype), e.g. with numpy.float32"
                )
            data, _, writable = self._bytes(f"{what}[{index}]", plain(value, f"{what}[{index}]"))
            items.append((data, writable, list(value.shape)))
        return items

    def _struct(self, what, value):
        data = np.zeros((), value.dtype)
        arrays = []
        for name, field in value.fields.items():
            if isinstance(field, np.ndarray) and field.ndim > 0:
                address, _, writable = self._bytes(f"{what}.{name}", plain(field, f"{what}.{name}"))
                arrays.append((value.dtype.fields[name][1], address, writable))
            elif field is not None:
                data[name] = field
        return (data.tobytes(), arrays)

    def _bytes(self, what, array):
        """The array's bytes as global memory holds them, the name of its type, and whether they go back."""
        name, data = memory_of(array, what)
        if name != "int4":
            return data, name, array.flags.writeable
        if array.ndim == 0 or array.shape[-1] % 2:
            raise Error(
                f"{what}: int4 is packed two a byte, so the last dimension must be even; the shape is {array.shape}"
            )
        packed = pack_int4(array)
        if array.flags.writeable:
            self._packed.append((packed, array))
        else:
            packed.flags.writeable = False
        return packed, name, array.flags.writeable


_ARRAYS = "NumPy's, a tensor, anything with DLPack"


def _number(what, value):
    """Of integers the value alone counts: whether the kernel's parameter holds it is asked where its type is known."""
    if isinstance(value, float):
        return ("float", float(value), "", False, None)
    if isinstance(value, np.generic) and not isinstance(value, (np.bool_, np.integer)):
        name = require_type(value.dtype, what)
        if name.startswith(("float", "bfloat")):
            return ("float", float(value), name, False, None)
    value = int(value)
    if not -(2**63) <= value < 2**64:
        return ("beyond", str(value), "", False, None)
    return ("negative" if value < 0 else "integer", value, "", False, None)
