# SPDX-License-Identifier: Apache-2.0
"""Conversions a chip has not: every pair and mode outside the tables is refused while the script is built."""

import collections
from pathlib import Path

import pytest
from pinned import Pinned
from tik_conversions import FAMILIES, ROWS, SIZES, TYPES, size_of
from tik_support import instance

from sfumato import tik

MODES = ["", "none", "round", "floor", "ceil", "ceiling", "away-zero", "to-zero", "odd"]


def legal_text(chip: str, src: str, dst: str) -> str:
    """What a report names as legal: the modes of a row, or the rows from a type."""
    rows = ROWS[chip]
    names = lambda modes: ", ".join(mode or "''" for mode in modes)  # noqa: E731
    if (src, dst) in rows:
        return names(rows[src, dst][0])
    others = [f"{to} ({names(modes)})" for (of, to), (modes, _, _) in rows.items() if of == src]
    return f"from {src}: " + (", ".join(others) or f"nothing: {FAMILIES[chip]} converts from other types only")


@pytest.mark.parametrize("call", ["vec_conv", "vconv"])
@pytest.mark.parametrize("chip", SIZES)
def test_everything_else_is_refused_while_the_script_is_built(chip, call):
    t = instance(chip)
    ub = t.Tensor("uint8", (8192,), name="ub", scope=tik.scope_ubuf)
    views = {dtype: ub.reinterpret_cast_to(dtype) for dtype in TYPES}
    unknown = t.Scalar("int32", init_value=1)
    strides = [8, 8] if call == "vec_conv" else [1, 1, 8, 8]
    method, rows = getattr(t, call), ROWS[chip]
    refused = collections.Counter()
    for src in TYPES:
        for dst in TYPES:
            mask = 256 // max(size_of(src), size_of(dst), 2)
            legal = legal_text(chip, src, dst)
            rule = "rounding-unsupported" if (src, dst) in rows else "conversion-unsupported"
            for i, mode in enumerate(MODES):
                if mode in rows.get((src, dst), ([],))[0]:
                    continue
                where = views[dst][4096 // size_of(dst) :]
                with pytest.raises(tik.TikError) as caught:
                    # A value that is not known yet changes nothing.
                    method(mask, mode, where, views[src], unknown if i % 3 == 2 else 1, *strides)
                assert (caught.value.rule, caught.value.legal) == (rule, legal)
                assert caught.value.file == __file__ and caught.value.chip == FAMILIES[chip]
                refused[rule] += 1
    known = SIZES[chip][1]
    assert sum(refused.values()) == len(TYPES) ** 2 * len(MODES) - known
    assert refused["rounding-unsupported"] == len(rows) * len(MODES) - known


# chip src dst mode
REFUSALS = """
Ascend310 float32 int32 round
Ascend310 float16 int8 floor
Ascend910A int16 int8 ''
Ascend910A float32 float16 round
Ascend310P3 float32 int16 round
Ascend310P3 float16 int16 floor
Ascend310P3-Vector int64 int32 ''
Ascend310P3-Vector float32 int16 ceiling
Ascend910B1 int8 int16 none
Ascend910B1 float16 int32 ''
Ascend310B1 int16 int8 none
Ascend310B1 float16 int8 odd
Ascend910B1 uint32 float32 ''
"""
PINNED = Pinned(__file__, Path(__file__).stem)


@pytest.mark.parametrize("case", REFUSALS.strip().split("\n"), ids=lambda case: case.replace(" ", "-"))
def test_the_text_of_a_refusal(case):
    chip, src, dst, mode = case.replace("''", "").split(" ")
    t = instance(chip)
    x = t.Tensor(src, (256,), name="x", scope=tik.scope_ubuf)
    y = t.Tensor(dst, (256,), name="y", scope=tik.scope_ubuf)
    names = {"t": t, "x": x, "y": y, "mode": mode}
    with pytest.raises(tik.TikError) as caught:
        exec(compile("t.vec_conv(32, mode, y, x, 1, 8, 8)", "script.py", "exec"), names)
    text = str(caught.value)
    assert text == PINNED.text(case, text)
