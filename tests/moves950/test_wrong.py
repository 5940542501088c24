# SPDX-License-Identifier: Apache-2.0
"""Wrong moves: what is told of each, and where; the right one, one line away, is silent and right."""

import numpy as np
import pytest
from conftest import CHIP, KERNELS, run, same
from raised import raised
from schedules import IN_PART
from twins import Twins

import sfumato

MOVES = Twins(KERNELS / "twins.cpp", checks=IN_PART)
FRACTALS = Twins(KERNELS / "fractal_twins.cpp")
BOX, LOOPS = "DataCopy<float, {}>(ub, in, params)", "SetLoopModePara"
ONE_MOVE = "DataCopy(ub, in, 8)"

# kernel, rule, what the line that is told of contains (None: the line that was exchanged), found, legal.
CASES = [
    ("size_zero", "parameter-range", BOX.format(2), "0", "1..1048575"),
    ("size_large", "parameter-range", BOX.format(2), "1048576", "1..1048575"),
    ("target_stride", "parameter-range", BOX.format(3), "1048576", "0..1048575"),
    ("source_stride", "parameter-range", BOX.format(2), "1099511627776", "0..1099511627775"),
    ("pads_of_all", "parameter-range", None, "256", "0..255"),
    ("constant_of_64_bits", "pad-value-64", "DataCopy<int64_t", "0x5", "0"),
    ("nearest_of_64_bits", "type-unsupported", None, "int64_t", "elements of 8, 16 and 32 bits"),
    (
        "places_twice",
        "nddma-twice",
        BOX.format(2),
        "element 6 of dst is written twice",
        "a place of its own for each element, pads among them",
    ),
    ("box_past_global", "gm-out-of-range", None, "bytes 872..1028 of x, 4 bytes too many", "the 1024 bytes of x"),
    (
        "box_past_ub",
        "out-of-buffer",
        BOX.format(2),
        "bytes 0..1056 of UB, 32 bytes too many",
        "up to byte 1024: 256 elements of float from here",
    ),
    ("box_misaligned", "ub-alignment", None, "byte offset 16 in UB", "a multiple of 32"),
    ("box_and_its_gaps", "race", "ub[8]", "write after write, bytes 64 to 95", ""),
    ("box_unwaited", "race", None, "read after write, bytes 160 to 191", ""),
    ("between_rows", "uninitialised-read", None, "bytes 32 to 63 of UB, which nobody wrote", ""),
    ("read_again", "nddma-stale", "ub[16]", " has written since NDDMA read them", "NdDmaDci between the store and"),
    ("loops_of_nothing", "loop-mode", None, "0", "1..2097151"),
    ("many_loops", "loop-mode", None, "2097152", "1..2097151"),
    ("loop_stride_of_ub", "loop-mode", None, "40", "0..2097120 bytes, a multiple of 32: the stride in UB"),
    ("loop_stride_too_far", "loop-mode", None, "1099511627776", "0..1099511627775 bytes: the stride in global memory"),
    ("loop_stride_past_ub", "loop-mode", None, "2097152", "0..2097120 bytes: the stride in UB"),
    ("no_such_direction", "loop-mode", None, "2", "DataCopyMVType::UB_TO_OUT 0, DataCopyMVType::OUT_TO_UB 1"),
    (
        "step_past_global",
        "gm-out-of-range",
        ONE_MOVE,
        "bytes 1056..1088 of x, 64 bytes too many",
        "the 1024 bytes of x",
    ),
    ("steps_on_each_other", "race", ONE_MOVE, "write after write, bytes 0 to 31", ""),
    ("mode_left", "loop-mode-left", LOOPS, "", "ResetLoopModePara behind the last move"),
    ("mode_left_on_the_way_out", "loop-mode-left", LOOPS, "", "ResetLoopModePara behind the last move"),
    ("mode_set_again", "loop-mode-left", "{3, 1", "", "ResetLoopModePara behind the moves"),
    (
        "too_far_back",
        "gap-range",
        "DataCopyPad",
        "-4 bytes from block to block, blocks of 32 bytes",
        "gaps of -32..1099511627775 bytes",
    ),
    (
        "too_far_apart",
        "gap-range",
        "DataCopyPad",
        "1099511627808 bytes from block to block, blocks of 32 bytes",
        "gaps of -32..1099511627775 bytes",
    ),
    (
        "back_on_the_way_out",
        "gap-range",
        "DataCopyPad",
        "0 bytes from block to block, blocks of 32 bytes",
        "gaps of 0..1099511627775 bytes",
    ),
    ("compact_past_ub", "out-of-buffer", "DataCopyPad", "bytes 224..288 of UB, 32 bytes too many", "up to byte 256"),
    ("normal_in_compact_room", "out-of-buffer", None, "bytes 0..288 of UB, 32 bytes too many", "up to byte 256"),
]
OF_FRACTALS = [
    ("no_columns", "nothing-to-do", "DataCopy(l1", "0", "1..65535"),
    ("column_stride", "parameter-range", "DataCopy(l1", "1099511627776", "1..1099511627775"),
    (
        "columns_past_global",
        "gm-out-of-range",
        "DataCopy(l1",
        "bytes 0..1058 of x, 34 bytes too many",
        "the 1024 bytes of x",
    ),
    ("fractals_past_l1", "out-of-buffer", "DataCopy(l1", "bytes 0..1056 of L1, 32 bytes too many", "up to byte 1024"),
]
TYPES = {
    "constant_of_64_bits": np.int64,
    "nearest_of_64_bits": np.int64,
    "compact_past_ub": np.uint8,
    "normal_in_compact_room": np.uint8,
}
TWO_ROWS = np.r_[0:8, 16:24]


