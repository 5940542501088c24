// SPDX-License-Identifier: Apache-2.0
// Rows: what reduces them, and what norms make of that.
#include "common.h"

using namespace AscendC;

constexpr float kLowest = -3.40282347e38f;

// e^(x - max) / sum, in three passes over a row.
__simd_vf__ inline void SoftmaxVf(__ubuf__ float* y, __ubuf__ float* x, uint16_t rows, uint32_t cols, uint32_t stride) {
    const uint16_t rounds = static_cast<uint16_t>((cols + 63) / 64);
    Reg::MaskReg all = Reg::CreateMask<float>(), mask;
    Reg::RegTensor<float> v, top, sum;
    for (uint16_t r = 0; r < rows; ++r) {
        __ubuf__ float *from = x + r * stride, *to = y + r * stride;
        Reg::Duplicate(top, kLowest);
        uint32_t left = cols;
        for (uint16_t i = 0; i < rounds; ++i) {
            mask = Reg::UpdateMask<float>(left);
            Reg::LoadAlign(v, from + i * 64);
            Reg::Max<float, Reg::MaskMergeMode::MERGING>(top, top, v, mask);
        }
        Reg::Reduce<Reg::ReduceType::MAX>(top, top, all);
        Reg::Duplicate(top, top, all);
        Reg::Duplicate(sum, 0.0f);
        left = cols;
        for (uint16_t i = 0; i < rounds; ++i) {
            mask = Reg::UpdateMask<float>(left);
            Reg::LoadAlign(v, from + i * 64);
            Reg::ExpSub(v, v, top, mask);
            Reg::StoreAlign(to + i * 64, v, mask);
            Reg::Add(sum, sum, v, all);
        }
        Reg::Reduce<Reg::ReduceType::SUM, float, float>(sum, sum, all);
        Reg::Duplicate(sum, sum, all);
        Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
        left = cols;
        for (uint16_t i = 0; i < rounds; ++i) {
            mask = Reg::UpdateMask<float>(left);
            Reg::LoadAlign(v, to + i * 64);
            Reg::Div(v, v, sum, mask);
            Reg::StoreAlign(to + i * 64, v, mask);
        }
    }
}
extern "C" __global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols) {
    TPipe pipe;
    const auto count = static_cast<uint16_t>(rows);
    Input<float> xs(pipe, x, cols, count);
    Output<float> ys(pipe, y, cols, count);
    asc_vf_call<SoftmaxVf>(ys.Address(), xs.Address(), count, cols, StrideOf<float>(cols));
    ys.Send();
}

