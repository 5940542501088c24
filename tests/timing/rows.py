# SPDX-License-Identifier: Apache-2.0
"""Published measurements that kernels of tests/timing/kernels are written for, and what the model estimates for them."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import measurements
import numpy as np
import sfumato
from measurements import BASE, ROWS, STORES, TRANSPOSED_B, UNSCORED, Row

HERE = Path(__file__).parent


def published():
    """The measurements by id."""
    with open(HERE / "timing_fit.csv", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def estimate(row: Row):
    """What the model makes of the row's kernel. Instructions move no data: no scalar code reads results."""
    lib = sfumato.compile(HERE / "kernels" / row.source, chip=row.chip, defines=row.defines)
    arrays = [a if isinstance(a, np.ndarray) else np.zeros(a[1], a[0]) for a in row.arrays]
    options = {"skip_data": True} | row.options
    return lib[row.kernel][row.blocks].options(check="none").time(*arrays, *row.values, **options)


def figures(row: Row, found, rows):
    """(part, measure, published us, estimated us) of each measure."""
    for name, measured, what, part in row.measures:
        us = float(rows[row.like or row.id][measured]) if isinstance(measured, str) else measured
        whole = {"core": found.mean_core_us, "slowest": found.core_us, "task": found.task_us}
        # Of a row of several blocks a core: what one of them takes.
        whole["block"] = found.mean_core_us * found.cores / row.blocks
        kind, pipe = what.split() if " " in what else (None, what)
        yield part, name, us, row.part * (whole[what] if what in whole else found.busy(pipe, kind))


# The most an estimate may be off, by part: what the estimate's documentation promises (docs/timing.md). Rows that are
# known to be further off are named there, with their error.
BOUNDS = {
    "vector": 2,
    "GELU alone": 27,
    "scalar loop": 1,
    "copies": 6,
    "copies, cores read the same data": 6,
    "Mmad": 6,
    "L1 to L0": 6.5,
    "GM and L2 to L1 in matmuls": 15,
    "whole matmuls": 15,
    "elementwise kernels": 6,
    STORES: 25,
    "decode matmuls": 81,
    "vendor operators, L2 warm": 44,
    UNSCORED: float("inf"),
}
KNOWN = {
    ("dcub_s8", "MTE2"): 8,
    ("dcl1_s6", "MTE2"): 43,
    # Small base blocks, each copy waited for: the latency of global memory is charged where L2 has the data, and heads of
    # loads from L1 in full.
    ("mmh_c0", "MTE1"): 38,
    ("mmh_c0", "MTE2"): 26,
    ("mmh_c0", "core"): 32,
    ("mmh_c2", "MTE1"): 16,
    ("mmh_c6", "MTE1"): 8,
    ("mmh_c6 high", "MTE1"): 13,
    # One factor for all cores that read the same panels: 0.735, where these rows say 0.82 to 0.93.
    ("g_korder_on", "MTE2"): 18,
    ("g_tile_20", "MTE2"): 22,
    ("g_tile_mdl", "MTE2"): 23,
    # The model takes cores that read neighbouring columns, within 64 KiB, for readers of the same lines; and the weights
    # came faster than the published 32 bytes a cycle.
    ("qw_q", "block"): 107,
    # 3 us in all, of which the launch is said to take more.
    ("sb_0", "task"): 52,
    ("sb_4", "task"): 59,
}
# A hint of the first row, and the published gain: the difference to the second, which lacks the cause.
HINTS = (
    ("bank_s2", "bank_s1", "bank conflict", "V"),
    ("dcub_s4", "dcub_s3", "rows not aligned", "MTE2"),
    # Two causes at once, each of which alone costs little: what both cost is the difference of the estimates.
    ("add_c3", "add_c5", "one buffer, and inputs read once fill L2", "core"),
)
HINT_BOUND = 20  # per cent
# Rows that differ by the tuning alone: the board's order must be the estimate's where the board's times differ by more
# than the error of their class. What is compared is the last measure of a row.
PAIRS = (
    (("add_c0", "add_c1", "add_c3", "add_c5"), 1.10),
    (("dcub_s1", "dcub_s3", "dcub_s4"), 1.10),
    (("dcl1_s1", "dcl1_s2"), 1.10),
    (("bank_s1", "bank_s2", "bank_s3", "bank_s5"), 1.10),
    (("mmh_c0", "mmh_c2", "mmh_c4", "mmh_c6", "mmh_c8", "mmb_s1"), 1.15),
    (("qgmm_s0", "qgmm_s2"), 1.15),
    (("g_gmm_1", "g_gmm_3"), 1.15),
    (("g_tile_20", "g_tile_mdl"), 1.15),
    (("g_red_rr", "g_red_br"), 1.10),
    (("g_const_off", "g_cube_mode", "g_unit_off"), 2),
)
PAGE = HERE.parents[1] / "docs" / "timing.md"
BEGIN, END = "<!-- generated: tests/timing/rows.py --write -->", "<!-- end -->"


# A kernel by the high-level Matmul and its twin of LoadData, Mmad and Fixpipe: config, size, base, step, cores, single.
TWINS = (
    ("mdl", (8192, 8192, 8192), BASE, (2, 2), (4, 6), (2048, 1536)),
    ("mdl", (2048, 3072, 2048), BASE, (4, 4), (4, 6), (512, 512)),
    ("mdl", (1024, 2304, 1024), (128, 128, 64), (4, 4), (4, 6), (256, 384)),
    ("norm", (2048, 3072, 2048), BASE, (1, 1), (4, 6), (512, 512)),
    ("norm", (1024, 2304, 1024), (128, 128, 64), (1, 1), (4, 6), (256, 384)),
    ("norm", (768, 1536, 1024), (64, 128, 128), (1, 1), (4, 6), (192, 256)),
)
TWIN_BOUND = 10  # per cent


