// SPDX-License-Identifier: Apache-2.0
// Calls as public programs spell them: names of MicroAPI, explicit and deduced arguments, casts of registers.
#include "common.h"

using namespace AscendC;
using MicroAPI::DataCopyMode;
using MicroAPI::HighLowPart;
using MicroAPI::LoadDist;
using MicroAPI::MaskDist;
using MicroAPI::MaskMergeMode;
using MicroAPI::MaskReg;
using MicroAPI::PostLiteral;
using MicroAPI::RegTensor;
using MicroAPI::StoreDist;

constexpr MicroAPI::CastTrait kCast = {MicroAPI::RegLayout::ZERO, MicroAPI::SatMode::UNKNOWN, MaskMergeMode::ZEROING,
                                       AscendC::RoundMode::UNKNOWN};
constexpr PostLiteral kUpdate = PostLiteral::POST_MODE_UPDATE;

__simd_callee__ inline void Masks(__ubuf__ uint8_t* m, __ubuf__ int32_t* w, RegTensor<int32_t>& i) {
    MaskReg p = MicroAPI::CreateMask<float>(), q;
    MicroAPI::UnalignReg u;
    MicroAPI::AddrReg at = MicroAPI::CreateAddrReg<uint8_t>(1, 32);
    MicroAPI::DataCopy(m, p, at);
    MicroAPI::DataCopy(q, m, at);
    MicroAPI::DataCopy(m, p);
    MicroAPI::DataCopy(q, m);
    MicroAPI::DataCopy<uint8_t, MaskDist::DIST_NORM>(m, p);
    MicroAPI::DataCopy<uint8_t, kUpdate>(m, p, 32);
    MicroAPI::DataCopy<uint8_t, kUpdate, MaskDist::DIST_PACK>(m, p, 32);
    m -= 64;
    MicroAPI::DataCopy<uint8_t, kUpdate>(q, m, 32);
    MicroAPI::DataCopy<uint8_t, kUpdate, MaskDist::DIST_US>(q, m, -32);
    MicroAPI::DataCopy<uint8_t, MaskDist::DIST_DS>(q, m);
    MicroAPI::MaskNot(q, q, p);
    MicroAPI::MaskAnd(q, q, p, p);
    MicroAPI::MaskOr(q, p, q, p);
    MicroAPI::MaskXor(q, p, q, p);
    MicroAPI::MaskSel(q, p, q, p);
    MicroAPI::MaskMov(q, p);
    MicroAPI::MaskPack<HighLowPart::LOWEST>(q, p);
    MicroAPI::MaskUnPack<HighLowPart::HIGHEST>(q, p);
    MicroAPI::MaskPack(q, p);
    MicroAPI::MaskUnPack(q, p);
    MicroAPI::MaskInterleave<uint16_t>(p, q, p, q);
    MicroAPI::MaskDeInterleave<uint32_t>(p, q, p, q);
    p = MicroAPI::CreateMask<int32_t, MicroAPI::MaskPattern::VL8>();
    MicroAPI::CompareScalar<int32_t, CMPMODE::GT>(q, i, 0, p);
    MicroAPI::CompareScalar(q, i, 3, p);
    MicroAPI::Compare<int32_t, CMPMODE::GT>(q, i, i, p);
    MicroAPI::Compares<int32_t, CMPMODE::LT>(q, i, 1, p);
    MicroAPI::ClearSpr<SpecialPurposeReg::AR>();
    MicroAPI::ClearSpr<AscendC::SpecialPurposeReg::AR>();
    MicroAPI::GatherMask<int32_t, MicroAPI::GatherMaskMode::STORE_REG>(i, i, p);
    MicroAPI::DataCopyUnAlign<int32_t, kUpdate>(w, i, u);
    MicroAPI::DataCopyUnAlignPost(w, u);
    MicroAPI::StoreUnAlign(w, p, u);
    MicroAPI::StoreUnAlignPost<int32_t>(w, u, 0);
    MicroAPI::Unsqueeze((RegTensor<uint32_t>&)i, p);
    MicroAPI::MaskGenWithRegTensor<uint32_t, 3>(q, (RegTensor<uint32_t>&)i);
}

