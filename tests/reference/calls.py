# SPDX-License-Identifier: Apache-2.0
"""Calls of reference operators as other languages make them: by ctypes, through libopapi, with tensors of every layout.

The signatures are those of src/reference/operators.txt, which the headers are made from too.
"""

import ctypes
import dataclasses
import functools
from pathlib import Path

import ml_dtypes
import numpy as np
from installation import TOOLKIT

TABLE = Path(__file__).resolve().parents[2] / "src/reference/operators.txt"
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
NUMBERS = {
    "float32": 0, "float16": 1, "int8": 2, "int32": 3, "uint8": 4, "int16": 6, "uint16": 7, "uint32": 8, "int64": 9,
    "uint64": 10, "float64": 11, "bool": 12, "bfloat16": 27,
}  # fmt: skip
ND, HUGE_FIRST = 2, 0
TO_DEVICE, TO_HOST = 1, 2


@dataclasses.dataclass
class Parameter:
    role: str
    types: list
    c_type: str
    name: str

    @property
    def is_result(self):
        return self.role in ("out", "optional-out", "inout")


@functools.cache
def table():
    """{function: [Parameter]}"""
    types, operators = {"-": []}, {}
    for line in TABLE.read_text().splitlines():
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if words[0] == "types":
            types[words[1]] = words[2:]
        elif words[0] == "op":
            operators[words[1]] = last = []
        else:
            for role, listed, *c_type, name in map(str.split, line.strip().rstrip(",").split(", ")):
                last.append(Parameter(role, types[listed], " ".join(c_type), name))
    return operators


def dtype(name):
    return BFLOAT16 if name == "bfloat16" else np.dtype(name)


def type_number(name):
    return NUMBERS["bfloat16" if dtype(name) == BFLOAT16 else str(dtype(name))]


@functools.cache
def library():
    opened = ctypes.CDLL(str(TOOLKIT / "lib64/libopapi.so"))
    for name in ("aclCreateTensor", "aclCreateScalar", "aclCreateTensorList", "aclCreateIntArray"):
        getattr(opened, name).restype = ctypes.c_void_p
    opened.aclGetRecentErrMsg.restype = ctypes.c_char_p
    return opened


def said():
    text = library().aclGetRecentErrMsg()
    return text.decode() if text else ""


def longs(values):
    return (ctypes.c_int64 * len(values))(*values)


