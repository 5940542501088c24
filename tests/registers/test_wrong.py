# SPDX-License-Identifier: Apache-2.0
"""Wrong kernels: what is told of each, and where; the right kernel one line away is silent and right."""

import numpy as np
import pytest
from conftest import KERNELS, run, same
from raised import raised
from twins import Twins

FILES = [Twins(KERNELS / f"{name}.cpp", "common.h") for name in ("twins", "twins_operations")]
X = (np.arange(128, dtype=np.float32) + 0.5) / 4
WORDS = np.arange(0, -64, -1, dtype=np.int32)


def file_of(kernel):
    return next(twins for twins in FILES if twins.has(kernel))


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    """The kernels of each file, each kernel with its line exchanged."""
    folder = tmp_path_factory.mktemp("wrong")
    return {twins.path.stem: twins.exchanged(folder) for twins in FILES}


# kernel, rule, what the line that is told of contains, what was found; None: the line that was exchanged.
CASES = [
    ("outside", "vector-function", "LoadAlign", "a call of the scalar unit"),
    ("inside", "vector-function", None, "a call between __VEC_SCOPE__ and its end"),
    ("misaligned", "ub-alignment", "Reg::LoadAlign(v, x", "byte 4 of UB, 4 past a multiple"),
    ("misaligned_mask", "ub-alignment", None, "byte 272 of UB, 16 past a multiple"),
    ("past_end", "past-memory", None, "256 bytes from byte 253728 on"),
    ("past_end_by_index", "past-memory", "Gather", "4 bytes from byte 253952 on"),
    ("global_pointer", "ub-pointer", None, "an address of global memory"),
    ("mask_unset", "register-unset", "StoreAlign", "a MaskReg as declared"),
    ("mask_of_mask_unset", "register-unset", "Reg::And", "a MaskReg as declared"),
    ("no_post", "unaligned-stream", "StoreUnAlign(", "no StoreUnAlignPost before the vector function ends"),
    ("no_pre", "unaligned-stream", "LoadUnAlign(", "a register that nothing has filled"),
    ("other_pre", "unaligned-stream", "LoadUnAlign(", "the block of byte 0 of UB"),
    ("mixed_streams", "unaligned-stream", None, "byte 256 of UB, behind a store that ended at byte 348"),
    ("squeezed_twice", "unaligned-stream", "(again, v", "two Squeeze<STORE_REG> without StoreUnAlign between them"),
    ("nothing_squeezed", "unaligned-stream", "StoreUnAlign", "no Squeeze<STORE_REG> before it"),
    ("scatter_twice", "scatter-twice", "Scatter", "index 0 in lanes 0 and 1"),
    ("blocks_by_elements", "gather-alignment", "GatherB", "lane 1: 8"),
    ("index_type", "type-unsupported", "Gather", "float with uint16_t"),
    ("no_form", "type-unsupported", None, "int32_t"),
    ("no_conversion", "type-unsupported", None, "float to uint16_t"),
    ("one_register", "parameter-range", "LoadAlign", "one register"),
    ("no_flag_before", "race", "Reg::LoadAlign", "read after write, bytes 0 to 255"),
    ("no_flag_behind", "race", "DataCopy(gy", "read after write, bytes 256 to 511"),
    ("no_flag_for_scalars", "race", "SetValue", "read after write, bytes 260 to 263"),
    (
        "end_not_stored",
        "uninitialised-read",
        "common.h: DataCopyPad(global_",
        "bytes 384 to 511 of UB, which nobody wrote",
    ),
    (
        "nobody_wrote",
        "uninitialised-read",
        "common.h: DataCopyPad(global_",
        "bytes 256 to 511 of UB, which nobody wrote",
    ),
    (
        "register_unset",
        "uninitialised-read",
        "common.h: DataCopyPad(global_",
        "bytes 256 to 511 of UB, which nobody wrote",
    ),
    ("unordered", "register-order", "LoadAlign(w", "stores bytes 256 to 511 of UB, this one bytes 256 to 511"),
    ("negative_shift", "shift-range", None, "-2"),
    ("negative_shift_in_a_lane", "shift-range", "ShiftLeft(w", "-3 in lane 0"),
    ("divided_by_zero", "input-range", "Div(v", "0 in lane 5"),
    ("one_result", "operands-share", None, "dstReg0 and dstReg1 the same"),
    ("carry_unset", "register-unset", "AddC", "a MaskReg as declared"),
    ("control_inside", "vector-function", None, "SetCtrlSpr"),
    ("control_of_no_bit", "ctrl-bits", None, "bits 49..49 = 1"),
    ("stored_twice", "register-order", "ys.Address(), v", "stores bytes 512 to 767 of UB, this one bytes 512 to 767"),
    ("stored_over_a_load", "register-order", "xs.Address(), w", "loads bytes 0 to 255 of UB, this one bytes 0 to 255"),
    ("other_bar", "register-order", "LoadAlign(w", "stores bytes 256 to 511 of UB, this one bytes 256 to 511"),
    ("stored_past_the_end", "past-memory", "+ at", "256 bytes from byte 253824 on"),
    ("scattered_past_the_end", "past-memory", "Scatter", "4 bytes from byte 253952 on"),
    ("element_misaligned", "ub-alignment", "LoadAlign", "byte 2 of UB, 2 past a multiple"),
    ("blocks_misaligned", "ub-alignment", "LoadAlign", "byte 12 of UB, 12 past a multiple"),
    ("count_not_cleared", "unaligned-stream", "Reg::Squeeze", "AR is 64 bytes"),
    ("two_from_one", "parameter-range", "StoreAlign", "one register"),
    ("no_flag_to_loads", "race", "DataCopy(a", "write after read, bytes 0 to 255"),
]
RIGHT = {
    "inside": X[:64] + 1,
    "no_post": X[:60],
    "no_pre": X[3:67],
    "other_pre": X[21:85],
    "mixed_streams": np.concatenate([X[:12], X[:11]]),
    "squeezed_twice": np.tile(X[:16], 2),
    "nothing_squeezed": X[:16],
    "scatter_twice": X[63::-1],
    "no_form": np.arange(64, dtype=np.int32),
    "no_conversion": np.rint(X[:64]).astype(np.int16),
    "no_flag_for_scalars": np.concatenate([X[1:2], X[1:64]]),
    "nobody_wrote": X[:64] * 2,
    "negative_shift": WORDS << 2,
    "negative_shift_in_a_lane": np.where(np.arange(64) < 16, WORDS << (np.arange(64) % 32), 0).astype(np.int32),
    "divided_by_zero": np.trunc(WORDS / np.arange(1, 65)).astype(np.int32),
    "one_result": np.repeat(X[:32], 2),
    "carry_unset": WORDS * 2,
    "count_not_cleared": np.tile(X[:16], 2),
    "element_misaligned": np.full(64, X[0]),
    "no_flag_to_loads": X,
}


