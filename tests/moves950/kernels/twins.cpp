// SPDX-License-Identifier: Apache-2.0
// Right kernels, each one line away from a wrong one: the line becomes what stands behind `wrong:` (test_wrong.py).
#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
__aicore__ inline GlobalTensor<T> At(GM_ADDR address, uint32_t count) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)address, count);
    return tensor;
}

// 256 elements of UB, moved in, waited for, and moved out.
#define BEGIN(T)                                            \
    GlobalTensor<T> in = At<T>(x, 256), out = At<T>(y, 64); \
    TPipe pipe;                                             \
    TBuf<TPosition::VECCALC> buffer;                        \
    pipe.InitBuffer(buffer, 256 * sizeof(T));               \
    LocalTensor<T> ub = buffer.Get<T>();                    \
    TEventID event = pipe.FetchEventID(HardEvent::MTE2_MTE3)
#define WAIT                              \
    SetFlag<HardEvent::MTE2_MTE3>(event); \
    WaitFlag<HardEvent::MTE2_MTE3>(event)
#define END(count) \
    WAIT;          \
    DataCopy(out, ub, count)

static constexpr NdDmaConfig kNearest = {true};
static constexpr NdDmaConfig kPads = {false, 1, 1, false};
static constexpr NdDmaConfig kManyPads = {false, 256, 0, false};
static constexpr DataCopyPadExtParams<float> kNoPad = {};
static constexpr DataCopyMVType kIn = DataCopyMVType::OUT_TO_UB, kOut = DataCopyMVType::UB_TO_OUT;
static constexpr PaddingMode kCompact = PaddingMode::Compact, kNormal = PaddingMode::Normal;

extern "C" __global__ __aicore__ void size_zero(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    NdDmaParams<float, 2> params{{{1, 16}, {1, 8}, {8, 2}, {0, 0}, {0, 0}}, 0};
    params.loopInfo.loopSize[1] = 2;  // wrong: params.loopInfo.loopSize[1] = 0;
    DataCopy<float, 2>(ub, in, params);
    END(16);
}

extern "C" __global__ __aicore__ void size_large(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    NdDmaParams<float, 2> params{{{1, 16}, {1, 8}, {8, 2}, {0, 0}, {0, 0}}, 0};
    params.loopInfo.loopSize[0] = 8;  // wrong: params.loopInfo.loopSize[0] = 1 << 20;
    DataCopy<float, 2>(ub, in, params);
    END(16);
}

extern "C" __global__ __aicore__ void target_stride(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    NdDmaParams<float, 3> params{{{1, 16, 32}, {1, 8, 16}, {8, 2, 1}, {}, {}}, 0};
    params.loopInfo.loopDstStride[2] = 16;  // wrong: params.loopInfo.loopDstStride[2] = 1 << 20;
    DataCopy<float, 3>(ub, in, params);
    END(16);
}

extern "C" __global__ __aicore__ void source_stride(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    NdDmaParams<float, 2> params{{{1, 16}, {1, 8}, {8, 2}, {}, {}}, 0};
    params.loopInfo.loopSrcStride[1] = 16;  // wrong: params.loopInfo.loopSrcStride[1] = uint64_t(1) << 40;
    DataCopy<float, 2>(ub, in, params);
    END(16);
}

extern "C" __global__ __aicore__ void pads_of_all(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    NdDmaParams<float, 1> params{{{1}, {1}, {14}, {0}, {0}}, 0};
    DataCopy<float, 1, kPads>(ub, in, params);  // wrong: DataCopy<float, 1, kManyPads>(ub, in, params);
    END(16);
}

extern "C" __global__ __aicore__ void constant_of_64_bits(GM_ADDR x, GM_ADDR y) {
    BEGIN(int64_t);
    NdDmaParams<int64_t, 1> params{{{1}, {1}, {14}, {1}, {1}}, 0};
    params.constantValue = 0;  // wrong: params.constantValue = 5;
    DataCopy<int64_t, 1>(ub, in, params);
    END(16);
}

extern "C" __global__ __aicore__ void nearest_of_64_bits(GM_ADDR x, GM_ADDR y) {
    BEGIN(int64_t);
    NdDmaParams<int64_t, 1> params{{{1}, {1}, {14}, {1}, {1}}, 0};
    DataCopy<int64_t, 1>(ub, in, params);  // wrong: DataCopy<int64_t, 1, kNearest>(ub, in, params);
    END(16);
}

extern "C" __global__ __aicore__ void places_twice(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    NdDmaParams<float, 2> params{{{1, 16}, {1, 8}, {8, 2}, {0, 0}, {0, 0}}, 0};
    params.loopInfo.loopDstStride[1] = 8;  // wrong: params.loopInfo.loopDstStride[1] = 6;
    DataCopy<float, 2>(ub, in, params);
    END(16);
}

