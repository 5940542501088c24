// SPDX-License-Identifier: Apache-2.0
// Calls of AscendC::Reg that change types or places of lanes, or reduce them (arch950.md 2.8, 2.9, 2.11).
#pragma once

#include "sfumato/ascendc/reg/lanes.h"

namespace sfumato::ascendc::reg {

// Whether Cast takes the layout: as many places as elements of the narrower type fit into one of the wider.
template <class From, class To>
constexpr bool CastsTo(AscendC::Reg::RegLayout layout) {
    constexpr uint32_t from = BitsOf(RegisterTypeOf<From>()), to = BitsOf(RegisterTypeOf<To>());
    constexpr uint32_t places = from > to ? from / to : to / from;
    return layout == AscendC::Reg::RegLayout::UNKNOWN || places == 1 || static_cast<uint32_t>(layout) < places;
}
// The round modes that conversions take (docs/spec/reg_cast.tsv). These two stand for the usual one of the types.
constexpr bool IsUsual(AscendC::RoundMode mode) {
    return mode == AscendC::RoundMode::CAST_NONE || mode == AscendC::RoundMode::UNKNOWN;
}
template <class To>
constexpr bool RoundsToHifloat8(AscendC::RoundMode mode) {
    const bool hybrid = mode == AscendC::RoundMode::CAST_HYBRID;
    if (RegisterTypeOf<To>() != DataType::kHifloat8) return !hybrid;
    return IsUsual(mode) || hybrid || mode == AscendC::RoundMode::CAST_ROUND;
}
template <class To>
constexpr bool RoundsToFp8(AscendC::RoundMode mode) {
    constexpr DataType to = RegisterTypeOf<To>();
    return (to != DataType::kFp8E4m3 && to != DataType::kFp8E5m2) || IsUsual(mode) ||
           mode == AscendC::RoundMode::CAST_RINT;
}
template <class From, class To>
constexpr bool RoundsToOdd(AscendC::RoundMode mode) {
    return mode != AscendC::RoundMode::CAST_ODD ||
           (RegisterTypeOf<From>() == DataType::kFloat && RegisterTypeOf<To>() == DataType::kHalf);
}

}  // namespace sfumato::ascendc::reg

namespace AscendC::Reg {

// trait by value: of a reference to a member of a class template g++ 12 makes an internal error.
template <typename T = DefaultType, typename U = DefaultType, CastTrait trait = castTrait, Register S, Register V>
void Cast(S& dstReg, const V& srcReg, const MaskReg& mask, SFUMATO_AT) {
    using From = sfumato_::ElementOfCall<U, V>;
    using To = sfumato_::ElementOfCall<T, S>;
    static_assert(trait.mrgMode != MaskMergeMode::MERGING, "MERGING is not supported by Reg::Cast [mode-unsupported]");
    static_assert(
        reg_::CastsTo<From, To>(trait.layoutMode),
        "Reg::Cast: layoutMode ZERO and ONE are for widths of ratio 2, ZERO to THREE for 4 [mode-unsupported]");
    static_assert(reg_::RoundsToHifloat8<To>(trait.roundMode),
                  "Reg::Cast: to hifloat8_t CAST_ROUND and CAST_HYBRID are legal, and CAST_HYBRID to no other type "
                  "[rounding-unsupported]");
    static_assert(reg_::RoundsToFp8<To>(trait.roundMode),
                  "Reg::Cast: to fp8_e4m3fn_t and fp8_e5m2_t CAST_RINT alone is legal [rounding-unsupported]");
    static_assert(reg_::RoundsToOdd<From, To>(trait.roundMode),
                  "Reg::Cast: CAST_ODD is for float to half alone [rounding-unsupported]");
    RegisterCall call = reg_::CallOf<From, To>(RegisterOp::kCast, dstReg, &mask);
    call.registers = V::kRegisters;
    call.src0 = srcReg.reg;
    if (sfumato_::RegisterTypeOf<To>() == sfumato::DataType::kHifloat8) {
        call.rounding = sfumato::Rounding::kRound;
        call.mode = trait.roundMode == RoundMode::CAST_HYBRID;
    } else if (!reg_::IsUsual(trait.roundMode)) {
        call.rounding = static_cast<sfumato::Rounding>(trait.roundMode);
    }
    call.layout = trait.layoutMode == RegLayout::UNKNOWN ? 0 : static_cast<uint8_t>(trait.layoutMode);
    call.saturate = static_cast<uint8_t>(trait.satMode);
    reg_::Lanes(call, "Cast", where);
}
template <typename T = DefaultType, RoundMode roundMode = RoundMode::CAST_NONE,
          MaskMergeMode mode = MaskMergeMode::ZEROING, Register S>
void Truncate(S& dstReg, const S& srcReg, const MaskReg& mask, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, S>;
    SFUMATO_MERGES(mode, "Truncate");
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kTruncate, dstReg, &mask);
    call.src0 = srcReg.reg, call.rounding = static_cast<sfumato::Rounding>(roundMode);
    reg_::Lanes(call, "Truncate", where);
}
template <typename T = DefaultType, typename U = DefaultType, RegLayout layout = RegLayout::ZERO,
          MaskMergeMode mode = MaskMergeMode::ZEROING, Register S, Register V>
