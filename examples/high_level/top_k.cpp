// SPDX-License-Identifier: Apache-2.0
// The k largest of each row of float, in descending order, and their places: a row of `inner` elements at a time.
//
//   sfumato run examples/high_level/top_k.cpp --chip Ascend910B1 --blocks 4 --
//       x.npy 'out:float32[30,8]=y.npy' 'out:int32[30,8]=places.npy' uint32:30 uint32:160 uint32:8
//       'tiling-of:topk(inner=160, k=8, type=float)'
#include "kernel_operator.h"

using namespace AscendC;

template <class T>
__aicore__ inline GlobalTensor<T> Global(GM_ADDR address, uint64_t count) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address), count);
    return tensor;
}

extern "C" __global__ __aicore__ void top_k(GM_ADDR x, GM_ADDR y, GM_ADDR places_gm, uint32_t rows, uint32_t inner,
                                            uint32_t k, GM_ADDR tiling_gm) {
    GET_TILING_DATA_WITH_STRUCT(TopkTiling, tiling, tiling_gm);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> ins;
    TQue<TPosition::VECOUT, 2> values, places;
    const uint32_t room = (k + 7) / 8 * 32;
    pipe.InitBuffer(ins, 2, inner * sizeof(float));
    pipe.InitBuffer(values, 2, room);
    pipe.InitBuffer(places, 2, room);
    LocalTensor<int32_t> counted;  // without indices of the program's the elements are counted
    LocalTensor<bool> unfinished;
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        auto in = ins.AllocTensor<float>();
        DataCopy(in, Global<float>(x, uint64_t{rows} * inner)[row * inner], inner);
        ins.EnQue(in);
        in = ins.DeQue<float>();
        auto value = values.AllocTensor<float>();
        auto place = places.AllocTensor<int32_t>();
        TopK<float>(value, place, in, counted, unfinished, k, tiling,
                    TopKInfo{1, static_cast<int32_t>(inner), static_cast<int32_t>(inner)});
        ins.FreeTensor(in);
        values.EnQue(value);
        places.EnQue(place);
        value = values.DeQue<float>();
        place = places.DeQue<int32_t>();
        const DataCopyExtParams out(1, k * sizeof(float), 0, 0, 0);
        DataCopyPad(Global<float>(y, uint64_t{rows} * k)[row * k], value, out);
        DataCopyPad(Global<int32_t>(places_gm, uint64_t{rows} * k)[row * k], place, out);
        values.FreeTensor(value);
        places.FreeTensor(place);
    }
}
