# SPDX-License-Identifier: Apache-2.0
"""Tensor: a view of a buffer. Slices, reshape and reinterpret_cast_to give other views of the same buffer."""

from __future__ import annotations

import math
import numbers

from .._types import dtype_of
from ._errors import fault
from ._expr import Value, difference
from ._scalar import source
from ._where import here


def item_size(dtype: str) -> int:
    """Bytes of an element."""
    return dtype_of(dtype).itemsize


class Tensor:
    """A tensor or a view of one. Made by Tik.Tensor; extents and offsets may be values of the kernel.

    Indices never drop a dimension: t[3] has one element. One index on a tensor of several dimensions is an index into
    the flattened tensor, otherwise there is one index a dimension.
    """

    __iter__ = None
    __hash__ = object.__hash__

    def __init__(self, program, tensor: int, dtype: str, shape, scope: str, name: str):
        self._program, self._tensor = program, tensor
        self.dtype, self.scope, self.name = dtype, scope, name
        self._shape = shape
        self._strides = _contiguous(shape)  # elements of dtype from one index to the next
        self._offset = 0  # elements of dtype from the start of the buffer
        self._whole = self._original = True  # not a slice; neither a slice nor a reshape

    def _view(self, **changes) -> Tensor:
        view = object.__new__(Tensor)
        view.__dict__.update(self.__dict__, **changes)
        return view

    @property
    def shape(self) -> tuple:
        """The extents: ints, and Scalars or Exprs where only the run knows them."""
        return self._shape

    @property
    def size(self) -> int | Value:
        """The number of elements."""
        return product(self._shape)

    @property
    def buffer_size(self) -> int | Value:
        """The number of bytes."""
        return self.size * item_size(self.dtype)

    # -- views ---------------------------------------------------------------------------------------------------------

    def __getitem__(self, index) -> Tensor:
        indices = index if isinstance(index, tuple) else (index,)
        view = self
        if len(indices) == 1 and len(self._shape) > 1:
            view = self.flatten()
        if len(indices) != len(view._shape):
            raise self._error(
                "a tensor takes one index, into the flattened tensor, or one index a dimension",
                found=f"{len(indices)} indices on shape {_text(self._shape)}",
                legal=f"1 or {len(self._shape)} indices",
            )
        offset, shape = view._offset, []
        for one, extent, stride in zip(indices, view._shape, view._strides):
            start, length = view._range(one, extent)
            offset = total(offset, product((start, stride)))
            shape.append(length)
        return view._view(_offset=offset, _shape=tuple(shape), _whole=False, _original=False)

    def __setitem__(self, index, value) -> None:
        self[index].set_as(value)

    def flatten(self) -> Tensor:
        """The tensor as one dimension."""
        if not self._original:
            raise self._error(
                "a sliced or reshaped tensor of several dimensions cannot be flattened",
                found=f"a view of shape {_text(self._shape)}",
            )
        return self._view(_shape=(self.size,), _strides=(1,))

    def reshape(self, new_shape) -> Tensor:
        """The same elements with another shape of the same size."""
        shape = shape_of(new_shape, "new_shape", "reshape")
        if not self._whole:
            raise self._error("a slice cannot be reshaped")
        old, new = self.size, product(shape)
        if isinstance(old, int) and isinstance(new, int) and old != new:
            raise self._error(
                "reshape keeps the number of elements", found=f"{_text(shape)}, {new} elements", legal=f"{old} elements"
            )
        return self._view(_shape=shape, _strides=_contiguous(shape), _original=False)

    def reinterpret_cast_to(self, dtype: str) -> Tensor:
        """The same bytes as elements of another type.

        To a narrower type a dimension is appended: (8, 16) float32 is (8, 16, 2) float16. To a wider one the last
        dimension is divided.
        """
        old, new = item_size(self.dtype), item_size(require_dtype(dtype, "reinterpret_cast_to"))
        if new < old:
            ratio = old // new
            return self._view(
                dtype=dtype,
                _shape=(*self._shape, ratio),
                _strides=(*(product((stride, ratio)) for stride in self._strides), 1),
                _offset=product((self._offset, ratio)),
            )
        ratio = new // old
        last = self._shape[-1]
        if isinstance(last, int) and last % ratio:
            raise self._error(
                "the last dimension must be a whole number of the wider elements",
                found=f"shape {_text(self._shape)} of {self.dtype} as {dtype}",
                legal=f"a last dimension that is a multiple of {ratio}",
            )
        if isinstance(self._offset, int) and self._offset % ratio:
            raise self._error(
                "the slice must start at a whole number of the wider elements",
                found=f"element {self._offset} of {self.dtype} as {dtype}",
                legal=f"a multiple of {ratio}",
            )
        if ratio == 1:
            return self._view(dtype=dtype)
        return self._view(
            dtype=dtype,
            _shape=(*self._shape[:-1], last // ratio),
            _strides=(*(stride // ratio for stride in self._strides[:-1]), 1),
            _offset=self._offset // ratio,
        )

    def _range(self, index, extent):
        """(start, length) of one index or slice of a dimension."""
        if not isinstance(index, slice):
            return self._bound(index, extent, extent, "index"), 1
        if index.step not in (None, 1):
            raise self._error("the step of a slice is 1", found=f"step {index.step!r}")
        start = 0 if index.start is None else self._bound(index.start, extent, extent, "start")
        if index.stop is None:
            return start, extent if isinstance(start, int) and start == 0 else extent - start
        stop = self._bound(index.stop, extent, extent + 1 if isinstance(extent, int) else None, "stop")
        length = difference(stop, start)
        if isinstance(length, int) and length <= 0:
            raise self._error("a slice has at least one element", found=f"{start}:{stop}")
        return start, length

    def _bound(self, index, extent, end, what):
        if isinstance(index, Value):
            dtype = index.dtype
            if dtype.startswith(("int", "uint")):
                return index
            raise self._error("an index is an integer", found=f"{what} of {dtype}")
        if not isinstance(index, numbers.Integral) or isinstance(index, bool):
            raise self._error("an index is an integer or a slice", found=f"{what} {index!r}")
        index = int(index)
        if index < 0:
            if not isinstance(extent, int) or index >= -extent:
                return index + extent
        elif not isinstance(end, int) or index < end:
            return index
        raise self._error(
            "the index is outside the tensor",
            found=f"{what} {index} on a dimension of {extent}",
            legal=f"{-extent}..{end - 1}",
        )

    # -- the scalar unit -----------------------------------------------------------------------------------------------

    def set_as(self, value) -> None:
        """Writes one element by the scalar unit."""
        self._program.store(self._one("written"), source(self._program, value, "value"), here())

    def _load(self) -> int:
        """The expression that reads the element."""
        return self._program.load(self._one("read"), here())

    def _one(self, verb):
        if isinstance(self.size, int) and self.size != 1:
            raise self._error(
                "one element can be {verb} at a time",
                found=f"{self.size} elements, shape {_text(self._shape)}",
                verb=verb,
            )
        return self._ref()

    def _ref(self) -> int:
        """The native reference to the first element."""
        offset = self._offset
        offset = offset._id() if isinstance(offset, Value) else offset
        return self._program.ref(self._tensor, offset, self.dtype, here())

    def _error(self, message, **fields) -> Exception:
        return fault(message, operand=self.name, **fields)

    def access_ptr(self, *args, **kwargs):
        """Refused: a script has no addresses."""
        raise NotImplementedError("tik: Sfumato has no Tensor.access_ptr; pass the tensor or a slice of it")

    def __repr__(self) -> str:
        return f"<tik.Tensor {self.name} {_text(self._shape)} of {self.dtype} in {self.scope}>"


def shape_of(shape, what: str, call: str) -> tuple:
    """A shape as the user gave it, as a tuple of ints and values."""
    dims = (shape,) if isinstance(shape, (numbers.Integral, Value)) else shape
    if not isinstance(dims, (tuple, list)) or not dims:
        raise fault("a shape is a tuple or a list", instruction=call, operand=what, found=repr(shape))
    for dim in dims:
        if isinstance(dim, Value):
            continue
        if not isinstance(dim, numbers.Integral) or isinstance(dim, bool) or dim < 1:
            raise fault(
                "the dimensions of a shape are positive integers",
                instruction=call,
                operand=what,
                found=f"{dim!r} in {_text(dims)}",
            )
    return tuple(dim if isinstance(dim, Value) else int(dim) for dim in dims)


def require_dtype(dtype, call: str) -> str:
    """A type's name as TIK spells it, which is NumPy's."""
    if isinstance(dtype, str):
        try:
            dtype_of(dtype)
            return dtype
        except KeyError:
            pass
    raise fault("there is no such element type", instruction=call, found=repr(dtype))


def product(factors):
    """The product; factors of 1 and products of 0 make no expression."""
    known, late = math.prod(f for f in factors if isinstance(f, int)), None
    for factor in factors:
        if isinstance(factor, Value) and known:
            late = factor if late is None else late * factor
    return known if late is None else late if known == 1 else late * known


def total(a, b):
    """The sum; a 0 makes no expression."""
    if isinstance(a, int) and a == 0:
        return b
    return a if isinstance(b, int) and b == 0 else a + b


def _contiguous(shape) -> tuple:
    strides = [1]
    for dim in reversed(shape[1:]):
        strides.insert(0, product((dim, strides[0])))
    return tuple(strides)


def _text(shape) -> str:
    return "(" + ", ".join(str(dim) if isinstance(dim, int) else "..." for dim in shape) + ")"
