# SPDX-License-Identifier: Apache-2.0
"""The h_* calls: whole tensors and slices in UB, expanded into the v* calls a user would write (tik.md 1.8)."""

import math
import numbers
from collections.abc import Callable

from ._errors import fault
from ._tensor import Tensor, item_size, product, total
from ._views import at, contiguous_from, is_scalar, require_alike, require_tensors
from ._where import here

_REPEAT = 256  # bytes of the widest operand a repeat covers
_BLOCK = 32
# Repeats of one call: at most 255, and the bits of a compare of so many fill whole blocks.
_MOST_REPEATS = 252

# Binary calls, and what they are when the second source is a number.
_BINARY = {
    "add": "vadds",
    "sub": None,
    "mul": "vmuls",
    "div": None,
    "max": "vmaxs",
    "min": "vmins",
    "and": None,
    "or": None,
}
_UNARY = ("abs", "exp", "ln", "rec", "relu", "rsqrt", "not")
_REDUCTIONS = {"sum": ("vec_reduce_add", "vadd"), "max": ("vec_reduce_max", "vmax"), "min": ("vec_reduce_min", "vmin")}


class Whole:
    """Base of Tik: the h_* calls."""

    def _each(self, views, body: Callable) -> None:
        """Calls body(views, n) for every run of n elements: in loops of the kernel where there are several."""
        shape, first = views[0].shape, contiguous_from(views)
        n = math.prod(shape[first:])

        def go(dim, offsets):
            if dim == first:
                body([at(view._view(_offset=offset), 0, n) for view, offset in zip(views, offsets)], n)
            elif shape[dim] == 1:
                go(dim + 1, offsets)
            else:
                with self.for_range(0, shape[dim]) as i:
                    go(dim + 1, [total(o, product((i, view._strides[dim]))) for view, o in zip(views, offsets)])

        go(0, [view._offset for view in views])

    def _repeats(self, views, n: int, emit: Callable) -> None:
        """emit(mask, views, repeats) for whole repeats, then for the rest."""
        lanes = _REPEAT // max(item_size(view.dtype) for view in views)
        done = 0
        while done < n:
            repeats = min((n - done) // lanes, _MOST_REPEATS)
            mask = lanes if repeats else n - done
            emit(mask, [at(view, done, n - done) for view in views], max(repeats, 1))
            done += mask * max(repeats, 1)

    def _elementwise(self, tensors, emit: Callable) -> None:
        self._each(tensors, lambda views, n: self._repeats(views, n, emit))

    # -- elementwise ---------------------------------------------------------------------------------------------------

    def _h_unary(self, name: str, dst, src) -> None:
        require_tensors(f"h_{name}", dst=dst, src=src)
        require_alike(f"h_{name}", dst, src=src)
        call = getattr(self, f"v{name}")
        self._elementwise([dst, src], lambda mask, v, repeats: call(mask, *v, repeats, 1, 1, 8, 8))

    def _h_binary(self, name: str, dst, src0, src1) -> None:
        label = f"h_{name}"
        require_tensors(label, dst=dst, src0=src0)
        require_alike(label, dst, src0=src0)
        if is_scalar(src1):
            return self._h_scalar(name, dst, src0, src1)
        require_tensors(label, src1=src1)
        require_alike(label, dst, src1=src1)
        call = getattr(self, f"v{name}")
        self._elementwise([dst, src0, src1], lambda mask, v, repeats: call(mask, *v, repeats, 1, 1, 1, 8, 8, 8))

    def _h_scalar(self, name: str, dst, src, scalar) -> None:
        if _BINARY[name] is None:
            raise fault("src1 must be a Tensor", instruction=f"h_{name}", found=repr(scalar))
        call = getattr(self, _BINARY[name])
        self._elementwise([dst, src], lambda mask, v, repeats: call(mask, *v, scalar, repeats, 1, 1, 8, 8))

    def h_cast(self, dst: Tensor, src: Tensor, round_mode: str) -> None:
        """Converts every element."""
        require_tensors("h_cast", dst=dst, src=src)
        require_alike("h_cast", dst, src=src)
        wide = max(item_size(dst.dtype), item_size(src.dtype))
        strides = [8 * item_size(tensor.dtype) // wide for tensor in (dst, src)]
        self._elementwise(
            [dst, src], lambda mask, v, repeats: self.vconv(mask, round_mode, *v, repeats, 1, 1, *strides)
        )

    h_conv = h_cast

    def h_duplicate(self, dst: Tensor, src) -> None:
        """Every element becomes the number."""
        require_tensors("h_duplicate", dst=dst)
        self._elementwise([dst], lambda mask, v, repeats: self.vector_dup(mask, *v, src, repeats, 1, 8))

    def h_data_move(self, dst: Tensor, src: Tensor) -> None:
        """Moves every element; runs that are no whole blocks of 32 bytes by data_move_pad."""
        require_tensors("h_data_move", dst=dst, src=src)
        require_alike("h_data_move", dst, src=src)

        def move(views, n):
            size = n * item_size(dst.dtype)
            if size % _BLOCK == 0:
                self.data_move(*views, 0, 1, size // _BLOCK, 0, 0)
            else:
                self.data_move_pad(*views, 1, size, 0, 0)

        self._each([dst, src], move)

    # -- compare and select --------------------------------------------------------------------------------------------

    def h_cmpv(self, mask_tensor: Tensor, src0: Tensor, src1, cmp_mode: str) -> None:
        """A bit an element, packed, the first in the lowest bit; the elements fill whole repeats."""
        require_tensors("h_cmpv", mask_tensor=mask_tensor, src0=src0)
        modes = ("eq", "ne", "lt", "le", "gt", "ge")
        mode = str(cmp_mode).lower()
        if mode not in modes:
            raise fault("the mode does not exist", found=repr(cmp_mode), legal=", ".join(f"'{m}'" for m in modes))
        lanes = _REPEAT // item_size(src0.dtype)
        sources = [src0]
        if not is_scalar(src1):
            require_tensors("h_cmpv", src1=src1)
            require_alike("h_cmpv", src0, src1=src1)
            sources.append(src1)
        if contiguous_from(sources) != 0 or src0.size % lanes:
            raise fault(
                "a compare takes whole repeats of elements that follow each other",
                found=f"{src0.size} elements, shape {src0.shape}",
                legal=f"a multiple of {lanes} in one run",
            )
        bits = 8 * item_size(mask_tensor.dtype)
        for done in range(0, src0.size, _MOST_REPEATS * lanes):
            repeats = min(_MOST_REPEATS, (src0.size - done) // lanes)
            out = at(mask_tensor, done // bits, repeats * lanes // bits)
            views = [at(view, done, src0.size - done) for view in sources]
            if len(views) == 1:
                getattr(self, f"vcmpvs_{mode}")(out, *views, src1, repeats, 1, 8)
            else:
                getattr(self, f"vcmpv_{mode}")(out, *views, repeats, 1, 1, 8, 8)

    def h_sel(self, dst: Tensor, src0: Tensor, src1, mask_tensor: Tensor) -> None:
        """src0 where the bit is 1, else src1."""
        require_tensors("h_sel", dst=dst, src0=src0, mask_tensor=mask_tensor)
        sources = [dst, src0]
        if not is_scalar(src1):
            require_tensors("h_sel", src1=src1)
            sources.append(src1)
        require_alike("h_sel", dst, **{f"src{i}": view for i, view in enumerate(sources[1:])})
        if contiguous_from(sources) != 0:
            raise fault("a select takes elements that follow each other", found=f"slices of shape {dst.shape}")
        bits = 8 * item_size(mask_tensor.dtype)
        place = 0

        def emit(mask, views, repeats):
            nonlocal place
            first, aligned = place // bits, place // 8 % _BLOCK == 0
            place += mask * repeats
            with self.new_stmt_scope():
                sel = at(mask_tensor, first, 1)
                if not aligned:  # the bits of a last part of a repeat
                    sel = self.Tensor(mask_tensor.dtype, (_BLOCK * 8 // bits,), name="h_bits", scope=dst.scope)
                    for k in range(-(-mask // bits)):
                        sel[k].set_as(at(mask_tensor, first + k, 1))
                if len(views) == 2:
                    self.vsel(mask, 1, views[0], sel, views[1], src1, repeats, 1, 1, 1, 8, 8, 8)
                else:
                    self.vsel(mask, 2, views[0], sel, *views[1:], repeats, 1, 1, 1, 8, 8, 8)

        self._elementwise(sources, emit)

    # -- reductions ----------------------------------------------------------------------------------------------------

    def _h_reduce(self, name: str, dst, src, axis) -> None:
        call = f"h_reduce_{name}"
        require_tensors(call, dst=dst, src=src)
        rank = len(src.shape)
        integer = isinstance(axis, numbers.Integral) and not isinstance(axis, bool)
        if axis is not None and not (integer and -rank <= axis < rank):
            raise fault(
                "the axis is no dimension of src",
                instruction=call,
                found=repr(axis),
                legal=f"None, or {-rank}..{rank - 1}",
            )
        kept = () if axis is None else tuple(dim for i, dim in enumerate(src.shape) if i != axis % rank)
        if dst.size != math.prod(kept):
            raise fault(
                "dst has another size than the result",
                instruction=call,
                found=f"{dst.size} elements",
                legal=f"{math.prod(kept)} elements",
            )
        if contiguous_from([dst]) != 0 or (axis is None and contiguous_from([src]) != 0):
            raise fault("the elements must follow each other", instruction=call, found="a slice with gaps")
        self._program.mark(here(), call)
        if axis is None:
            self._reduce_run(name, at(dst, 0, 1), at(src, 0, src.size), src.size)
        elif axis % rank == rank - 1:
            self._reduce_rows(name, dst, src)
        else:
            self._reduce_planes(name, dst, src, axis % rank)

    def _reduce_run(self, name, dst, src, n) -> None:
        """n elements to one: the whole repeats by the reduction's own order, then the rest beside them."""
        reduce, combine = (getattr(self, call) for call in _REDUCTIONS[name])
        lanes = _REPEAT // item_size(src.dtype)
        block = _BLOCK // item_size(src.dtype)
        whole, rest = n // lanes, n % lanes
        with self.new_stmt_scope():
            work = self.Tensor(src.dtype, (max(2 * whole, block),), name="h_work", scope=src.scope)
            parts = self.Tensor(src.dtype, (2 * block,), name="h_parts", scope=src.scope)
            if whole:
                reduce(lanes, parts, src, work, whole, 8)
            if rest:
                reduce(rest, parts[block if whole else 0 :], at(src, whole * lanes, rest), work, 1, 8)
            if whole and rest:
                combine(1, parts, parts, parts[block:], 1, 1, 1, 1, 8, 8, 8)
            dst.set_as(parts[0])

    def _reduce_rows(self, name, dst, src) -> None:
        rows = src._view(_shape=(*src.shape[:-1], 1))
        n = src.shape[-1]

        def go(dim, offset, place):
            if dim == len(rows.shape) - 1:
                return self._reduce_run(name, at(dst, place, 1), at(src._view(_offset=offset), 0, n), n)
            with self.for_range(0, rows.shape[dim]) as i:
                stride = math.prod(rows.shape[dim + 1 :])
                go(dim + 1, total(offset, product((i, src._strides[dim]))), total(place, product((i, stride))))

        go(0, src._offset, 0)

    def _reduce_planes(self, name, dst, src, axis) -> None:
        shape = (*src.shape[:axis], *src.shape[axis + 1 :])
        strides = (*src._strides[:axis], *src._strides[axis + 1 :])
        out_strides = tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))
        out = dst._view(_shape=shape, _strides=out_strides)
        planes = [
            src._view(_shape=shape, _strides=strides, _offset=total(src._offset, product((i, src._strides[axis]))))
            for i in range(src.shape[axis])
        ]
        if len(planes) == 1:
            return self.h_data_move(out, planes[0])
        binary = {"sum": "add"}.get(name, name)
        self._h_binary(binary, out, planes[0], planes[1])
        for plane in planes[2:]:
            self._h_binary(binary, out, out, plane)


def _unary(name: str) -> Callable:
    def call(self, dst, src):
        self._h_unary(name, dst, src)

    call.__doc__ = f"v{name} of every element."
    return call


def _binary(name: str) -> Callable:
    def call(self, dst, src0, src1):
        self._h_binary(name, dst, src0, src1)

    call.__doc__ = f"v{name} of every element."
    return call


def _reduce(name: str) -> Callable:
    def call(self, dst, src, axis=None):
        self._h_reduce(name, dst, src, axis)

    call.__doc__ = f"The {name} along an axis, or of all elements."
    return call


for _made, _names in ((_unary, _UNARY), (_binary, _BINARY), (_reduce, _REDUCTIONS)):
    for _name in _names:
        _call = f"h_reduce_{_name}" if _made is _reduce else f"h_{_name}"
        _method = _made(_name)
        _method.__name__ = _method.__qualname__ = _call
        setattr(Whole, _call, _method)
