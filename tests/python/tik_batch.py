# SPDX-License-Identifier: Apache-2.0
"""Many calls in one TIK program: each in a part of UB of its own, all of UB compared afterwards, byte by byte.

A batch fills images of UB. A case takes bytes of the current image, says which call is to be recorded, and changes the
expected image as the call must. run() records everything as one program: load an image, its calls, store the image.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from tik_oracles import BLOCK, Operand, size_of
from tik_support import instance

from sfumato import tik

# The front of each image holds the values that calls get at run time, as a tiling tensor does.
TILING = 4096


@dataclass
class Late:
    """A number known only when the kernel runs: slot of the tiling, as a Scalar or as an Expr of one."""

    dtype: str
    slot: int
    plus: int = 0


@dataclass
class Part:
    """A tensor argument: elements of UB from a byte on; `late` holds the element's number at run time."""

    dtype: str
    start: int
    late: Late | None = None


@dataclass
class Image:
    before: np.ndarray
    after: np.ndarray
    end: int = TILING
    slots: int = 0
    calls: list = field(default_factory=list)
    cases: list = field(default_factory=list)


class Batch:
    """One program of one chip."""

    def __init__(self, chip: str, seed: int):
        self.t = instance(chip)
        self.rng = np.random.default_rng(seed)
        self.size = self.t.soc.memories["UB"]
        self.images: list[Image] = []

    # -- planning ------------------------------------------------------------------------------------------------------

    @property
    def image(self) -> Image:
        return self.images[-1]

    @property
    def expected(self) -> np.ndarray:
        return self.image.after

    def case(self, label: str, size: int) -> int:
        """The first byte of `size` bytes for a case, with a block of guard behind them."""
        size = -(-size // BLOCK) * BLOCK + BLOCK
        full = not self.images or self.image.end + size > self.size or self.image.slots > TILING // 8 - 64
        if full:
            bytes_ = self.rng.integers(0, 256, self.size, np.uint8)
            self.images.append(Image(bytes_, bytes_.copy()))
        start = self.image.end
        self.image.end += size
        self.image.cases.append((start, label))
        return start

    def put(self, start: int, values: np.ndarray) -> None:
        """What UB holds before the calls."""
        data = np.ascontiguousarray(values).view(np.uint8).ravel()
        for image in (self.image.before, self.image.after):
            image[start : start + len(data)] = data

    def late(self, value, dtype: str = "int64", plus: int = 0) -> Late:
        """A number the kernel reads from the tiling: a Scalar, or an Expr where `plus` is added to it."""
        slot = self.image.slots
        self.image.slots += 1
        bits = np.zeros(8 // size_of(dtype), dtype)
        bits[0] = value - plus if plus else value
        self.put(8 * slot, bits)
        return Late(dtype, slot, plus)

    def part(self, operand: Operand, late: bool = False) -> Part:
        element = operand.start // size_of(operand.dtype)
        return Part(operand.dtype, operand.start, self.late(element, "int32") if late else None)

    def call(self, name: str, **arguments) -> None:
        self.image.calls.append((name, arguments))

    # -- recording and running -----------------------------------------------------------------------------------------

    def run(self, **options) -> None:
        """Runs all cases and compares every byte of UB."""
        t, count = self.t, len(self.images)
        src = t.Tensor("uint8", (count, self.size), name="src", scope=tik.scope_gm)
        dst = t.Tensor("uint8", (count, self.size), name="dst", scope=tik.scope_gm)
        ub = t.Tensor("uint8", (self.size,), name="ub", scope=tik.scope_ubuf)
        record = self._recorder(ub)
        for i, image in enumerate(self.images):
            t.data_move(ub, src[i, 0:], 0, 1, self.size // BLOCK, 0, 0)
            for name, arguments in image.calls:
                record(name, arguments)
            t.data_move(dst[i, 0:], ub, 0, 1, self.size // BLOCK, 0, 0)
        t.BuildCCE("batch", [src], [dst])
        (got,) = t.run({"src": np.stack([image.before for image in self.images])}, **options)
        for image, bytes_ in zip(self.images, got):
            wrong = np.flatnonzero(bytes_ != image.after)
            if len(wrong):
                raise AssertionError(self._describe(image, bytes_, wrong))

    def _recorder(self, ub) -> Callable:
        t, views, pools = self.t, {"uint8": ub}, {}

        def view(dtype):
            if dtype not in views:
                views[dtype] = ub.reinterpret_cast_to(dtype)
            return views[dtype]

        def number(late, used):
            used[late.dtype] = used.get(late.dtype, -1) + 1
            pool = pools.setdefault(late.dtype, [])
            if len(pool) == used[late.dtype]:
                pool.append(t.Scalar(late.dtype, name=f"{late.dtype}_{len(pool)}"))
            scalar = pool[used[late.dtype]]
            scalar.set_as(view(late.dtype)[late.slot * 8 // size_of(late.dtype)])
            return scalar + late.plus if late.plus else scalar

        def argument(value, used):
            if isinstance(value, Late):
                return number(value, used)
            if isinstance(value, Part):
                whole = view(value.dtype)
                return whole[number(value.late, used) if value.late else value.start // size_of(value.dtype)]
            if isinstance(value, list):
                return [argument(item, used) for item in value]
            return value

        def record(name, arguments):
            used: dict[str, int] = {}
            return getattr(t, name)(**{key: argument(value, used) for key, value in arguments.items()})

        return record

    def _describe(self, image: Image, got: np.ndarray, wrong: np.ndarray) -> str:
        def label(at):
            inside = [(start, text) for start, text in image.cases if start <= at]
            return inside[-1] if inside else (0, "the tiling, which nothing writes")

        lines = {}
        for at in wrong.tolist():
            start, text = label(at)
            lines.setdefault(text, f"{text}: byte {at - start} is {got[at]}, not {image.after[at]}")
        return f"{len(lines)} cases differ\n" + "\n".join(list(lines.values())[:20])