__simd_callee__ inline void Moves(__ubuf__ float* f, __ubuf__ half* h, uint32_t n) {
    MaskReg p = MicroAPI::CreateMask<float>();
    RegTensor<float> x, y;
    RegTensor<half> narrow;
    MicroAPI::UnalignReg u;
    MicroAPI::AddrReg at = MicroAPI::CreateAddrReg<float>(1, 64);
    MicroAPI::DataCopy(x, f);
    MicroAPI::DataCopy(x, f, at);
    DataCopy(x, f + 64);
    MicroAPI::DataCopy<float>(x, f);
    MicroAPI::DataCopy<float, LoadDist::DIST_BRC_B32>(x, f);
    MicroAPI::DataCopy<float, kUpdate>(x, f, 64);
    MicroAPI::DataCopy<float, kUpdate, LoadDist::DIST_BRC_B32>(x, f, -64);
    MicroAPI::DataCopy<float, LoadDist::DIST_DINTLV_B32>(x, y, f);
    MicroAPI::DataCopy<float, LoadDist::DIST_DINTLV_B32>(x, y, f, at);
    MicroAPI::DataCopy<float, kUpdate, LoadDist::DIST_DINTLV_B32>(x, y, f, 0);
    MicroAPI::DataCopy<float, DataCopyMode::DATA_BLOCK_COPY>(x, f, 2, p);
    MicroAPI::DataCopy<float, DataCopyMode::DATA_BLOCK_COPY, kUpdate>(x, f, 2, 0, p);
    MicroAPI::DataCopy<float, DataCopyMode::DATA_BLOCK_COPY>(f, x, 2, p);
    MicroAPI::DataCopy<float, DataCopyMode::DATA_BLOCK_COPY, kUpdate>(f, x, 1, 0, p);
    MicroAPI::DataCopy(f, x, p);
    MicroAPI::DataCopy(f, x, at, p);
    MicroAPI::DataCopy<float, StoreDist::DIST_NORM_B32>(f, x, p);
    MicroAPI::DataCopy<half, LoadDist::DIST_UNPACK_B16>(narrow, (__local_mem__ half*)(h), at);
    MicroAPI::DataCopy<half, LoadDist::DIST_UNPACK_B16>(narrow, h + 64);
    MicroAPI::DataCopy<half, StoreDist::DIST_PACK_B32>(h, narrow, p);
    MicroAPI::DataCopy<half, StoreDist::DIST_PACK_B32>(h, narrow, at, p);
    MicroAPI::DataCopy<float, kUpdate>(f, x, 0, p);
    MicroAPI::DataCopy<half, kUpdate, StoreDist::DIST_PACK_B32>(h, narrow, 0, p);
    MicroAPI::DataCopy<float, StoreDist::DIST_INTLV_B32>(f, x, y, p);
    MicroAPI::DataCopy<float, StoreDist::DIST_INTLV_B32>(f, x, y, at, p);
    MicroAPI::DataCopyUnAlignPre(u, f + 1);
    MicroAPI::DataCopyUnAlign(x, u, f + 1);
    MicroAPI::DataCopyUnAlignPre(u, f);
    MicroAPI::DataCopyUnAlign<float>(x, u, f);
    MicroAPI::DataCopyUnAlign(x, u, f + 64);
    MicroAPI::DataCopyUnAlignPre(u, f);
    MicroAPI::DataCopyUnAlign(x, u, f, 64);
    MicroAPI::DataCopyUnAlign<float, kUpdate>(x, u, f, n);
    f -= 64 + n;
    MicroAPI::DataCopyUnAlign(f, x, u, 64);
    MicroAPI::DataCopyUnAlign<float, kUpdate>(f, x, u, n);
    MicroAPI::DataCopyUnAlignPost(f, u, 0);
    uint64_t raw = (uint64_t)(f - 64 - n);
    MicroAPI::LoadUnAlignPre(u, ((__ubuf__ float*&)raw));
    MicroAPI::LoadUnAlign(x, u, ((__ubuf__ float*&)raw), 0);
    MicroAPI::StoreUnAlign(((__ubuf__ float*&)raw), x, u, n);
    MicroAPI::StoreUnAlignPost(((__ubuf__ float*&)raw), u, 0);
    MicroAPI::LocalMemBar<MicroAPI::MemType::VEC_STORE, MicroAPI::MemType::VEC_LOAD>();
}

