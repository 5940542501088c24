# SPDX-License-Identifier: Apache-2.0
"""Cases of TIK's reductions and transposes for a batch (tik.md 3.8, 3.9; TIK pages vec_reduce_*, vec_trans*)."""

from __future__ import annotations

import numpy as np
from tik_oracles import (
    BLOCK, Operand, extreme, lanes_per_repeat, load, masked, settle, size_of, store, sum_of_repeats, tree_sum,
)  # fmt: skip
from tik_plans import Plan

SEQUENTIAL = ("Ascend910B1",)  # vec_reduce_add: groups of 255 repeats one after another
INDEX_FIRST = ("Ascend310P3", "Ascend910B1")
IDENTITY = {"vcgadd": 0.0, "vcgmax": -np.inf, "vcgmin": np.inf}


def whole_repeat(plan: Plan, source: Operand, repeat: int, lanes: np.ndarray):
    """(values of all lanes, which are active); inactive ones are not read."""
    count = lanes_per_repeat(plan.dtype)
    values, active = np.zeros(count, plan.dtype), np.zeros(count, bool)
    values[lanes] = load(plan.ub, source.at(repeat, lanes), plan.dtype)
    active[lanes] = True
    return values, active


def index_bits(index: int, dtype: str) -> np.ndarray:
    return np.array([index], f"uint{8 * size_of(dtype)}").view(dtype)


def plan_reduce(plan: Plan) -> bool:
    """vcadd, vcmax, vcmin: a repeat; vcgadd, vcgmax, vcgmin: a block; vcpadd, vec_cpadd: a pair."""
    if plan.variant in ("counter", "in place"):
        return False
    size, count = size_of(plan.dtype), lanes_per_repeat(plan.dtype)
    mask = plan.choose_mask(plan.dtype)
    lanes = masked(mask, plan.dtype)
    pairs, blocks, sums = "cpadd" in plan.call, "vcg" in plan.call, plan.call.endswith("add")
    width = 2 if pairs else BLOCK // size if blocks else count
    unit = BLOCK * 4 if pairs else 8 * size if blocks else size if sums else 2 * size
    stride = plan.pick(1, 2, 3) if plan.variant in ("strides", "late") else 1
    operands = {"src": plan.source(plan.dtype), "dst": Operand(0, plan.dtype)}
    used = unit * (stride * max(plan.repeats - 1, 0) + 1)
    plan.place(operands, {"src": operands["src"].bytes(lanes, plan.repeats), "dst": used}, ("src",))
    dst = operands["dst"]
    if plan.variant == "strides" and not pairs:
        dst.start += unit if not blocks or size == 2 else BLOCK  # the alignment of results is a unit
    plan.arguments["mask"] = plan.mask(mask)
    plan.set_strides(operands)
    plan.arguments["dst_rep_stride"] = plan.count(stride)
    index_first = "index_low" in plan.params and plan.chip in INDEX_FIRST and plan.pick(True, False)
    if index_first:
        plan.arguments["index_low"] = True
    plan.record()
    for repeat in range(plan.repeats):
        values, active = whole_repeat(plan, operands["src"], repeat, lanes)
        start = dst.start + repeat * stride * unit
        for group, (v, a) in enumerate(zip(values.reshape(-1, width), active.reshape(-1, width))):
            if sums:
                result, any_active = tree_sum(v, a, plan.dtype, plan.infnan)
                stored = [result]
            else:
                result, lane, any_active = extreme(v, a, plan.dtype, plan.infnan, plan.call.endswith("min"))
                stored = [result] if blocks else [result, index_bits(lane, plan.dtype)[0]]
            if not any_active:
                if plan.chip != "Ascend310B1":
                    continue
                stored = settle(np.array([IDENTITY.get(plan.call, 0.0)]), plan.dtype, False)
            stored = np.array(stored[::-1] if index_first else stored, plan.dtype)
            at = start + (group * size if width < count else 0)
            store(plan.ub, at + size * np.arange(len(stored)), stored)
    return True


