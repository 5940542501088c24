# SPDX-License-Identifier: Apache-2.0
"""Kinds of what outside kernels write: Copy of the first elements, float16_t in no namespace, pointers of a list copied in whole blocks."""

import numpy as np
import pytest

import sfumato

COPY = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void copy_first(GM_ADDR x, GM_ADDR y, uint32_t n, uint32_t room) {
    GlobalTensor<DTYPE> from, to;
    from.SetGlobalBuffer((__gm__ DTYPE*)x, room);
    to.SetGlobalBuffer((__gm__ DTYPE*)y, room);
    TPipe pipe;
    TBuf<> a, b;
    pipe.InitBuffer(a, room * sizeof(DTYPE));
    pipe.InitBuffer(b, room * sizeof(DTYPE));
    LocalTensor<DTYPE> src = a.Get<DTYPE>(), dst = b.Get<DTYPE>();
    DataCopy(src, from, room);
    DataCopy(dst, to, room);
    PipeBarrier<PIPE_ALL>();
    Copy(dst, src, n);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, dst, room);
}
"""
HALF = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void is_half(GM_ADDR y) {
    AscendC::GlobalTensor<int32_t> out;
    out.SetGlobalBuffer((__gm__ int32_t*)y, 8);
    out.SetValue(0, std::is_same_v<float16_t, half> && sizeof(float16_t) == 2);
}
"""
OWN_HALF = HALF.replace("extern", "typedef float float16_t;\nextern")
POINTERS = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void first_of_each(GM_ADDR list, GM_ADDR y, uint32_t n) {
    GlobalTensor<uint64_t> words;
    words.SetGlobalBuffer((__gm__ uint64_t*)list, 64);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 512);
    LocalTensor<uint64_t> pointers = buffer.Get<uint64_t>();
    DataCopyExtParams params{1, (n * 8 + 31) / 32 * 32, 0, 0, 0};
    DataCopyPad(pointers, words[words.GetValue(0) / 8], params, DataCopyPadExtParams<uint64_t>{false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
    for (uint32_t i = 0; i < n; ++i) {
        GlobalTensor<float> one, out;
        one.SetGlobalBuffer((__gm__ float*)pointers.GetValue(i), 1);
        out.SetGlobalBuffer((__gm__ float*)y, 8);
        out.SetValue(i, one.GetValue(0));
    }
}
"""


@pytest.mark.parametrize("chip", ["Ascend910B1", "Ascend310B1"])
@pytest.mark.parametrize("dtype, name", [("float16", "half"), ("int32", "int32_t")])
@pytest.mark.parametrize("n", [1, 100, 128, 200, 4096, 5000])
def test_copy_of_the_first_elements(chip, dtype, name, n):
    kernel = sfumato.compile(COPY, chip=chip, defines={"DTYPE": name}).copy_first[1]
    x, y = np.arange(8192).astype(dtype), np.full(8192, -1).astype(dtype)
    right = np.concatenate([x[:n], y[n:]])
    kernel(x, y, np.uint32(n), np.uint32(8192))
    assert np.array_equal(y, right)


@pytest.mark.parametrize("source, right", [(HALF, 1), (OWN_HALF, 0)])
def test_float16_t_is_lent_to_those_without_one(source, right):
    y = np.zeros(8, np.int32)
    sfumato.compile(source, chip="Ascend310B1").is_half[1](y)
    assert y[0] == right


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_pointers_of_a_list_are_copied_in_whole_blocks(n):
    y = np.zeros(8, np.float32)
    sfumato.compile(POINTERS, chip="Ascend910B1").first_of_each[1](
        [np.full((3, 4), i, np.float32) for i in range(1, n + 1)], y, np.uint32(n)
    )
    assert list(y[:n]) == list(range(1, n + 1))


# Tiling headers of older projects bring the host's, whose enumerators have the names of the kernel's macros.
BOTH = """#include "kernel_operator.h"
#include "register/op_def_registry.h"
#include "tiling/tiling_api.h"
extern "C" __global__ __aicore__ void type_of_x(GM_ADDR x, GM_ADDR y) {
    AscendC::GlobalTensor<int32_t> out;
    out.SetGlobalBuffer((__gm__ int32_t*)y, 8);
#if ORIG_DTYPE_X == DT_FLOAT16
    out.SetValue(0, 16);
#elif ORIG_DTYPE_X == DT_FLOAT && FORMAT_X == FORMAT_ND
    out.SetValue(0, 32);
#endif
}
"""


@pytest.mark.parametrize("word, right", [("half", 16), ("float", 32)])
def test_headers_of_host_code_in_kernels_of_types(word, right):
    y = np.zeros(8, np.int32)
    sfumato.compile(BOTH, chip="Ascend910B1", dtypes={"x": word}).type_of_x[1](np.zeros(8, np.int8), y)
    assert y[0] == right