void ExpSub(S& dstReg, const V& srcReg0, const V& srcReg1, const MaskReg& mask, SFUMATO_AT) {
    SFUMATO_MERGES(mode, "ExpSub");
    RegisterCall call =
        reg_::CallOf<sfumato_::ElementOfCall<U, V>, sfumato_::ElementOfCall<T, S>>(RegisterOp::kExpSub, dstReg, &mask);
    call.src0 = srcReg0.reg, call.src1 = srcReg1.reg, call.layout = static_cast<uint8_t>(layout);
    reg_::Lanes(call, "ExpSub", where);
}
template <typename T = DefaultType, typename U = DefaultType, RegLayout layout = RegLayout::ZERO,
          MaskMergeMode mode = MaskMergeMode::ZEROING, Register S, Register V>
void FusedExpSub(S& dstReg, const V& srcReg0, const V& srcReg1, const MaskReg& mask, SFUMATO_AT) {
    ExpSub<T, U, layout, mode>(dstReg, srcReg0, srcReg1, mask, where);
}
template <typename T0 = DefaultType, typename T1 = DefaultType, typename T2, RegLayout layout = RegLayout::ZERO,
          Register T3, Register T4>
void MulsCast(T3& dstReg, const T4& srcReg, T2 scalarValue, const MaskReg& mask, SFUMATO_AT) {
    RegisterCall call = reg_::CallOf<sfumato_::ElementOfCall<T1, T4>, sfumato_::ElementOfCall<T0, T3>>(
        RegisterOp::kMulsCast, dstReg, &mask);
    call.src0 = srcReg.reg, call.scalar = sfumato_::ScalarBits(static_cast<float>(scalarValue));
    call.layout = static_cast<uint8_t>(layout);
    reg_::Lanes(call, "MulsCast", where);
}

// The register goes by value, as its page has it.
template <ReduceType type = ReduceType::SUM, typename T = DefaultType, typename U = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, Register S, Register V>
void Reduce(S& dstReg, const V& srcReg, const MaskReg& mask, SFUMATO_AT) {
    SFUMATO_MERGES(mode, "Reduce");
    constexpr auto kOp = type == ReduceType::SUM   ? RegisterOp::kSum
                         : type == ReduceType::MAX ? RegisterOp::kLargest
                                                   : RegisterOp::kSmallest;
    RegisterCall call = reg_::CallOf<sfumato_::ElementOfCall<U, V>, sfumato_::ElementOfCall<T, S>>(kOp, dstReg, &mask);
    call.registers = V::kRegisters;
    call.src0 = srcReg.reg;
    reg_::Lanes(call, "Reduce", where);
}
#define SFUMATO_REG_REDUCE(Name, kType)                                                                        \
    template <typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, \
              Register S, Register V>                                                                          \
    void Name(S& dstReg, const V& srcReg, const MaskReg& mask, SFUMATO_AT) {                                   \
        Reduce<ReduceType::kType, T, U, mode>(dstReg, srcReg, mask, where);                                    \
    }
SFUMATO_REG_REDUCE(ReduceSum, SUM)
SFUMATO_REG_REDUCE(ReduceMax, MAX)
SFUMATO_REG_REDUCE(ReduceMin, MIN)
#undef SFUMATO_REG_REDUCE
template <ReduceType type = ReduceType::SUM, typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING,
          Register S, Register V>