__simd_callee__ inline void Floats(RegTensor<float>& x, RegTensor<float>& y, RegTensor<half>& narrow) {
    MaskReg p = MicroAPI::CreateMask<float>(), q = p;
    MicroAPI::Cast<float, half, kCast>(x, narrow, p);
    MicroAPI::Duplicate<float, MaskMergeMode::ZEROING, float>(x, 1.0f, p);
    MicroAPI::Duplicate(x, float(0));
    MicroAPI::Duplicate(x, 0.0f, p);
    MicroAPI::Duplicate(x, y, p);
    MicroAPI::Duplicate<float, HighLowPart::LOWEST, MaskMergeMode::ZEROING>(x, y, p);
    MicroAPI::Duplicate((RegTensor<uint32_t>&)x, uint32_t(3), p);
    MicroAPI::Duplicate(x, 2.0f);
    MicroAPI::Reduce<MicroAPI::ReduceType::SUM, float, float>(x, x, p);
    MicroAPI::Reduce<MicroAPI::ReduceType::SUM>(x, x, p);
    MicroAPI::ReduceSum(x, x, p);
    MicroAPI::ReduceMax<float>(x, y, p);
    MicroAPI::ReduceMaxWithDataBlock(x, y, p);
    MicroAPI::ReduceSumWithDataBlock(x, y, p);
    MicroAPI::PairReduceSum(x, y, p);
    MicroAPI::Add(x, x, y, p);
    MicroAPI::Add<float, MaskMergeMode::MERGING>(x, x, y, p);
    MicroAPI::Muls(x, x, 2, p);
    MicroAPI::Muls<float, float>(x, x, 2.f, p);
    MicroAPI::Adds<float, float, MaskMergeMode::ZEROING>(x, x, 2.f, p);
    MicroAPI::Axpy(x, y, 2.0f, p);
    MicroAPI::FusedMulDstAdd(x, y, x, p);
    MicroAPI::FusedExpSub(x, y, x, p);
    MicroAPI::FusedExpSub<float, float>(x, y, x, p);
    MicroAPI::FusedAbsSub(x, y, x, p);
    static constexpr MicroAPI::DivSpecificMode kDiv = {MaskMergeMode::ZEROING, true};
    static constexpr MicroAPI::ExpSpecificMode kExp = {MaskMergeMode::ZEROING,
                                                       MicroAPI::ExpAlgo::PRECISION_1ULP_FTZ_FALSE};
    static constexpr MicroAPI::SqrtSpecificMode kSqrt = {MaskMergeMode::ZEROING, true};
    MicroAPI::Div(x, y, y, p);
    MicroAPI::Div<float, &kDiv>(x, x, y, p);
    MicroAPI::Exp<float, &kExp>(x, x, p);
    MicroAPI::Sqrt<float, &kSqrt>(x, x, p);
    MicroAPI::Ln(x, x, p);
    MicroAPI::Select(x, x, y, q);
    MicroAPI::Select<float>(x, x, y, q);
    MicroAPI::Interleave(x, y, x, y);
    MicroAPI::DeInterleave<float>(x, y, x, y);
    MicroAPI::Move(x, y, p);
    MicroAPI::Copy(x, y);
    MicroAPI::Copy<float, MaskMergeMode::MERGING>(x, y, p);
    MicroAPI::Truncate<float, RoundMode::CAST_FLOOR>(x, y, p);
    MicroAPI::Truncate<float, RoundMode::CAST_RINT, MaskMergeMode::ZEROING>(x, y, p);
    MicroAPI::MulsCast<half, float, float>(narrow, x, 2.0f, p);
}

