// SPDX-License-Identifier: Apache-2.0
// A barrier of the scalar pipe.
// expect: PipeBarrier: PIPE_S is in order by itself; legal are PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX, PIPE_ALL
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
#ifdef WRONG
    PipeBarrier<PIPE_S>();
#else
    PipeBarrier<PIPE_V>();
#endif
}
