# SPDX-License-Identifier: Apache-2.0
"""Conversions a chip has not: every pair and mode outside the tables is refused while the script is built."""

import collections

import pytest
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
    assert refused.total() == len(TYPES) ** 2 * len(MODES) - known
    assert refused["rounding-unsupported"] == len(rows) * len(MODES) - known


# chip src dst mode, then the text of the report
REFUSALS = """
Ascend310 float32 int32 round
fault [conversion-unsupported] vec_conv: the conversion is not supported on Ascend310
  where:  script.py:1 (Ascend310)
  found:  dst: float32 to int32
  legal:  from float32: float16 ('', none)
  do:     this conversion is there on Ascend910, Ascend310P, Ascend310P-Vector, Ascend910B, Ascend310B: is the right chip chosen?

Ascend310 float16 int8 floor
fault [rounding-unsupported] vec_conv: float16 to int8 is not supported with this round mode on Ascend310
  where:  script.py:1 (Ascend310)
  found:  round_mode: floor
  legal:  '', none
  do:     this round mode is there on Ascend910, Ascend310P, Ascend310P-Vector, Ascend910B, Ascend310B: is the right chip chosen?

Ascend910A int16 int8 ''
fault [conversion-unsupported] vec_conv: the conversion is not supported on Ascend910
  where:  script.py:1 (Ascend910)
  found:  dst: int16 to int8
  legal:  from int16: nothing: Ascend910 converts from other types only
  do:     this conversion is there on Ascend310P, Ascend310P-Vector, Ascend910B: is the right chip chosen?

Ascend910A float32 float16 round
fault [rounding-unsupported] vec_conv: float32 to float16 is not supported with this round mode on Ascend910
  where:  script.py:1 (Ascend910)
  found:  round_mode: round
  legal:  '', none, odd
  do:     this round mode is there on Ascend910B, Ascend310B: is the right chip chosen?

Ascend310P3 float32 int16 round
fault [conversion-unsupported] vec_conv: the conversion is not supported on Ascend310P
  where:  script.py:1 (Ascend310P)
  found:  dst: float32 to int16
  legal:  from float32: int32 (round, floor, ceil, ceiling, away-zero, to-zero), float16 ('', none, odd)
  do:     this conversion is there on Ascend310P-Vector, Ascend910B, Ascend310B: is the right chip chosen?

Ascend310P3 float16 int16 floor
fault [rounding-unsupported] vec_conv: float16 to int16 is not supported with this round mode on Ascend310P
  where:  script.py:1 (Ascend310P)
  found:  round_mode: floor
  legal:  round
  do:     this round mode is there on Ascend910B, Ascend310B: is the right chip chosen?

Ascend310P3-Vector int64 int32 ''
fault [conversion-unsupported] vec_conv: the conversion is not supported on Ascend310P-Vector
  where:  script.py:1 (Ascend310P-Vector)
  found:  dst: int64 to int32
  legal:  from int64: nothing: Ascend310P-Vector converts from other types only
  do:     this conversion is there on Ascend910B, Ascend310B: is the right chip chosen?

Ascend310P3-Vector float32 int16 ceiling
fault [rounding-unsupported] vec_conv: float32 to int16 is not supported with this round mode on Ascend310P-Vector
  where:  script.py:1 (Ascend310P-Vector)
  found:  round_mode: ceil
  legal:  round, to-zero
  do:     this round mode is there on Ascend910B, Ascend310B: is the right chip chosen?

Ascend910B1 int8 int16 none
fault [conversion-unsupported] vec_conv: the conversion is not supported on Ascend910B
  where:  script.py:1 (Ascend910B)
  found:  dst: int8 to int16
  legal:  from int8: float16 ('', none)
  do:     no other chip has this conversion: convert to a legal type first

Ascend910B1 float16 int32 ''
fault [rounding-unsupported] vec_conv: float16 to int32 is not supported with this round mode on Ascend910B
  where:  script.py:1 (Ascend910B)
  found:  round_mode: none
  legal:  round, floor, ceil, ceiling, away-zero, to-zero
  do:     no other chip has this round mode: choose a legal one

Ascend310B1 int16 int8 none
fault [conversion-unsupported] vec_conv: the conversion is not supported on Ascend310B
  where:  script.py:1 (Ascend310B)
  found:  dst: int16 to int8
  legal:  from int16: float16 ('', none, round, floor, ceil, ceiling, away-zero, to-zero), float32 ('', none), uint8 ('', none)
  do:     this conversion is there on Ascend310P, Ascend310P-Vector, Ascend910B: is the right chip chosen?

Ascend310B1 float16 int8 odd
fault [rounding-unsupported] vec_conv: float16 to int8 is not supported with this round mode on Ascend310B
  where:  script.py:1 (Ascend310B)
  found:  round_mode: odd
  legal:  '', none, round, floor, ceil, ceiling, away-zero, to-zero
  do:     no other chip has this round mode: choose a legal one

Ascend910B1 uint32 float32 ''
fault [conversion-unsupported] vec_conv: the conversion is not supported on Ascend910B
  where:  script.py:1 (Ascend910B)
  found:  dst: uint32 to float32
  legal:  from uint32: nothing: Ascend910B converts from other types only
  do:     no other chip has this conversion: convert to a legal type first
"""  # noqa: E501


def read_refusals() -> list:
    made = []
    for block in REFUSALS.strip().split("\n\n"):
        head, _, text = block.partition("\n")
        chip, src, dst, mode = head.split()
        made.append(pytest.param(chip, src, dst, "" if mode == "''" else mode, text, id=head.replace(" ", "-")))
    return made


@pytest.mark.parametrize(("chip", "src", "dst", "mode", "text"), read_refusals())
def test_the_text_of_a_refusal(chip, src, dst, mode, text):
    t = instance(chip)
    x = t.Tensor(src, (256,), name="x", scope=tik.scope_ubuf)
    y = t.Tensor(dst, (256,), name="y", scope=tik.scope_ubuf)
    names = {"t": t, "x": x, "y": y, "mode": mode}
    with pytest.raises(tik.TikError) as caught:
        exec(compile("t.vec_conv(32, mode, y, x, 1, 8, 8)", "script.py", "exec"), names)
    assert str(caught.value) == text
