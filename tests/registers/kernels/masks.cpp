// SPDX-License-Identifier: Apache-2.0
// Mask registers in memory and among each other, what they squeeze, and lanes that change places in registers.
#include "common.h"

using namespace AscendC;

// The positive elements, one behind the other; their count in bytes is in AR when the function has ended.
template <typename T>
__simd_vf__ inline void CompactVf(__ubuf__ T* y, __ubuf__ T* x, uint32_t n, uint16_t rounds) {
    constexpr uint32_t lanes = GetVecLen() / sizeof(T);
    Reg::UnalignRegForStore stream;
    Reg::RegTensor<T> v, few;
    Reg::ClearSpr<SpecialPurposeReg::AR>();
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::MaskReg mask = Reg::UpdateMask<T>(n), positive;
        Reg::LoadAlign(v, x + i * lanes);
        Reg::Compares<T, CMPMODE::GT>(positive, v, static_cast<T>(0), mask);
        Reg::Squeeze<T, Reg::GatherMaskMode::STORE_REG>(few, v, positive);
        Reg::StoreUnAlign<T, Reg::PostLiteral::POST_MODE_UPDATE>(y, few, stream);
    }
    Reg::StoreUnAlignPost(y, stream);
}
template <typename T>
__aicore__ inline void RunCompact(GM_ADDR x, GM_ADDR y, GM_ADDR count, uint32_t n) {
    TPipe pipe;
    Input<T> xs(pipe, x, n);
    Output<T> ys(pipe, y, n);
    Output<int32_t> cs(pipe, count, 1);
    __ubuf__ T* py = ys.Address();
    __VEC_SCOPE__ {
        Reg::RegTensor<T> zero;
        Reg::Duplicate(zero, static_cast<T>(0));
        uint32_t left = n;
        for (uint16_t i = 0; i < Rounds<T>(n); ++i) {
            Reg::MaskReg mask = Reg::UpdateMask<T>(left);
            Reg::StoreAlign<T, Reg::PostLiteral::POST_MODE_UPDATE>(py, zero, 256 / sizeof(T), mask);
        }
    }
    asc_vf_call<CompactVf<T>>(ys.Address(), xs.Address(), n, Rounds<T>(n));
    cs.Tensor().SetValue(0, static_cast<int32_t>(GetSpr<SpecialPurposeReg::AR>() / sizeof(T)));
    const event_t set = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::S_MTE3));
    SetFlag<HardEvent::S_MTE3>(set);
    WaitFlag<HardEvent::S_MTE3>(set);
    ys.Send();
    cs.Send();
}
extern "C" __global__ __aicore__ void compact_float(GM_ADDR x, GM_ADDR y, GM_ADDR count, uint32_t n) {
    RunCompact<float>(x, y, count, n);
}
extern "C" __global__ __aicore__ void compact_int16(GM_ADDR x, GM_ADDR y, GM_ADDR count, uint32_t n) {
    RunCompact<int16_t>(x, y, count, n);
}

// Bits of x > y: whole masks, and a stream of one bit an element. The masks are read back and choose.
__simd_vf__ inline void BitsVf(__ubuf__ uint8_t* masks, __ubuf__ uint32_t* bits, __ubuf__ float* chosen,
                               __ubuf__ float* x, __ubuf__ float* y, uint32_t n, uint16_t rounds) {
    Reg::UnalignRegForStore stream;
    Reg::RegTensor<float> a, b;
    Reg::MaskReg mask, greater;
    uint32_t left = n;
    for (uint16_t i = 0; i < rounds; ++i) {
        mask = Reg::UpdateMask<float>(left);
        Reg::LoadAlign(a, x + i * 64);
        Reg::LoadAlign(b, y + i * 64);
        Reg::Compare<float, CMPMODE::GT>(greater, a, b, mask);
        Reg::StoreAlign(masks + i * 32, greater);
        Reg::StoreUnAlign(bits, greater, stream);
    }
    Reg::StoreUnAlignPost(bits, stream, 0);
    Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
    left = n;
    for (uint16_t i = 0; i < rounds; ++i) {
        mask = Reg::UpdateMask<float>(left);
        Reg::LoadAlign(greater, masks + i * 32);
        Reg::LoadAlign(a, x + i * 64);
        Reg::LoadAlign(b, y + i * 64);
        Reg::Select(a, a, b, greater);
        Reg::StoreAlign(chosen + i * 64, a, mask);
    }
}
extern "C" __global__ __aicore__ void bits(GM_ADDR x, GM_ADDR y, GM_ADDR masks, GM_ADDR packed, GM_ADDR chosen,
                                           uint32_t n) {
    TPipe pipe;
    const uint16_t rounds = Rounds<float>(n);
    Input<float> xs(pipe, x, n), ys(pipe, y, n);
    Output<uint8_t> ms(pipe, masks, 32 * rounds);
    Output<uint32_t> ps(pipe, packed, 2 * rounds);
    Output<float> cs(pipe, chosen, n);
    asc_vf_call<BitsVf>(ms.Address(), ps.Address(), cs.Address(), xs.Address(), ys.Address(), n, rounds);
    ms.Send();
    ps.Send();
    cs.Send();
}

