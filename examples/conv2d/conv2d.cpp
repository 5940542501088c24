// SPDX-License-Identifier: Apache-2.0
// A convolution of any shape on Ascend310P: image to column by Load3Dv1, one Mmad a tile, half results. Its steps are
// told in docs/convolution.md.
//
//   fm   half [c1][h][w][16]             channels in groups of 16, missing ones zero
//   we   half [c1][kh][kw][cout][16]     cout rounded up to 16, missing ones zero
//   dst  half [cout / 16][ho * wo][16]   ho, wo: what the filter leaves of the padded map
//
// The feature map and the weights stay in L1 (1 MiB together); the product is tiled in all three directions.
#include "kernel_operator.h"

using namespace AscendC;

struct Conv2dShape {
    uint32_t c1, h, w;
    uint32_t kh, kw, cout;
    uint32_t stride_h, stride_w, dilation_h, dilation_w;
    uint32_t pad_left, pad_right, pad_top, pad_bottom;
};

namespace {

constexpr uint32_t kC0 = 16;
constexpr uint32_t kFractal = 16 * kC0;  // elements
// Fractals of a tile. Two tiles of A and of B fill L0A and L0B; C and its copy in UB are far below their limits.
constexpr uint32_t kRows = 4, kTaps = 16, kColumns = 4;

constexpr uint32_t CeilDiv(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
constexpr uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }

class Conv2d {
public:
    __aicore__ inline Conv2d(const Conv2dShape& shape)
        : s_(shape),
          wo_((s_.w + s_.pad_left + s_.pad_right - s_.dilation_w * (s_.kw - 1) - 1) / s_.stride_w + 1),
          windows_(((s_.h + s_.pad_top + s_.pad_bottom - s_.dilation_h * (s_.kh - 1) - 1) / s_.stride_h + 1) * wo_),
          taps_(s_.c1 * s_.kh * s_.kw),
          columns_(CeilDiv(s_.cout, 16)) {}

    __aicore__ inline void Init(GM_ADDR fm, GM_ADDR we, GM_ADDR dst) {
        fm_.SetGlobalBuffer((__gm__ half*)fm, s_.c1 * s_.h * s_.w * kC0);
        we_.SetGlobalBuffer((__gm__ half*)we, taps_ * columns_ * kFractal);
        dst_.SetGlobalBuffer((__gm__ half*)dst, columns_ * windows_ * 16);
        pipe_.InitBuffer(a1_queue_, 1, s_.c1 * s_.h * s_.w * kC0 * sizeof(half));
        pipe_.InitBuffer(b1_queue_, 1, taps_ * columns_ * kFractal * sizeof(half));
        pipe_.InitBuffer(a2_queue_, 2, kRows * kTaps * kFractal * sizeof(half));
        pipe_.InitBuffer(b2_queue_, 2, kTaps * kColumns * kFractal * sizeof(half));
        pipe_.InitBuffer(co1_queue_, 2, kRows * kColumns * kFractal * sizeof(float));
        pipe_.InitBuffer(co2_queue_, 2, kRows * kColumns * kFractal * sizeof(half));
    }

    __aicore__ inline void Process() {
        LoadL1();
        LocalTensor<half> a1 = a1_queue_.DeQue<half>();
        LocalTensor<half> b1 = b1_queue_.DeQue<half>();
        const uint32_t step = static_cast<uint32_t>(GetBlockNum()) * kRows * 16;
        for (uint32_t m = static_cast<uint32_t>(GetBlockIdx()) * kRows * 16; m < windows_; m += step) {
            for (uint32_t n = 0; n < columns_; n += kColumns) {
                const uint32_t rows = Least(kRows, CeilDiv(windows_ - m, 16)), columns = Least(kColumns, columns_ - n);
                LocalTensor<float> co1 = co1_queue_.AllocTensor<float>();
                for (uint32_t tap = 0; tap < taps_; tap += kTaps) {
                    const uint32_t taps = Least(kTaps, taps_ - tap);
                    LoadA(a1, m, rows, tap, taps);
                    LoadB(b1, tap, taps, n, columns);
                    Multiply(co1, rows, taps, columns, tap == 0);
                }
                co1_queue_.EnQue(co1);
                CopyOut(m, rows, n, columns);
            }
        }
        a1_queue_.FreeTensor(a1);
        b1_queue_.FreeTensor(b1);
    }

private:
    __aicore__ inline void LoadL1() {
        LocalTensor<half> a1 = a1_queue_.AllocTensor<half>();
        LocalTensor<half> b1 = b1_queue_.AllocTensor<half>();
        DataCopy(a1, fm_, s_.c1 * s_.h * s_.w * kC0);
        DataCopy(b1, we_, taps_ * columns_ * kFractal);
        a1_queue_.EnQue(a1);
        b1_queue_.EnQue(b1);
    }