// Of lanes that hold parts of a row: the sum in all lanes.
__simd_callee__ inline void SumOfLanes(Reg::RegTensor<float>& sum, Reg::MaskReg& all) {
    Reg::ReduceSum(sum, sum, all);
    Reg::Duplicate(sum, sum, all);
}
// (x - mean) / sqrt(var + eps) * gamma + beta
__simd_vf__ inline void LayerNormVf(__ubuf__ float* y, __ubuf__ float* x, __ubuf__ float* gamma, __ubuf__ float* beta,
                                    uint16_t rows, uint32_t cols, uint32_t stride, float eps) {
    const uint16_t rounds = static_cast<uint16_t>((cols + 63) / 64);
    const float part = 1.0f / static_cast<float>(cols);
    Reg::MaskReg all = Reg::CreateMask<float>(), mask;
    Reg::RegTensor<float> v, g, b, one, mean, var;
    Reg::Duplicate(one, 1.0f);
    for (uint16_t r = 0; r < rows; ++r) {
        Reg::Duplicate(mean, 0.0f);
        Reg::Duplicate(var, 0.0f);
        uint32_t left = cols;
        for (uint16_t i = 0; i < rounds; ++i) {
            mask = Reg::UpdateMask<float>(left);
            Reg::LoadAlign(v, x + r * stride + i * 64);
            Reg::Muls(v, v, part, mask);
            Reg::Add(mean, mean, v, all);
        }
        SumOfLanes(mean, all);
        left = cols;
        for (uint16_t i = 0; i < rounds; ++i) {
            mask = Reg::UpdateMask<float>(left);
            Reg::LoadAlign(v, x + r * stride + i * 64);
            Reg::Sub(v, v, mean, mask);
            Reg::MulAddDst(var, v, v, all);
        }
        SumOfLanes(var, all);
        Reg::Muls(var, var, part, all);
        Reg::Adds(var, var, eps, all);
        Reg::Sqrt(var, var, all);
        Reg::Div(var, one, var, all);
        left = cols;
        for (uint16_t i = 0; i < rounds; ++i) {
            mask = Reg::UpdateMask<float>(left);
            Reg::LoadAlign(v, x + r * stride + i * 64);
            Reg::LoadAlign(g, gamma + i * 64);
            Reg::LoadAlign(b, beta + i * 64);
            Reg::Sub(v, v, mean, mask);
            Reg::Mul(v, v, var, mask);
            Reg::MulDstAdd(v, g, b, mask);
            Reg::StoreAlign(y + r * stride + i * 64, v, mask);
        }
    }
}
extern "C" __global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, uint32_t rows,
                                                 uint32_t cols, float eps) {
    TPipe pipe;
    const auto count = static_cast<uint16_t>(rows);
    Input<float> xs(pipe, x, cols, count), gs(pipe, gamma, cols), bs(pipe, beta, cols);
    Output<float> ys(pipe, y, cols, count);
    asc_vf_call<LayerNormVf>(ys.Address(), xs.Address(), gs.Address(), bs.Address(), count, cols, StrideOf<float>(cols),
                             eps);
    ys.Send();
}

constexpr Reg::CastTrait kWiden = {Reg::RegLayout::ZERO, Reg::SatMode::UNKNOWN, Reg::MaskMergeMode::ZEROING,
                                   RoundMode::UNKNOWN};
constexpr Reg::CastTrait kNarrow = {Reg::RegLayout::ZERO, Reg::SatMode::NO_SAT, Reg::MaskMergeMode::ZEROING,
                                    RoundMode::CAST_RINT};

// x / sqrt(mean(x * x) + eps) of halves, in float. A member with a block of calls.
class RmsNormOp {
public:
    __aicore__ inline RmsNormOp(uint32_t cols, float eps) : cols_(cols), eps_(eps) {}
    __aicore__ inline void Row(__local_mem__ half* y, __local_mem__ half* x) {
        __VEC_SCOPE__ {
            MicroAPI::MaskReg all = MicroAPI::CreateMask<float, MicroAPI::MaskPattern::ALL>(), mask;
            MicroAPI::RegTensor<half> h;
            MicroAPI::RegTensor<float> v, sum, one;
            MicroAPI::Duplicate(sum, 0.0f, all);
            MicroAPI::Duplicate(one, 1.0f, all);
            const uint16_t rounds = static_cast<uint16_t>(CeilDivision(cols_, 64));
            uint32_t left = cols_;
            for (uint16_t i = 0; i < rounds; ++i) {
                mask = MicroAPI::UpdateMask<float>(left);
                MicroAPI::DataCopy<half, MicroAPI::LoadDist::DIST_UNPACK_B16>(h, x + i * 64);
                MicroAPI::Cast<float, half, kWiden>(v, h, mask);
                MicroAPI::Mul(v, v, v, mask);
                MicroAPI::Add(sum, sum, v, all);
            }
            MicroAPI::ReduceSum(sum, sum, all);
            MicroAPI::Muls(sum, sum, 1.0f / static_cast<float>(cols_), all);
            MicroAPI::Adds(sum, sum, eps_, all);
            MicroAPI::Sqrt(sum, sum, all);
            MicroAPI::Div(sum, one, sum, all);
            MicroAPI::Duplicate(sum, sum, all);
            left = cols_;
            for (uint16_t i = 0; i < rounds; ++i) {
                mask = MicroAPI::UpdateMask<float>(left);
                MicroAPI::DataCopy<half, MicroAPI::LoadDist::DIST_UNPACK_B16>(h, x + i * 64);
                MicroAPI::Cast<float, half, kWiden>(v, h, mask);
                MicroAPI::Mul(v, v, sum, mask);
                MicroAPI::Cast<half, float, kNarrow>(h, v, mask);
                MicroAPI::DataCopy<half, MicroAPI::StoreDist::DIST_PACK_B32>(y + i * 64, h, mask);
            }
        }
    }

private:
    uint32_t cols_;
    float eps_;
};
extern "C" __global__ __aicore__ void rms_norm(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols, float eps) {
    TPipe pipe;
    const auto count = static_cast<uint16_t>(rows);
    Input<half> xs(pipe, x, cols, count);
    Output<half> ys(pipe, y, cols, count);
    RmsNormOp norm(cols, eps);
    for (uint32_t r = 0; r < rows; ++r) {
        norm.Row(ys.Address() + r * StrideOf<half>(cols), xs.Address() + r * StrideOf<half>(cols));
    }
    ys.Send();
}

