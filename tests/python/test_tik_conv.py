# SPDX-License-Identifier: Apache-2.0
"""vec_conv and vconv: every row and mode of the tables, every deqscale, masks, strides; the whole UB compared."""

from pathlib import Path

import numpy as np
import pytest
from tik_conversions import FAMILIES, ROWS, SIZES, Case, Deq, Program, deqscales, run_all, varied, word, words_of
from tik_support import instance

import sfumato
from sfumato import tik

try:
    import tomllib
except ImportError:  # before Python 3.11
    import tomli as tomllib

CHIPS = Path(__file__).parents[2] / "chips"
DEQ_CHIPS = ["Ascend310P3", "Ascend310P3-Vector", "Ascend910B1"]
CALLS = ["vec_conv", "vconv"]


def row_cases(chip: str, call: str) -> list:
    """One case for each mode of each row. Rows with a deqscale go through its forms."""
    rng = np.random.default_rng(len(chip) * 7 + len(call))
    made: list[Case] = []
    for (src, dst), (modes, deq, half) in ROWS[chip].items():
        forms = list(deqscales(src, dst).values()) if deq else [None]
        for mode in modes:
            index = len(made)
            made.append(varied(rng, index, call, src, dst, mode, forms[index % len(forms)], half))
    return made


ALL = [
    pytest.param(chip, call, id=f"{chip}-{call}-{rows}_rows-{modes}_modes")
    for chip, (rows, modes) in SIZES.items()
    for call in CALLS
]


@pytest.mark.parametrize(("chip", "call"), ALL)
def test_every_row_and_mode(chip, call):
    cases = row_cases(chip, call)
    assert {(case.src, case.dst) for case in cases} == set(ROWS[chip])
    assert len({(case.src, case.dst, case.mode) for case in cases}) == SIZES[chip][1]
    assert run_all(chip, call, cases) == SIZES[chip][1]


