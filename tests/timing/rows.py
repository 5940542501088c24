# SPDX-License-Identifier: Apache-2.0
"""Published measurements that kernels of tests/timing/kernels are written for, and what the model estimates for them."""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import sfumato

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Row:
    """A row of tests/timing/timing_fit.csv and its kernel. measures: (name, column or number of us, what of the estimate, part)."""

    id: str
    source: str
    kernel: str
    blocks: int
    defines: dict[str, object]
    arrays: tuple[tuple[str, int], ...]
    measures: tuple[tuple[str, object, str, str], ...]
    options: dict[str, object] = field(default_factory=dict)
    chip: str = "Ascend910B1"


def _square(n, *types):
    return tuple((t, n * n) for t in types)


ADD = _square(8192, "float16", "float16", "float16")


def _add(row, tile, buffers, blocks, measures, **more):
    defines = {"TILE": tile, "BUFFERS": buffers, **more}
    return Row(row, "add.cpp", "add", blocks, defines, ADD, measures)


def _copies(row, kernel, m, n, tile, blocks, measure, passes=1, **more):
    defines = {"ROWS": m, "COLUMNS": n, "TILE_ROWS": tile[0], "TILE_COLUMNS": tile[1], "PASSES": passes, **more}
    return Row(row, f"{kernel}.cpp", kernel, blocks, defines, (("float16", m * n),), (measure,))


def _bank(row, src0, src1, dst, ticks):
    # 1000 Adds in ticks of 20 ns.
    measure = (("V", ticks * 0.02, "V", "vector"),)
    return Row(row, "bank.cpp", "bank", 1, {"SRC0": src0, "SRC1": src1, "DST": dst}, (), measure, chip="Ascend910B2")


_MTE2 = ("MTE2", "mte2_us", "MTE2", "copies")
_SHARED = ("MTE2", "mte2_us", "MTE2", "copies, cores read the same data")
_CORE = ("core", "core_us", "core", "copies")
_V = ("V", "vec_us", "V", "vector")
_KERNEL = ("core", "core_us", "core", "elementwise kernels")


def _matmul(row, size, steps, out, measures, **more):
    defines = {"MATRIX": size, "STEP_A": steps[0], "STEP_B": steps[1], "OUT": out, **more}
    types = ("float16", "float16", "float16" if out == "half" else "float32")
    return Row(row, "matmul.cpp", "matmul", 24, defines, _square(size, *types), measures)


ROWS = (
    _add("add_c1", 4096, 1, 1, (_V, ("MTE2", "mte2_us", "MTE2", "copies"), _KERNEL), OVERLAP=1),
    _add("add_c3", 16384, 1, 48, (_V, ("MTE2", "mte2_us", "MTE2", "copies"), _KERNEL)),
    _add("add_c5", 16384, 2, 48, (_V, ("MTE2", "mte2_us", "MTE2", "copies"), _KERNEL), UNCACHED=1),
    _copies("dcub_s1", "copy_ub", 12288, 12288, (1, 64), 48, _MTE2),
    _copies("dcub_s3", "copy_ub", 12288, 12288, (64, 1024), 48, _MTE2),
    _copies("dcub_s4", "copy_ub", 12288, 12287, (64, 1024), 48, _MTE2),
    _copies("dcub_s6", "copy_ub", 12288, 12288, (64, 1024), 48, _CORE, passes=4),
    _copies("dcub_s8", "copy_ub", 6144, 512, (128, 64), 48, _SHARED, SHARED=1),
    _copies("dcl1_s1", "copy_l1", 12288, 12288, (64, 64), 24, _MTE2),
    _copies("dcl1_s2", "copy_l1", 12288, 12288, (64, 256), 24, _MTE2),
    _copies("dcl1_s5", "copy_l1", 12288, 12288, (64, 1024), 24, _CORE, passes=4),
    _copies("dcl1_s6", "copy_l1", 6144, 512, (256, 64), 24, _SHARED, SHARED=1),
    _bank("bank_s1", 0, 0x10100, 0x20000, 2390),
    _bank("bank_s2", 0, 0x4000, 0x10000, 4167),
    _bank("bank_s3", 0, 0x10000, 0x14100, 4167),
    _bank("bank_s5", 0, 0x10100, 0x4020, 3751),
    Row(
        "nd2nz_s1",
        "nd_to_nz.cpp",
        "nd_to_nz",
        48,
        {"STRIDE": 144},
        _square(8192, "float16", "float16"),
        (_V, ("core", "core_us", "core", "elementwise kernels")),
    ),
    _matmul(
        "mmb_s1",
        8192,
        (8, 4),
        "half",
        (
            ("M", "mac_us", "M", "Mmad"),
            ("MTE1", "mte1_us", "MTE1", "L1 to L0"),
            ("MTE2", "mte2_us", "MTE2", "GM and L2 to L1 in matmuls"),
            ("core", "core_us", "core", "whole matmuls"),
        ),
        UNIT=1,
    ),
    _matmul("pto_gemm_1536", 1536, (4, 4), "float", (("task", "task_us", "task", "whole matmuls"),)),
    _matmul("pto_gemm_6144", 6144, (4, 4), "float", (("task", "task_us", "task", "whole matmuls"),)),
)


