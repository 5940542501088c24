# SPDX-License-Identifier: Apache-2.0
"""Conversions as data: the page's tables, cases with masks and strides, and what they do to the bytes of UB."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tik_support import instance

import sfumato
from sfumato import tik

TABLE = Path(__file__).parents[1] / "data" / "conversion_support.csv"

# product: (rows, rows x modes) of its table on the page of vec_conv
SIZES = {
    "Ascend310": (8, 18),
    "Ascend910A": (10, 39),
    "Ascend310P3": (14, 46),
    "Ascend310P3-Vector": (16, 50),
    "Ascend910B1": (22, 103),
    "Ascend310B1": (21, 101),
}
FAMILIES = {
    "Ascend310": "Ascend310",
    "Ascend910A": "Ascend910",
    "Ascend310P3": "Ascend310P",
    "Ascend310P3-Vector": "Ascend310P-Vector",
    "Ascend910B1": "Ascend910B",
    "Ascend310B1": "Ascend310B",
}
TYPES = ["int8", "uint8", "int16", "uint16", "float16", "int32", "uint32", "float32", "int64", "uint64"]
UB = {chip["name"]: chip["memories"]["UB"] for chip in sfumato.chips()}  # bytes
BLOCK = 32


def read_rows(chip: str) -> dict:
    """(src, dst) -> (modes, deqscale or None, whether a half is chosen) of a chip, in the page's order."""
    with TABLE.open(encoding="utf-8") as file:
        return {
            (row["src"], row["dst"]): (
                ["" if mode == "''" else mode for mode in row["round_modes"].split()],
                None if row["deqscale"] == "None" else row["deqscale"],
                row["ldst_high_half"] == "True/False",
            )
            for row in csv.DictReader(file)
            if row["api"] == "vec_conv" and row["chip"] == FAMILIES[chip]
        }


ROWS = {chip: read_rows(chip) for chip in SIZES}


def size_of(dtype: str) -> int:
    return np.dtype(dtype).itemsize


def word(scale: float, offset: int, signed: bool) -> int:
    """The 64 bits of a scale and an offset."""
    return int(np.float32(scale).view(np.uint32)) & ~0x1FFF | (offset & 0x1FF) << 37 | int(signed) << 46


@dataclass
class Deq:
    """A deqscale: as the script gives it, as sfumato.cast takes it, the words to lie in UB if it is a tensor."""

    make: object = lambda t: None
    cast: object = None
    words: np.ndarray | None = None


