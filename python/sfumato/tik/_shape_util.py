# SPDX-License-Identifier: Apache-2.0
"""tbe.common.utils.shape_util: what TIK operators use of it, by the TBE Utils pages."""

from collections.abc import Sequence


def broadcast_shapes(
    shape1: Sequence[int],
    shape2: Sequence[int],
    op_name: str = "NULL",
    param_name_input1: str = "",
    param_name_input2: str = "",
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Both shapes with as many dims, ones in front, and the shape they broadcast to."""
    rank = max(len(shape1), len(shape2))
    first, second = ((1,) * (rank - len(shape)) + tuple(shape) for shape in (shape1, shape2))
    if any(a != b and 1 not in (a, b) for a, b in zip(first, second)):
        names = f"{param_name_input1 or 'shape1'} {tuple(shape1)} and {param_name_input2 or 'shape2'} {tuple(shape2)}"
        raise RuntimeError(f"broadcast_shapes: input shapes not match! {names}; legal: equal dims, or one of them 1")
    return first, second, tuple(b if a == 1 else a for a, b in zip(first, second))


def shape_to_list(shape: Sequence[int]) -> list[int]:
    """The dims as a list."""
    return list(shape)


def scalar2tensor_one(shape: Sequence[int]) -> Sequence[int]:
    """The shape, [1] for that of a scalar."""
    return shape or [1]