__simd_callee__ inline void Integers(__ubuf__ float* f, __ubuf__ int64_t* d, uint32_t n) {
    MaskReg p = MicroAPI::CreateMask<int32_t, MicroAPI::MaskPattern::ALL>(), q;
    RegTensor<float> x;
    RegTensor<int32_t> i, j;
    RegTensor<uint32_t> u;
    RegTensor<uint16_t> s;
    MicroAPI::Arange(i, (int32_t)n * 64);
    MicroAPI::Arange<int32_t, MicroAPI::IndexOrder::DECREASE_ORDER>(i, 0);
    MicroAPI::ShiftLefts(i, i, (int16_t)3, p);
    MicroAPI::ShiftRights<int32_t, int16_t>(i, i, (int16_t)3, p);
    MicroAPI::Not(j, i, p);
    MicroAPI::And(j, i, j, p);
    MicroAPI::Mull(i, j, i, j, p);
    MicroAPI::Duplicate(u, 7);
    MicroAPI::Pack(s, u);
    MicroAPI::Pack<uint16_t, uint32_t>(s, u);
    MicroAPI::Pack<uint16_t, uint32_t, HighLowPart::HIGHEST>(s, u);
    MicroAPI::Pack<uint16_t, int32_t, HighLowPart::LOWEST>(s, i);
    MicroAPI::UnPack<uint32_t, uint16_t>(u, s);
    MicroAPI::UnPack<uint32_t, uint16_t, HighLowPart::HIGHEST>(u, s);
    MicroAPI::Add<uint32_t>(q, u, u, u, p);
    MicroAPI::AddC(q, u, u, u, q, p);
    MicroAPI::Arange((RegTensor<int32_t>&)u, 0);
    MicroAPI::DataCopyGather(x, f, u, p);
    MicroAPI::DataCopyGather<float, float, uint32_t>(x, f, u, p);
    MicroAPI::DataCopyScatter(f, x, u, p);
    MicroAPI::DataCopyScatter<float, uint32_t>(f, x, u, p);
    MicroAPI::Gather(x, x, u);
    MicroAPI::Gather<float, uint32_t>(x, x, u);
    MicroAPI::Muls(u, u, 32, p);
    MaskReg first = MicroAPI::CreateMask<int32_t, MicroAPI::MaskPattern::VL8>();
    MicroAPI::DataCopyGatherB(x, f, u, first);
    RegTensor<int64_t, MicroAPI::RegTraitNumTwo> wide;
    uint32_t count = 64;
    p = MicroAPI::UpdateMask<int64_t, MicroAPI::RegTraitNumTwo>(count);
    MicroAPI::Duplicate(wide, (int64_t)4);
    MicroAPI::Arange(wide, 3);
    MicroAPI::Add(wide, wide, wide, p);
    MicroAPI::DataCopy(d, wide, p);
    MicroAPI::DataCopy(wide, d);
    MicroAPI::Cast<int32_t, int64_t, kCast>(i, wide, p);
    RegTensor<fp8_e4m3fn_t> small;
    RegTensor<bfloat16_t> brain;
    (void)small;
    (void)brain;
}

