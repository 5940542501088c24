// SPDX-License-Identifier: Apache-2.0
// Conversions: by loads that widen and stores that narrow, and by the layouts of Cast.
#include "common.h"

using namespace AscendC;
using Reg::CastTrait;
using Reg::MaskMergeMode;
using Reg::RegLayout;
using Reg::SatMode;

constexpr CastTrait kWidenEven = {RegLayout::ZERO, SatMode::UNKNOWN, MaskMergeMode::ZEROING, RoundMode::UNKNOWN};
constexpr CastTrait kWidenOdd = {RegLayout::ONE, SatMode::UNKNOWN, MaskMergeMode::ZEROING, RoundMode::UNKNOWN};
constexpr CastTrait kToEven = {RegLayout::ZERO, SatMode::NO_SAT, MaskMergeMode::ZEROING, RoundMode::CAST_RINT};
constexpr CastTrait kToOdd = {RegLayout::ONE, SatMode::NO_SAT, MaskMergeMode::ZEROING, RoundMode::CAST_RINT};

// x * x + x of 16-bit floats, in float.
template <typename T>
__simd_callee__ inline void LoadWide(Reg::RegTensor<float>& to, __ubuf__ T* from, Reg::MaskReg& mask) {
    Reg::RegTensor<T> narrow;
    Reg::LoadAlign<T, Reg::LoadDist::DIST_UNPACK_B16>(narrow, from);
    Reg::Cast<float, T, kWidenEven>(to, narrow, mask);
}
template <typename T>
__simd_callee__ inline void StoreNarrow(__ubuf__ T* to, Reg::RegTensor<float>& from, Reg::MaskReg& mask) {
    Reg::RegTensor<T> narrow;
    Reg::Cast<T, float, kToEven>(narrow, from, mask);
    Reg::StoreAlign<T, Reg::StoreDist::DIST_PACK_B32>(to, narrow, mask);
}
template <typename T>
__simd_vf__ inline void SquareVf(__ubuf__ T* y, __ubuf__ T* x, uint32_t n, uint16_t rounds) {
    Reg::RegTensor<float> v, w;
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::MaskReg mask = Reg::UpdateMask<float>(n);
        LoadWide<T>(v, x + i * 64, mask);
        Reg::Mul(w, v, v, mask);
        Reg::Add(w, w, v, mask);
        StoreNarrow<T>(y + i * 64, w, mask);
    }
}
template <typename T>
__aicore__ inline void RunSquare(GM_ADDR x, GM_ADDR y, uint32_t n) {
    TPipe pipe;
    Input<T> xs(pipe, x, n);
    Output<T> ys(pipe, y, n);
    asc_vf_call<SquareVf<T>>(ys.Address(), xs.Address(), n, Rounds<float>(n));
    ys.Send();
}
extern "C" __global__ __aicore__ void square_half(GM_ADDR x, GM_ADDR y, uint32_t n) { RunSquare<half>(x, y, n); }
extern "C" __global__ __aicore__ void square_bf16(GM_ADDR x, GM_ADDR y, uint32_t n) { RunSquare<bfloat16_t>(x, y, n); }

// Even and odd halves apart, scaled in float, in two ways back: floats in order, and halves by both layouts and Or.
__simd_vf__ inline void LayoutsVf(__ubuf__ float* wide, __ubuf__ half* narrow, __ubuf__ half* x, float s, uint32_t n) {
    const uint16_t rounds = static_cast<uint16_t>(n / 128);
    Reg::MaskReg all16 = Reg::CreateMask<half>(), all32 = Reg::CreateMask<float>();
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::RegTensor<half> v, low, high;
        Reg::RegTensor<float> even, odd, first, second;
        Reg::LoadAlign(v, x + i * 128);
        Reg::Cast<float, half, kWidenEven>(even, v, all16);
        // An odd element's bit is another than the even ones': all bits of 16-bit elements hold both.
        Reg::Cast<float, half, kWidenOdd>(odd, v, all16);
        Reg::Muls(even, even, s, all32);
        Reg::Muls(odd, odd, s, all32);
        Reg::Interleave(first, second, even, odd);
        Reg::StoreAlign(wide + i * 128, first, all32);
        Reg::StoreAlign(wide + i * 128 + 64, second, all32);
        Reg::Cast<half, float, kToEven>(low, even, all32);
        Reg::Cast<half, float, kToOdd>(high, odd, all32);
        Reg::Or((Reg::RegTensor<uint16_t>&)low, (Reg::RegTensor<uint16_t>&)low, (Reg::RegTensor<uint16_t>&)high, all16);
        Reg::StoreAlign(narrow + i * 128, low, all16);
    }
}
extern "C" __global__ __aicore__ void layouts(GM_ADDR x, GM_ADDR wide, GM_ADDR narrow, float s, uint32_t n) {
    TPipe pipe;
    Input<half> xs(pipe, x, n);
    Output<float> ws(pipe, wide, n);
    Output<half> ns(pipe, narrow, n);
    asc_vf_call<LayoutsVf>(ws.Address(), ns.Address(), xs.Address(), s, n);
    ws.Send();
    ns.Send();
}

