// SPDX-License-Identifier: Apache-2.0
// A convolution of any shape on the cube cores of Ascend910B, as a product of matrices: Load3Dv2 makes the rows of A
// from the feature map, a tile at a time. half (half results) and float.
//
//   fm   [channels / C0][h][w][C0], or [h][w][channels] with 4 or 8 (float: 4) channels; rounded up to 32 bytes
//   we   [taps][cout]      taps: channels / C0, kh, kw, channel, the first slowest
//   dst  [ho * wo][cout]   ho, wo: what the filter leaves of the padded map
//
// C0 is 16 (float: 8) and channels a multiple of it, but for the small ones. The feature map stays in L1 and has at
// most 256 KiB. shape.bin holds the 14 words of Conv2dShape (uint32): 32 channels of 14 x 14, 40 filters of 3 x 3, the
// rest 1.
//
//   sfumato run examples/conv2d/conv2d_load3dv2.cpp --chip Ascend910B1 --kernel conv2d_half --blocks 4 --
//       fm.npy we.npy 'out:float16[196,40]=dst.npy' tiling:shape.bin
#include "../matmul/fractal_loads.h"

struct Conv2dShape {
    uint32_t channels, h, w;
    uint32_t kh, kw, cout;
    uint32_t stride_h, stride_w, dilation_h, dilation_w;
    uint32_t pad_left, pad_right, pad_top, pad_bottom;
};

namespace {

using namespace matmul;

constexpr uint32_t Outputs(uint32_t size, uint32_t pads, uint32_t filter, uint32_t dilation, uint32_t stride) {
    return (size + pads - dilation * (filter - 1) - 1) / stride + 1;
}

template <class T, class C, QuantMode_t mode>
class Conv2d {
public:
    __aicore__ inline explicit Conv2d(const Conv2dShape& shape)
        : s_(shape),
          windows_(Outputs(s_.h, s_.pad_top + s_.pad_bottom, s_.kh, s_.dilation_h, s_.stride_h) *
                   Outputs(s_.w, s_.pad_left + s_.pad_right, s_.kw, s_.dilation_w, s_.stride_w)),
          taps_(s_.kh * s_.kw * s_.channels),
          map_(Align(s_.h * s_.w * s_.channels, kC0<T>)) {}

    __aicore__ inline void Init(GM_ADDR fm, GM_ADDR we, GM_ADDR dst) {
        fm_.SetGlobalBuffer((__gm__ T*)fm, map_);
        we_.SetGlobalBuffer((__gm__ T*)we, taps_ * s_.cout);
        dst_.SetGlobalBuffer((__gm__ C*)dst, windows_ * s_.cout);
        pipe_.InitBuffer(a1_queue_, 1, map_ * sizeof(T));
        pipe_.InitBuffer(b1_queue_, 2, kTaps * kColumns * sizeof(T));
        pipe_.InitBuffer(a2_queue_, 2, kRows * kTaps * sizeof(T));
        pipe_.InitBuffer(b2_queue_, 2, kTaps * kColumns * sizeof(T));
        pipe_.InitBuffer(co1_queue_, 2, kRows * kColumns * sizeof(float));
    }

    __aicore__ inline void Process() {
        LocalTensor<T> a1 = a1_queue_.template AllocTensor<T>();
        DataCopy(a1, fm_, map_);
        a1_queue_.EnQue(a1);
        a1 = a1_queue_.template DeQue<T>();
        for (uint32_t m = GetBlockIdx() * kRows; m < windows_; m += GetBlockNum() * kRows) {
            for (uint32_t n = 0; n < s_.cout; n += kColumns) {
                ProcessTile(a1, m, Least(kRows, windows_ - m), n, Least(kColumns, s_.cout - n));
            }
        }
        a1_queue_.FreeTensor(a1);
    }

private:
    // Two tiles of each fit in L0A, L0B and L0C.
    static constexpr uint32_t kRows = 64, kColumns = 64, kTaps = 64;

    __aicore__ inline void ProcessTile(const LocalTensor<T>& a1, uint32_t m, uint32_t rows, uint32_t n,
                                       uint32_t columns) {
        LocalTensor<float> co1 = co1_queue_.template AllocTensor<float>();
        for (uint32_t tap = 0; tap < taps_; tap += kTaps) {
            const uint32_t taps = Least(kTaps, taps_ - tap);
            LoadWindows(a1, m, rows, tap, taps);
            LoadWeights(tap, taps, n, columns);
            Compute(co1, rows, taps, columns, tap == 0);
        }
        co1_queue_.EnQue(co1);
        co1 = co1_queue_.template DeQue<float>();
        FixpipeParamsV220 p;
        p.nSize = static_cast<uint16_t>(columns);
        p.mSize = static_cast<uint16_t>(rows);
        p.srcStride = static_cast<uint16_t>(Align(rows, 16));
        p.dstStride = s_.cout;
        p.quantPre = mode;
        Fixpipe<C, float>(dst_[m * s_.cout + n], co1, p);
        co1_queue_.FreeTensor(co1);
    }