extern "C" __global__ __aicore__ void spellings(GM_ADDR y, uint32_t n) {
    TPipe pipe;
    Scratch<uint8_t> masks(pipe, 256);
    Scratch<float> floats(pipe, 512);
    Scratch<half> halves(pipe, 512);
    Scratch<int32_t> words(pipe, 256);
    Scratch<int64_t> wide(pipe, 64);
    Output<float> ys(pipe, y, 64);
    constexpr uint32_t lanes = AscendC::VECTOR_REG_WIDTH / sizeof(float);
    __VEC_SCOPE__ {
        MaskReg p = MicroAPI::CreateMask<float>();
        RegTensor<float> x, one;
        RegTensor<half> narrow;
        RegTensor<int32_t> i;
        MicroAPI::Duplicate(x, 1.0f);
        MicroAPI::Duplicate(one, 1.0f);
        MicroAPI::Duplicate((RegTensor<uint32_t>&)narrow, 0);
        for (uint16_t k = 0; k < 8; ++k) MicroAPI::DataCopy(floats.Address() + k * lanes, x, p);
        for (uint16_t k = 0; k < 4; ++k) {
            MicroAPI::DataCopy((__ubuf__ float*)halves.Address() + k * lanes, x, p);
        }
        MicroAPI::Arange(i, 0);
        Masks(masks.Address(), words.Address(), i);
        Moves(floats.Address(), halves.Address(), n);
        Floats(x, one, narrow);
        Integers(floats.Address(), wide.Address(), n);
        MicroAPI::Duplicate(x, 5.0f);
        MicroAPI::DataCopy(ys.Address(), x, p);
    }
    auto bytes = MicroAPI::GetSpr<SpecialPurposeReg::AR>() + AscendC::GetSpr<AscendC::SpecialPurposeReg::AR>();
    const event_t stored = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
    SetFlag<HardEvent::V_S>(stored);
    WaitFlag<HardEvent::V_S>(stored);
    ys.Tensor().SetValue(0, static_cast<float>(bytes));
    const event_t set = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::S_MTE3));
    SetFlag<HardEvent::S_MTE3>(set);
    WaitFlag<HardEvent::S_MTE3>(set);
    ys.Send();
}

template <typename T>
__aicore__ inline void LimitsOf(__gm__ float* y) {
    using Limits = NumericLimits<T>;
    constexpr T kAll[] = {Limits::Max(),      Limits::Lowest(),           Limits::Min(),
                          Limits::Infinity(), Limits::NegativeInfinity(), Limits::DeNormMin()};
    for (int i = 0; i < 6; ++i) y[i] = static_cast<float>(kAll[i]);
}
extern "C" __global__ __aicore__ void limits(GM_ADDR y) {
    __gm__ float* to = (__gm__ float*)y;
    LimitsOf<half>(to);
    LimitsOf<bfloat16_t>(to + 6);
    LimitsOf<float>(to + 12);
    to[18] = NumericLimits<int8_t>::Max(), to[19] = NumericLimits<int8_t>::Lowest();
    to[20] = NumericLimits<uint8_t>::Max(), to[21] = NumericLimits<uint8_t>::Lowest();
    to[22] = GetUBSizeInBytes(), to[23] = GetRuntimeUBSize();
}

// Where public programs keep their traits: a member of a class template.
template <typename T>
class Narrower {
public:
    static constexpr MicroAPI::CastTrait kTrait = {MicroAPI::RegLayout::ZERO, MicroAPI::SatMode::NO_SAT,
                                                   MaskMergeMode::ZEROING, RoundMode::CAST_RINT};
    __aicore__ inline void Run(__ubuf__ int16_t* to, __ubuf__ T* from) {
        __VEC_SCOPE__ {
            RegTensor<float> wide, sum;
            RegTensor<int16_t> narrow;
            RegTensor<int4x2_t> nibbles;
            MaskReg all = MicroAPI::CreateMask<float>();
            MicroAPI::DataCopy(wide, from);
            MicroAPI::Reduce<ReduceType::SUM>(sum, wide, all);
            MicroAPI::Duplicate(sum, sum, all);
            MicroAPI::Cast<int16_t, float, kTrait>(narrow, sum, all);
            MicroAPI::DataCopy<int16_t, StoreDist::DIST_PACK_B32>(to, narrow, all);
        }
    }
};
extern "C" __global__ __aicore__ void narrower(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<int16_t> ys(pipe, y, 64);
    Narrower<float>().Run(ys.Address(), xs.Address());
    ys.Send();
}
extern "C" __global__ __aicore__ void misaligned(GM_ADDR x) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    __VEC_SCOPE__ {
        RegTensor<float> v;
        MicroAPI::DataCopy(v, xs.Address() + 1);
    }
}