extern "C" __global__ __aicore__ void box_past_global(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    NdDmaParams<float, 2> params{{{1, 31}, {1, 8}, {8, 2}, {0, 0}, {0, 0}}, 0};
    DataCopy<float, 2>(ub, in[217], params);  // wrong: DataCopy<float, 2>(ub, in[218], params);
    END(16);
}

extern "C" __global__ __aicore__ void box_past_ub(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    NdDmaParams<float, 2> params{{{1, 16}, {1, 8}, {8, 2}, {0, 0}, {0, 0}}, 0};
    params.loopInfo.loopRpSize[1] = 30;  // wrong: params.loopInfo.loopRpSize[1] = 31;
    DataCopy<float, 2>(ub, in, params);
    END(16);
}

extern "C" __global__ __aicore__ void box_misaligned(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    NdDmaParams<float, 1> params{{{1}, {1}, {8}, {0}, {0}}, 0};
    DataCopy<float, 1>(ub[8], in, params);  // wrong: DataCopy<float, 1>(ub[4], in, params);
    WAIT;
    DataCopy(out, ub[8], 8);
}

// What lies between the rows of a box is another move's.
extern "C" __global__ __aicore__ void box_and_its_gaps(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    NdDmaParams<float, 2> rows{{{1, 8}, {1, 16}, {8, 2}, {0, 0}, {0, 0}}, 0};
    DataCopy<float, 2>(ub, in, rows);
    rows.loopInfo.loopDstStride[1] = 16;  // wrong: rows.loopInfo.loopDstStride[1] = 8;
    DataCopy<float, 2>(ub[8], in[64], rows);
    END(16);
}

extern "C" __global__ __aicore__ void box_unwaited(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    NdDmaParams<float, 2> params{{{1, 16}, {1, 8}, {8, 2}, {0, 0}, {0, 0}}, 0};
    DataCopy<float, 2>(ub, in, params);
    SetFlag<HardEvent::MTE2_MTE3>(event);
    WaitFlag<HardEvent::MTE2_MTE3>(event);
    DataCopy<float, 2>(ub[32], in, params);
    DataCopy(out, ub, 16);  // wrong: DataCopy(out, ub[40], 8);
}

extern "C" __global__ __aicore__ void between_rows(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    NdDmaParams<float, 2> params{{{1, 16}, {1, 16}, {8, 2}, {0, 0}, {0, 0}}, 0};
    DataCopy<float, 2>(ub, in, params);
    WAIT;
    DataCopy(out, ub, {2, 1, 1, 0});  // wrong: DataCopy(out, ub, {1, 2, 0, 0});
}

extern "C" __global__ __aicore__ void read_again(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    TEventID stored = pipe.FetchEventID(HardEvent::MTE3_MTE2);
    NdDmaParams<float, 1> params{{{1}, {1}, {8}, {0}, {0}}, 0};
    DataCopy<float, 1>(ub, out, params);
    DataCopy<float, 1>(ub[8], in, params);
    WAIT;
    DataCopy(out[16], ub, 8);
    DataCopy(out, ub[8], 8);
    SetFlag<HardEvent::MTE3_MTE2>(stored);
    WaitFlag<HardEvent::MTE3_MTE2>(stored);
    NdDmaDci();  // wrong: // nothing
    DataCopy<float, 1>(ub[16], out, params);
    WAIT;
    DataCopy(out[8], ub[16], 8);
}

extern "C" __global__ __aicore__ void loops_of_nothing(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    SetLoopModePara({2, 1, 64, 32, 0, 0}, kIn);  // wrong: SetLoopModePara({2, 0, 64, 32, 0, 0}, kIn);
    DataCopy(ub, in, 8);
    ResetLoopModePara(kIn);
    END(16);
}

extern "C" __global__ __aicore__ void many_loops(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    SetLoopModePara({2, 1, 64, 32, 0, 0}, kIn);  // wrong: SetLoopModePara({1 << 21, 1, 64, 32, 0, 0}, kIn);
    DataCopy(ub, in, 8);
    ResetLoopModePara(kIn);
    END(16);
}

extern "C" __global__ __aicore__ void loop_stride_of_ub(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    SetLoopModePara({2, 1, 64, 32, 0, 0}, kIn);  // wrong: SetLoopModePara({2, 1, 64, 40, 0, 0}, kIn);
    DataCopy(ub, in, 8);
    ResetLoopModePara(kIn);
    END(16);
}