void ReduceDataBlock(S& dstReg, const V& srcReg, const MaskReg& mask, SFUMATO_AT) {
    SFUMATO_MERGES(mode, "ReduceDataBlock");
    constexpr auto kOp = type == ReduceType::SUM   ? RegisterOp::kBlockSum
                         : type == ReduceType::MAX ? RegisterOp::kBlockLargest
                                                   : RegisterOp::kBlockSmallest;
    RegisterCall call =
        reg_::CallOf<sfumato_::ElementOfCall<DefaultType, V>, sfumato_::ElementOfCall<T, S>>(kOp, dstReg, &mask);
    call.src0 = srcReg.reg;
    reg_::Lanes(call, "ReduceDataBlock", where);
}
#define SFUMATO_REG_REDUCE(Name, kType)                                                                      \
    template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, Register S, Register V> \
    void Name(S& dstReg, const V& srcReg, const MaskReg& mask, SFUMATO_AT) {                                 \
        ReduceDataBlock<ReduceType::kType, T, mode>(dstReg, srcReg, mask, where);                            \
    }
SFUMATO_REG_REDUCE(ReduceSumWithDataBlock, SUM)
SFUMATO_REG_REDUCE(ReduceMaxWithDataBlock, MAX)
SFUMATO_REG_REDUCE(ReduceMinWithDataBlock, MIN)
#undef SFUMATO_REG_REDUCE
template <PairReduce type = PairReduce::SUM, typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING,
          Register U>
void PairReduceElem(U& dstReg, const U& srcReg, const MaskReg& mask, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, U>;
    SFUMATO_MERGES(mode, "PairReduceElem");
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kPairSum, dstReg, &mask);
    call.src0 = srcReg.reg;
    reg_::Lanes(call, "PairReduceElem", where);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, Register U>
void PairReduceSum(U& dstReg, const U& srcReg, const MaskReg& mask, SFUMATO_AT) {
    PairReduceElem<PairReduce::SUM, T, mode>(dstReg, srcReg, mask, where);
}

template <typename T = DefaultType, GatherMaskMode store = GatherMaskMode::NO_STORE_REG, Register U>
void Squeeze(U& dstReg, const U& srcReg, const MaskReg& mask, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, U>;
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kSqueeze, dstReg, &mask);
    call.src0 = srcReg.reg;
    const uint32_t count = reg_::Lanes(call, "Squeeze", where);
    if constexpr (store == GatherMaskMode::STORE_REG) reg_::SetSqueezed(count * sizeof(E), where);
}
template <typename T = DefaultType, GatherMaskMode store = GatherMaskMode::NO_STORE_REG, Register U>
void GatherMask(U& dstReg, const U& srcReg, const MaskReg& mask, SFUMATO_AT) {
    Squeeze<T, store>(dstReg, srcReg, mask, where);
}
template <typename T = DefaultType, Register U>
void Unsqueeze(U& dstReg, const MaskReg& mask, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, U>;
    reg_::Lanes(reg_::CallOf<E, E>(RegisterOp::kUnsqueeze, dstReg, &mask), "Unsqueeze", where);
}
template <typename T = DefaultType, typename U = DefaultType, HistogramsBinType mode, HistogramsType type, Register S,
          Register V>
void Histograms(V& dstReg, const S& srcReg, const MaskReg& mask, SFUMATO_AT) {
    RegisterCall call = reg_::CallOf<sfumato_::ElementOfCall<T, S>, sfumato_::ElementOfCall<U, V>>(
        RegisterOp::kHistogram, dstReg, &mask);
    call.src0 = srcReg.reg, call.mode = static_cast<uint8_t>(mode);
    call.accumulates = type == HistogramsType::ACCUMULATE;
    reg_::Lanes(call, "Histograms", where);
}

template <typename T = DefaultType, Register U>
void Move(U& dstReg, const U& srcReg, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, U>;
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kMove, dstReg);
    call.src0 = srcReg.reg;
    reg_::Lanes(call, "Move", where);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::MERGING, Register U>
void Move(U& dstReg, const U& srcReg, const MaskReg& mask, SFUMATO_AT) {
    static_assert(mode == MaskMergeMode::MERGING, "Reg::Move with a mask has MERGING alone [mode-unsupported]");
    using E = sfumato_::ElementOfCall<T, U>;
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kMove, dstReg, &mask);
    call.src0 = srcReg.reg, call.merging = true;
    reg_::Lanes(call, "Move", where);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::MERGING, Register U, class... Mask>
