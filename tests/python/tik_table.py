# SPDX-License-Identifier: Apache-2.0
"""The calls of the general form, how each is planned, and the types each chip has for it by the type table."""

from __future__ import annotations

import csv
import functools
from pathlib import Path

from tik_plans import plan_compare, plan_compare_register, plan_elementwise, plan_select
from tik_plans_reduce import plan_reduce, plan_reduce_tensor, plan_transpose_blocks, plan_transpose_squares

CHIPS = {
    "Ascend310": "Ascend310",
    "Ascend910": "Ascend910A",
    "Ascend310P": "Ascend310P3",
    "Ascend310P-Vector": "Ascend310P3-Vector",
    "Ascend910B": "Ascend910B1",
    "Ascend310B": "Ascend310B1",
}
MODES = ("lt", "gt", "eq", "le", "ge", "ne")
BOTH = {
    plan_elementwise: "abs exp ln rec relu rsqrt not add sub mul max min and or adds muls axpy",
    plan_compare: " ".join(f"cmpv_{mode}" for mode in MODES),
    plan_select: "sel",
}
LEGACY = {
    plan_elementwise: "vsqrt vdiv vmla vmadd vmaddrelu vaddrelu vsubrelu vmulconv vadddeqrelu vmaxs vmins vlrelu vshl vshr vec_dup "
    "vector_dup",
    plan_compare: " ".join(f"vcmpvs_{mode}" for mode in MODES),
    plan_compare_register: " ".join(f"vcmp_{mode}" for mode in MODES),
    plan_reduce: "vcadd vcmax vcmin vcgadd vcgmax vcgmin vcpadd vec_cpadd",
    plan_reduce_tensor: "vec_reduce_add vec_reduce_max vec_reduce_min",
    plan_transpose_squares: "vtranspose vec_trans",
    plan_transpose_blocks: "vnchwconv vec_trans_scatter",
}
PLANS = {f"{prefix}{name}": plan for plan, names in BOTH.items() for name in names.split() for prefix in ("vec_", "v")}
PLANS |= {name: plan for plan, names in LEGACY.items() for name in names.split()}

# Rows of the type table under names of their own, and those it has no row for (vector_instructions.md 4.1, 7.6).
ROWS = {"vec_trans": "vtranspose", "vec_trans_scatter": "vnchwconv", "vec_cpadd": "vcpadd"}
FILLED = {"int16", "uint16", "float16", "int32", "uint32", "float32"}
# What the table lists and no vector unit does: vshl of floats on Ascend310P-Vector has no meaning on any page, and
# vcmp of int16 stands in the column of the cube cores of Ascend910B alone.
NOT_THERE = {("Ascend310P-Vector", "vshl", "float16"), ("Ascend310P-Vector", "vshl", "float32")} | {
    ("Ascend910B", f"vcmp_{mode}", "int16") for mode in MODES
}
SHORT = {"f16f16f16": "float16", "f32f32f32": "float32"}
TYPES = ("int8", "uint8", "int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32", "int64", "uint64")


@functools.cache
def table() -> dict[str, dict[str, str]]:
    with (Path(__file__).parents[1] / "data" / "tik_support.csv").open(newline="") as file:
        return {row["intrinsic"]: row for row in csv.DictReader(file)}


def types_of(family: str, call: str) -> set[str]:
    """The types of a call by the type table."""
    if call in ("vec_dup", "vector_dup"):
        return FILLED | ({"bfloat16"} if family == "Ascend910B" else set())
    row = ROWS.get(call, call.replace("vec_reduce_", "vc").replace("vec_", "v"))
    row = row[:4] if row.startswith("vcmp_") else row
    listed = {SHORT.get(name, name) for name in table()[row][family].split(",") if name}
    if call.startswith("vec_reduce_"):
        listed.discard("int16")
    return {name for name in listed if (family, call, name) not in NOT_THERE}


def triples() -> list[tuple[str, str, str]]:
    """(chip, call, type) of everything there is."""
    return [(chip, call, name) for chip in CHIPS for call in sorted(PLANS) for name in sorted(types_of(chip, call))]
