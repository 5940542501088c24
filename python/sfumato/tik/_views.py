# SPDX-License-Identifier: Apache-2.0
"""What the h_* calls ask of their tensors: runs of elements, shapes that are known and alike."""

import math

from ._errors import fault
from ._expr import Value, is_number
from ._tensor import Tensor, total


def is_scalar(value) -> bool:
    """A number, a Scalar or an Expr."""
    return is_number(value) or isinstance(value, Value)


def at(view: Tensor, position, size: int) -> Tensor:
    """`size` elements of a view in one run, from `position` on."""
    return view._view(
        _offset=total(view._offset, position), _shape=(size,), _strides=(1,), _whole=False, _original=False
    )


def contiguous_from(views) -> int:
    """The first dimension from which all views are one run."""
    dim = len(views[0].shape)
    while dim > 0:
        for view in views:
            stride = view._strides[dim - 1]
            joined = isinstance(stride, int) and stride == math.prod(view.shape[dim:])
            if view.shape[dim - 1] != 1 and not joined:
                return dim
        dim -= 1
    return 0


def require_tensors(call: str, **tensors) -> None:
    """Refuses what is no tensor, and a shape that only the run knows."""
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise fault("{operand} must be a Tensor", instruction=call, operand=name, found=repr(tensor))
        if not all(isinstance(dim, int) for dim in tensor.shape):
            raise fault(
                "the shape must be known while the script runs", instruction=call, operand=name, found=repr(tensor)
            )


def require_alike(call: str, first: Tensor, **others: Tensor) -> None:
    """Refuses a tensor of another shape than the first one's."""
    for name, other in others.items():
        if other.shape != first.shape:
            raise fault(
                "the tensors have different shapes",
                instruction=call,
                operand=name,
                found=f"{other.shape} beside {first.shape}",
                legal=f"{first.shape}",
            )
