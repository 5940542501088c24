# SPDX-License-Identifier: Apache-2.0
"""Cases of the vector calls of TIK for a batch: their arguments, and what UB holds afterwards."""

from __future__ import annotations

import numpy as np
from tik_batch import Batch
from tik_oracles import (
    BLOCK, FLOATS, MULTIPLY_ADD, Operand, compare, elementwise, lanes_per_repeat, load, masked, repeats_of, size_of,
    store,
)  # fmt: skip

from sfumato.tik._calls import read_table, signature

# How a case is varied. "late": every number is a Scalar or an Expr; "nothing": a run-time repeat count of 0.
VARIANTS = ("plain", "strides", "late", "counter", "in place", "nothing")
# Immediates, exact in their types or clamped to them; float16 ones at 65504 (tik.md 3.10).
NUMBERS = {"f": (2, 0.5, -3.25, -1.0, 0, 1e6), "i": (-3, 0, 1, 7, 100), "u": (0, 1, 7, 100), "V": (2, 0.5, -3.25)}
SPECIALS = {
    "float16": (0.0, -0.0, 1.0, -1.0, 65504, -65504, np.inf, -np.inf, np.nan, 2**-24, -(2**-24), 2**-14, 11.0, 0.5),
    "float32": (0.0, -0.0, 1.0, -1.0, 3.4e38, -3.4e38, np.inf, -np.inf, np.nan, 1e-45, 2.0**-126, 88.5, -103.9, 0.5),
}
# (dst, src) of the rows of the type table that mix types.
MIXED = {
    "f32f16f16": ("float32", "float16"),
    "u8f16f16": ("uint8", "float16"),
    "s8f16f16": ("int8", "float16"),
    "f16s32s32": ("float16", "int32"),
}
NO_COUNTER = ("Ascend310", "Ascend910A")
COUNTS, INDEXES = ("int16", "int32", "int64", "uint16", "uint32", "uint64"), ("int16", "int32", "int64")


def parameters(call: str) -> list[str]:
    return list(signature(read_table()[call]).parameters)