def published():
    """The measurements by id."""
    with open(HERE / "timing_fit.csv", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def estimate(row: Row):
    """What the model makes of the row's kernel. Instructions move no data: no scalar code reads results."""
    lib = sfumato.compile(HERE / "kernels" / row.source, chip=row.chip, defines=row.defines)
    arrays = [np.zeros(n, dtype) for dtype, n in row.arrays]
    return lib[row.kernel][row.blocks].options(check="none").time(*arrays, skip_data=True, **row.options)


def figures(row: Row, found, rows):
    """(part, measure, published us, estimated us) of each measure."""
    for name, measured, what, part in row.measures:
        us = float(rows[row.id][measured]) if isinstance(measured, str) else measured
        guess = {"core": found.mean_core_us, "task": found.task_us}.get(what)
        yield part, name, us, found.busy(what) if guess is None else guess


# The most an estimate may be off, by part: what the estimate's documentation promises (docs/timing.md). Rows that are
# known to be further off are named there, with their error.
BOUNDS = {
    "vector": 2,
    "copies": 6,
    "Mmad": 6,
    "L1 to L0": 6.5,
    "GM and L2 to L1 in matmuls": 15,
    "whole matmuls": 15,
    "elementwise kernels": 10,
}
KNOWN = {("nd2nz_s1", "core"): 30, ("dcub_s8", "MTE2"): 36, ("dcl1_s6", "MTE2"): 43}
# Pairs that differ by the tuning alone: the board's order must be the estimate's where the board's times differ by more
# than the error of their class.
PAIRS = (
    (("add_c1", "add_c3", "add_c5"), 1.10),
    (("dcub_s1", "dcub_s3", "dcub_s4"), 1.10),
    (("dcl1_s1", "dcl1_s2"), 1.10),
    (("bank_s1", "bank_s2", "bank_s3", "bank_s5"), 1.10),
)
PAGE = HERE.parents[1] / "docs" / "timing.md"
BEGIN, END = "<!-- generated: tests/timing/rows.py --write -->", "<!-- end -->"


def table():
    """Lines of the page's table, and complaints."""
    rows, complaints, parts, by_row = published(), [], {}, {}
    lines = ["| row | what | published us | estimate us | error % | part |", "|---|---|---|---|---|---|"]
    for row in ROWS:
        for part, name, us, guess in figures(row, estimate(row), rows):
            error = 100 * (guess / us - 1)
            lines.append(f"| {row.id} | {name} | {us:.2f} | {guess:.2f} | {error:+.1f} | {part} |")
            parts.setdefault(part, []).append(abs(error))
            bound = KNOWN.get((row.id, name), BOUNDS.get(part, 100))
            if abs(error) > bound:
                complaints.append(f"{row.id} {name}: {error:+.1f} %, the most is {bound} %")
            by_row[row.id] = (us, guess)
    lines += ["", "| part | figures | mean error % | worst error % |", "|---|---|---|---|"]
    lines += [f"| {p} | {len(e)} | {sum(e) / len(e):.1f} | {max(e):.1f} |" for p, e in parts.items()]
    right = wrong = 0
    for names, factor in PAIRS:
        for i, first in enumerate(names):
            for second in names[i + 1 :]:
                (a, guess_a), (b, guess_b) = by_row[first], by_row[second]
                if max(a, b) > factor * min(a, b):
                    right, wrong = right + ((a < b) == (guess_a < guess_b)), wrong + ((a < b) != (guess_a < guess_b))
    lines += ["", f"Pairs of tuning sequences in the board's order: {right} of {right + wrong}."]
    if right < 9 * wrong:
        complaints.append(f"{wrong} pairs of {right + wrong} are in the wrong order")
    return lines, complaints


def main():
    lines, complaints = table()
    text = PAGE.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    wanted = text[:begin] + "\n\n" + "\n".join(lines) + "\n\n" + text[end:]
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(wanted)
    elif wanted != text:
        complaints.append(f"{PAGE} is not what tests/timing/rows.py --write makes:\n" + "\n".join(lines))
    print("\n".join(complaints) or "all rows are within their bounds")
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