// Packed bits of memory as a mask: in the register that holds them, and from memory, doubled for 16-bit elements.
__simd_vf__ inline void DropoutVf(__ubuf__ float* y, __ubuf__ half* z, __ubuf__ float* x, __ubuf__ half* w,
                                  __ubuf__ uint32_t* bits) {
    Reg::RegTensor<uint32_t> words;
    Reg::RegTensor<float> v, zero;
    Reg::RegTensor<half> h, none;
    Reg::MaskReg keep, all = Reg::CreateMask<float>(), all16 = Reg::CreateMask<half>();
    Reg::LoadAlign(words, bits);
    Reg::Duplicate(zero, 0.0f);
    Reg::Duplicate(none, static_cast<half>(0.0f));
    Reg::LoadAlign(v, x);
    Reg::MaskGenWithRegTensor<uint32_t, 1>(keep, words);  // bits 64 to 127
    Reg::Select(v, v, zero, keep);
    Reg::StoreAlign(y, v, all);
    Reg::LoadAlign(h, w);
    Reg::LoadAlign<uint32_t, Reg::MaskDist::DIST_US>(keep, bits);  // bits 0 to 127
    Reg::Select(h, h, none, keep);
    Reg::StoreAlign(z, h, all16);
}
extern "C" __global__ __aicore__ void dropout(GM_ADDR x, GM_ADDR w, GM_ADDR bits, GM_ADDR y, GM_ADDR z) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Input<half> ws(pipe, w, 128);
    Input<uint32_t> bs(pipe, bits, 64);
    Output<float> ys(pipe, y, 64);
    Output<half> zs(pipe, z, 128);
    asc_vf_call<DropoutVf>(ys.Address(), zs.Address(), xs.Address(), ws.Address(), bs.Address());
    ys.Send();
    zs.Send();
}

// Masks of 16-bit elements that become masks of 32-bit ones, and logic of masks.
__simd_vf__ inline void HalvesVf(__ubuf__ float* y, __ubuf__ uint8_t* seen, __ubuf__ half* x) {
    Reg::RegTensor<half> h;
    Reg::RegTensor<float> one, zero;
    Reg::MaskReg below, part, all16 = Reg::CreateMask<half>(), all = Reg::CreateMask<float>(), third, other;
    Reg::Duplicate(one, 1.0f);
    Reg::Duplicate(zero, 0.0f);
    Reg::LoadAlign(h, x);
    Reg::Compares<half, CMPMODE::LT>(below, h, static_cast<half>(0.0f), all16);
    Reg::UnPack<Reg::HighLowPart::LOWEST>(part, below);
    Reg::Duplicate<float, Reg::MaskMergeMode::MERGING>(zero, 2.0f, part);
    Reg::StoreAlign(y, zero, all);
    Reg::MaskUnPack<Reg::HighLowPart::HIGHEST>(part, below);
    Reg::Select(one, one, zero, part);
    Reg::StoreAlign(y + 64, one, all);
    third = Reg::CreateMask<half, Reg::MaskPattern::M3>();
    Reg::Not(other, below, all16);
    Reg::StoreAlign(seen, below);
    Reg::StoreAlign(seen + 32, other);
    Reg::And(other, below, third, all16);
    Reg::StoreAlign(seen + 64, other);
    Reg::Xor(other, below, third, all16);
    Reg::StoreAlign(seen + 96, other);
    Reg::MaskSel(other, third, below, Reg::CreateMask<half, Reg::MaskPattern::H>());
    Reg::StoreAlign(seen + 128, other);
    Reg::StoreAlign<uint8_t, Reg::MaskDist::DIST_PACK>(seen + 160, below);
    Reg::Interleave<uint16_t>(part, other, below, third);
    Reg::StoreAlign(seen + 192, part);
    Reg::StoreAlign(seen + 224, other);
}
extern "C" __global__ __aicore__ void halves(GM_ADDR x, GM_ADDR y, GM_ADDR seen) {
    TPipe pipe;
    Input<half> xs(pipe, x, 128);
    Output<float> ys(pipe, y, 128);
    Output<uint8_t> ss(pipe, seen, 256);
    // The last 16 bytes of the packed mask's block are written by nobody: they are cleared before.
    __ubuf__ uint8_t* ps = ss.Address();
    __VEC_SCOPE__ {
        Reg::RegTensor<uint8_t> zero;
        Reg::Duplicate(zero, 0);
        Reg::StoreAlign(ps, zero, Reg::CreateMask<uint8_t>());
    }
    asc_vf_call<HalvesVf>(ys.Address(), ss.Address(), xs.Address());
    ys.Send();
    ss.Send();
}