def sample(rng, dtype: str, n: int) -> np.ndarray:
    """Values of every kind: small, ordinary, any bits, special."""
    size, strata = size_of(dtype), rng.integers(0, 4, n)
    bits = rng.integers(0, 256, n * size, np.uint8).view(dtype)
    if dtype == "bfloat16":
        return bits
    if dtype in FLOATS:
        small, ordinary = rng.integers(-8, 9, n), rng.normal(0, 10, n)
        special = rng.choice(np.array(SPECIALS[dtype]), n)
    else:
        info = np.iinfo(dtype)
        small, ordinary = rng.integers(0, 9, n), rng.integers(info.min, info.max, n, endpoint=True)
        special = rng.choice(np.array([info.min, info.max, 0, 1, info.max // 2 + 1]), n)
    return np.choose(strata, [small.astype(dtype), ordinary.astype(dtype), bits, special.astype(dtype)])


class Plan:
    """One case: what its arguments have in common."""

    def __init__(self, batch: Batch, chip: str, call: str, dtype: str, variant: str, infnan: bool):
        self.batch, self.rng, self.chip, self.call, self.dtype = batch, batch.rng, chip, call, dtype
        self.variant, self.infnan, self.params = variant, infnan, parameters(call)
        self.is_late = variant == "late"
        self.legacy = any(name.endswith("blk_stride") for name in self.params)
        self.repeats = 0 if variant == "nothing" else int(self.rng.integers(1, 4))
        self.arguments: dict = {}

    @property
    def ub(self) -> np.ndarray:
        return self.batch.expected

    def pick(self, *choices):
        return choices[int(self.rng.integers(len(choices)))]

    def count(self, value: int, dtypes=COUNTS):
        """A count or a stride as this variant writes it."""
        if not self.is_late:
            return value
        return self.batch.late(value, self.pick(*dtypes), self.pick(0, 1) if value else 0)

    def choose_mask(self, dtype: str, counts_in_all: bool = False):
        lanes = lanes_per_repeat(dtype)
        if counts_in_all:
            return int(self.rng.integers(1, 3 * lanes))
        if self.variant in ("strides", "late") and size_of(dtype) > 1 and self.pick(True, False):
            low, high = (int(self.rng.integers(0, 2**63)) * 2 + self.pick(0, 1) for _ in range(2))
            return [high if lanes > 64 else 0, low | 4]
        return int(self.rng.integers(1, lanes + 1)) if self.pick(True, False) else lanes

    def mask(self, mask):
        """The argument of a mask."""
        if isinstance(mask, list):
            words = [word - 2**64 if word >> 63 else word for word in mask]
            return [self.batch.late(word) for word in words] if self.is_late else mask
        return self.count(mask, INDEXES)

    def place(self, operands: dict[str, Operand], sizes: dict[str, int], filled) -> None:
        """Puts the operands one behind the other, a block between them; those in `filled` get sample values."""
        label = f"{self.chip} {self.call} {self.dtype} {self.variant} {operands} repeats {self.repeats}"
        room = {name: -(-size // BLOCK) * BLOCK + BLOCK for name, size in sizes.items()}
        start = self.batch.case(label, sum(room.values()))
        for name, operand in operands.items():
            operand.start = start
            start += room[name]
            if name in filled:
                self.batch.put(operand.start, sample(self.rng, operand.dtype, room[name] // size_of(operand.dtype)))

    def set_strides(self, operands: dict[str, Operand]) -> None:
        for name, operand in operands.items():
            self.arguments[name] = self.batch.part(operand, self.is_late)
            for kind, value in (("blk", operand.blk), ("rep", operand.rep)):
                if f"{name}_{kind}_stride" in self.params:
                    self.arguments[f"{name}_{kind}_stride"] = self.count(value)
        if "repeat_times" in self.params:
            self.arguments["repeat_times"] = (
                self.batch.late(0, "int32") if self.variant == "nothing" else self.count(self.repeats)
            )

    def source(self, dtype: str) -> Operand:
        """A source: its strides may be 0."""
        if self.variant not in ("strides", "late"):
            return Operand(0, dtype)
        return Operand(0, dtype, self.pick(0, 1, 2) if self.legacy else 1, self.pick(0, 1, 5, 8))

    def target(self, dtype: str, may_repeat: bool = True) -> Operand:
        """A destination; where `may_repeat` a repeat may write over an earlier one."""
        if self.variant not in ("strides", "late", "in place"):
            return Operand(0, dtype)
        blk = self.pick(*((0,) if may_repeat and self.variant != "in place" else ()), 1, 2, 3) if self.legacy else 1
        beyond = 7 * blk + 1
        again = may_repeat and self.variant != "in place"
        return Operand(0, dtype, blk, self.pick(0, 3, beyond) if again else self.pick(beyond, beyond + 1))

    def scalar(self, dtype: str, numbers=None):
        """(argument, value): a number, or a Scalar of the type."""
        if self.is_late and numbers is None:
            value = sample(self.rng, dtype, 1)[0]
            return self.batch.late(value, dtype), value
        number = self.pick(*(numbers or NUMBERS[np.dtype(dtype).kind]))
        value = np.array(np.clip(number, -65504, 65504) if dtype == "float16" else number).astype(dtype)[()]
        return (self.batch.late(value, dtype) if self.is_late else number), value

    def record(self) -> None:
        self.batch.call(self.call, **self.arguments)


def plan_elementwise(plan: Plan) -> bool:
    """Unary, binary and tensor-scalar calls and fills. False: the call has no such variant."""
    name = plan.call.removeprefix("vec_").removeprefix("vector_")
    name = name if name != plan.call else name[1:]
    dst_type, src_type = MIXED.get(plan.dtype, (plan.dtype, plan.dtype))
    mixed, widest = dst_type != src_type, max(dst_type, src_type, key=size_of)
    counter = plan.variant == "counter"
    names = [one for one in ("src", "src0", "src1") if one in plan.params]
    if counter and "mask_mode" not in plan.params or plan.variant == "in place" and (mixed or not names):
        return False
    in_all = counter and plan.chip not in NO_COUNTER
    reads_dst = name in MULTIPLY_ADD
    mask = plan.choose_mask(widest, in_all)
    steps = repeats_of(mask, plan.repeats, widest, in_all)
    operands = {"dst": plan.target(dst_type, not reads_dst)} | {one: plan.source(src_type) for one in names}
    shared = plan.pick(*names, "all") if plan.variant == "in place" else None
    every = np.concatenate(steps) if steps else masked(mask, widest)
    for one in names:
        if shared in (one, "all"):
            operands[one] = operands["dst"]
    unique = {one: operand for one, operand in operands.items() if one == "dst" or operand is not operands["dst"]}
    sizes = {one: operand.bytes(every, len(steps)) for one, operand in unique.items()}
    plan.place(unique, sizes, [*names, *(["dst"] if reads_dst or shared else [])])
    plan.arguments["mask"] = plan.mask(mask)
    plan.set_strides(operands)
    if counter:
        plan.arguments["mask_mode"] = "counter"
    round_en = False
    scalar = None
    if "scalar" in plan.params:
        shift = range(8 * size_of(src_type) + 1) if name in ("shl", "shr") else None
        plan.arguments["scalar"], scalar = plan.scalar(src_type, shift)
    if "round_en" in plan.params and np.dtype(dst_type).kind == "i" and plan.chip != "Ascend310B1":
        round_en = plan.arguments["round_en"] = plan.pick(True, False)
    deqscale = None
    if "deqscale" in plan.params:
        plan.arguments["deqscale"], deqscale = plan.scalar("float16", (0.5, 2.0**-17, -3.25, 0.0, 60000.0))
    plan.record()
    for repeat, lanes in enumerate(steps):
        values = {one: load(plan.ub, op.at(repeat, lanes), op.dtype) for one, op in operands.items()}
        for one, value in (("scalar", scalar), ("deqscale", deqscale)):
            if value is not None:
                values[one] = np.full(len(lanes), value)
        store(plan.ub, operands["dst"].at(repeat, lanes), elementwise(name, values, dst_type, plan.infnan, round_en))
    return True


def packed_bits(bits: np.ndarray) -> np.ndarray:
    return np.packbits(bits, bitorder="little")


def plan_compare(plan: Plan) -> bool:
    """vec_cmpv_xx, vcmpv_xx, vcmpvs_xx: a bit an element, repeats one behind the other."""
    if plan.variant in ("counter", "in place"):
        return False
    names = [one for one in ("src", "src0", "src1") if one in plan.params]
    lanes = np.arange(lanes_per_repeat(plan.dtype))
    operands = {"dst": Operand(0, plan.pick("uint8", "uint16", "uint32", "uint64"))}
    operands |= {one: plan.source(plan.dtype) for one in names}
    sizes = {one: op.bytes(lanes, plan.repeats) for one, op in operands.items() if one != "dst"}
    plan.place(operands, {"dst": max(plan.repeats, 1) * len(lanes) // 8} | sizes, names)
    plan.set_strides(operands)
    scalar = None
    if "scalar" in plan.params:
        plan.arguments["scalar"], scalar = plan.scalar(plan.dtype)
    plan.record()
    for repeat in range(plan.repeats):
        a, b = [load(plan.ub, operands[one].at(repeat, lanes), plan.dtype) for one in names] + (
            [] if scalar is None else [np.full(len(lanes), scalar)]
        )
        start = operands["dst"].start + repeat * len(lanes) // 8
        store(plan.ub, start + np.arange(len(lanes) // 8), packed_bits(compare(plan.call[-2:], a, b)))
    return True


def plan_compare_register(plan: Plan) -> bool:
    """vcmp_xx: into CMPMASK, loaded before and stored afterwards; lanes the mask leaves out keep their bits."""
    if plan.variant not in ("plain", "strides", "late"):
        return False
    plan.repeats = 1
    plan.legacy = True
    mask = plan.choose_mask(plan.dtype)
    lanes = masked(mask, plan.dtype)
    operands = {"old": Operand(0, "uint8"), "dst": Operand(0, "uint16")}
    operands |= {one: plan.source(plan.dtype) for one in ("src0", "src1")}
    sizes = {one: operands[one].bytes(lanes, 1) for one in ("src0", "src1")}
    plan.place(operands, {"old": 16, "dst": 16} | sizes, ("src0", "src1"))
    plan.arguments["mask"] = plan.mask(mask)
    plan.set_strides({one: operands[one] for one in ("src0", "src1")})
    for one in ("src0", "src1"):
        plan.arguments[f"{one}_stride"] = plan.count(operands[one].blk)
    plan.batch.call("mov_tensor_to_cmpmask", src=plan.batch.part(operands["old"]))
    plan.record()
    plan.batch.call("mov_cmpmask_to_tensor", dst=plan.batch.part(operands["dst"]), src_cmpmask=None)
    # The register has a bit for every lane; 128 of them are moved.
    bits = np.zeros(256, np.uint8)
    bits[:128] = np.unpackbits(plan.ub[operands["old"].start :][:16], bitorder="little")
    a, b = (load(plan.ub, operands[one].at(0, lanes), plan.dtype) for one in ("src0", "src1"))
    bits[lanes] = compare(plan.call[-2:], a, b)
    store(plan.ub, operands["dst"].start + np.arange(16), packed_bits(bits[:128]))
    return True


def plan_select(plan: Plan) -> bool:
    """vec_sel and vsel in the modes the chip has; in mode 0 the bits are those of one repeat."""
    if plan.variant in ("counter", "in place"):
        return False
    mode = 0 if plan.chip in NO_COUNTER else plan.pick(0, 1, 2)
    mask, count = plan.choose_mask(plan.dtype), lanes_per_repeat(plan.dtype)
    lanes = masked(mask, plan.dtype)
    names = ["src0"] if mode == 1 else ["src0", "src1"]
    operands = {"dst": plan.target(plan.dtype)} | {one: plan.source(plan.dtype) for one in names}
    sizes = {one: op.bytes(lanes, plan.repeats) for one, op in operands.items()}
    operands["sel"] = Operand(0, plan.pick("uint8", "uint16", "uint32", "uint64"))
    plan.place(operands, sizes | {"sel": count // 8 * max(plan.repeats, 1)}, names)
    plan.arguments |= {"mask": plan.mask(mask), "mode": mode}
    plan.set_strides(operands)
    scalar = None
    if mode == 1:
        plan.arguments["src1"], scalar = plan.scalar(plan.dtype)
        for kind in ("blk", "rep"):
            if f"src1_{kind}_stride" in plan.params:
                plan.arguments[f"src1_{kind}_stride"] = plan.count(1)
    plan.record()
    for repeat in range(plan.repeats):
        start = operands["sel"].start + (repeat * count // 8 if mode else 0)
        bits = np.unpackbits(plan.ub[start : start + count // 8], bitorder="little")[lanes]
        a = load(plan.ub, operands["src0"].at(repeat, lanes), plan.dtype)
        if mode == 1:
            b = np.full(len(lanes), scalar)
        else:
            b = load(plan.ub, operands["src1"].at(repeat, lanes), plan.dtype)
        store(plan.ub, operands["dst"].at(repeat, lanes), np.where(bits.astype(bool), a, b))
    return True