def arguments(kernel):
    """x and y of a kernel, and what its right twin leaves in y."""
    dtype = TYPES.get(kernel, np.float32)
    x, y = np.arange(256).astype(dtype) + dtype(1), np.zeros(64, dtype)
    expected = y.copy()
    rows = {
        "pads_of_all": [0, *x[:14], 0],
        "constant_of_64_bits": [0, *x[:14], 0],
        "nearest_of_64_bits": [0, *x[:14], 0],
        "box_past_global": x[np.r_[217:225, 248:256]],
        "box_misaligned": x[:8],
        "box_and_its_gaps": [*x[:8], *x[64:72]],
        "read_again": [*x[:8], *x[:8]],
        "loop_stride_too_far": [*x[:8], *[0] * 8, *x[8:16]],
        "loop_stride_past_ub": [*x[:8], *[0] * 8, *x[8:16]],
        "mode_left_on_the_way_out": [*x[:8], *[0] * 8, *x[8:16]],
        "step_past_global": x[np.r_[0:8, 248:256]],
        "steps_on_each_other": x[:8],
        "mode_set_again": x[np.r_[TWO_ROWS, 0:8, 16:24, 32:40]],
        "too_far_back": [*x[:8], *x[:8]],
        "back_on_the_way_out": x[:16],
        "compact_past_ub": [*x[:35], *[x[28]] * 29],
        "normal_in_compact_room": [*x[:63], x[56]],
    }.get(kernel, x[TWO_ROWS])
    expected[: len(rows)] = rows
    return x, y, expected


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    return MOVES.exchanged(tmp_path_factory.mktemp("wrong"))


@pytest.fixture(scope="module")
def wrong_fractals(tmp_path_factory):
    return FRACTALS.exchanged(tmp_path_factory.mktemp("wrong"))


@pytest.mark.parametrize(("twins", "cases"), [(MOVES, CASES), (FRACTALS, OF_FRACTALS)])
def test_every_kernel_has_a_wrong_twin(twins, cases):
    kernels = [case[0] for case in cases]
    assert len(kernels) == len(set(kernels)) == twins.kernels()
    assert [twins.wrong_lines(kernel) for kernel in kernels] == [1] * len(kernels)