@pytest.mark.parametrize("chip", SIZES)
def test_the_chip_has_the_rows_of_the_page(chip):
    text = (CHIPS / f"{FAMILIES[chip].lower()}.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)["tik"]["conversions"]
    kinds = {None: None, "half": "Scalar(float16)/Imm(float)"}
    kinds["word"] = "Imm(int)/Tensor(uint64)/Scalar(uint64)/Expr(uint64)"
    found = {
        (row["src"], row["dst"]): (row["modes"], kinds[row.get("deq")], row.get("half_block", False)) for row in rows
    }
    assert found == ROWS[chip]
    assert (len(rows), sum(len(row["modes"]) for row in rows)) == SIZES[chip]


# -- deqscale and halves -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chip", SIZES)
def test_every_form_of_deqscale(chip):
    rng = np.random.default_rng(3)
    cases = []
    for (src, dst), (_, deq, half) in ROWS[chip].items():
        for form in deqscales(src, dst).values() if deq else ():
            for high in (False, True) if half else (False,):
                case = varied(rng, len(cases), "vconv", src, dst, "", form, half)
                case.high = high
                cases.append(case)
    forms = 6 if chip not in DEQ_CHIPS else 6 + 2 * 2 * 11
    assert run_all(chip, "vconv", cases) == forms


@pytest.mark.parametrize("schedule", ["late", "ahead", "seed:5"])
@pytest.mark.parametrize("scalars", [False, True], ids=["numbers", "Scalars"])
def test_words_in_ub_are_read_in_order(schedule, scalars):
    """Words that arrive in UB, are used, and are overwritten: automatic synchronisation knows them."""
    t = instance("Ascend910B1")
    src = t.Tensor("int16", (128,), name="src", scope=tik.scope_gm)
    words = t.Tensor("uint64", (2, 16), name="words", scope=tik.scope_gm)
    dst = t.Tensor("int8", (2, 256), name="dst", scope=tik.scope_gm)
    x = t.Tensor("int16", (128,), name="x", scope=tik.scope_ubuf)
    w = t.Tensor("uint64", (16,), name="w", scope=tik.scope_ubuf)
    y = t.Tensor("int8", (2, 256), name="y", scope=tik.scope_ubuf)
    t.data_move(x, src, 0, 1, 8, 0, 0)
    t.vec_dup(128, y.reinterpret_cast_to("float16"), 0.0, 2, 8)
    repeat = t.Scalar("int32", init_value=1) if scalars else 1
    for i in range(2):
        t.data_move(w, words[i, 0:16], 0, 1, 4, 0, 0)
        t.vec_conv(128, "", y[i, 0:256], x, repeat, 8, 8, deqscale=w)
    t.data_move(dst, y, 0, 1, 16, 0, 0)
    t.BuildCCE("words", [src, words], [dst])
    values = np.arange(-64, 64).astype(np.int16)
    pairs = np.stack([words_of("int8"), words_of("int8")[::-1]])
    (made,) = t.run({"src": values, "words": pairs}, schedule=schedule)
    for i in range(2):
        expected = sfumato.cast(values, "int8", round_mode="", chip="Ascend910B1", deqscale=pairs[i])
        blocks = made[i].reshape(8, 32)
        assert np.array_equal(blocks[:, :16].reshape(-1), expected) and not blocks[:, 16:].any()


@pytest.mark.parametrize("chip", SIZES)
def test_the_half_means_nothing_to_other_conversions(chip):
    case = Case("float16", "float32", "", 64, repeat=2, dst_repeat=8, src_repeat=4, high=True)
    assert run_all(chip, "vec_conv", [case]) == 1


@pytest.mark.parametrize("wrong", [True, False], ids=["wrong_bit", "right_bit"])
@pytest.mark.parametrize("dst", ["int8", "uint8"])
@pytest.mark.parametrize("chip", DEQ_CHIPS)
def test_bit_46(chip, dst, wrong):
    signed = dst == "int8"
    bits = word(0.5, 3, signed != wrong)
    right = word(0.5, 3, signed)
    words = np.full(16, bits, np.uint64)
    unchecked = [
        Deq(lambda t: t.Scalar("uint64", init_value=bits), right),
        Deq(lambda t: t.Scalar("uint64", init_value=bits) + 0, right),
        Deq(cast=words, words=words),
    ]
    number = Program(chip, "vec_conv", seed=1)
    others = Program(chip, "vec_conv", seed=2)
    number.add(Case("int16", dst, "", 128, deq=Deq(lambda t: bits, right), half=True))
    for deq in unchecked:
        others.add(Case("int16", dst, "", 128, deq=deq, half=True))
    others.check(strict=True)
    made, expected, findings = number.run()
    assert np.array_equal(made, expected)
    assert [(f.rule, f.severity) for f in findings] == ([("deqscale-sign", "warning")] if wrong else [])
    if wrong:
        assert Path(findings[0].file).name == "tik_conversions.py" and findings[0].line > 0
        with pytest.raises(sfumato.KernelError) as caught:
            number.run(strict=True)
        assert caught.value.rule == "deqscale-sign"


# -- operands that share bytes -----------------------------------------------------------------------------------------

SHARED = {
    "narrowing": Case("float32", "float16", "", 64, repeat=4, dst_repeat=4),
    "narrowing, bits": Case("float32", "float16", "", [0, 0xF0F0F0F0F0F0F0F0], dst_repeat=4),
    "same width": Case("int16", "float16", "", 100, repeat=3),
    "widening, one repeat": Case("float16", "float32", "", 64, src_repeat=4),
    "half blocks": Case("int16", "int8", "", 128, repeat=2, half=True, high=True, deq=Deq(lambda t: (2, 3), (2, 3))),
}


@pytest.mark.parametrize("name", SHARED)
def test_a_destination_on_its_source(name):
    program = Program("Ascend910B1", "vec_conv", seed=9)
    case = SHARED[name]
    assert program.add(case)
    case.dst_at = case.src_at
    program.check()
