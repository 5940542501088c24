// SPDX-License-Identifier: Apache-2.0
// y[i] = the sum of row i, one block a row; at most 2040 columns.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void row_sum(GM_ADDR x, GM_ADDR y, uint32_t columns) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> row, sum, work;
    pipe.InitBuffer(row, 8192);
    pipe.InitBuffer(sum, 32);
    pipe.InitBuffer(work, 8192);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x) + GetBlockIdx() * columns, columns);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y) + GetBlockIdx(), 1);
    LocalTensor<float> t = row.Get<float>(), s = sum.Get<float>();
    DataCopyPad(t, from, DataCopyExtParams{1, static_cast<uint32_t>(columns * sizeof(float)), 0, 0, 0},
                DataCopyPadExtParams<float>{false, 0, 0, 0});
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    ReduceSum<float>(s, t, work.Get<float>(), static_cast<int32_t>(columns));
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopyPad(to, s, DataCopyExtParams{1, sizeof(float), 0, 0, 0});
}
