// SPDX-License-Identifier: Apache-2.0
// GELU as rows gelu and mmg_mix of tests/timing/timing_fit.csv have it: eight vector calls, with barriers between them.
#pragma once

#include "kernel_operator.h"
using namespace AscendC;

// x / (1 + exp(-1.5957691 (x + 0.044715 x^3))). work: as large as x; to may be x or work.
__aicore__ inline void GeluOf(const LocalTensor<float>& to, const LocalTensor<float>& x, const LocalTensor<float>& work,
                              uint32_t count) {
    Mul(work, x, x, count);
    PipeBarrier<PIPE_V>();
    Mul(work, work, x, count);
    PipeBarrier<PIPE_V>();
    Muls(work, work, 0.044715f, count);
    PipeBarrier<PIPE_V>();
    Add(work, work, x, count);
    PipeBarrier<PIPE_V>();
    Muls(work, work, -1.5957691f, count);
    PipeBarrier<PIPE_V>();
    Exp(work, work, count);
    PipeBarrier<PIPE_V>();
    Adds(work, work, 1.0f, count);
    PipeBarrier<PIPE_V>();
    Div(to, x, work, count);
}
