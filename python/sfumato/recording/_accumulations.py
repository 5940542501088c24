# SPDX-License-Identifier: Apache-2.0
"""Ways to add the products of Mmad, in exact integers: the candidates of a digest.

Written from descriptions alone (docs/recording.md); nothing of the product's engine is used.
A sum is an integer, in units of 2^-300.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

SCALE = 300
_SMALLEST = SCALE - 149  # of float
WIDTHS = (24, 25, 26, 27, 28, 30, 32)


def to_fixed(v: float) -> int:
    """A finite number, none of whose bits is below 2^-300."""
    fraction, exponent = math.frexp(v)
    shift = exponent - 53 + SCALE
    whole = int(fraction * 2**53)
    return whole << shift if shift >= 0 else -(-whole >> -shift) if whole < 0 else whole >> -shift


def from_fixed(n: int) -> float:
    return math.ldexp(n, -SCALE)


def cut(n: int, bits: int, mode: str) -> int:
    """To so many significant bits, none below 2^-149: `rn` to nearest even, `trunc` toward zero."""
    size = abs(n)
    drop = max(size.bit_length() - bits, _SMALLEST, 0)
    kept, rest = size >> drop, size & ((1 << drop) - 1)
    half = 1 << drop - 1
    kept += mode == "rn" and (rest > half or (rest == half and kept & 1))
    return kept << drop if n >= 0 else -(kept << drop)


def nearest(n: int) -> int:
    """To float."""
    return cut(n, 24, "rn")


def _sequential(products, c):
    for p in products:
        c = nearest(c + nearest(p))
    return c


def _fused(products, c):
    for p in products:
        c = nearest(c + p)
    return c


def _grouped(of_group, size, products, c):
    for at in range(0, len(products), size):
        c = of_group(products[at : at + size], c)
    return c


def _with_c(group, c):
    return nearest(sum(group) + c)


def _then_c(group, c):
    return nearest(nearest(sum(group)) + c)


def _tree(group, c):
    level = [nearest(p) for p in group]
    while len(level) > 1:
        level = [nearest(sum(level[i : i + 2])) for i in range(0, len(level), 2)]
    return nearest(level[0] + c)


def _aligned(width, mode, group, c):
    """Products and C cut below the `width` bits from the top of the largest, then added, then rounded by mode."""
    terms = [*group, c]
    drop = max(max(abs(t).bit_length() for t in terms) - width, 0)
    return cut(sum(abs(t) >> drop << drop if t >= 0 else -(abs(t) >> drop << drop) for t in terms), 24, mode)


def candidates(unit: int) -> dict[str, Callable[[list[int], int], int]]:
    """By name, as --mmad-order has them: exact products and the start value to the sum. unit: products of 32 bytes."""
    made = {"sequential": _sequential, "sequential-fused": _fused}
    for n in (2, 4, unit, 2 * unit, 4 * unit):
        groups = {f"exact-with-c:{n}": _with_c, f"exact-then-c:{n}": _then_c, f"tree:{n}": _tree}
        for width in WIDTHS:
            for mode in ("trunc", "rn"):
                groups[f"aligned:{n}:{width}:{mode}"] = functools.partial(_aligned, width, mode)
        for name, of_group in groups.items():
            name = "k0-block" if name == f"exact-then-c:{unit}" else name
            made[name] = functools.partial(_grouped, of_group, n)
    return made


def of_calls(model: Callable, products: list[int], split: int) -> float:
    """The result of one Mmad, or of two where split says how many products the first has."""
    first = split or len(products)
    c = model(products[:first], 0)
    return from_fixed(model(products[first:], c) if first < len(products) else c)