// The largest or smallest of a row of one register, and its index, in the first two lanes; the rest of a block is 0.
template <typename T, Reg::ReduceType type>
__simd_vf__ inline void ExtremesVf(__ubuf__ T* y, __ubuf__ T* x, uint16_t rows, uint32_t cols, uint32_t stride) {
    constexpr uint32_t block = 32 / sizeof(T);
    uint32_t first = block;
    Reg::MaskReg lead = Reg::UpdateMask<T>(first);
    for (uint16_t r = 0; r < rows; ++r) {
        uint32_t left = cols;
        Reg::RegTensor<T> v, best;
        Reg::MaskReg mask = Reg::UpdateMask<T>(left);
        Reg::LoadAlign(v, x + r * stride);
        Reg::Reduce<type, T>(best, v, mask);
        Reg::StoreAlign(y + r * block, best, lead);
    }
}
template <typename T, Reg::ReduceType type>
__aicore__ inline void RunExtremes(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols) {
    TPipe pipe;
    const auto count = static_cast<uint16_t>(rows);
    Input<T> xs(pipe, x, cols, count);
    Output<T> ys(pipe, y, 32 / sizeof(T), count);
    asc_vf_call<ExtremesVf<T, type>>(ys.Address(), xs.Address(), count, cols, StrideOf<T>(cols));
    ys.Send();
}
extern "C" __global__ __aicore__ void max_float(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols) {
    RunExtremes<float, Reg::ReduceType::MAX>(x, y, rows, cols);
}
extern "C" __global__ __aicore__ void min_half(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols) {
    RunExtremes<half, Reg::ReduceType::MIN>(x, y, rows, cols);
}
extern "C" __global__ __aicore__ void max_int16(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols) {
    RunExtremes<int16_t, Reg::ReduceType::MAX>(x, y, rows, cols);
}