extern "C" __global__ __aicore__ void loop_stride_too_far(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    DataCopy(ub, in, 16);
    WAIT;
    SetLoopModePara({1, 2, 0, 0, 32, 64}, kOut);  // wrong: SetLoopModePara({1, 2, 0, 0, 32, uint64_t(1) << 40}, kOut);
    DataCopy(out, ub, 8);
    ResetLoopModePara(kOut);
}

extern "C" __global__ __aicore__ void loop_stride_past_ub(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    DataCopy(ub, in, 16);
    WAIT;
    SetLoopModePara({1, 2, 0, 0, 32, 64}, kOut);  // wrong: SetLoopModePara({1, 2, 0, 0, 1 << 21, 64}, kOut);
    DataCopy(out, ub, 8);
    ResetLoopModePara(kOut);
}

extern "C" __global__ __aicore__ void no_such_direction(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    SetLoopModePara({2, 1, 64, 32, 0, 0}, kIn);
    DataCopy(ub, in, 8);
    ResetLoopModePara(kIn);
    ResetLoopModePara(kOut);  // wrong: ResetLoopModePara(static_cast<DataCopyMVType>(2));
    END(16);
}

extern "C" __global__ __aicore__ void step_past_global(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    SetLoopModePara({2, 1, 992, 32, 0, 0}, kIn);  // wrong: SetLoopModePara({2, 1, 1056, 32, 0, 0}, kIn);
    DataCopy(ub, in, 8);
    ResetLoopModePara(kIn);
    END(16);
}

extern "C" __global__ __aicore__ void steps_on_each_other(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    SetLoopModePara({2, 1, 64, 32, 0, 0}, kIn);  // wrong: SetLoopModePara({2, 1, 64, 0, 0, 0}, kIn);
    DataCopy(ub, in, 8);
    ResetLoopModePara(kIn);
    END(8);
}

extern "C" __global__ __aicore__ void mode_left(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    SetLoopModePara({2, 1, 64, 32, 0, 0}, kIn);
    DataCopy(ub, in, 8);
    ResetLoopModePara(kIn);  // wrong: // nothing
    END(16);
}

extern "C" __global__ __aicore__ void mode_left_on_the_way_out(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    DataCopy(ub, in, 16);
    WAIT;
    SetLoopModePara({1, 2, 0, 0, 32, 64}, kOut);
    DataCopy(out, ub, 8);
    ResetLoopModePara(kOut);  // wrong: ResetLoopModePara(kIn);
}

extern "C" __global__ __aicore__ void mode_set_again(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    SetLoopModePara({2, 1, 64, 32, 0, 0}, kIn);
    DataCopy(ub, in, 8);
    ResetLoopModePara(kIn);  // wrong: // nothing
    SetLoopModePara({3, 1, 64, 32, 0, 0}, kIn);
    DataCopy(ub[16], in, 8);
    ResetLoopModePara(kIn);
    END(40);
}

extern "C" __global__ __aicore__ void too_far_back(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    DataCopyExtParams params{2, 32, -32, 0, 0};  // wrong: DataCopyExtParams params{2, 32, -36, 0, 0};
    DataCopyPad(ub, in, params, kNoPad);
    END(16);
}

extern "C" __global__ __aicore__ void too_far_apart(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    DataCopyExtParams params{2, 32, 32, 0, 0};  // wrong: DataCopyExtParams params{2, 32, int64_t(1) << 40, 0, 0};
    DataCopyPad(ub, in, params, kNoPad);
    END(16);
}

extern "C" __global__ __aicore__ void back_on_the_way_out(GM_ADDR x, GM_ADDR y) {
    BEGIN(float);
    DataCopy(ub, in, 16);
    WAIT;
    DataCopyExtParams params{2, 32, 0, 0, 0};  // wrong: DataCopyExtParams params{2, 32, 0, -32, 0};
    DataCopyPad(out, ub, params);
}

extern "C" __global__ __aicore__ void compact_past_ub(GM_ADDR x, GM_ADDR y) {
    BEGIN(uint8_t);
    DataCopyExtParams params{5, 7, 0, 0, 0};
    LocalTensor<uint8_t> tail = ub[192];  // wrong: LocalTensor<uint8_t> tail = ub[224];
    DataCopyPad<uint8_t, kCompact>(tail, in, params, DataCopyPadExtParams<uint8_t>());
    WAIT;
    DataCopy(out, ub[192], 64);
}

extern "C" __global__ __aicore__ void normal_in_compact_room(GM_ADDR x, GM_ADDR y) {
    BEGIN(uint8_t);
    DataCopyExtParams p{9, 7, 0, 0, 0};
    DataCopyPadExtParams<uint8_t> pad;
    DataCopyPad<uint8_t, kCompact>(ub, in, p, pad);  // wrong: DataCopyPad<uint8_t, kNormal>(ub, in, p, pad);
    END(64);
}
