# SPDX-License-Identifier: Apache-2.0
"""The scripts of the TIK pages, unmodified where the pages lie beside the project, and scripts of our own like them."""

import re
import textwrap
from pathlib import Path

import numpy as np
import pytest

import sfumato.tik.compat  # noqa: F401 - scripts import tbe
from sfumato import tik

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGES = ROOT.parent / "shared" / "spec" / "pages"

CHIPS = ["Ascend310", "Ascend910A", "Ascend310P3", "Ascend310P3-Vector", "Ascend910B1", "Ascend310B1"]
DEQ_CHIPS = ["Ascend310P3", "Ascend310P3-Vector", "Ascend910B1"]

# example: (page, which of its scripts, {tensor: (dtype, shape)}, chips)
EXAMPLES = {
    "vec_adds_contiguous": ("003", 0, {"src_gm": ("float16", (2, 256)), "dst_gm": ("float16", (2, 256))}, CHIPS),
    "vec_adds_strided": ("003", 1, {"src_gm": ("float16", (4, 32)), "dst_gm": ("float16", (8, 32))}, CHIPS),
    "vec_conv_f16_s32_round": ("002", 0, {"src_gm": ("float16", (2, 128)), "dst_gm": ("int32", (3, 64))}, CHIPS),
    "vec_conv_s16_s8_deq_high": (
        "002",
        1,
        {"src_gm": ("int16", (2, 128)), "src1_gm": ("int8", (3, 128)), "dst_gm": ("int8", (3, 128))},
        DEQ_CHIPS,
    ),
}
CASES = [(name, chip) for name, example in EXAMPLES.items() for chip in example[3]]


def page_script(number, index):
    """The index-th script of a page, as it stands there."""
    pages = list(PAGES.glob(f"{number}_*.txt"))
    if not pages:
        pytest.skip("the specification does not lie beside the project")
    text = pages[0].read_text(encoding="utf-8")
    scripts = re.findall(r"^ *tik_instance = tik\.Tik\(\)\n.*?^ *tik_instance\.BuildCCE\([^\n]*\)\n", text, re.M | re.S)
    return textwrap.dedent(scripts[index])


def read(example, tensor):
    dtype, shape = EXAMPLES[example][2][tensor]
    values = np.loadtxt(ROOT / "tests" / "data" / f"tik_{example}" / f"{tensor}.txt")
    return values.astype(dtype).reshape(shape)


def run_and_compare(example, chip, source, instance):
    tik.set_current_compile_soc_info(*chip_words(chip))
    variables = {"tik": tik}
    exec(compile(source, example, "exec"), variables)
    built = variables[instance]
    feed = {name: read(example, name) for name in EXAMPLES[example][2] if name != "dst_gm"}
    for schedule in ("eager", "late", "ahead", "seed:7"):
        (dst,) = built.run(feed, schedule=schedule)
        expected = read(example, "dst_gm")
        assert dst.dtype == expected.dtype and np.array_equal(dst, expected)
    rules = [finding.rule for finding in built.last.findings if finding.severity != "note"]
    assert rules == (["deqscale-sign"] if example == "vec_conv_s16_s8_deq_high" else [])


def chip_words(chip):
    return (chip.removesuffix("-Vector"), "VectorCore") if chip.endswith("-Vector") else (chip,)


@pytest.mark.parametrize(("example", "chip"), CASES)
def test_page(example, chip):
    number, index = EXAMPLES[example][:2]
    run_and_compare(example, chip, page_script(number, index), "tik_instance")


@pytest.mark.parametrize(("example", "chip"), CASES)
def test_equivalent(example, chip):
    source = (HERE / "tik_scripts" / f"{example}.py").read_text(encoding="utf-8")
    run_and_compare(example, chip, source, "t")


@pytest.mark.parametrize("chip", ["Ascend310", "Ascend910A", "Ascend310B1"])
def test_deq_example_is_refused_elsewhere(chip):
    tik.set_current_compile_soc_info(chip)
    source = (HERE / "tik_scripts" / "vec_conv_s16_s8_deq_high.py").read_text(encoding="utf-8")
    with pytest.raises(tik.TikError) as caught:
        exec(compile(source, "deq.py", "exec"), {})
    assert caught.value.file == "deq.py" and caught.value.line == 14
