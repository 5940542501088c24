// SPDX-License-Identifier: Apache-2.0
#include "copy_any.h"
#include "kernel_operator.h"

using AscendC::LocalTensor;
using AscendC::TPosition;

extern "C" __global__ __aicore__ void add_n_tensors(GM_ADDR inputs, GM_ADDR sum, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA_MEMBER(AddNTensorsTilingData, count, count, tiling);
    GET_TILING_DATA_MEMBER(AddNTensorsTilingData, length, length, tiling);
    GET_TILING_DATA_MEMBER(AddNTensorsTilingData, tile, tile, tiling);
    using T = DTYPE_INPUTS;
    AscendC::TPipe pipe;
    AscendC::TQue<TPosition::VECIN, 2> inQueue;
    AscendC::TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 2, tile * sizeof(T));
    pipe.InitBuffer(outQueue, 1, tile * sizeof(T));
    AscendC::ListTensorDesc list((__gm__ void*)inputs);
    AscendC::GlobalTensor<T> to;
    to.SetGlobalBuffer((__gm__ T*)sum, length);
    for (uint32_t at = AscendC::GetBlockIdx() * tile; at < length; at += AscendC::GetBlockNum() * tile) {
        const uint32_t part = length - at < tile ? length - at : tile;
        LocalTensor<T> out = outQueue.AllocTensor<T>();
        AscendC::Duplicate(out, T(0), part);
        for (uint32_t i = 0; i < count; ++i) {
            AscendC::GlobalTensor<T> from;
            from.SetGlobalBuffer(list.GetDataPtr<T>(i), length);
            LocalTensor<T> in = inQueue.AllocTensor<T>();
            CopyInAny(in, from[at], part);
            inQueue.EnQue(in);
            in = inQueue.DeQue<T>();
            AscendC::Add(out, out, in, part);
            inQueue.FreeTensor(in);
        }
        outQueue.EnQue(out);
        out = outQueue.DeQue<T>();
        CopyOutAny(to[at], out, part);
        outQueue.FreeTensor(out);
    }
}