    __aicore__ inline void LoadWindows(const LocalTensor<T>& a1, uint32_t m, uint32_t rows, uint32_t tap,
                                       uint32_t taps) {
        LocalTensor<T> a2 = a2_queue_.template AllocTensor<T>();
        LoadData3DParamsV2<T> p;
        p.padList[0] = static_cast<uint8_t>(s_.pad_left);
        p.padList[1] = static_cast<uint8_t>(s_.pad_right);
        p.padList[2] = static_cast<uint8_t>(s_.pad_top);
        p.padList[3] = static_cast<uint8_t>(s_.pad_bottom);
        p.l1H = static_cast<uint16_t>(s_.h);
        p.l1W = static_cast<uint16_t>(s_.w);
        p.channelSize = static_cast<uint16_t>(s_.channels);
        p.mStartPt = static_cast<uint16_t>(m);
        p.mExtension = static_cast<uint16_t>(rows);
        p.kStartPt = static_cast<uint16_t>(tap);
        p.kExtension = static_cast<uint16_t>(taps);
        p.strideH = static_cast<uint8_t>(s_.stride_h);
        p.strideW = static_cast<uint8_t>(s_.stride_w);
        p.filterH = static_cast<uint8_t>(s_.kh);
        p.filterW = static_cast<uint8_t>(s_.kw);
        p.dilationFilterH = static_cast<uint8_t>(s_.dilation_h);
        p.dilationFilterW = static_cast<uint8_t>(s_.dilation_w);
        LoadData(a2, a1, p);
        a2_queue_.EnQue(a2);
    }

    __aicore__ inline void LoadWeights(uint32_t tap, uint32_t taps, uint32_t n, uint32_t columns) {
        LocalTensor<T> b1 = b1_queue_.template AllocTensor<T>();
        CopyToL1(b1, we_[tap * s_.cout + n], taps, columns, s_.cout, Align(taps, 16));
        b1_queue_.EnQue(b1);
        b1 = b1_queue_.template DeQue<T>();
        LocalTensor<T> b2 = b2_queue_.template AllocTensor<T>();
        LoadB(b2, b1, Align(taps, 16), 0, taps, columns);
        b2_queue_.EnQue(b2);
        b1_queue_.FreeTensor(b1);
    }

    __aicore__ inline void Compute(const LocalTensor<float>& co1, uint32_t rows, uint32_t taps, uint32_t columns,
                                   bool first) {
        LocalTensor<T> a2 = a2_queue_.template DeQue<T>();
        LocalTensor<T> b2 = b2_queue_.template DeQue<T>();
        MmadParams p;
        p.m = static_cast<uint16_t>(Most(rows, 2));  // an m of 1 would read A as a plain vector
        p.n = static_cast<uint16_t>(columns);
        p.k = static_cast<uint16_t>(taps);
        Multiply<T>(co1, a2, b2, p, first);
        a2_queue_.FreeTensor(a2);
        b2_queue_.FreeTensor(b2);
    }

    const Conv2dShape s_;
    const uint32_t windows_, taps_, map_;
    TPipe pipe_;
    GlobalTensor<T> fm_, we_;
    GlobalTensor<C> dst_;
    TQue<TPosition::A1, 1> a1_queue_;
    TQue<TPosition::B1, 2> b1_queue_;
    TQue<TPosition::A2, 2> a2_queue_;
    TQue<TPosition::B2, 2> b2_queue_;
    TQue<TPosition::CO1, 2> co1_queue_;
};

}  // namespace

extern "C" __global__ __aicore__ void conv2d_half(GM_ADDR fm, GM_ADDR we, GM_ADDR dst, Conv2dShape shape) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    Conv2d<half, half, F322F16> op(shape);
    op.Init(fm, we, dst);
    op.Process();
}
extern "C" __global__ __aicore__ void conv2d_float(GM_ADDR fm, GM_ADDR we, GM_ADDR dst, Conv2dShape shape) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    Conv2d<float, float, NoQuant> op(shape);
    op.Init(fm, we, dst);
    op.Process();
}
