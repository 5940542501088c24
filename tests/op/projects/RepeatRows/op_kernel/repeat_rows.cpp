// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void repeat_rows(GM_ADDR x, GM_ADDR repeats, GM_ADDR y, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
    GET_TILING_DATA(tiling_data, tiling);
    if (tiling_data.rowBytes == 0) {
        return;
    }
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, (tiling_data.rowBytes + 31) / 32 * 32);
    GlobalTensor<int8_t> src, dst;
    src.SetGlobalBuffer((__gm__ int8_t*)x);
    dst.SetGlobalBuffer((__gm__ int8_t*)y);
    const uint32_t bytes = tiling_data.rowBytes;
    for (uint32_t row = GetBlockIdx(); row < tiling_data.rows; row += GetBlockNum()) {
        auto local = queue.AllocTensor<int8_t>();
        DataCopyPad(local, src[row * bytes], DataCopyExtParams(1, bytes, 0, 0, 0),
                    DataCopyPadExtParams<int8_t>(false, 0, 0, 0));
        queue.EnQue(local);
        local = queue.DeQue<int8_t>();
        for (uint32_t to = tiling_data.starts[row]; to < tiling_data.starts[row + 1]; to++) {
            DataCopyPad(dst[to * bytes], local, DataCopyExtParams(1, bytes, 0, 0, 0));
        }
        queue.FreeTensor(local);
    }
}
