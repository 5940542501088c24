# SPDX-License-Identifier: Apache-2.0
"""What compiled sources say that no call does: the workspace parameter, constant tables, numbers of types; slices from a kernel."""

import subprocess

import numpy as np
import pytest

import sfumato
from installation import COMMAND

CHIP = "Ascend910B1"
HEAD = '#include "kernel_operator.h"\nusing namespace AscendC;\n#define KERNEL extern "C" __global__ __aicore__ void\n'

WORKSPACE = (
    HEAD
    + """
KERNEL marked(GM_ADDR y, __kfc_workspace__ GM_ADDR workspace) {
    ((__gm__ int32_t*)y)[0] = GetSysWorkSpacePtr() == workspace;
}
namespace ops {
__global__ __aicore__ void inner(__kfc_workspace__ __gm__ uint8_t* workspace, GM_ADDR y) {
    ((__gm__ int32_t*)y)[0] = GetSysWorkSpacePtr() == workspace;
}
}
KERNEL plain(GM_ADDR y, GM_ADDR workspace) { ((__gm__ int32_t*)y)[0] = GetSysWorkSpacePtr() == workspace; }
"""
)

TABLE = (
    HEAD
    + """
static const __gm__ int32_t kTable[8] = {1, 2, 3, 4, 5, 6, 7, 8};
namespace ops {
__gm__ constexpr float kHalves[16] = {0.5f, 1, 1.5f, 2, 2.5f, 3, 3.5f, 4, 4.5f, 5, 5.5f, 6, 6.5f, 7, 7.5f, 8};
}
namespace { const __gm__ int32_t kHidden[8] = {9, 9, 9, 9, 9, 9, 9, 9}; }
template <class T> __aicore__ inline void Copy(GM_ADDR y, const T* table, uint32_t at, uint32_t n, bool back = false) {
    InitSocState();
    LocalTensor<T> t(TPosition::VECCALC, 0, 64);
    GlobalTensor<T> from, to;
    from.SetGlobalBuffer(const_cast<__gm__ T*>(table), n);
    to.SetGlobalBuffer((__gm__ T*)y, n);
    DataCopy(t, from[at], n);
    PipeBarrier<PIPE_ALL>();
    back ? DataCopy(from, t, n) : DataCopy(to, t, n);
    PipeBarrier<PIPE_ALL>();
}
KERNEL integers(GM_ADDR y) { Copy(y, kTable, 0, 8); }
KERNEL floats(GM_ADDR y) { Copy(y, ops::kHalves, 0, 16); }
KERNEL hidden(GM_ADDR y) { Copy(y, kHidden, 0, 8); }
KERNEL of_function(GM_ADDR y) {
    static const __gm__ int32_t kOwn[] = {8, 7, 6, 5, 4, 3, 2, 1};
    Copy(y, kOwn, 0, 8);
}
KERNEL scalar(GM_ADDR y) {
    GlobalTensor<int32_t> from;
    from.SetGlobalBuffer(const_cast<__gm__ int32_t*>(kTable), 8);
    ((__gm__ int32_t*)y)[0] = from.GetValue(5);
}
KERNEL past(GM_ADDR y) { Copy(y, kTable, 8, 8); }
KERNEL written(GM_ADDR y) { Copy(y, kTable, 0, 8, true); }
KERNEL stored(GM_ADDR y) {
    GlobalTensor<int32_t> from;
    from.SetGlobalBuffer(const_cast<__gm__ int32_t*>(kTable), 8);
    from.SetValue(2, 9);
}
"""
)

NUMBERS = (
    HEAD
    + """
constexpr int biasType = DT_BF16;
KERNEL numbers(GM_ADDR y) {
#if DT_FLOAT8_E4M3FN == 36 && DT_UINT1 == 30 && DT_HIFLOAT8 == 34
    ((__gm__ int32_t*)y)[0] = biasType == DT_INT32 ? 0 : DT_INT4;
#endif
}
"""
)

OWN_NUMBERS = (
    HEAD
    + """
enum Types { DT_FLOAT = 5, DT_BF16 = 7 };
KERNEL numbers(GM_ADDR y) { ((__gm__ int32_t*)y)[0] = DT_FLOAT + DT_BF16; }
"""
)


def compiled(text):
    return sfumato.compile(text, chip=CHIP)


@pytest.mark.parametrize("kernel", ["marked", "ops::inner"])
def test_the_marked_parameter_is_the_workspace(kernel):
    y, workspace = np.zeros(8, np.int32), np.zeros(64, np.uint8)
    arguments = (y, workspace) if kernel == "marked" else (workspace, y)
    compiled(WORKSPACE)[kernel][1](*arguments)
    assert y[0] == 1


def test_without_a_mark_the_workspace_is_the_launchs():
    y = np.ones(8, np.int32)
    compiled(WORKSPACE)["plain"][1](y, np.zeros(64, np.uint8))
    assert y[0] == 0


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        ("integers", np.arange(1, 9, dtype=np.int32)),
        ("floats", np.arange(1, 17, dtype=np.float32) / 2),
        ("of_function", np.arange(8, 0, -1, dtype=np.int32)),
        ("hidden", np.full(8, 9, np.int32)),
    ],
)
def test_a_constant_table_is_global_memory(kernel, expected):
    for check in ("", "all"):
        y = np.zeros_like(expected)
        result = compiled(TABLE)[kernel][1].options(check=check)(y)
        np.testing.assert_array_equal(y, expected)
        assert [report.rule for report in result.findings] == []