constexpr CastTrait kToInt16 = {RegLayout::ZERO, SatMode::SAT, MaskMergeMode::ZEROING, RoundMode::CAST_RINT};
constexpr CastTrait kSameWidth = {RegLayout::UNKNOWN, SatMode::UNKNOWN, MaskMergeMode::ZEROING, RoundMode::CAST_RINT};
constexpr CastTrait kToInt8 = {RegLayout::ZERO, SatMode::SAT, MaskMergeMode::ZEROING, RoundMode::CAST_TRUNC};

// float to int8: scaled, to int16, half and int8, of which each lane keeps the lowest byte.
__simd_vf__ inline void QuantVf(__ubuf__ int8_t* y, __ubuf__ float* x, float scale, float offset, uint32_t n) {
    for (uint16_t i = 0; i < static_cast<uint16_t>((n + 63) / 64); ++i) {
        Reg::RegTensor<float> v;
        Reg::RegTensor<int16_t> whole;
        Reg::RegTensor<half> middle;
        Reg::RegTensor<int8_t> bytes;
        uint32_t left = n - i * 64;
        Reg::MaskReg mask = Reg::UpdateMask<float>(left);
        Reg::LoadAlign(v, x + i * 64);
        Reg::Muls(v, v, scale, mask);
        Reg::Adds(v, v, offset, mask);
        Reg::Cast<int16_t, float, kToInt16>(whole, v, mask);
        Reg::Cast<half, int16_t, kSameWidth>(middle, whole, mask);
        Reg::Cast<int8_t, half, kToInt8>(bytes, middle, mask);
        Reg::StoreAlign<int8_t, Reg::StoreDist::DIST_PACK4_B32>(y + i * 64, bytes, mask);
    }
}
extern "C" __global__ __aicore__ void quantise(GM_ADDR x, GM_ADDR y, float scale, float offset, uint32_t n) {
    TPipe pipe;
    Input<float> xs(pipe, x, n);
    Output<int8_t> ys(pipe, y, n);
    asc_vf_call<QuantVf>(ys.Address(), xs.Address(), scale, offset, n);
    ys.Send();
}
// And back: bytes to every fourth place, by half to float.
__simd_vf__ inline void DequantVf(__ubuf__ float* y, __ubuf__ int8_t* x, float scale, float offset, uint32_t n) {
    const uint16_t rounds = static_cast<uint16_t>((n + 63) / 64);
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::RegTensor<int8_t> bytes;
        Reg::RegTensor<half> middle;
        Reg::RegTensor<float> v;
        Reg::MaskReg mask = Reg::UpdateMask<float>(n);
        Reg::LoadAlign<int8_t, Reg::LoadDist::DIST_UNPACK4_B8>(bytes, x + i * 64);
        Reg::Cast<half, int8_t, kWidenEven>(middle, bytes, mask);
        Reg::Cast<float, half, kWidenEven>(v, middle, mask);
        Reg::Adds(v, v, -offset, mask);
        Reg::Muls(v, v, scale, mask);
        Reg::StoreAlign(y + i * 64, v, mask);
    }
}
extern "C" __global__ __aicore__ void dequantise(GM_ADDR x, GM_ADDR y, float scale, float offset, uint32_t n) {
    TPipe pipe;
    Input<int8_t> xs(pipe, x, n);
    Output<float> ys(pipe, y, n);
    asc_vf_call<DequantVf>(ys.Address(), xs.Address(), scale, offset, n);
    ys.Send();
}