@dataclass
class Case:
    """One conversion: what the script says and where its operands lie. Strides are in blocks."""

    src: str
    dst: str
    mode: str
    mask: object  # int, [high, low]
    repeat: int = 1
    dst_block: int = 1
    src_block: int = 1
    dst_repeat: int = 8
    src_repeat: int = 8
    deq: Deq | None = None
    half: bool = False  # half blocks are written
    high: bool = False
    scalars: bool = False  # mask, repeats and strides are Scalars
    dst_at: int = 0
    src_at: int = 0
    words_at: int = 0

    @property
    def lanes(self) -> int:
        return 256 // max(size_of(self.src), size_of(self.dst))

    def places(self, dst: bool) -> np.ndarray:
        """The byte where each lane of each repeat starts, from the start of the operand."""
        lane = np.arange(self.lanes)
        size = size_of(self.dst if dst else self.src)
        per_block = BLOCK // size // (2 if dst and self.half else 1)
        block, repeat = (self.dst_block, self.dst_repeat) if dst else (self.src_block, self.src_repeat)
        first = lane // per_block * block * BLOCK + lane % per_block * size
        first += 16 if dst and self.half and self.high else 0
        return np.arange(self.repeat)[:, None] * repeat * BLOCK + first

    def extent(self, dst: bool) -> int:
        """Bytes of whole blocks the operand reaches over."""
        return (int(self.places(dst).max()) // BLOCK + 1) * BLOCK

    def selected(self) -> np.ndarray:
        """Which lanes the mask lets through."""
        lane = np.arange(self.lanes)
        if isinstance(self.mask, int):
            return lane < self.mask
        bits = self.mask[0] << 64 | self.mask[1]
        return np.array([bits >> int(i) & 1 for i in lane], bool)

    def apply(self, ub: np.ndarray, chip: str) -> None:
        """What the call does to the bytes of UB."""
        on = self.selected()
        source, target = self.src_at + self.places(False), self.dst_at + self.places(True)
        for repeat in range(self.repeat):
            raw = ub[source[repeat][:, None] + np.arange(size_of(self.src))]
            values = raw.reshape(-1).view(self.src)
            made = sfumato.cast(
                values, self.dst, round_mode=self.mode, chip=chip, deqscale=self.deq.cast if self.deq else None
            )
            lanes = made.view(np.uint8).reshape(self.lanes, -1)
            ub[target[repeat][on][:, None] + np.arange(size_of(self.dst))] = lanes[on]


def interesting(rng, dtype: str, count: int) -> np.ndarray:
    """Values of a type: any bits, ties, the ends of the narrower types, infinities and NaN."""
    kind = np.dtype(dtype)
    bits = rng.integers(0, 256, count * kind.itemsize, dtype=np.uint8).view(kind)
    powers = np.array([2.0**e for e in (3, 7, 8, 11, 15, 16, 24, 31, 33, 40, 63)])
    ends = np.concatenate([sign * powers + step for sign in (1, -1) for step in (-1, -0.5, 0, 0.5, 1)])
    small = np.arange(-300, 300) / 4
    if kind.kind == "f":
        special = np.array([np.inf, -np.inf, np.nan, -0.0, 65504, 65520, 2.0**-24, -(2.0**-14), 0.5 + 2.0**-12])
        pool = np.concatenate([small, ends, special])
        with np.errstate(over="ignore"):
            chosen = pool[rng.integers(0, len(pool), count)].astype(kind)
    else:
        info = np.iinfo(kind)
        pool = [int(v) for v in np.concatenate([small * 4, ends]) if info.min <= int(v) <= info.max]
        pool += [info.min, info.max]
        chosen = np.array([pool[i] for i in rng.integers(0, len(pool), count)], kind)
    return np.where(rng.random(count) < 0.4, bits, chosen)


def masks(rng, lanes: int) -> list:
    """A full mask, one of some first lanes, and one of bits."""
    bits = int.from_bytes(rng.bytes(lanes // 8), "little") | 1 << int(rng.integers(lanes))
    return [lanes, int(rng.integers(1, lanes)), [bits >> 64, bits & (2**64 - 1)]]


def varied(rng, index: int, call: str, src: str, dst: str, mode: str, deq=None, half=False) -> Case:
    """A conversion with a mask, repeats and strides of its own; all kinds of them follow each other."""
    case = Case(src, dst, mode, mask=0, deq=deq, half=half, high=bool(half and index % 2), scalars=index % 5 == 3)
    case.mask = masks(rng, case.lanes)[index % 3]
    case.repeat = 1 + index % 4
    if call == "vconv":
        case.dst_block, case.src_block = rng.integers((1, 0), 4).tolist()
    case.dst_repeat, case.src_repeat = int(rng.choice([0, 2, 4, 8, 11])), int(rng.choice([0, 2, 4, 8, 9]))
    return case


class Program:
    """One kernel: UB filled from GM, the conversions, UB back to GM."""

    def __init__(self, chip: str, call: str, seed: int):
        self.chip, self.call = chip, call
        self.rng = np.random.default_rng(seed)
        self.size = UB[FAMILIES[chip]]
        self.ub = self.rng.integers(0, 256, self.size, dtype=np.uint8)
        self.end = 0
        self.cases: list[Case] = []

    def take(self, size: int) -> int:
        """A place in UB; a guard block of random bytes lies behind it."""
        at = self.end
        self.end += (size + BLOCK - 1) // BLOCK * BLOCK + BLOCK
        return at

    def add(self, case: Case) -> bool:
        """False: there is no room."""
        before = self.end
        case.src_at = self.take(case.extent(False))
        case.dst_at = self.take(case.extent(True))
        case.words_at = self.take(128)
        if self.end > self.size:
            self.end = before
            return False
        size = case.extent(False)
        values = interesting(self.rng, case.src, size // size_of(case.src))
        self.ub[case.src_at : case.src_at + size] = values.view(np.uint8)
        if case.deq and case.deq.words is not None:
            self.ub[case.words_at : case.words_at + 128] = case.deq.words.view(np.uint8)
        self.cases.append(case)
        return True

    def run(self, **options) -> tuple:
        """(bytes of UB afterwards, bytes expected, findings that are no notes)."""
        t = instance(self.chip)
        src = t.Tensor("uint8", (self.size,), name="src", scope=tik.scope_gm)
        dst = t.Tensor("uint8", (self.size,), name="dst", scope=tik.scope_gm)
        ub = t.Tensor("uint8", (self.size,), name="ub", scope=tik.scope_ubuf)
        views = {dtype: ub.reinterpret_cast_to(dtype) for dtype in TYPES}
        t.data_move(ub, src, 0, 1, self.size // BLOCK, 0, 0)
        for case in self.cases:
            self.emit(t, views, case)
        t.data_move(dst, ub, 0, 1, self.size // BLOCK, 0, 0)
        t.BuildCCE("conversions", [src], [dst])
        (made,) = t.run({"src": self.ub}, **{"overflow": "saturate", **options})
        expected = self.ub.copy()
        for case in self.cases:
            case.apply(expected, FAMILIES[self.chip])
        return made, expected, [finding for finding in t.last.findings if finding.severity != "note"]

    def emit(self, t, views, case):
        number = (lambda n: t.Scalar("int32", init_value=n)) if case.scalars else (lambda n: n)
        mask = number(case.mask) if isinstance(case.mask, int) else case.mask
        if case.scalars and isinstance(case.mask, list):
            mask = [t.Scalar("uint64", init_value=half) for half in case.mask]
        dst = views[case.dst][case.dst_at // size_of(case.dst) :]
        src = views[case.src][case.src_at // size_of(case.src) :]
        strides = [case.dst_repeat, case.src_repeat]
        if self.call == "vconv":
            strides = [case.dst_block, case.src_block, *strides]
        more = {}
        if case.deq:
            words = views["uint64"][case.words_at // 8 : case.words_at // 8 + 16]
            more["deqscale"] = words if case.deq.words is not None else case.deq.make(t)
        if case.half or case.high:
            more["ldst_high_half"] = case.high
        getattr(t, self.call)(
            mask, case.mode, dst, src, number(case.repeat), *(number(stride) for stride in strides), **more
        )

    def check(self, **options) -> None:
        made, expected, findings = self.run(**options)
        assert not findings
        wrong = np.flatnonzero(made != expected)
        if wrong.size:
            near = min(self.cases, key=lambda case: (case.dst_at > wrong[0], wrong[0] - case.dst_at))
            raise AssertionError(f"{wrong.size} bytes differ, the first at {wrong[0]}, behind the start of {near}")


def run_all(chip: str, call: str, cases: list, **options) -> int:
    """Runs the conversions in as few kernels as UB allows; returns how many there were."""
    program, ran = Program(chip, call, seed=len(cases)), 0
    for case in cases:
        if not program.add(case):
            program.check(**options)
            ran += len(program.cases)
            program = Program(chip, call, seed=ran)
            assert program.add(case)
    program.check(**options)
    return ran + len(program.cases)


def words_of(dst: str) -> np.ndarray:
    """16 words, one a column: scales of both signs, offsets over the whole range."""
    scales = [(-1) ** i * 2.0 ** (i - 9) * (1 + i / 16) for i in range(16)]
    return np.array([word(scale, 33 * i - 256, dst == "int8") for i, scale in enumerate(scales)], np.uint64)


def deqscales(src: str, dst: str) -> dict:
    """Every form of deqscale a pair takes."""
    if src == "int32":
        forms = {
            "float": Deq(lambda t: 0.37, 0.37),
            "int-valued float": Deq(lambda t: 2.0, 2.0),
            "negative": Deq(lambda t: -1e-3, -1e-3),
            "Scalar": Deq(lambda t: t.Scalar("float16", init_value=0.37), 0.37),
            "Expr": Deq(lambda t: t.Scalar("float16", init_value=0.25) * 3, 0.75),
            "element": Deq(lambda t: _array(t, "float16", 1.5)[0], 1.5),
        }
    else:
        signed = dst == "int8"
        bits = word(0.371, -5, signed)
        forms = {
            "int": Deq(lambda t: bits, bits),
            "NumPy": Deq(lambda t: np.uint64(bits), bits),
            # Bits that are not looked at.
            "all bits": Deq(lambda t: bits | 0xFFFF800000001FFF | 0x1F00000000, bits),
            "Scalar": Deq(lambda t: t.Scalar("uint64", init_value=bits), bits),
            "Expr": Deq(lambda t: t.Scalar("uint64", init_value=bits >> 1) * 2 + (bits & 1), bits),
            "element": Deq(lambda t: _array(t, "uint64", bits)[0], bits),
            "tensor": Deq(cast=words_of(dst), words=words_of(dst)),
            "tuple": Deq(lambda t: (0.371, -5), (0.371, -5)),
            "list": Deq(lambda t: [-3.75, 255], (-3.75, 255)),
            "truncated": Deq(lambda t: (0.5 + 2.0**-12, -256), (0.5, -256)),
            "int scale": Deq(lambda t: (2, 0), (2, 0)),
        }
    return forms


def _array(t, dtype, value):
    array = t.ScalarArray(dtype, 1)
    array[0].set_as(value)
    return array