void Copy(U& dstReg, const U& srcReg, const Mask&... mask) {
    Move<T>(dstReg, srcReg, mask...);
}

template <typename T = DefaultType, typename U, Register S>
requires(!Register<U>) void Duplicate(S& dstReg, U scalarValue, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, S>;
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kDuplicate, dstReg);
    call.scalar = sfumato_::ScalarBits(static_cast<E>(scalarValue));
    reg_::Lanes(call, "Duplicate", where);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U, Register S>
requires(!Register<U>) void Duplicate(S& dstReg, U scalarValue, const MaskReg& mask, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, S>;
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kDuplicate, dstReg, &mask);
    call.scalar = sfumato_::ScalarBits(static_cast<E>(scalarValue)), call.merging = mode == MaskMergeMode::MERGING;
    reg_::Lanes(call, "Duplicate", where);
}
template <typename T = DefaultType, HighLowPart pos = HighLowPart::LOWEST, MaskMergeMode mode = MaskMergeMode::ZEROING,
          Register S>
void Duplicate(S& dstReg, const S& srcReg, const MaskReg& mask, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, S>;
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kDuplicate, dstReg, &mask);
    call.src0 = srcReg.reg, call.mode = static_cast<uint8_t>(pos), call.merging = mode == MaskMergeMode::MERGING;
    reg_::Lanes(call, "Duplicate", where);
}
template <typename T = DefaultType, IndexOrder order = IndexOrder::INCREASE_ORDER, typename U, Register S>
void Arange(S& dstReg, U scalarValue, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, S>;
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kArange, dstReg);
    call.scalar = sfumato_::ScalarBits(static_cast<E>(scalarValue)), call.mode = static_cast<uint8_t>(order);
    reg_::Lanes(call, "Arange", where);
}

template <typename T = DefaultType, typename U = DefaultType, HighLowPart part = HighLowPart::LOWEST, Register S,
          Register V>
void Pack(S& dstReg, const V& srcReg, SFUMATO_AT) {
    RegisterCall call =
        reg_::CallOf<sfumato_::ElementOfCall<U, V>, sfumato_::ElementOfCall<T, S>>(RegisterOp::kPack, dstReg);
    call.registers = V::kRegisters;
    call.src0 = srcReg.reg, call.mode = static_cast<uint8_t>(part);
    reg_::Lanes(call, "Pack", where);
}
template <typename T = DefaultType, typename U = DefaultType, HighLowPart part = HighLowPart::LOWEST, Register S,
          Register V>
void UnPack(S& dstReg, const V& srcReg, SFUMATO_AT) {
    RegisterCall call =
        reg_::CallOf<sfumato_::ElementOfCall<U, V>, sfumato_::ElementOfCall<T, S>>(RegisterOp::kUnPack, dstReg);
    call.src0 = srcReg.reg, call.mode = static_cast<uint8_t>(part);
    reg_::Lanes(call, "UnPack", where);
}
template <typename T = DefaultType, Register U>
void Interleave(U& dstReg0, U& dstReg1, const U& srcReg0, const U& srcReg1, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, U>;
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kInterleave, dstReg0);
    call.dst1 = dstReg1.reg, call.src0 = srcReg0.reg, call.src1 = srcReg1.reg;
    reg_::Lanes(call, "Interleave", where);
}
template <typename T = DefaultType, Register U>
void DeInterleave(U& dstReg0, U& dstReg1, const U& srcReg0, const U& srcReg1, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, U>;
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kDeInterleave, dstReg0);
    call.dst1 = dstReg1.reg, call.src0 = srcReg0.reg, call.src1 = srcReg1.reg;
    reg_::Lanes(call, "DeInterleave", where);
}
template <typename T = DefaultType, typename U = DefaultType, Register S, Register V>
void Gather(S& dstReg, const S& srcReg, const V& indexReg, SFUMATO_AT) {
    using E = sfumato_::ElementOfCall<T, S>;
    RegisterCall call = reg_::CallOf<E, E>(RegisterOp::kGather, dstReg);
    call.src0 = srcReg.reg, call.src1 = indexReg.reg;
    reg_::Lanes(call, "Gather", where);
}

}  // namespace AscendC::Reg