// The index of the largest element of rows of several registers: the first one of those that are equal.
__simd_vf__ inline void ArgmaxVf(__ubuf__ int32_t* y, __ubuf__ float* x, uint16_t rows, uint32_t cols,
                                 uint32_t stride) {
    const uint16_t rounds = static_cast<uint16_t>((cols + 63) / 64);
    Reg::MaskReg all = Reg::CreateMask<float>(), mask, greater;
    Reg::RegTensor<float> v, top, best;
    Reg::RegTensor<int32_t> lane, at, found, none;
    Reg::Duplicate(none, 0x7FFFFFFF);
    for (uint16_t r = 0; r < rows; ++r) {
        uint32_t left = cols;
        Reg::Duplicate(top, kLowest);
        Reg::Duplicate(at, 0x7FFFFFFF);
        Reg::Arange(lane, 0);
        for (uint16_t i = 0; i < rounds; ++i) {
            mask = Reg::UpdateMask<float>(left);
            Reg::LoadAlign(v, x + r * stride + i * 64);
            Reg::Compare<float, CMPMODE::GT>(greater, v, top, mask);
            Reg::Select(top, v, top, greater);
            Reg::Select(at, lane, at, greater);
            Reg::Adds(lane, lane, 64, all);
        }
        Reg::ReduceMax(best, top, all);
        Reg::Duplicate(best, best, all);
        Reg::Compare<float, CMPMODE::EQ>(greater, top, best, all);
        Reg::Select(found, at, none, greater);
        Reg::Reduce<Reg::ReduceType::MIN>(found, found, all);
        Reg::StoreAlign<int32_t, Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(y + r, found, all);
    }
}
extern "C" __global__ __aicore__ void argmax(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols) {
    TPipe pipe;
    const auto count = static_cast<uint16_t>(rows);
    Input<float> xs(pipe, x, cols, count);
    Output<int32_t> ys(pipe, y, rows);
    asc_vf_call<ArgmaxVf>(ys.Address(), xs.Address(), count, cols, StrideOf<float>(cols));
    ys.Send();
}

// Sums of a register: all of it, its blocks, and its pairs, one register each.
template <typename T>
__simd_vf__ inline void SumsVf(__ubuf__ T* y, __ubuf__ T* x, uint32_t n) {
    constexpr uint32_t lanes = GetVecLen() / sizeof(T);
    Reg::RegTensor<T> v, s;
    Reg::MaskReg all = Reg::CreateMask<T>(), mask = Reg::UpdateMask<T>(n);
    Reg::LoadAlign(v, x);
    Reg::Reduce<Reg::ReduceType::SUM>(s, v, mask);
    Reg::StoreAlign(y, s, all);
    Reg::ReduceDataBlock<Reg::ReduceType::SUM>(s, v, mask);
    Reg::StoreAlign(y + lanes, s, all);
    Reg::PairReduceElem(s, v, mask);
    Reg::StoreAlign(y + 2 * lanes, s, all);
    Reg::ReduceMaxWithDataBlock(s, v, all);
    Reg::StoreAlign(y + 3 * lanes, s, all);
}
template <typename T>
__aicore__ inline void RunSums(GM_ADDR x, GM_ADDR y, uint32_t n) {
    constexpr uint32_t lanes = GetVecLen() / sizeof(T);
    TPipe pipe;
    Input<T> xs(pipe, x, lanes);
    Output<T> ys(pipe, y, 4 * lanes);
    asc_vf_call<SumsVf<T>>(ys.Address(), xs.Address(), n);
    ys.Send();
}
extern "C" __global__ __aicore__ void sums_float(GM_ADDR x, GM_ADDR y, uint32_t n) { RunSums<float>(x, y, n); }
extern "C" __global__ __aicore__ void sums_half(GM_ADDR x, GM_ADDR y, uint32_t n) { RunSums<half>(x, y, n); }

// Each row is the sum of those so far.
__simd_vf__ inline void RunningVf(__ubuf__ float* y, __ubuf__ float* x, uint16_t rows, uint32_t cols, uint32_t stride) {
    Reg::RegTensor<float> v, sum;
    Reg::MaskReg mask = Reg::UpdateMask<float>(cols);
    Reg::Duplicate(sum, 0.0f);
    for (uint16_t r = 0; r < rows; ++r) {
        Reg::LoadAlign<float, Reg::PostLiteral::POST_MODE_UPDATE>(v, x, stride);
        Reg::Add(sum, sum, v, mask);
        Reg::StoreAlign<float, Reg::PostLiteral::POST_MODE_UPDATE>(y, sum, stride, mask);
    }
}
extern "C" __global__ __aicore__ void running(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols) {
    TPipe pipe;
    const auto count = static_cast<uint16_t>(rows);
    Input<float> xs(pipe, x, cols, count);
    Output<float> ys(pipe, y, cols, count);
    asc_vf_call<RunningVf>(ys.Address(), xs.Address(), count, cols, StrideOf<float>(cols));
    ys.Send();
}
