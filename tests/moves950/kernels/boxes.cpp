// SPDX-License-Identifier: Apache-2.0
// Boxes by NDDMA, and out again as they lie in UB. Words of a dimension: source stride, target stride, size, pads
// before and behind.
#include "kernel_operator.h"

using namespace AscendC;

template <typename T, uint8_t dim, const NdDmaConfig& config = kDefaultNdDmaConfig>
__aicore__ inline void Box(GM_ADDR x, GM_ADDR y, GM_ADDR words, uint32_t from, uint32_t to, uint32_t pad) {
    GlobalTensor<int64_t> of;
    of.SetGlobalBuffer((__gm__ int64_t*)words, 5 * dim);
    NdDmaParams<T, dim> params;
    for (uint32_t i = 0; i < dim; ++i) {
        params.loopInfo.loopSrcStride[i] = of.GetValue(5 * i);
        params.loopInfo.loopDstStride[i] = of.GetValue(5 * i + 1);
        params.loopInfo.loopSize[i] = of.GetValue(5 * i + 2);
        params.loopInfo.loopLpSize[i] = of.GetValue(5 * i + 3);
        params.loopInfo.loopRpSize[i] = of.GetValue(5 * i + 4);
    }
    params.constantValue = static_cast<T>(pad);
    GlobalTensor<T> in, out;
    in.SetGlobalBuffer((__gm__ T*)x, from);
    out.SetGlobalBuffer((__gm__ T*)y, to);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, (to * sizeof(T) + 31) / 32 * 32);
    LocalTensor<T> box = queue.AllocTensor<T>();
    DataCopy<T, dim, config>(box, in, params);
    queue.EnQue(box);
    box = queue.DeQue<T>();
    DataCopyPad(out, box, DataCopyExtParams{1, static_cast<uint32_t>(to * sizeof(T)), 0, 0, 0});
    queue.FreeTensor(box);
}

static constexpr NdDmaConfig kNearest = {true};
static constexpr NdDmaConfig kPads = {false, 2, 1, false};

#define BOX(name, ...)                                                                                          \
    extern "C" __global__ __aicore__ void name(GM_ADDR x, GM_ADDR y, GM_ADDR words, uint32_t from, uint32_t to, \
                                               uint32_t pad) {                                                  \
        Box<__VA_ARGS__>(x, y, words, from, to, pad);                                                           \
    }
BOX(box1, float, 1)
BOX(box2, float, 2)
BOX(box3, float, 3)
BOX(box4, float, 4)
BOX(box5, float, 5)
BOX(bytes2, uint8_t, 2)
BOX(bytes5, uint8_t, 5)
BOX(shorts2, int16_t, 2)
BOX(shorts5, int16_t, 5)
BOX(longs2, int64_t, 2)
BOX(longs5, int64_t, 5)
BOX(nearest_bytes, uint8_t, 3, kNearest)
BOX(nearest_shorts, int16_t, 3, kNearest)
BOX(nearest_floats, float, 3, kNearest)
BOX(same_pads, float, 2, kPads)

// Rows of a box with gaps between them in UB, where something else lies; the older names.
extern "C" __global__ __aicore__ void gaps(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, uint32_t pitch) {
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)x, rows * columns);
    out.SetGlobalBuffer((__gm__ float*)y, rows * pitch);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    TQue<TPosition::VECOUT, 1> sent;
    pipe.InitBuffer(queue, 1, (rows * pitch * sizeof(float) + 31) / 32 * 32);
    pipe.InitBuffer(sent, 1, (rows * pitch * sizeof(float) + 31) / 32 * 32);
    LocalTensor<float> box = queue.AllocTensor<float>(), result = sent.AllocTensor<float>();
    Duplicate(box, -1.0f, rows * pitch);
    TEventID event = GetTPipePtr()->FetchEventID(HardEvent::V_MTE2);
    SetFlag<HardEvent::V_MTE2>(event);
    WaitFlag<HardEvent::V_MTE2>(event);
    MultiCopyLoopInfo<2> info{{1, columns}, {1, pitch}, {columns, rows}, {0, 0}, {0, 0}};
    MultiCopyParams<float, 2> params{info, 0};
    static constexpr MultiCopyConfig config = kDefaultMultiCopyConfig;
    NdDmaDci();
    DataCopy<float, 2, config>(box, in, params);
    queue.EnQue(box);
    box = queue.DeQue<float>();
    Adds(result, box, 1.0f, rows * pitch);
    sent.EnQue(result);
    result = sent.DeQue<float>();
    DataCopyPad(out, result, DataCopyExtParams{1, static_cast<uint32_t>(rows * pitch * sizeof(float)), 0, 0, 0});
    sent.FreeTensor(result);
    queue.FreeTensor(box);
}