@pytest.mark.parametrize("kernel", [case[0] for case in CASES])
def test_right_twins_are_silent(build, kernel):
    x, y, expected = arguments(kernel)
    same(run(getattr(build("twins"), kernel), x, y, outputs=(1,), whole=False), expected)
    assert not getattr(build("twins"), kernel)[1].options(**MOVES.strict)(x, y).findings
    same(y, expected)


@pytest.mark.parametrize("kernel", [case[0] for case in OF_FRACTALS])
def test_right_fractals_are_silent(build, kernel):
    run(getattr(build("fractal_twins"), kernel), np.ones(512, np.float16), outputs=(0,), whole=False)


def told(twins, kernels, case, given):
    kernel, rule, line, found, legal = case
    first = twins.told(kernels, kernel, line, given)
    assert first.rule == rule, first
    assert first.found.endswith(found), first
    assert first.legal.startswith(legal), first
    raised(rule)


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_what_is_told_of_wrong_twins(wrong, case):
    told(MOVES, wrong, case, arguments(case[0])[:2])


@pytest.mark.parametrize("case", OF_FRACTALS, ids=[case[0] for case in OF_FRACTALS])
def test_what_is_told_of_wrong_fractals(wrong_fractals, case):
    told(FRACTALS, wrong_fractals, case, (np.ones(512, np.float16),))


CALLS = {
    "SetLoopModePara": "AscendC::SetLoopModePara({1, 1, 0, 0, 0, 0}, AscendC::DataCopyMVType::OUT_TO_UB);",
    "LoopModeParams": "AscendC::LoopModeParams loops;",
    "PaddingMode": "auto mode = AscendC::PaddingMode::Compact;",
    "NdDmaParams": "AscendC::NdDmaParams<float, 2> params;",
    "MultiCopyParams": "AscendC::MultiCopyParams<float, 2> params;",
    "NdDmaDci": "AscendC::NdDmaDci();",
    "Dn2NzParams": "AscendC::Dn2NzParams params;",
}


@pytest.mark.parametrize("chip", ["Ascend910B1", "Ascend310P3"])
@pytest.mark.parametrize("name", CALLS)
def test_another_chip_has_no_such_moves(tmp_path, chip, name):
    path = tmp_path / "call.cpp"
    path.write_text(
        '#include "kernel_operator.h"\n'
        'extern "C" __global__ __aicore__ void call(GM_ADDR x) {\n'
        f"    {CALLS[name]}\n"
        "}\n",
        encoding="utf-8",
    )
    assert sfumato.compile(path, chip=CHIP).call
    with pytest.raises(sfumato.Error) as caught:
        sfumato.compile(path, chip=chip)
    assert f"call.cpp:3: {name}: " in str(caught.value) and "Ascend950" in str(caught.value), caught.value


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("AscendC::NdDmaParams<float, 6> params; AscendC::DataCopy<float, 6>(ub, in, params);", "dim is 1 to 5"),
        ("AscendC::DataCopy<float, true>(ub, in, AscendC::Dn2NzParams());", "no page gives its layout"),
        ("AscendC::DataCopy<float, true>(ub, in, AscendC::Nd2NzParams());", "no page gives its layout"),
    ],
)
def test_what_a_build_refuses(tmp_path, line, words):
    path = tmp_path / "call.cpp"
    path.write_text(
        '#include "kernel_operator.h"\n'
        'extern "C" __global__ __aicore__ void call(GM_ADDR x) {\n'
        "    AscendC::LocalTensor<float> ub;\n"
        "    AscendC::GlobalTensor<float> in;\n"
        f"    {line}\n"
        "}\n",
        encoding="utf-8",
    )
    with pytest.raises(sfumato.Error) as caught:
        sfumato.compile(path, chip=CHIP)
    assert words in str(caught.value) and "call.cpp:5" in str(caught.value), caught.value