def plan_reduce_tensor(plan: Plan) -> bool:
    """vec_reduce_add, vec_reduce_max, vec_reduce_min: one result; the work tensor holds those of the repeats."""
    if plan.variant in ("counter", "in place", "nothing"):
        return False
    size, sums = size_of(plan.dtype), plan.call.endswith("add")
    sequential = sums and plan.chip in SEQUENTIAL
    mask = plan.choose_mask(plan.dtype)
    lanes = masked(mask, plan.dtype)
    plan.repeats = plan.pick(1, 3, 6)
    src, work = plan.source(plan.dtype), Operand(0, plan.dtype)
    if sums and plan.variant == "strides":
        plan.repeats, src.rep = plan.pick(130, 255, 256, 600), plan.pick(0, 1)
    operands = {"src": src, "work_tensor": work, "dst": Operand(0, plan.dtype)}
    sizes = {"src": src.bytes(lanes, plan.repeats), "work_tensor": 2 * size * plan.repeats, "dst": 2 * size}
    plan.place(operands, sizes, ("src",))
    plan.arguments["mask"] = plan.mask(mask)
    plan.set_strides(operands)
    cal_index = "cal_index" in plan.params and plan.pick(True, False)
    if cal_index:
        plan.arguments["cal_index"] = True
    plan.record()
    results, lanes_of, indexes = [], [], []
    for repeat in range(plan.repeats):
        values, active = whole_repeat(plan, src, repeat, lanes)
        if sums:
            results.append(values)
            continue
        value, lane, _ = extreme(values, active, plan.dtype, plan.infnan, plan.call.endswith("min"))
        results.append(value)
        lanes_of.append(lane)
        indexes.append(repeat * src.rep * BLOCK // size + lane)
    stored = np.array(results, plan.dtype)
    if sums:
        stored = tree_sum(stored, np.broadcast_to(active, stored.shape), plan.dtype, plan.infnan)[0]
        total = sum_of_repeats(stored, plan.infnan, sequential)
    else:
        every = np.ones(len(stored), bool)
        value, place, _ = extreme(stored, every, plan.dtype, plan.infnan, plan.call.endswith("min"))
        total = np.array([value, index_bits(indexes[place], plan.dtype)[0]][: 1 + cal_index], plan.dtype)
        stored = np.stack([stored, np.concatenate([index_bits(i, plan.dtype) for i in lanes_of])], 1).ravel()
    if not sequential:
        store(plan.ub, work.start + size * np.arange(len(stored)), stored)
    store(plan.ub, operands["dst"].start + size * np.arange(len(total)), total)
    return True


def plan_transpose_squares(plan: Plan) -> bool:
    """vtranspose, vec_trans: 16 x 16 elements of 16 bits, repeated with strides of 512 bytes."""
    square, repeated = 512, "repeat_times" in plan.params
    if plan.variant in ("counter", "strides") or plan.variant in ("late", "nothing") and not repeated:
        return False
    plan.repeats = plan.repeats if repeated else 1
    strides = {one: plan.pick(1, 2) if plan.is_late else 1 for one in ("dst", "src")}
    operands = {one: Operand(0, plan.dtype) for one in ("dst", "src")}
    if plan.variant == "in place":
        operands["src"] = operands["dst"]
    sizes = {one: square * (strides[one] * max(plan.repeats - 1, 0) + 1) for one in operands}
    unique = operands if operands["src"] is not operands["dst"] else {"dst": operands["dst"]}
    plan.place(unique, {one: sizes[one] for one in unique}, ("src",))
    plan.set_strides(operands)
    if repeated:
        plan.arguments |= {f"{one}_rep_stride": plan.count(strides[one]) for one in strides}
    plan.record()
    for repeat in range(plan.repeats):
        at = {one: operands[one].start + square * strides[one] * repeat + 2 * np.arange(256) for one in operands}
        matrix = load(plan.ub, at["src"], plan.dtype).reshape(16, 16)
        store(plan.ub, at["dst"], matrix.T.ravel())
    return True


def plan_transpose_blocks(plan: Plan) -> bool:
    """vnchwconv, vec_trans_scatter: 16 blocks to 16 others, each anywhere. One repeat starts at list plus stride."""
    if plan.variant in ("counter", "in place"):
        return False
    size, rng = size_of(plan.dtype), plan.rng
    strides = {one: 0 if plan.repeats == 1 else plan.pick(16, 17, 20) for one in ("dst", "src")}
    areas = {one: Operand(0, plan.dtype) for one in ("dst", "src")}
    plan.place(areas, {one: BLOCK * (16 + strides[one] * max(plan.repeats - 1, 0)) for one in areas}, ("src",))
    blocks = {one: areas[one].start + BLOCK * rng.permutation(16) for one in areas}
    high = {one: bool(size == 1 and plan.pick(True, False)) for one in areas}
    for one in areas:
        parts = [Operand(int(at), plan.dtype) for at in blocks[one]]
        late = plan.is_late and one == "dst"
        plan.arguments |= {
            f"{one}_high_half": high[one],
            f"{one}_list": [plan.batch.part(part, late and i < 2) for i, part in enumerate(parts)],
            f"{one}_rep_stride": plan.count(strides[one]),
        }
    plan.arguments["repeat_times"] = (
        plan.batch.late(0, "int32") if plan.variant == "nothing" else plan.count(plan.repeats)
    )
    plan.record()
    per_block = BLOCK // size
    for repeat in range(plan.repeats):
        at = {one: blocks[one] + BLOCK * strides[one] * repeat for one in areas}
        source = np.stack([load(plan.ub, a + size * np.arange(per_block), plan.dtype) for a in at["src"]])
        if size == 1:
            half = source[:, 16 * high["src"] :][:, :16].T
            for a, row in zip(at["dst"], half):
                store(plan.ub, a + 16 * high["dst"] + np.arange(16), row)
            continue
        rows = source.T.reshape(16, per_block) if size == 4 else source.T
        for a, row in zip(at["dst"], rows):
            store(plan.ub, a + size * np.arange(per_block), row)
    return True
