// SPDX-License-Identifier: Apache-2.0
// Blocks that follow each other byte for byte in UB, blocks that are read again, and moves under loop mode.
#include "kernel_operator.h"

using namespace AscendC;

// What a move brings into UB, and another takes out of it.
template <typename T>
class Buffer {
public:
    __aicore__ inline explicit Buffer(uint32_t bytes) {
        pipe_.InitBuffer(queue_, 1, (bytes + 31) / 32 * 32);
        local_ = queue_.AllocTensor<T>();
    }
    __aicore__ inline ~Buffer() { queue_.FreeTensor(local_); }
    __aicore__ inline LocalTensor<T>& Filled() { return local_; }
    __aicore__ inline LocalTensor<T>& Sent() {
        queue_.EnQue(local_);
        local_ = queue_.template DeQue<T>();
        return local_;
    }

private:
    TPipe pipe_;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue_;
    LocalTensor<T> local_;
};

template <typename T>
__aicore__ inline GlobalTensor<T> At(GM_ADDR address) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)address);
    return tensor;
}

// All of UB that a compact move has filled.
template <typename T>
__aicore__ inline void CompactIn(GM_ADDR x, GM_ADDR y, uint32_t blocks, uint32_t length, int64_t gap) {
    const uint32_t bytes = length * sizeof(T), filled = (blocks * bytes + 31) / 32 * 32;
    Buffer<T> buffer(filled);
    DataCopyExtParams in{static_cast<uint16_t>(blocks), bytes, gap, 5, 0};  // the stride of UB has no effect
    DataCopyPadExtParams<T> pad{true, 3, 1, static_cast<T>(7)};             // nor have pads
    DataCopyPad<T, PaddingMode::Compact>(buffer.Filled(), At<T>(x), in, pad);
    DataCopyPad(At<T>(y), buffer.Sent(), DataCopyExtParams{1, filled, 0, 0, 0});
}
extern "C" __global__ __aicore__ void compact_bytes(GM_ADDR x, GM_ADDR y, uint32_t blocks, uint32_t length,
                                                    int64_t gap) {
    CompactIn<uint8_t>(x, y, blocks, length, gap);
}
extern "C" __global__ __aicore__ void compact_shorts(GM_ADDR x, GM_ADDR y, uint32_t blocks, uint32_t length,
                                                     int64_t gap) {
    CompactIn<int16_t>(x, y, blocks, length, gap);
}

// Byte for byte in UB, apart in global memory.
template <typename T>
__aicore__ inline void CompactOut(GM_ADDR x, GM_ADDR y, uint32_t blocks, uint32_t length, int64_t gap) {
    const uint32_t bytes = length * sizeof(T);
    Buffer<T> buffer(blocks * bytes);
    DataCopyPad(buffer.Filled(), At<T>(x), DataCopyExtParams{1, blocks * bytes, 0, 0, 0},
                DataCopyPadExtParams<T>{false, 0, 0, 0});
    DataCopyExtParams out{static_cast<uint16_t>(blocks), bytes, 3, gap, 0};
    DataCopyPad<T, PaddingMode::Compact>(At<T>(y), buffer.Sent(), out);
}
extern "C" __global__ __aicore__ void bytes_out(GM_ADDR x, GM_ADDR y, uint32_t blocks, uint32_t length, int64_t gap) {
    CompactOut<uint8_t>(x, y, blocks, length, gap);
}
extern "C" __global__ __aicore__ void shorts_out(GM_ADDR x, GM_ADDR y, uint32_t blocks, uint32_t length, int64_t gap) {
    CompactOut<int16_t>(x, y, blocks, length, gap);
}

// A block again and again, each from `back` bytes before the end of the one in front of it.
extern "C" __global__ __aicore__ void again(GM_ADDR x, GM_ADDR y, uint32_t blocks, uint32_t length, uint32_t back) {
    const uint32_t bytes = length * sizeof(float), filled = blocks * ((bytes + 31) / 32 * 32);
    Buffer<float> buffer(filled);
    DataCopyExtParams in{static_cast<uint16_t>(blocks), bytes, -static_cast<int64_t>(back), 0, 0};
    DataCopyPad<float, PaddingMode::Normal>(buffer.Filled(), At<float>(x), in,
                                            DataCopyPadExtParams<float>{false, 0, 0, 0});
    DataCopyPad<float, PaddingMode::Normal>(At<float>(y), buffer.Sent(),
                                            DataCopyExtParams{static_cast<uint16_t>(blocks), bytes, 0, 0, 0});
}

// Words: loop1Size, loop2Size and strides of the way in, then those of the way out.
__aicore__ inline LoopModeParams LoopsOf(const GlobalTensor<int64_t>& words, uint32_t at) {
    LoopModeParams loops;
    loops.loop1Size = words.GetValue(at);
    loops.loop2Size = words.GetValue(at + 1);
    loops.loop1SrcStride = words.GetValue(at + 2);
    loops.loop1DstStride = words.GetValue(at + 3);
    loops.loop2SrcStride = words.GetValue(at + 4);
    loops.loop2DstStride = words.GetValue(at + 5);
    return loops;
}
extern "C" __global__ __aicore__ void looped(GM_ADDR x, GM_ADDR y, GM_ADDR words, uint32_t blocks, uint32_t bytes,
                                             uint32_t room) {
    const GlobalTensor<int64_t> of = At<int64_t>(words);
    Buffer<int8_t> buffer(room);
    SetLoopModePara(LoopsOf(of, 0), DataCopyMVType::OUT_TO_UB);
    DataCopyExtParams params{static_cast<uint16_t>(blocks), bytes, 0, 0, 0};
    DataCopyPad(buffer.Filled(), At<int8_t>(x), params, DataCopyPadExtParams<int8_t>{false, 0, 0, 0});
    ResetLoopModePara(DataCopyMVType::OUT_TO_UB);
    SetLoopModePara(LoopsOf(of, 6), DataCopyMVType::UB_TO_OUT);
    DataCopyPad(At<int8_t>(y), buffer.Sent(), params);
    ResetLoopModePara(DataCopyMVType::UB_TO_OUT);
}

// Each mode holds for its direction alone, and for moves of whole blocks, too.
extern "C" __global__ __aicore__ void one_way(GM_ADDR x, GM_ADDR y) {
    Buffer<float> buffer(256);
    SetLoopModePara({2, 1, 64, 32, 0, 0}, DataCopyMVType::OUT_TO_UB);
    DataCopy(buffer.Filled(), At<float>(x), 8);
    LocalTensor<float> sent = buffer.Sent();
    DataCopy(At<float>(y), sent, 16);
    ResetLoopModePara(DataCopyMVType::OUT_TO_UB);
    DataCopy(At<float>(y)[16], sent, 8);
}
