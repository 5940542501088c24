// SPDX-License-Identifier: Apache-2.0
#include "copy_any.h"
#include "kernel_operator.h"

using namespace AscendC;

#if ORIG_DTYPE_X == DT_FLOAT && ORIG_DTYPE_Y == DT_BF16
constexpr RoundMode MODE = RoundMode::CAST_RINT;
#elif ORIG_DTYPE_X == DT_FLOAT && ORIG_DTYPE_Y == DT_INT32
constexpr RoundMode MODE = RoundMode::CAST_TRUNC;
#elif ORIG_DTYPE_X == DT_INT32
constexpr RoundMode MODE = RoundMode::CAST_NONE;
#elif ORIG_DTYPE_Y == DT_INT8
constexpr RoundMode MODE = RoundMode::CAST_CEIL;
#else
constexpr RoundMode MODE = RoundMode::CAST_NONE;
#endif

extern "C" __global__ __aicore__ void cast_any(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(td, tiling);
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> inQue;
    TQue<QuePosition::VECOUT, 2> outQue;
    pipe.InitBuffer(inQue, 2, td.ubFactor * sizeof(DTYPE_X));
    pipe.InitBuffer(outQue, 2, td.ubFactor * sizeof(DTYPE_Y));
    const uint64_t begin = GetBlockIdx() * td.perCore;
    if (begin >= td.total) {
        return;
    }
    const uint64_t length = td.total - begin < td.perCore ? td.total - begin : td.perCore;
    GlobalTensor<DTYPE_X> xGm;
    GlobalTensor<DTYPE_Y> yGm;
    xGm.SetGlobalBuffer((__gm__ DTYPE_X*)x + begin, length);
    yGm.SetGlobalBuffer((__gm__ DTYPE_Y*)y + begin, length);
    for (uint64_t i = 0; i < length; i += td.ubFactor) {
        const uint32_t count = length - i < td.ubFactor ? length - i : td.ubFactor;
        auto xUb = inQue.AllocTensor<DTYPE_X>();
        CopyInAny(xUb, xGm[i], count);
        inQue.EnQue(xUb);
        xUb = inQue.DeQue<DTYPE_X>();
        auto yUb = outQue.AllocTensor<DTYPE_Y>();
        Cast(yUb, xUb, MODE, count);
        inQue.FreeTensor(xUb);
        outQue.EnQue(yUb);
        yUb = outQue.DeQue<DTYPE_Y>();
        CopyOutAny(yGm[i], yUb, count);
        outQue.FreeTensor(yUb);
    }
}