def test_an_element_of_a_constant_table():
    y = np.zeros(8, np.int32)
    compiled(TABLE)["scalar"][1](y)
    assert y[0] == 6


@pytest.mark.parametrize(
    ("kernel", "rule", "text"),
    [
        ("past", "gm-out-of-range", "past the end of kTable in global memory"),
        ("written", "gm-constant", "DataCopy: a constant table of the kernel is written\n"),
        ("stored", "gm-constant", "SetValue: a constant table of the kernel is written\n"),
    ],
)
def test_what_a_constant_table_is_not(kernel, rule, text):
    with pytest.raises(sfumato.KernelError) as caught:
        compiled(TABLE)[kernel][1](np.zeros(8, np.int32))
    assert f"fault [{rule}]" in str(caught.value)
    assert text in str(caught.value)


def test_numbers_of_types_without_a_build():
    y = np.zeros(8, np.int32)
    compiled(NUMBERS)["numbers"][1](y)
    assert y[0] == 29
    compiled(OWN_NUMBERS)["numbers"][1](y)
    assert y[0] == 12


MARKS = (
    HEAD
    + """
KERNEL marks(GM_ADDR y) {
    LocalTensor<float> t(TPosition::VECCALC, 0, 64);
    TRACE_START(4);
    Duplicate(t, 1.0f, 64);
    TRACE_STOP(4, PIPE_V);
    PrintTimeStamp(7);
    asc_time_stamp(8);
}
"""
)


def test_marks_are_there_where_the_build_asks_for_them(tmp_path, capfd):
    for flags, ranges, lines in (([], 0, 0), (["-DASCENDC_TRACE_ON", "-DASCENDC_TIME_STAMP_ON"], 1, 2)):
        trace = tmp_path / f"{ranges}.json"
        kernel = sfumato.compile(MARKS, chip=CHIP, flags=flags)["marks"]
        kernel[1].options(trace=str(trace))(np.zeros(8, np.int32))
        assert trace.read_text().count('"TRACE 4"') == ranges
        assert capfd.readouterr().out.count("rsv is 0, timeStamp is ") == lines


DUMP = HEAD + "KERNEL dumps(__gm__ int32_t* y) { asc_dump_gm(y, 1, 2), asc_dump(y, 2, 2); }"


def test_dumps_are_left_out_where_the_build_says_so(capfd):
    for flags, dumps in (([], 2), (["-DASCENDC_DUMP=1"], 2), (["-DASCENDC_DUMP=0"], 0)):
        sfumato.compile(DUMP, chip=CHIP, flags=flags)["dumps"][1](np.zeros(8, np.int32))
        assert capfd.readouterr().out.count("DumpTensor: desc=") == dumps


PROGRAM = r"""#include <cstdio>
#include "acl/acl.h"
#include "runtime/rt_ffts.h"
#include "kernel_operator.h"
using namespace AscendC;
static const __gm__ int32_t kTable[8] = {1, 2, 3, 4, 5, 6, 7, 8};
namespace ops {
template <class T> __global__ __aicore__ void inner(__kfc_workspace__ GM_ADDR workspace, __gm__ T* y) {
    y[0] = y[0] + T(GetSysWorkSpacePtr() == workspace ? 100 : 0);
}
}
__global__ __aicore__ void fill(GM_ADDR y, __kfc_workspace__ GM_ADDR workspace) {
    InitSocState();
    LocalTensor<int32_t> t(TPosition::VECCALC, 0, 8);
    GlobalTensor<int32_t> from, to;
    from.SetGlobalBuffer(const_cast<__gm__ int32_t*>(kTable), 8);
    to.SetGlobalBuffer((__gm__ int32_t*)y, 8);
    DataCopy(t, from, 8);
    PipeBarrier<PIPE_ALL>();
    Adds(t, t, GetSysWorkSpacePtr() == workspace ? 10 : 0, 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, t, 8);
    PipeBarrier<PIPE_ALL>();
}
int main() {
    uint64_t address = 1;
    uint32_t length = 0;
    void *y = nullptr, *workspace = nullptr;
    int32_t numbers[8] = {};
    aclrtStream stream = nullptr;
    aclInit(nullptr), aclrtSetDevice(0), aclrtCreateStream(&stream);
    if (rtGetC2cCtrlAddr(&address, &length) != 0) return 1;
    aclrtMalloc(&y, 32, ACL_MEM_MALLOC_HUGE_FIRST), aclrtMalloc(&workspace, 1024, ACL_MEM_MALLOC_HUGE_FIRST);
    fill<<<1, nullptr, stream>>>((uint8_t*)y, (uint8_t*)workspace);
    ops::inner<int32_t><<<1, nullptr, stream>>>(workspace, y);
    const int code = aclrtSynchronizeStream(stream);
    aclrtMemcpy(numbers, 32, y, 32, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%d:", code);
    for (int n : numbers) std::printf(" %d", n);
    return 0;
}
"""


def test_the_same_of_a_program_with_launches(tmp_path):
    (tmp_path / "p.cpp").write_text(PROGRAM)
    built = subprocess.run(
        [COMMAND, "build", "p.cpp", "-o", "p", f"--chip={CHIP}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    done = subprocess.run(["./p"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("0: 111 12 13 14 15 16 17 18", 0), done.stderr
    assert done.stderr == ""
