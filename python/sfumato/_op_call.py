# SPDX-License-Identifier: Apache-2.0
"""What a call of an operator is given: its tensors and attributes as the library takes them, and its outputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from ._foreign import as_kind_of, as_numpy, is_foreign, plain
from ._native import Error
from ._types import memory_of, pack_int4, unpack_int4


@dataclass(frozen=True)
class Spec:
    """A tensor without data: its shape, its type, and its format where that is not ND.

    `origin`: the dimensions of the matrix that lies in FRACTAL_NZ; without it those of whole fractals."""

    shape: tuple[int, ...]
    dtype: Any
    format: str = "ND"
    origin: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Tensor:
    """An array whose elements lie in a format other than ND, such as FRACTAL_NZ or NC1HWC0; its shape is as it lies.

    `origin`: as of Spec."""

    array: Any
    format: str
    origin: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Param:
    """A declared input or output. types and formats have an entry for each combination."""

    name: str
    kind: str  # "required", "optional", "dynamic"
    types: tuple[str, ...]
    formats: tuple[str, ...]
    value_depend: bool


@dataclass(frozen=True)
class Attr:
    """A declared attribute."""

    name: str
    type: str  # "int", "list of float" ...
    required: bool
    default: Any


class Call:
    """The arrays of one call, and what the library made of their shapes."""

    def __init__(self, op, inputs, named):
        self._op = op
        self._unpack = []
        named = dict(named)
        out = named.pop("out", None)
        if len(inputs) > len(op.inputs):
            raise Error(f"{op.name}: {len(inputs)} inputs are given; it has {_names(op.inputs)}")
        given = dict(zip((p.name for p in op.inputs), inputs))
        attrs = []
        declared = {a.name for a in op.attrs}
        for name, value in named.items():
            if name in declared:
                attrs.append((name, _attr(op, name, value)))
            elif any(p.name == name for p in op.inputs):
                if name in given:
                    raise Error(f"{op.name}: {name!r} is given by position and by name")
                given[name] = value
            else:
                attrs.append((name, _attr(op, name, value)))
        self.inputs = [_Tensors(op, p, given.get(p.name)) for p in op.inputs]
        self._foreign = next((t.foreign for t in self.inputs if t.foreign is not None), None)
        self.outputs = None if out is None else self._given_outputs(out)
        self.native = op._native.prepare(
            [t.items for t in self.inputs],
            attrs,
            None if self.outputs is None else [t.items for t in self.outputs],
            bool(op._options["strict"]),
        )

    def _given_outputs(self, out):
        params = self._op.outputs
        if len(params) == 1 and (params[0].kind == "dynamic" or not isinstance(out, list)):
            out = [out]
        if not isinstance(out, (list, tuple)) or len(out) != len(params):
            raise Error(f"{self._op.name}: out is a list with an entry for each of {_names(params)}")
        tensors = []
        for param, value in zip(params, out):
            if param.kind == "dynamic" and isinstance(value, (list, tuple)):
                value = [self._given_output(param, v) for v in value]
            else:
                value = self._given_output(param, value)
            tensors.append(_Tensors(self._op, param, value))
        return tensors

    def _given_output(self, param, value):
        """An array, or a Spec of (shape, dtype)."""
        if isinstance(value, (bool, int, float, str, np.generic)):
            raise Error(f"{self._op.name}: out: {value!r} is no array for {param.name}; pass one, or (shape, dtype)")
        if isinstance(value, tuple) and len(value) == 2 and not hasattr(value[0], "dtype"):
            return Spec(_shape(self._op, param, value[0]), value[1])
        return value

    def input_bytes(self):
        missing = [t.param.name for t in self.inputs if t.has_specs]
        if missing:
            raise Error(f"{self._op.name}: {missing[0]} is a Spec: infer and tile take it, a run needs an array")
        return [t.kept_bytes() for t in self.inputs]

    def make_outputs(self):
        """Arrays for the outputs: those given, those of inputs with the same name, else new ones."""
        self.results, buffers = [], []
        inputs = {t.param.name: t for t in self.inputs}
        for i, (param, specs) in enumerate(zip(self._op.outputs, self.native.outputs)):
            given = self.outputs[i] if self.outputs else None
            if given is not None and not given.has_specs:
                tensors = given
            elif param.name in inputs:
                tensors = inputs[param.name]
            else:
                tensors = _Tensors(
                    self._op, param, [_unwritten(spec_of(s), self._op._options["fill"]) for s in specs], whole=True
                )
            for array in tensors.arrays:
                if not array.flags.writeable:
                    raise Error(f"{self._op.name}: the array of the output {param.name} is read-only")
            self.results.append(tensors)
            buffers.append(tensors.bytes)
        return buffers

    def finish(self):
        for tensors in self.inputs:
            tensors.take_back(self._op)
        values = []
        for param, tensors in zip(self._op.outputs, self.results):
            tensors.unpack()
            arrays = [as_kind_of(a, self._foreign) for a in tensors.arrays]
            values.append(arrays if param.kind == "dynamic" else arrays[0] if arrays else None)
        return values[0] if len(values) == 1 else tuple(values)


class _Tensors:
    """What was given for one parameter: arrays, or Spec, none of an absent one."""

    def __init__(self, op, param, value, whole=False):
        self.param = param
        self.foreign = None  # an array of another library: results are of its kind
        self._packed = []
        values = value if whole else self._listed(op, value)
        self.has_specs = any(isinstance(v, Spec) for v in values)
        self.arrays, self.bytes, self.items = [], [], []
        for v in values:
            if isinstance(v, Spec):
                shape = _shape(op, param, v.shape)
                self.items.append((list(shape), _type_name(v.dtype), v.format, None, _origin(op, param, v)))
                continue
            format, origin = "ND", None
            if isinstance(v, Tensor):
                origin = _origin(op, param, v)
                v, format = v.array, v.format
            array = self._array(op, v)
            data = self._bytes(op, array)
            self.arrays.append(array)
            self.bytes.append(data)
            self.items.append((list(array.shape), _type_name(array.dtype), format, data, origin))

    def _listed(self, op, value):
        if value is None:
            return []
        if isinstance(value, (list, tuple)) and self.param.kind == "dynamic":
            return list(value)
        if self.param.kind == "dynamic":
            raise Error(f"{op.name}: {self.param.name} is dynamic: pass a list of arrays")
        if isinstance(value, (list, tuple)):
            kind = type(value).__name__
            raise Error(f"{op.name}: {self.param.name} takes one array, not a {kind}: only dynamic inputs take several")
        return [value]

    def _array(self, op, value):
        if isinstance(value, np.ndarray):
            return plain(value, f"{op.name}: {self.param.name}")
        if is_foreign(value):
            self.foreign = value
            return as_numpy(value, f"{op.name}: {self.param.name}")
        if isinstance(value, (bool, int, float, np.generic)):
            types = self.param.types
            if len(set(types)) == 1:
                return np.asarray(value, _dtype(types[0]))
            return np.asarray(value)
        raise Error(f"{op.name}: {self.param.name}: {type(value).__name__} is no array; pass a NumPy array")

    def _bytes(self, op, array):
        name, data = memory_of(array, f"{op.name}: {self.param.name}", of_core=False)
        if name != "int4":
            return data
        packed = pack_int4(array)
        self._packed.append((packed, array))
        return packed

    def unpack(self):
        for packed, array in self._packed:
            unpack_int4(packed, array)

    def kept_bytes(self):
        """Of an input: what a kernel writes to it reaches the array as it reaches the tensor on a board. An array that is
        read-only gives a copy."""
        pairs = zip(self.bytes, self.arrays)
        self._lent = [data if array.flags.writeable else data.copy() for data, array in pairs]
        return self._lent

    def take_back(self, op):
        for lent, data in zip(self._lent, self.bytes):
            if lent is not data and not np.array_equal(lent, data):
                raise Error(
                    f"{op.name}: the kernel wrote to the input {self.param.name}, whose array is read-only: pass a "
                    "writable one, or a copy"
                )
        if all(array.flags.writeable for array in self.arrays):
            self.unpack()


def param_of(words):
    return Param(words["name"], words["kind"], tuple(words["types"]), tuple(words["formats"]), words["value_depend"])


def _names(params):
    return ", ".join(p.name for p in params) or "none"


def spec_of(item):
    shape, dtype, format, origin = item
    return Spec(tuple(shape), dtype, format, origin)


def _origin(op, param, value):
    return None if value.origin is None else list(_shape(op, param, value.origin))


def _shape(op, param, shape):
    if isinstance(shape, (int, np.integer)):
        shape = (shape,)
    try:
        return tuple(int(d) for d in shape)
    except (TypeError, ValueError):
        raise Error(f"{op.name}: {param.name}: {shape!r} is no shape") from None


def _attr(op, name, value):
    """The value as the library takes it."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise Error(f"{op.name}: {name}={value}: an integer has 64 bits")
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        items = [list(v) if isinstance(v, (list, tuple)) else v for v in value]
        if any(isinstance(v, float) for v in items):
            items = [float(v) for v in items]
        return items
    raise Error(f"{op.name}: {name}={value!r} is no attribute: it has {_names(op.attrs)}")


# What NumPy has no name for, or another: bytes stand for it.
_BYTES = {"hifloat8": np.uint8, "float8_e8m0": ml_dtypes.float8_e8m0fnu}


def _dtype(name):
    return np.dtype(_BYTES.get(name) or getattr(ml_dtypes, name, None) or getattr(np, name))


def _type_name(dtype):
    if isinstance(dtype, str):
        return dtype
    return np.dtype(dtype).name.removesuffix("fnu")


def _unwritten(spec, fill):
    """An array as memory is that nobody wrote."""
    array = np.empty(spec.shape, _dtype(spec.dtype))
    array.reshape(-1).view(np.uint8)[...] = fill
    return array
