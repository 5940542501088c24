# SPDX-License-Identifier: Apache-2.0
"""Collectives of the host over one array a rank: their bytes are those that HCCL calls give here (docs/ranks.md)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from . import _checks, _native
from ._native import Error
from ._types import require_type

ORDERS = ("rank", "reverse", "ring", "tree", "wide")
OPERATIONS = ("sum", "prod", "max", "min")


def check_order(order: str) -> None:
    if order not in ORDERS:
        raise Error(f"ranks: collective_order={order!r} is none; legal: {', '.join(ORDERS)}")


def _alike(arrays: Sequence[np.ndarray], what: str) -> None:
    first = arrays[0]
    for place, array in enumerate(arrays):
        if array.dtype != first.dtype or array.shape != first.shape:
            raise Error(
                f"{what}: the array at place {place} of the group is {array.dtype}{list(array.shape)}, that at place "
                f"0 is {first.dtype}{list(first.shape)}; all ranks pass the same shape and type"
            )


def _parts(array: np.ndarray, count: int, what: str) -> list[np.ndarray]:
    if array.ndim == 0 or array.shape[0] % count:
        raise Error(f"{what}: the first dimension of {list(array.shape)} is no multiple of the {count} ranks")
    return np.split(array, count)


def _reduced(arrays, op, order, what):
    if op not in OPERATIONS:
        raise Error(f"{what}: op={op!r} is none; legal: {', '.join(OPERATIONS)}")
    _alike(arrays, what)
    name = require_type(arrays[0].dtype, what)
    flat = [np.ascontiguousarray(a).reshape(-1).view(np.uint8) for a in arrays]
    out = np.empty_like(flat[0])
    _native.collect(op, name, flat, out, order, what)
    return out.view(arrays[0].dtype).reshape(arrays[0].shape)


def all_reduce(arrays: Sequence[np.ndarray], op: str, order: str) -> list[np.ndarray]:
    result = _reduced(arrays, op, order, "all_reduce")
    return [result.copy() for _ in arrays]


def reduce_scatter(arrays: Sequence[np.ndarray], op: str, order: str) -> list[np.ndarray]:
    _parts(arrays[0], len(arrays), "reduce_scatter")
    return [p.copy() for p in _parts(_reduced(arrays, op, order, "reduce_scatter"), len(arrays), "reduce_scatter")]


def all_gather(arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    _alike(arrays, "all_gather")
    whole = np.concatenate([np.atleast_1d(a) for a in arrays])
    return [whole.copy() for _ in arrays]


def all_to_all(arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    _alike(arrays, "all_to_all")
    parts = [_parts(a, len(arrays), "all_to_all") for a in arrays]
    return [np.concatenate([of[place] for of in parts]) for place in range(len(arrays))]


def broadcast(arrays: Sequence[np.ndarray], root: int) -> list[np.ndarray]:
    _alike(arrays, "broadcast")
    root = _checks.integer(root, 0, len(arrays) - 1, f"broadcast: root={root!r}")
    return [arrays[root].copy() for _ in arrays]
