# SPDX-License-Identifier: Apache-2.0
"""What TIK vector calls must leave in UB: NumPy on bytes, from the pages alone (tik.md 3.1, 3.2, 3.9; page 003).

An element of an operand is addressed by (repeat, lane); every instruction is a function of arrays. Nothing here asks
the library what is right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

BLOCK, REPEAT = 32, 256
FLOATS = ("float16", "float32")
# More digits than a double has where the machine can; the interval test below proves the rounding either way.
WIDE = np.longdouble
MARGIN = WIDE(2) ** -50


@dataclass
class Operand:
    """Where an operand lies: bytes from the start of UB, strides in blocks of 32 bytes."""

    start: int
    dtype: str
    blk: int = 1
    rep: int = 8

    def at(self, repeat: int, lanes: np.ndarray) -> np.ndarray:
        """The byte of element (r, b, e): start + r rep_stride 32 + b blk_stride 32 + e size."""
        per_block = BLOCK // size_of(self.dtype)
        blocks, elements = np.divmod(lanes, per_block)
        return self.start + repeat * self.rep * BLOCK + blocks * self.blk * BLOCK + elements * size_of(self.dtype)

    def bytes(self, lanes: np.ndarray, repeats: int) -> int:
        """The bytes from the start to the end of the last element."""
        return int(self.at(max(repeats, 1) - 1, lanes).max()) + size_of(self.dtype) - self.start


def size_of(dtype: str) -> int:
    return np.dtype(dtype).itemsize


def lanes_per_repeat(dtype: str) -> int:
    return REPEAT // size_of(dtype)


def load(ub: np.ndarray, at: np.ndarray, dtype: str) -> np.ndarray:
    return ub[at[:, None] + np.arange(size_of(dtype))].view(dtype)[:, 0]


def store(ub: np.ndarray, at: np.ndarray, values: np.ndarray) -> None:
    ub[at[:, None] + np.arange(values.itemsize)] = np.ascontiguousarray(values)[:, None].view(np.uint8)


def masked(mask, dtype: str) -> np.ndarray:
    """The active lanes of [mask_h, mask_l] or of the first n elements."""
    if isinstance(mask, int):
        return np.arange(mask)
    word = (mask[0] % 2**64) << 64 | mask[1] % 2**64
    return np.array([i for i in range(lanes_per_repeat(dtype)) if word >> i & 1])


def repeats_of(mask, repeats: int, dtype: str, counter: bool) -> list[np.ndarray]:
    """The active lanes of each repeat; in counter mode the mask is the number of elements in all."""
    if not counter:
        return [masked(mask, dtype)] * repeats
    lanes = lanes_per_repeat(dtype)
    return [np.arange(min(lanes, mask - first)) for first in range(0, mask, lanes)]


# -- arithmetic of one element -----------------------------------------------------------------------------------------


def settle(values: np.ndarray, dtype: str, infnan: bool) -> np.ndarray:
    """A result in its type: half and integers follow the overflow policy, a NaN is the canonical one."""
    if dtype in FLOATS:
        result = values.astype(dtype)
        nan = np.isnan(result)
        if dtype == "float16" and not infnan:
            result = np.where(nan, 0, np.clip(result, -65504, 65504)).astype(dtype)
        else:
            result[nan] = np.nan
        return result
    info = np.iinfo(dtype)
    return values.astype(dtype) if infnan else np.clip(values, info.min, info.max).astype(dtype)


def wide(values: np.ndarray) -> np.ndarray:
    """Elements where sums, products and quotients of two of them round once more without harm, or are exact."""
    return values.astype(np.float64 if values.dtype.kind == "f" else np.int64)


def nearest(function):
    """A function of the extended numbers, with the proof that a small error of it cannot change the rounding."""

    def rounded(x):
        # To half only doubles are rounded once; NumPy takes wider numbers there by way of float.
        step = np.float64 if x.dtype == np.float16 else WIDE
        y = function(x.astype(WIDE))
        low, high = ((y * scale).astype(step).astype(x.dtype) for scale in (1 - MARGIN, 1 + MARGIN))
        assert np.array_equal(low, high, equal_nan=True), "an input is too close to the middle of two results"
        return low

    return rounded


def maximum(a, b):
    """A NaN wins, +0 is above -0."""
    if a.dtype.kind != "f":
        return np.maximum(a, b)
    zeros = (a == 0) & (b == 0)
    return np.where(zeros, np.where(np.signbit(a) & np.signbit(b), a, np.zeros_like(a)), np.maximum(a, b))


def minimum(a, b):
    if a.dtype.kind != "f":
        return np.minimum(a, b)
    return -maximum(-a, -b)


def relu(x):
    return np.where(x == 0, np.zeros_like(x), np.maximum(x, np.zeros_like(x)))


def shift_left(x, n):
    """Unsigned: zeros come in. Signed: the sign bit stays, the others move."""
    bits = 8 * x.itemsize
    sign = 1 << (bits - 1) if x.dtype.kind == "i" else 0
    moved = [(int(v) << n & ((1 << bits) - 1) & ~sign) | (int(v) & sign) for v in x]
    return np.array(moved, np.uint64).astype(f"uint{bits}").view(x.dtype)


def shift_right(x, n, round_en=False):
    return np.array([(int(v) >> n) + (int(v) >> (n - 1) & 1 if round_en and n else 0) for v in x], x.dtype)


def estimate(root):
    """The estimates of eight bits (docs/last-bits.md): a division or a root of whole numbers for each element."""

    def of(x):
        x = wide(x)
        bits, exponent = np.frexp(np.where(np.isfinite(x) & (x != 0), np.abs(x), 1))
        if root:
            bits, exponent = np.where(exponent % 2, bits / 2, bits), exponent + exponent % 2
        middle = 2 * (bits * 512).astype(np.int64) + 1
        if root:
            middle = np.where(middle < 512, middle, (middle // 4 * 2 + 1) * 2)
        exact = np.sqrt(2.0**28 / middle) if root else 2.0**19 / middle
        value = np.ldexp((np.floor(exact) + 1) // 2 / 256, -exponent // 2 if root else -exponent)
        with np.errstate(all="ignore"):
            special = 1 / np.sqrt(x) if root else 1 / x
        ordinary = np.isfinite(x) & ((x > 0) if root else (x != 0))
        return np.where(ordinary, np.copysign(value, x), special)

    return of


# One source and, where the call has it, a scalar. The result is settled afterwards.
UNARY = {
    "abs": lambda x: np.abs(wide(x)),
    "exp": nearest(np.exp),
    "ln": nearest(lambda x: np.log(np.where(x == 0, WIDE(0), x))),
    "rec": estimate(root=False),
    "rsqrt": estimate(root=True),
    "sqrt": nearest(np.sqrt),
    "relu": relu,
    "not": np.invert,
}
BINARY = {
    "add": lambda a, b: wide(a) + wide(b),
    "sub": lambda a, b: wide(a) - wide(b),
    "mul": lambda a, b: wide(a) * wide(b),
    "div": lambda a, b: wide(a) / wide(b),
    "max": maximum,
    "min": minimum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "lrelu": lambda a, b: np.where(np.signbit(a), wide(a) * wide(b), wide(a)),
}
COMPARE = {"lt": np.less, "gt": np.greater, "le": np.less_equal, "ge": np.greater_equal, "eq": np.equal}
# What the calls beyond one operation do: (factors of the product, what is added) of dst, src0, src1 and the scalar.
MULTIPLY_ADD = {
    "axpy": ("src", "scalar", "dst"),
    "mla": ("src0", "src1", "dst"),
    "madd": ("src0", "dst", "src1"),
    "maddrelu": ("src0", "dst", "src1"),
}


def elementwise(name: str, values: dict, dtype: str, infnan: bool, round_en: bool = False) -> np.ndarray:
    """The elements of dst. `values`: dst, the sources by the parameters' names, and the scalar as an array."""

    def end(x):
        return settle(x, dtype, infnan)

    sources = [values[key] for key in ("src", "src0", "src1", "scalar") if key in values]
    if name == "dup":
        return values["scalar"]
    if name == "mulconv":
        product = settle(wide(sources[0]) * wide(sources[1]), "float16", infnan)
        limits = np.iinfo(dtype)
        return np.nan_to_num(np.clip(np.rint(wide(product)), limits.min, limits.max), nan=0).astype(dtype)
    if name == "adddeqrelu":
        total = settle(wide(sources[0]) + wide(sources[1]), "int32", infnan)
        return end(relu(end(wide(total) * wide(values["deqscale"]))))
    if name in MULTIPLY_ADD:
        a, b, c = (values[key] for key in MULTIPLY_ADD[name])
        result = end(wide(end(wide(a) * wide(b))) + wide(c))
        return end(relu(result)) if name.endswith("relu") else result
    if name in ("shl", "shr"):
        distance = int(values["scalar"][0])
        if name == "shl":
            return shift_left(values["src"], distance)
        return shift_right(values["src"], distance, round_en)
    if name in UNARY:
        return end(UNARY[name](*sources))
    if name.endswith("relu") and name not in BINARY:
        return end(relu(end(BINARY[name.removesuffix("relu")](*sources))))
    return end(BINARY[name.removesuffix("s")](*sources))


