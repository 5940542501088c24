// SPDX-License-Identifier: Apache-2.0
// Integers: sums of 64 bits by carries, products, shifts, logic, counts.
#include "common.h"

using namespace AscendC;

// 64-bit numbers as words: low words and high words apart, and together again.
template <bool kSub>
__simd_vf__ inline void Wide64Vf(__ubuf__ uint32_t* z, __ubuf__ uint32_t* x, __ubuf__ uint32_t* y, uint16_t rounds) {
    Reg::MaskReg all = Reg::CreateMask<uint32_t>();
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::RegTensor<uint32_t> xl, xh, yl, yh;
        Reg::MaskReg carry, last;
        Reg::LoadAlign<uint32_t, Reg::LoadDist::DIST_DINTLV_B32>(xl, xh, x + i * 128);
        Reg::LoadAlign<uint32_t, Reg::LoadDist::DIST_DINTLV_B32>(yl, yh, y + i * 128);
        if constexpr (kSub) {
            Reg::Sub(carry, xl, xl, yl, all);
            Reg::SubC(last, xh, xh, yh, carry, all);
        } else {
            Reg::Add(carry, xl, xl, yl, all);
            Reg::AddC(last, xh, xh, yh, carry, all);
        }
        Reg::StoreAlign<uint32_t, Reg::StoreDist::DIST_INTLV_B32>(z + i * 128, xl, xh, all);
    }
}
template <bool kSub>
__aicore__ inline void RunWide(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    TPipe pipe;
    Input<uint32_t> xs(pipe, x, 2 * n), ys(pipe, y, 2 * n);
    Output<uint32_t> zs(pipe, z, 2 * n);
    asc_vf_call<Wide64Vf<kSub>>(zs.Address(), xs.Address(), ys.Address(), static_cast<uint16_t>(n / 64));
    zs.Send();
}
extern "C" __global__ __aicore__ void add64(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) { RunWide<false>(x, y, z, n); }
extern "C" __global__ __aicore__ void sub64(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) { RunWide<true>(x, y, z, n); }

// Pairs of registers: 64 elements of 64 bits.
__simd_vf__ inline void PairsVf(__ubuf__ int64_t* z, __ubuf__ int64_t* x, __ubuf__ int64_t* y, uint32_t n) {
    const uint16_t rounds = static_cast<uint16_t>((n + 63) / 64);
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::RegTensor<int64_t, Reg::RegTraitNumTwo> a, b;
        Reg::MaskReg mask = Reg::UpdateMask<int64_t, Reg::RegTraitNumTwo>(n);
        Reg::LoadAlign<int64_t, Reg::PostLiteral::POST_MODE_UPDATE>(a, x, 64);
        Reg::LoadAlign<int64_t, Reg::PostLiteral::POST_MODE_UPDATE>(b, y, 64);
        Reg::Mul(a, a, b, mask);
        Reg::Max(a, a, b, mask);
        Reg::StoreAlign<int64_t, Reg::PostLiteral::POST_MODE_UPDATE>(z, a, 64, mask);
    }
}
extern "C" __global__ __aicore__ void pairs(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    TPipe pipe;
    Input<int64_t> xs(pipe, x, n), ys(pipe, y, n);
    Output<int64_t> zs(pipe, z, n);
    asc_vf_call<PairsVf>(zs.Address(), xs.Address(), ys.Address(), n);
    zs.Send();
}

template <typename T>
__simd_vf__ inline void MullVf(__ubuf__ T* z, __ubuf__ T* x, __ubuf__ T* y) {
    Reg::RegTensor<T> a, b, low, high;
    Reg::MaskReg all = Reg::CreateMask<T>();
    Reg::LoadAlign(a, x);
    Reg::LoadAlign(b, y);
    Reg::Mull(low, high, a, b, all);
    Reg::StoreAlign<T, Reg::StoreDist::DIST_INTLV_B32>(z, low, high, all);
}
template <typename T>
__aicore__ inline void RunMull(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    TPipe pipe;
    Input<T> xs(pipe, x, 64), ys(pipe, y, 64);
    Output<T> zs(pipe, z, 128);
    asc_vf_call<MullVf<T>>(zs.Address(), xs.Address(), ys.Address());
    zs.Send();
}
extern "C" __global__ __aicore__ void mull_signed(GM_ADDR x, GM_ADDR y, GM_ADDR z) { RunMull<int32_t>(x, y, z); }
extern "C" __global__ __aicore__ void mull_unsigned(GM_ADDR x, GM_ADDR y, GM_ADDR z) { RunMull<uint32_t>(x, y, z); }