// The rounding modes of float to int32, and of Truncate, one behind the other.
template <RoundMode mode>
__simd_callee__ inline void RoundOne(__ubuf__ int32_t* whole, __ubuf__ float* cut, Reg::RegTensor<float>& v,
                                     Reg::MaskReg& mask) {
    static constexpr CastTrait kTrait = {RegLayout::UNKNOWN, SatMode::SAT, MaskMergeMode::ZEROING, mode};
    Reg::RegTensor<int32_t> i;
    Reg::RegTensor<float> t;
    Reg::Cast<int32_t, float, kTrait>(i, v, mask);
    Reg::StoreAlign(whole, i, mask);
    Reg::Truncate<float, mode>(t, v, mask);
    Reg::StoreAlign(cut, t, mask);
}
extern "C" __global__ __aicore__ void rounding(GM_ADDR x, GM_ADDR whole, GM_ADDR cut) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<int32_t> ws(pipe, whole, 5 * 64);
    Output<float> cs(pipe, cut, 5 * 64);
    __ubuf__ float *px = xs.Address(), *pc = cs.Address();
    __ubuf__ int32_t* pw = ws.Address();
    __VEC_SCOPE__ {
        Reg::RegTensor<float> v;
        Reg::MaskReg mask = Reg::CreateMask<float, Reg::MaskPattern::ALL>();
        Reg::LoadAlign(v, px);
        RoundOne<RoundMode::CAST_RINT>(pw, pc, v, mask);
        RoundOne<RoundMode::CAST_ROUND>(pw + 64, pc + 64, v, mask);
        RoundOne<RoundMode::CAST_FLOOR>(pw + 128, pc + 128, v, mask);
        RoundOne<RoundMode::CAST_CEIL>(pw + 192, pc + 192, v, mask);
        RoundOne<RoundMode::CAST_TRUNC>(pw + 256, pc + 256, v, mask);
    }
    ws.Send();
    cs.Send();
}

// Integers narrowed and widened in registers: Pack, UnPack, and what lies in the other half.
__simd_vf__ inline void PackVf(__ubuf__ uint16_t* packed, __ubuf__ int32_t* back, __ubuf__ int32_t* x) {
    Reg::MaskReg all32 = Reg::CreateMask<int32_t>(), all16 = Reg::CreateMask<uint16_t>();
    Reg::RegTensor<int32_t> low, high, wide;
    Reg::RegTensor<uint16_t> a, b;
    Reg::LoadAlign(low, x);
    Reg::LoadAlign(high, x + 64);
    Reg::Pack<uint16_t, int32_t, Reg::HighLowPart::LOWEST>(a, low);
    Reg::Pack<uint16_t, int32_t, Reg::HighLowPart::HIGHEST>(b, high);
    Reg::Or(a, a, b, all16);
    Reg::StoreAlign(packed, a, all16);
    Reg::UnPack<int32_t, int16_t, Reg::HighLowPart::LOWEST>(wide, (Reg::RegTensor<int16_t>&)a);
    Reg::StoreAlign(back, wide, all32);
    Reg::UnPack<int32_t, int16_t, Reg::HighLowPart::HIGHEST>(wide, (Reg::RegTensor<int16_t>&)a);
    Reg::StoreAlign(back + 64, wide, all32);
}
extern "C" __global__ __aicore__ void pack_unpack(GM_ADDR x, GM_ADDR packed, GM_ADDR back) {
    TPipe pipe;
    Input<int32_t> xs(pipe, x, 128);
    Output<uint16_t> ps(pipe, packed, 128);
    Output<int32_t> bs(pipe, back, 128);
    asc_vf_call<PackVf>(ps.Address(), bs.Address(), xs.Address());
    ps.Send();
    bs.Send();
}