def compare(mode: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A NaN makes every relation false, ne too."""
    if mode != "ne":
        return COMPARE[mode](a, b)
    known = ~(np.isnan(a) | np.isnan(b)) if a.dtype.kind == "f" else True
    return (a != b) & known


# -- reductions --------------------------------------------------------------------------------------------------------


def tree_sum(values: np.ndarray, active: np.ndarray, dtype: str, infnan: bool):
    """Neighbours of the last axis, level by level, each rounded; (sums, whether a lane was active)."""
    while values.shape[-1] > 1:
        a, b, has_a, has_b = values[..., ::2], values[..., 1::2], active[..., ::2], active[..., 1::2]
        both = settle(wide(a) + wide(b), dtype, infnan)
        # A lane alone passes its value on, under the policy.
        values = np.where(has_a & has_b, both, settle(np.where(has_a, a, b), dtype, infnan))
        active = has_a | has_b
    return values[..., 0], active[..., 0]


def sum_of_repeats(sums: np.ndarray, infnan: bool, sequential: bool) -> np.ndarray:
    """vec_reduce_add across repeats: where `sequential` groups of 255 one after another, then trees of whole repeats."""
    dtype, lanes = sums.dtype.name, lanes_per_repeat(sums.dtype.name)
    if sequential:
        totals = []
        for first in range(0, len(sums), 255):
            total = sums[first : first + 1]
            for one in range(first + 1, min(first + 255, len(sums))):
                total = settle(wide(total) + wide(sums[one : one + 1]), dtype, infnan)
            totals.append(total)
        sums = np.concatenate(totals)
    while len(sums) > 1:
        active = np.arange(-(-len(sums) // lanes) * lanes) < len(sums)
        padded = np.zeros(len(active), dtype)
        padded[: len(sums)] = sums
        sums = tree_sum(padded.reshape(-1, lanes), active.reshape(-1, lanes), dtype, infnan)[0]
    return sums


def extreme(values: np.ndarray, active: np.ndarray, dtype: str, infnan: bool, smallest: bool):
    """(value, lane, whether a lane was active): the first NaN, or the first of the largest, +0 above -0."""
    lanes = np.flatnonzero(active)
    if not len(lanes):
        return None, 0, False
    chosen = values[lanes]
    if chosen.dtype.kind == "f" and np.isnan(chosen).any():
        place = int(np.isnan(chosen).argmax())
    else:
        order = -wide(chosen) if smallest else wide(chosen)
        # Zeros: -0 lies below +0 in both orders (for the smallest the sign is already turned).
        key = [(v, not np.signbit(v)) for v in order] if chosen.dtype.kind == "f" else [(v, 0) for v in order]
        place = key.index(max(key))
    return settle(chosen[place : place + 1], dtype, infnan)[0], int(lanes[place]), True