class Tensor:
    """A tensor of the device that holds an array, laid out as `layout` says.

    dense; gaps: every element apart from the next; turned: the first dimension runs fastest; offset: not at the start
    of its memory.
    """

    def __init__(self, values, layout="dense"):
        values = np.asarray(values)
        self.shape, self.dtype, rank = values.shape, values.dtype, values.ndim
        offset = 3 if layout in ("offset", "gaps") else 0
        if layout == "gaps":
            storage = np.zeros([2 * d + 1 for d in self.shape] or [2], self.dtype)
            strides = [s // self.dtype.itemsize * 2 for s in storage.strides][:rank]
        else:
            order = list(reversed(range(rank))) if layout == "turned" else list(range(rank))
            storage = np.zeros([self.shape[d] for d in order], self.dtype)
            strides = [0] * rank
            for d, s in zip(order, storage.strides, strict=True):
                strides[d] = s // self.dtype.itemsize
        self.count = storage.size + offset
        self.memory = np.full(self.count * self.dtype.itemsize, 0x5A, np.uint8)
        self.strides, self.offset = strides, offset
        self.view()[...] = values
        self.gaps = self.memory.copy()
        self.handle = self.address = None

    def view(self):
        # NumPy has no strides for types of packages without a detour by bits.
        bits = self.memory.view(f"u{self.dtype.itemsize}")[self.offset :]
        size = self.dtype.itemsize
        shown = np.lib.stride_tricks.as_strided(bits, self.shape, [s * size for s in self.strides])
        return shown.view(self.dtype)

    def send(self):
        acl = library()
        self.address = ctypes.c_void_p()
        size = ctypes.c_size_t(len(self.memory))
        assert acl.aclrtMalloc(ctypes.byref(self.address), ctypes.c_size_t(max(size.value, 1)), HUGE_FIRST) == 0
        acl.aclrtMemcpy(self.address, size, ctypes.c_void_p(self.memory.ctypes.data), size, TO_DEVICE)
        shape, strides, storage = longs(self.shape), longs(self.strides), longs([self.count])
        self.handle = acl.aclCreateTensor(
            shape, ctypes.c_uint64(len(self.shape)), type_number(self.dtype), strides, ctypes.c_int64(self.offset), ND,
            storage, ctypes.c_uint64(1), self.address,
        )  # fmt: skip
        assert self.handle, said()
        return ctypes.c_void_p(self.handle)

    def fetch(self):
        acl = library()
        size = ctypes.c_size_t(len(self.memory))
        acl.aclrtMemcpy(ctypes.c_void_p(self.memory.ctypes.data), size, self.address, size, TO_HOST)
        return np.array(self.view())

    def wrote_elsewhere(self):
        """Whether bytes that are no element's have changed."""
        now, then = self.memory.copy(), self.gaps.copy()
        for memory in (now, then):
            keep, self.memory = self.memory, memory
            self.view()[...] = np.zeros((), self.dtype)
            self.memory = keep
        return bool((now != then).any())

    def free(self):
        if self.handle:
            library().aclDestroyTensor(ctypes.c_void_p(self.handle))
            library().aclrtFree(self.address)
            self.handle = None


class Call:
    """The arguments of one call as C has them. `given` has them in the table's order, tensors as Tensor."""

    def __init__(self, name, given):
        self.name, self.tensors, self.undo = name, [], []
        self.parameters = table()[name]
        assert len(given) == len(self.parameters), f"{name} takes {len(self.parameters)}: {self.parameters}"
        self.words = [self.word(p, value) for p, value in zip(self.parameters, given, strict=True)]

    def word(self, p, value):
        acl = library()
        kind = p.c_type.removeprefix("const ").rstrip("*")
        if value is None or isinstance(value, ctypes.c_void_p):
            return value or ctypes.c_void_p()
        if kind == "aclTensor":
            self.tensors.append(value)
            return value.send()
        if kind == "aclTensorList":
            handles = (ctypes.c_void_p * len(value))(*[t.send().value for t in value])
            self.tensors += value
            made = ctypes.c_void_p(acl.aclCreateTensorList(handles, ctypes.c_uint64(len(value))))
            self.undo.append(made)
            return made
        if kind == "aclScalar":
            value = np.asarray(value)
            return ctypes.c_void_p(acl.aclCreateScalar(ctypes.c_void_p(value.ctypes.data), type_number(value.dtype)))
        if kind == "aclIntArray":
            return ctypes.c_void_p(acl.aclCreateIntArray(longs(value), ctypes.c_uint64(len(value))))
        if kind in ("double", "float"):
            return {"double": ctypes.c_double, "float": ctypes.c_float}[kind](value)
        if kind == "char":
            return ctypes.c_char_p(value.encode())
        c_type = {"bool": ctypes.c_bool, "aclDataType": ctypes.c_int, "int8_t": ctypes.c_int8}.get(kind)
        return (c_type or getattr(ctypes, f"c_{kind.removesuffix('_t')}"))(value)

    def prepare(self):
        """The code of the first phase."""
        self.size, self.executor = ctypes.c_uint64(), ctypes.c_void_p()
        phase = getattr(library(), f"{self.name}GetWorkspaceSize")
        return phase(*self.words, ctypes.byref(self.size), ctypes.byref(self.executor))

    def run(self, stream=None):
        return getattr(library(), self.name)(None, self.size, self.executor, stream)

    def free(self):
        for tensor in self.tensors:
            tensor.free()


def call(name, *given, stream=None):
    """Both phases. Raises AssertionError with the report where one refuses."""
    made = Call(name, given)
    code = made.prepare()
    assert code == 0, (code, said())
    code = made.run(stream)
    assert code == 0, (code, said())
    for tensor in made.tensors:
        tensor.fetch()
    assert not any(t.wrote_elsewhere() for t in made.tensors), f"{name} writes beside the elements"
    made.free()
    return made