def arguments(kernel):
    expected = RIGHT.get(kernel, X[:64])
    words = expected.dtype == np.int32
    return WORDS if words else X, np.zeros_like(expected), expected


def test_every_kernel_has_a_wrong_twin():
    kernels = [case[0] for case in CASES]
    assert len(kernels) == len(set(kernels)) == sum(twins.kernels() for twins in FILES)
    assert [file_of(kernel).wrong_lines(kernel) for kernel in kernels] == [1] * len(kernels)


@pytest.mark.parametrize("kernel", [case[0] for case in CASES])
def test_right_twins_are_silent(build, kernel):
    x, y, expected = arguments(kernel)
    twins = file_of(kernel)
    right = getattr(build(twins.path.stem), kernel)
    same(run(right, x, y, outputs=(1,)), expected)
    assert not right[1].options(**twins.strict)(x, y).findings
    same(y, expected)


@pytest.mark.parametrize(("kernel", "rule", "line", "found"), CASES, ids=[case[0] for case in CASES])
def test_what_is_told_of_wrong_twins(wrong, kernel, rule, line, found):
    x, y, _ = arguments(kernel)
    twins = file_of(kernel)
    first = twins.told(wrong[twins.path.stem], kernel, line, (x, y))
    assert first.rule == rule, first
    assert first.found.endswith(found), first
    raised(rule)