def twins(config, size, base, step, cores, single):
    """Estimated us of core time by the high-level API and by the basic one."""
    high = measurements.high("", "", f"{config}_to_half", size, base, step, cores, single, ())
    basic = measurements.matmul("", "half_to_half", size, base, step, cores, single, (), TRANSPOSED_B)
    return estimate(high).core_us, estimate(basic).core_us


KINDS = {
    "add.cpp": "elementwise",
    "elementwise.cpp": "elementwise",
    "nd_to_nz.cpp": "change of layout",
    "bank.cpp": "vector instructions",
    "reduce.cpp": "reduction",
    "copy_ub.cpp": "copies",
    "copy_l1.cpp": "copies",
    "matmul.cpp": "matmul, basic API",
    "matmul_high.cpp": "matmul, high-level API",
    "matmul_gelu.cpp": "cube and vector cores",
    "grouped.cpp": "cube and vector cores",
    "attention.cpp": "attention",
}


def table():
    """Lines of the page's table, and complaints."""
    rows, complaints, parts, by_row, classes, gains = published(), [], {}, {}, {}, {}
    lines = [
        "| row | what | published us | estimate us | error % | part | kind | class |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in sorted(ROWS, key=lambda row: list(rows).index(row.like or row.id)):
        found = estimate(row)
        stated = found.error["class"]
        kind = KINDS[row.source]
        gains[row.id] = {hint["name"]: hint["gain_us"] for hint in found.hints}
        for part, name, us, guess in figures(row, found, rows):
            error = 100 * (guess / us - 1)
            id = f"{row.id} (1/{row.part})" if row.part > 1 else row.id
            lines.append(f"| {id} | {name} | {us:.2f} | {guess:.2f} | {error:+.1f} | {part} | {kind} | {stated} |")
            parts.setdefault(part, []).append(abs(error))
            bound = KNOWN.get((row.id, name), BOUNDS[part])
            if abs(error) > bound:
                complaints.append(f"{row.id} {name}: {error:+.1f} %, the most is {bound} %")
            by_row[row.id] = (us, guess)
            by_row[row.id, name] = us
            # The time of the kernel, or where none is published that of the pipe that takes most of it.
            if name in ("core", "block", "task") or len(row.measures) == 1:
                factor = found.error.get("factor")
                classes.setdefault((stated, kind), []).append((abs(error), factor))
                if factor and max(guess / us, us / guess) > factor:
                    complaints.append(
                        f"{row.id} {name}: class {stated} says a factor of {factor}, it is {guess / us:.2f}"
                    )
    lines += ["", "| part | figures | mean error % | worst error % |", "|---|---|---|---|"]
    lines += [f"| {p} | {len(e)} | {sum(e) / len(e):.1f} | {max(e):.1f} |" for p, e in parts.items()]
    lines += ["", "| class | factors it states | kind of kernel | rows | mean error % | worst error % |"]
    lines += ["|---|---|---|---|---|---|"]
    for (stated, kind), found in sorted(classes.items()):
        errors = [error for error, _ in found]
        factors = ", ".join(sorted({f"{factor:.2f}" for _, factor in found if factor})) or "none"
        mean, worst = sum(errors) / len(errors), max(errors)
        lines.append(f"| {stated} | {factors} | {kind} | {len(errors)} | {mean:.1f} | {worst:.1f} |")
    right = wrong = 0
    for names, factor in PAIRS:
        for i, first in enumerate(names):
            for second in names[i + 1 :]:
                (a, guess_a), (b, guess_b) = by_row[first], by_row[second]
                if max(a, b) > factor * min(a, b):
                    right, wrong = right + ((a < b) == (guess_a < guess_b)), wrong + ((a < b) != (guess_a < guess_b))
    lines += ["", f"{len(ROWS)} rows, {sum(map(len, parts.values()))} figures."]
    lines += ["", f"Pairs of tuning sequences in the board's order: {right} of {right + wrong}."]
    lines += ["", "| hint | of | against | published us | gain us, estimate | error % |", "|---|---|---|---|---|---|"]
    for first, second, name, measure in HINTS:
        us, guess = by_row[first, measure] - by_row[second, measure], gains[first].get(name) or 0.0
        if ", and " in name:
            guess = by_row[first][1] - by_row[second][1]
        error = 100 * (guess / us - 1)
        lines.append(f"| {name} | {first} | {second} | {us:.2f} | {guess:.2f} | {error:+.1f} |")
        if abs(error) > HINT_BOUND:
            complaints.append(f"the hint {name} of {first}: {error:+.1f} %, the most is {HINT_BOUND} %")
    lines += ["", "| tiling by both APIs | high-level us | basic us | difference % |", "|---|---|---|---|"]
    for config, size, base, step, cores, single in TWINS:
        high, basic = twins(config, size, base, step, cores, single)
        error = 100 * (high / basic - 1)
        what = (
            f"{config.upper()} {'x'.join(map(str, size))}, base {'x'.join(map(str, base))}, step {step[0]}, {step[1]}"
        )
        lines.append(f"| {what} | {high:.1f} | {basic:.1f} | {error:+.1f} |")
        if abs(error) > TWIN_BOUND:
            complaints.append(f"{what}: by the high-level API {error:+.1f} %, the most is {TWIN_BOUND} %")
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