    // Windows m.. under taps tap..: repeatMode 0 makes one row of fractals, so one call for each 16 windows, with the
    // corner of their first.
    __aicore__ inline void LoadA(const LocalTensor<half>& a1, uint32_t m, uint32_t rows, uint32_t tap, uint32_t taps) {
        LocalTensor<half> a2 = a2_queue_.AllocTensor<half>();
        LoadData3DParamsV1<half> p;
        p.padList[0] = static_cast<uint8_t>(s_.pad_left);
        p.padList[1] = static_cast<uint8_t>(s_.pad_right);
        p.padList[2] = static_cast<uint8_t>(s_.pad_top);
        p.padList[3] = static_cast<uint8_t>(s_.pad_bottom);
        p.l1H = static_cast<uint16_t>(s_.h);
        p.l1W = static_cast<uint16_t>(s_.w);
        p.c1Index = static_cast<uint16_t>(tap / (s_.kh * s_.kw));
        p.fetchFilterH = static_cast<uint8_t>(tap / s_.kw % s_.kh);
        p.fetchFilterW = static_cast<uint8_t>(tap % s_.kw);
        p.strideH = static_cast<uint8_t>(s_.stride_h);
        p.strideW = static_cast<uint8_t>(s_.stride_w);
        p.filterH = static_cast<uint8_t>(s_.kh);
        p.filterW = static_cast<uint8_t>(s_.kw);
        p.dilationFilterH = static_cast<uint8_t>(s_.dilation_h);
        p.dilationFilterW = static_cast<uint8_t>(s_.dilation_w);
        p.repeatTime = static_cast<uint8_t>(taps);
        for (uint32_t row = 0; row < rows; ++row) {
            const uint32_t window = m + row * 16;
            p.leftTopH = static_cast<int16_t>(window / wo_ * s_.stride_h - s_.pad_top);
            p.leftTopW = static_cast<int16_t>(window % wo_ * s_.stride_w - s_.pad_left);
            LoadData(a2[row * taps * kFractal], a1, p);
        }
        a2_queue_.EnQue(a2);
    }

    // The weights are fractals as they lie in memory, columns_ of them for each tap.
    __aicore__ inline void LoadB(const LocalTensor<half>& b1, uint32_t tap, uint32_t taps, uint32_t n,
                                 uint32_t columns) {
        LocalTensor<half> b2 = b2_queue_.AllocTensor<half>();
        LoadData2DParams p;
        p.repeatTimes = static_cast<uint8_t>(columns);
        p.srcStride = 1;
        for (uint32_t t = 0; t < taps; ++t) {
            p.startIndex = static_cast<uint16_t>((tap + t) * columns_ + n);
            LoadData(b2[t * columns * kFractal], b1, p);
        }
        b2_queue_.EnQue(b2);
    }

    __aicore__ inline void Multiply(const LocalTensor<float>& co1, uint32_t rows, uint32_t taps, uint32_t columns,
                                    bool first) {
        LocalTensor<half> a2 = a2_queue_.DeQue<half>();
        LocalTensor<half> b2 = b2_queue_.DeQue<half>();
        MmadParams p;
        p.m = static_cast<uint16_t>(rows * 16);  // whole fractals: an m of 1 would read A as a plain vector
        p.n = static_cast<uint16_t>(columns * 16);
        p.k = static_cast<uint16_t>(taps * kC0);
        p.cmatrixInitVal = first;
        if (!first && rows * columns < 10) PipeBarrier<PIPE_M>();  // the unit itself orders larger ones
        Mmad(co1, a2, b2, p);
        a2_queue_.FreeTensor(a2);
        b2_queue_.FreeTensor(b2);
    }

    // Whole fractals to UB, and of their rows the windows that exist to global memory.
    __aicore__ inline void CopyOut(uint32_t m, uint32_t rows, uint32_t n, uint32_t columns) {
        LocalTensor<float> co1 = co1_queue_.DeQue<float>();
        LocalTensor<half> co2 = co2_queue_.AllocTensor<half>();
        DataCopyParams fractals;
        fractals.blockLen = static_cast<uint16_t>(rows * columns);
        DataCopyEnhancedParams enhanced;
        enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;
        DataCopy(co2, co1, fractals, enhanced);
        co2_queue_.EnQue(co2);
        co1_queue_.FreeTensor(co1);
        co2 = co2_queue_.DeQue<half>();
        for (uint32_t i = 0; i < columns; ++i) {
            DataCopy(dst_[((n + i) * windows_ + m) * 16], co2[i * rows * kFractal],
                     Least(rows * 16, windows_ - m) * 16);
        }
        co2_queue_.FreeTensor(co2);
    }

    const Conv2dShape s_;
    const uint32_t wo_, windows_, taps_, columns_;  // columns_: of fractals
    TPipe pipe_;
    TQue<TPosition::A1, 1> a1_queue_;
    TQue<TPosition::B1, 1> b1_queue_;
    TQue<TPosition::A2, 2> a2_queue_;
    TQue<TPosition::B2, 2> b2_queue_;
    TQue<TPosition::CO1, 2> co1_queue_;
    TQue<TPosition::CO2, 2> co2_queue_;
    GlobalTensor<half> fm_, we_, dst_;
};

}  // namespace

extern "C" __global__ __aicore__ void conv2d(GM_ADDR fm, GM_ADDR we, GM_ADDR dst, Conv2dShape shape) {
    Conv2d op(shape);
    op.Init(fm, we, dst);
    op.Process();
}
