# SPDX-License-Identifier: Apache-2.0
"""What a build refuses, what it says of calls on registers for a chip without them, and every spelling it takes."""

import ml_dtypes
import numpy as np
import pytest
from conftest import CHIP, KERNELS, run, same

import sfumato

SOURCE = (KERNELS / "refused.cpp").read_text(encoding="utf-8").split("\n")
MARK = "// refused: "
REFUSED = [
    ("Sub", "MERGING is not supported by Reg::Sub [mode-unsupported]"),
    ("Exp", "MERGING is not supported by Reg::Exp [mode-unsupported]"),
    ("Muls", "MERGING is not supported by Reg::Muls [mode-unsupported]"),
    ("LoadAlign", "post mode NORMAL is not supported by this form of Reg::LoadAlign [mode-unsupported]"),
    ("MaskGenWithRegTensor", "offset is 0 to 15 for 16 bits, 0 to 31 for 32 [parameter-range]"),
    ("Move", "Reg::Move with a mask has MERGING alone [mode-unsupported]"),
    (
        "Cast<half, float, kThird>",
        "layoutMode ZERO and ONE are for widths of ratio 2, ZERO to THREE for 4 [mode-unsupported]",
    ),
    ("Cast<int16_t, float, kOdd>", "CAST_ODD is for float to half alone [rounding-unsupported]"),
    ("Cast<half, float, kHybrid>", "and CAST_HYBRID to no other type [rounding-unsupported]"),
    (
        "Cast<fp8_e4m3fn_t, float, kFloor>",
        "to fp8_e4m3fn_t and fp8_e5m2_t CAST_RINT alone is legal [rounding-unsupported]",
    ),
    ("MoveMask", "Reg::MoveMask: T has 16 or 32 bits [type-unsupported]"),
]


def test_the_right_kernel(build):
    x = np.arange(64, dtype=np.float32)
    same(run(build("refused").right, x, np.zeros(64, np.float32), outputs=(1,)), x + x)


@pytest.mark.parametrize(("call", "text"), REFUSED, ids=[call for call, _ in REFUSED])
def test_what_a_build_refuses(tmp_path, call, text):
    assert len(REFUSED) == sum(MARK in line for line in SOURCE)
    at = next(i for i, line in enumerate(SOURCE) if f"{MARK}Reg::{call}" in line or f"= Reg::{call}" in line)
    lines = list(SOURCE)
    lines[at] = lines[at].replace(MARK, "")
    path = tmp_path / "refused.cpp"
    path.write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "common.h").write_text((KERNELS / "common.h").read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(sfumato.Error) as caught:
        sfumato.compile(path, chip=CHIP)
    assert text in str(caught.value), caught.value
    assert f"refused.cpp:{at + 1}" in str(caught.value), caught.value


STARTS = {
    "__VEC_SCOPE__": "__VEC_SCOPE__ { AscendC::Reg::RegTensor<float> v; }",
    "asc_vf_call": "asc_vf_call<Nothing>(uint32_t(1));",
    "MicroAPI": "AscendC::MicroAPI::RegTensor<float> v;",
}


@pytest.mark.parametrize("chip", ["Ascend910B1", "Ascend310P3"])
@pytest.mark.parametrize("start", STARTS)
def test_another_chip_has_no_registers(tmp_path, chip, start):
    path = tmp_path / "start.cpp"
    path.write_text(
        '#include "kernel_operator.h"\n'
        "__simd_vf__ inline void Nothing(uint32_t n) {}\n"
        'extern "C" __global__ __aicore__ void start(GM_ADDR x) {\n'
        f"    {STARTS[start]}\n"
        "}\n",
        encoding="utf-8",
    )
    assert sfumato.compile(path, chip=CHIP).start
    with pytest.raises(sfumato.Error) as caught:
        sfumato.compile(path, chip=chip)
    assert f"start.cpp:4: {start}: " in str(caught.value) and "Ascend950" in str(caught.value), caught.value


LATER = {
    "__simt_vf__": "__simt_vf__ inline void Thread(__gm__ float* x) {}",
    "dim3": "inline void Start() { dim3 threads{64}; }",
    "threadIdx": "inline uint32_t Lane() { return threadIdx.x; }",
    "asc_syncthreads": "inline void Meet() { asc_syncthreads(); }",
    "Simt": "inline void Start() { AscendC::Simt::VF_CALL<nullptr>(); }",
    "simt_api/asc_simt.h": '#include "simt_api/asc_simt.h"',
    "LoadData2DMxParams": "AscendC::LoadData2DMxParams mx;",
    "MmadMx": "inline void Product() { AscendC::MmadMx(1, 2, 3); }",
    "PhiloxRandom": "inline void Random() { AscendC::PhiloxRandom<10>(1, 2); }",
    "SortConfig": "constexpr AscendC::SortConfig kSort{};",
}


@pytest.mark.parametrize("name", LATER)
def test_what_is_not_here_yet_is_refused_by_name(tmp_path, name):
    path = tmp_path / "later.cpp"
    path.write_text(
        f'#include "kernel_operator.h"\n{LATER[name]}\nextern "C" __global__ __aicore__ void later(GM_ADDR x) {{}}\n',
        encoding="utf-8",
    )
    with pytest.raises(sfumato.Error) as caught:
        sfumato.compile(path, chip=CHIP)
    said = str(caught.value)
    assert f"later.cpp:2: {name}: " in said and "not here yet" in said, said


@pytest.mark.parametrize("chip", ["Ascend950PR", "Ascend950DT", "Ascend950"])
def test_names_of_the_chip(chip):
    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    assert not sfumato.compile(KERNELS / "refused.cpp", chip=chip).right[1](x, y).findings
    same(y, x + x)


def test_limits_of_types(build):
    y = np.zeros(24, np.float32)
    assert not build("spellings").limits[1](y).findings
    half, bfloat16 = np.finfo(np.float16), ml_dtypes.finfo(ml_dtypes.bfloat16)
    expected = [
        value
        for info in (half, bfloat16, np.finfo(np.float32))
        for value in (info.max, info.min, info.smallest_normal, np.inf, -np.inf, info.smallest_subnormal)
    ]
    same(y[:18], np.array([float(value) for value in expected], np.float32))
    same(y[18:], np.array([127, -128, 255, 0, 253952, 253952], np.float32))


def test_spellings_of_public_programs(build):
    y = np.zeros(64, np.float32)
    assert not build("spellings").spellings[1](y, 20).findings
    expected = np.full(64, 5, np.float32)
    expected[0] = 2 * 8 * 4  # bytes that a Squeeze of 8 words has counted, asked for twice
    same(y, expected)


def test_traits_of_class_templates(build):
    x = np.arange(64, dtype=np.float32)
    same(run(build("spellings").narrower, x, np.zeros(64, np.int16), outputs=(1,)), np.full(64, x.sum(), np.int16))


def test_older_names_tell_their_own_place(build):
    source = (KERNELS / "spellings.cpp").read_text(encoding="utf-8").split("\n")
    with pytest.raises(sfumato.KernelError) as caught:
        build("spellings").misaligned[1](np.zeros(64, np.float32))
    found = caught.value.result.findings[0]
    assert found.rule == "ub-alignment", found
    assert "DataCopy(v, xs.Address() + 1)" in source[found.line - 1], found