// Right by a scalar and by lanes, left by a scalar: 4 results of a register each.
template <typename T, typename Count>
__simd_vf__ inline void ShiftVf(__ubuf__ T* z, __ubuf__ T* x, __ubuf__ Count* by, int16_t count) {
    constexpr uint32_t lanes = GetVecLen() / sizeof(T);
    Reg::RegTensor<T> a, r;
    Reg::RegTensor<Count> counts;
    Reg::MaskReg all = Reg::CreateMask<T>();
    Reg::LoadAlign(a, x);
    Reg::LoadAlign(counts, by);
    Reg::ShiftRights(r, a, count, all);
    Reg::StoreAlign(z, r, all);
    Reg::ShiftRight(r, a, counts, all);
    Reg::StoreAlign(z + lanes, r, all);
    Reg::ShiftLefts(r, a, count, all);
    Reg::StoreAlign(z + 2 * lanes, r, all);
    Reg::ShiftLeft(r, a, counts, all);
    Reg::StoreAlign(z + 3 * lanes, r, all);
}
template <typename T, typename Count>
__aicore__ inline void RunShift(GM_ADDR x, GM_ADDR by, GM_ADDR z, int32_t count) {
    constexpr uint32_t lanes = GetVecLen() / sizeof(T);
    TPipe pipe;
    Input<T> xs(pipe, x, lanes);
    Input<Count> bs(pipe, by, lanes);
    Output<T> zs(pipe, z, 4 * lanes);
    asc_vf_call<ShiftVf<T, Count>>(zs.Address(), xs.Address(), bs.Address(), static_cast<int16_t>(count));
    zs.Send();
}
extern "C" __global__ __aicore__ void shift_uint32(GM_ADDR x, GM_ADDR by, GM_ADDR z, int32_t count) {
    RunShift<uint32_t, int32_t>(x, by, z, count);
}
extern "C" __global__ __aicore__ void shift_int32(GM_ADDR x, GM_ADDR by, GM_ADDR z, int32_t count) {
    RunShift<int32_t, int32_t>(x, by, z, count);
}
extern "C" __global__ __aicore__ void shift_uint8(GM_ADDR x, GM_ADDR by, GM_ADDR z, int32_t count) {
    RunShift<uint8_t, int8_t>(x, by, z, count);
}
extern "C" __global__ __aicore__ void shift_int16(GM_ADDR x, GM_ADDR by, GM_ADDR z, int32_t count) {
    RunShift<int16_t, int16_t>(x, by, z, count);
}

// A hash of 32-bit words: x ^= x >> 16, x *= m, twice, and ~x & 0xFF | 0x100 of it.
extern "C" __global__ __aicore__ void hash(GM_ADDR x, GM_ADDR y, uint32_t n) {
    TPipe pipe;
    Input<uint32_t> xs(pipe, x, n);
    Output<uint32_t> ys(pipe, y, n);
    __ubuf__ uint32_t *px = xs.Address(), *py = ys.Address();
    __VEC_SCOPE__ {
        Reg::RegTensor<uint32_t> v, t, low, bit;
        Reg::Duplicate(low, 0xFFu);
        Reg::Duplicate(bit, 0x100u);
        uint32_t left = n;
        for (uint16_t i = 0; i < Rounds<uint32_t>(n); ++i) {
            Reg::MaskReg mask = Reg::UpdateMask<uint32_t>(left);
            Reg::LoadAlign(v, px + i * 64);
            for (uint16_t k = 0; k < 2; ++k) {
                Reg::ShiftRights(t, v, static_cast<int16_t>(16), mask);
                Reg::Xor(v, v, t, mask);
                Reg::Muls(v, v, 0x7FEB352Du, mask);
            }
            Reg::Not(v, v, mask);
            Reg::And(v, v, low, mask);
            Reg::Or(v, v, bit, mask);
            Reg::StoreAlign(py + i * 64, v, mask);
        }
    }
    ys.Send();
}

