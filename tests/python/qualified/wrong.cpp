// SPDX-License-Identifier: Apache-2.0
// Wrong kernels with arrays in local memory, and the same corrected: each is instantiated with both.
// clang-format off
#include "kernel_operator.h"
#include "words.h"

template <bool wrong>
__global__ [aicore] void unwaited(__gm__ float* x) {
    __ubuf__ float a[64];
    copy_gm_to_ubuf(a, x, 0, 1, 8, 0, 0);
    if constexpr (!wrong) Wait(PIPE_MTE2, PIPE_V);
    vadds(a, a, 1.0f, 1, 1, 1, 8, 8);
    Wait(PIPE_V, PIPE_MTE3);
    copy_ubuf_to_gm(x, a, 0, 1, 8, 0, 0);
}

template <bool wrong>
__global__ [aicore] void unwritten(__gm__ float* x) {
    __ubuf__ float a[64]; __ubuf__ float b[64];
    copy_gm_to_ubuf(a, x, 0, 1, 8, 0, 0);
    if constexpr (!wrong) vector_dup(b, 1.0f, 1, 1, 1, 8, 8);
    Wait(PIPE_MTE2, PIPE_V);
    AscendC::PipeBarrier<PIPE_V>();
    vadd(a, a, b, 1, 1, 1, 1, 8, 8, 8);
    Wait(PIPE_V, PIPE_MTE3);
    copy_ubuf_to_gm(x, a, 0, 1, 8, 0, 0);
}

template <bool wrong>
__global__ [aicore] void too_large(__gm__ float* x) {
    __ubuf__ float a[64];
    __ubuf__ float b[wrong ? 49152 : 49088];
    copy_gm_to_ubuf(b, x, 0, 1, 8, 0, 0);
    Wait(PIPE_MTE2, PIPE_V);
    vadds(a, b, 1.0f, 1, 1, 1, 8, 8);
    Wait(PIPE_V, PIPE_MTE3);
    copy_ubuf_to_gm(x, a, 0, 1, 8, 0, 0);
}

template <bool wrong>
__global__ [aicore] void with_pipe(__gm__ float* x) {
    AscendC::TPipe pipe;
    AscendC::TBuf<> buffer;
    if constexpr (wrong) pipe.InitBuffer(buffer, 256);
    __ubuf__ float a[64];
    copy_gm_to_ubuf(a, x, 0, 1, 8, 0, 0);
    Wait(PIPE_MTE2, PIPE_V);
    vadds(a, a, 1.0f, 1, 1, 1, 8, 8);
    Wait(PIPE_V, PIPE_MTE3);
    copy_ubuf_to_gm(x, a, 0, 1, 8, 0, 0);
}

template <bool wrong>
__global__ [aicore] void far_away(__gm__ float* x) {
    uint64_t n = wrong ? 0x40000 : 0x4000;
    auto* a = (__ubuf__ float*)n;
    copy_gm_to_ubuf(a, x, 0, 1, 8, 0, 0);
    Wait(PIPE_MTE2, PIPE_V);
    vadds(a, a, 1.0f, 1, 1, 1, 8, 8);
    Wait(PIPE_V, PIPE_MTE3);
    copy_ubuf_to_gm(x, a, 0, 1, 8, 0, 0);
}