// To hifloat8_t by both of its round modes.
constexpr CastTrait kAway = {RegLayout::ZERO, SatMode::NO_SAT, MaskMergeMode::ZEROING, RoundMode::CAST_ROUND};
constexpr CastTrait kHybrid = {RegLayout::ZERO, SatMode::NO_SAT, MaskMergeMode::ZEROING, RoundMode::CAST_HYBRID};
extern "C" __global__ __aicore__ void to_hif8(GM_ADDR x, GM_ADDR away, GM_ADDR hybrid) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<uint8_t> as(pipe, away, 64), hs(pipe, hybrid, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v;
        Reg::RegTensor<hifloat8_t> a, h;
        Reg::LoadAlign(v, xs.Address());
        Reg::Cast<hifloat8_t, float, kAway>(a, v, all);
        Reg::Cast<hifloat8_t, float, kHybrid>(h, v, all);
        Reg::StoreAlign<uint8_t, Reg::StoreDist::DIST_PACK4_B32>(as.Address(), (Reg::RegTensor<uint8_t>&)a, all);
        Reg::StoreAlign<uint8_t, Reg::StoreDist::DIST_PACK4_B32>(hs.Address(), (Reg::RegTensor<uint8_t>&)h, all);
    }
    as.Send();
    hs.Send();
}

// Queues and tensors of the types of 8 bits; a scalar of the scalar unit beside them.
template <typename T>
__simd_vf__ inline void NarrowVf(__ubuf__ T* y, __ubuf__ float* x, uint32_t n) {
    Reg::RegTensor<float> v;
    Reg::RegTensor<T> w;
    const uint16_t rounds = static_cast<uint16_t>((n + 63) / 64);
    constexpr RoundMode mode = std::is_same_v<T, hifloat8_t> ? RoundMode::CAST_ROUND : RoundMode::CAST_RINT;
    static constexpr CastTrait kNarrow = {RegLayout::ZERO, SatMode::SAT, MaskMergeMode::ZEROING, mode};
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::MaskReg mask = Reg::UpdateMask<float>(n);
        Reg::LoadAlign(v, x + i * 64);
        Reg::Cast<T, float, kNarrow>(w, v, mask);
        Reg::StoreAlign<T, Reg::StoreDist::DIST_PACK4_B32>(y + i * 64, w, mask);
    }
}
template <typename T>
__simd_vf__ inline void WidenVf(__ubuf__ float* y, __ubuf__ T* x, uint32_t n) {
    Reg::RegTensor<float> v;
    Reg::RegTensor<T> w;
    const uint16_t rounds = static_cast<uint16_t>((n + 63) / 64);
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::MaskReg mask = Reg::UpdateMask<float>(n);
        Reg::LoadAlign<T, Reg::LoadDist::DIST_UNPACK4_B8>(w, x + i * 64);
        Reg::Cast<float, T, kWidenEven>(v, w, mask);
        Reg::StoreAlign(y + i * 64, v, mask);
    }
}
template <typename T>
__aicore__ inline void RunNarrow(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, (n * sizeof(T) + 31) / 32 * 32);
    pipe.InitBuffer(out, 1, (n * sizeof(T) + 31) / 32 * 32);
    GlobalTensor<T> small;
    small.SetGlobalBuffer((__gm__ T*)y, n + 1);
    Input<float> xs(pipe, x, n);
    Output<float> zs(pipe, z, n);
    LocalTensor<T> codes = out.AllocTensor<T>();
    asc_vf_call<NarrowVf<T>>((__ubuf__ T*)codes.GetPhyAddr(), xs.Address(), n);
    out.EnQue(codes);
    codes = out.DeQue<T>();
    DataCopyExtParams bytes{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
    DataCopyPad(small, codes, bytes);
    out.FreeTensor(codes);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    LocalTensor<T> back = in.AllocTensor<T>();
    DataCopyPad(back, small, bytes, DataCopyPadExtParams<T>{false, 0, 0, 0});
    in.EnQue(back);
    back = in.DeQue<T>();
    asc_vf_call<WidenVf<T>>(zs.Address(), (__ubuf__ T*)back.GetPhyAddr(), n);
    in.FreeTensor(back);
    zs.Send();
    small.SetValue(n, static_cast<T>(2.5f));
}
extern "C" __global__ __aicore__ void to_e4m3(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    RunNarrow<fp8_e4m3fn_t>(x, y, z, n);
}
extern "C" __global__ __aicore__ void to_e5m2(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    RunNarrow<fp8_e5m2_t>(x, y, z, n);
}