// Two rows into one and apart again, in registers; a register backwards; lanes by patterns.
__simd_vf__ inline void LanesVf(__ubuf__ int32_t* y, __ubuf__ int32_t* x) {
    Reg::RegTensor<int32_t> a, b, c, d, back;
    Reg::MaskReg all = Reg::CreateMask<int32_t>();
    Reg::LoadAlign(a, x);
    Reg::LoadAlign(b, x + 64);
    Reg::Interleave(c, d, a, b);
    Reg::StoreAlign(y, c, all);
    Reg::StoreAlign(y + 64, d, all);
    Reg::DeInterleave(c, d, a, b);
    Reg::StoreAlign(y + 128, c, all);
    Reg::StoreAlign(y + 192, d, all);
    Reg::Arange<int32_t, Reg::IndexOrder::DECREASE_ORDER>(back, 0);
    Reg::Gather(c, a, (Reg::RegTensor<uint32_t>&)back);
    Reg::StoreAlign(y + 256, c, all);
    Reg::Move(c, b, Reg::CreateMask<int32_t, Reg::MaskPattern::M4>());
    Reg::StoreAlign(y + 320, c, all);
    Reg::Squeeze(d, a, Reg::CreateMask<int32_t, Reg::MaskPattern::M3>());
    Reg::StoreAlign(y + 384, d, all);
    Reg::Duplicate(d, a, Reg::CreateMask<int32_t, Reg::MaskPattern::Q>());
    Reg::StoreAlign(y + 448, d, all);
}
extern "C" __global__ __aicore__ void lanes(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<int32_t> xs(pipe, x, 128);
    Output<int32_t> ys(pipe, y, 512);
    LanesVf(ys.Address(), xs.Address());
    ys.Send();
}

template <typename T, Reg::IndexOrder order>
__simd_vf__ inline void ArangeVf(__ubuf__ T* y, int32_t first, uint32_t n, uint16_t rounds) {
    constexpr uint32_t lanes = GetVecLen() / sizeof(T);
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::RegTensor<T> v;
        Reg::MaskReg mask = Reg::UpdateMask<T>(n);
        Reg::Arange<T, order>(v, static_cast<T>(first + static_cast<int32_t>(i * lanes)));
        Reg::StoreAlign(y + i * lanes, v, mask);
    }
}
template <typename T, Reg::IndexOrder order>
__aicore__ inline void RunArange(GM_ADDR y, int32_t first, uint32_t n) {
    TPipe pipe;
    Output<T> ys(pipe, y, n);
    asc_vf_call<ArangeVf<T, order>>(ys.Address(), first, n, Rounds<T>(n));
    ys.Send();
}
extern "C" __global__ __aicore__ void arange_int32(GM_ADDR y, int32_t first, uint32_t n) {
    RunArange<int32_t, Reg::IndexOrder::INCREASE_ORDER>(y, first, n);
}
extern "C" __global__ __aicore__ void arange_int8(GM_ADDR y, int32_t first, uint32_t n) {
    RunArange<int8_t, Reg::IndexOrder::INCREASE_ORDER>(y, first, n);
}
extern "C" __global__ __aicore__ void arange_float_down(GM_ADDR y, int32_t first, uint32_t n) {
    RunArange<float, Reg::IndexOrder::DECREASE_ORDER>(y, first, n);
}
