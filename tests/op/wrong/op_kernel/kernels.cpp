// SPDX-License-Identifier: Apache-2.0
// The key chooses what goes wrong.
#include "kernel_operator.h"
#include "kernels_tiling.h"

using namespace AscendC;

static __aicore__ void Copy(GM_ADDR to, GM_ADDR from, uint32_t length, uint32_t most) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 1024);
    LocalTensor<DTYPE_X> local = buffer.Get<DTYPE_X>();
    GlobalTensor<DTYPE_X> in, out;
    in.SetGlobalBuffer((__gm__ DTYPE_X*)from, length);
    out.SetGlobalBuffer((__gm__ DTYPE_X*)to, length);
    DataCopy(local, in, most);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, local, length);
}

extern "C" __global__ __aicore__ void kernels(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(KernelsTiling);
    if (TILING_KEY_IS(0)) {
        GET_TILING_DATA(t, tiling);
        Copy(z, x, t.length, t.length);
    } else if (TILING_KEY_IS(1)) {
        GET_TILING_DATA(t, tiling);
        Copy(z, x, t.length, t.length + 32);
    } else if (TILING_KEY_IS(2)) {
        GET_TILING_DATA(t, tiling);
        Copy(workspace, x, t.length, t.length);
    } else if (TILING_KEY_IS(3)) {
        GET_TILING_DATA_WITH_STRUCT(LargerTiling, t, tiling);
        Copy(z, x, t.length, t.more[0]);
    } else if (TILING_KEY_IS(4)) {
        GET_TILING_DATA(t, tiling);
        Copy(z, x, t.length, t.length + t.tile);
    } else if (TILING_KEY_IS(5)) {
        GET_TILING_DATA(t, tiling);
        Copy(z, x, t.length, t.length);
    }
}

extern "C" __global__ __aicore__ void few_parameters(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {}

extern "C" __global__ __aicore__ void by_value(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, uint32_t tiling) {}