// Counts of bytes: FREQUENCY and ACCUMULATE of both bins.
template <Reg::HistogramsBinType bin, Reg::HistogramsType type>
__simd_callee__ inline void Count(__ubuf__ uint16_t* to, __ubuf__ uint8_t* x, uint32_t n) {
    Reg::RegTensor<uint16_t> counts;
    Reg::RegTensor<uint8_t> bytes;
    Reg::MaskReg all = Reg::CreateMask<uint16_t>();
    const uint16_t rounds = static_cast<uint16_t>((n + 255) / 256);
    Reg::Duplicate(counts, 0);
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::MaskReg mask = Reg::UpdateMask<uint8_t>(n);
        Reg::LoadAlign(bytes, x + i * 256);
        Reg::Histograms<uint8_t, uint16_t, bin, type>(counts, bytes, mask);
    }
    Reg::StoreAlign(to, counts, all);
}
__simd_vf__ inline void HistogramVf(__ubuf__ uint16_t* counts, __ubuf__ uint16_t* sums, __ubuf__ uint8_t* x,
                                    uint32_t n) {
    using Reg::HistogramsBinType;
    using Reg::HistogramsType;
    Count<HistogramsBinType::BIN0, HistogramsType::FREQUENCY>(counts, x, n);
    Count<HistogramsBinType::BIN1, HistogramsType::FREQUENCY>(counts + 128, x, n);
    Count<HistogramsBinType::BIN0, HistogramsType::ACCUMULATE>(sums, x, n);
    Count<HistogramsBinType::BIN1, HistogramsType::ACCUMULATE>(sums + 128, x, n);
}
extern "C" __global__ __aicore__ void histogram(GM_ADDR x, GM_ADDR counts, GM_ADDR sums, uint32_t n) {
    TPipe pipe;
    Input<uint8_t> xs(pipe, x, n);
    Output<uint16_t> cs(pipe, counts, 256), ss(pipe, sums, 256);
    asc_vf_call<HistogramVf>(cs.Address(), ss.Address(), xs.Address(), n);
    cs.Send();
    ss.Send();
}

// The running sum of a register: each step adds the lanes 1, 2, 4 .. to the left.
__simd_vf__ inline void PrefixVf(__ubuf__ int32_t* y, __ubuf__ int32_t* ones, __ubuf__ int32_t* x) {
    Reg::RegTensor<int32_t> v, moved, lane, from;
    Reg::MaskReg all = Reg::CreateMask<int32_t>(), on, positive;
    Reg::LoadAlign(v, x);
    Reg::Compares<int32_t, CMPMODE::GT>(positive, v, 0, all);
    Reg::Arange(lane, 0);
    for (uint16_t k = 0; k < 6; ++k) {
        const int32_t step = 1 << k;
        Reg::Adds(from, lane, -step, all);
        Reg::Compares<int32_t, CMPMODE::GE>(on, from, 0, all);
        Reg::Gather(moved, v, (Reg::RegTensor<uint32_t>&)from);
        Reg::Add<int32_t, Reg::MaskMergeMode::MERGING>(v, v, moved, on);
    }
    Reg::StoreAlign(y, v, all);
    Reg::Unsqueeze(v, positive);
    Reg::StoreAlign(ones, v, all);
}
extern "C" __global__ __aicore__ void prefix(GM_ADDR x, GM_ADDR y, GM_ADDR ones) {
    TPipe pipe;
    Input<int32_t> xs(pipe, x, 64);
    Output<int32_t> ys(pipe, y, 64), os(pipe, ones, 64);
    asc_vf_call<PrefixVf>(ys.Address(), os.Address(), xs.Address());
    ys.Send();
    os.Send();
}
