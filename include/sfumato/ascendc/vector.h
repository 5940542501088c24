// SPDX-License-Identifier: Apache-2.0
// Vector instructions: Cast (pages/004), CastDeq, Duplicate, and the mask register. Each has three forms: the first n
// elements (calCount), and repeats with a mask of bits or of the first n elements.
#pragma once

#include "sfumato/ascendc/cast_pairs.h"
#include "sfumato/ascendc/vector_call.h"

namespace AscendC {

// dst = src converted to T1 by round_mode. Legal pairs and modes: docs/instructions/Cast.md.
template <class T1, class T2>
void Cast(const LocalTensor<T1>& dst, const LocalTensor<T2>& src, const RoundMode& round_mode, uint32_t calCount,
          Where where = Where::Here()) {
    sfumato::ascendc::RequireCastPair<T1, T2>();
    auto call = sfumato::ascendc::Unary(dst, src, where);
    call.rounding = static_cast<sfumato::Rounding>(round_mode);
    SetCount(&call, calCount);
    sfumato::ascendc::vconv(call);
}
template <class T1, class T2, bool isSetMask = true>
void Cast(const LocalTensor<T1>& dst, const LocalTensor<T2>& src, const RoundMode& round_mode, const uint64_t mask[],
          uint32_t repeatTimes, const UnaryRepeatParams& params, Where where = Where::Here()) {
    sfumato::ascendc::RequireCastPair<T1, T2>();
    auto call = sfumato::ascendc::Unary(dst, src, where, params);
    call.rounding = static_cast<sfumato::Rounding>(round_mode);
    SetMask(&call, isSetMask, mask, repeatTimes);
    sfumato::ascendc::vconv(call);
}
template <class T1, class T2, bool isSetMask = true>
void Cast(const LocalTensor<T1>& dst, const LocalTensor<T2>& src, const RoundMode& round_mode, uint64_t mask,
          uint32_t repeatTimes, const UnaryRepeatParams& params, Where where = Where::Here()) {
    sfumato::ascendc::RequireCastPair<T1, T2>();
    auto call = sfumato::ascendc::Unary(dst, src, where, params);
    call.rounding = static_cast<sfumato::Rounding>(round_mode);
    SetMask(&call, isSetMask, mask, repeatTimes);
    sfumato::ascendc::vconv(call);
}

// Dequantises int16 to int8/uint8 with the scale, offset and sign SetDeqScale left; 16 results go to one half of each
// destination block, halfBlock true = bytes 0..15 (vector_instructions.md 9.3). int32 to half: as Cast with
// SetDeqScale.
template <class T1, class T2, bool isVecDeq = true, bool halfBlock = true>
void CastDeq(const LocalTensor<T1>& dst, const LocalTensor<T2>& src, uint32_t calCount, Where where = Where::Here()) {
    sfumato::ascendc::RequireCastDeqPair<T1, T2>();
    auto call = sfumato::ascendc::Unary(dst, src, where);
    call.vector_deq = isVecDeq;
    call.half_block = halfBlock;
    SetCount(&call, calCount);
    sfumato::ascendc::vconv_deq(call);
}
template <class T1, class T2, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
void CastDeq(const LocalTensor<T1>& dst, const LocalTensor<T2>& src, const uint64_t mask[], uint32_t repeatTimes,
             const UnaryRepeatParams& params, Where where = Where::Here()) {
    sfumato::ascendc::RequireCastDeqPair<T1, T2>();
    auto call = sfumato::ascendc::Unary(dst, src, where, params);
    call.vector_deq = isVecDeq;
    call.half_block = halfBlock;
    SetMask(&call, isSetMask, mask, repeatTimes);
    sfumato::ascendc::vconv_deq(call);
}
template <class T1, class T2, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
void CastDeq(const LocalTensor<T1>& dst, const LocalTensor<T2>& src, uint64_t mask, uint32_t repeatTimes,
             const UnaryRepeatParams& params, Where where = Where::Here()) {
    sfumato::ascendc::RequireCastDeqPair<T1, T2>();
    auto call = sfumato::ascendc::Unary(dst, src, where, params);
    call.vector_deq = isVecDeq;
    call.half_block = halfBlock;
    SetMask(&call, isSetMask, mask, repeatTimes);
    sfumato::ascendc::vconv_deq(call);
}

// dst = scalar. The scalar's bits are stored unchanged. Strides in blocks of 32 bytes.
template <class T>
void Duplicate(const LocalTensor<T>& dst, const std::type_identity_t<T>& scalarValue, const int32_t& calCount,
               Where where = Where::Here()) {
    sfumato::ascendc::RequireTypeDuplicate<T>();
    sfumato::ascendc::VectorCall call;
    call.dst = sfumato::ascendc::Operand(dst);
    call.scalar = sfumato::ascendc::ToBits(scalarValue);
    call.where = where;
    SetCount(&call, calCount);
    sfumato::ascendc::vector_dup(call);
}
template <class T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const std::type_identity_t<T>& scalarValue, const uint64_t mask[],
               uint32_t repeatTimes, uint16_t dstBlockStride, uint8_t dstRepeatStride, Where where = Where::Here()) {
    sfumato::ascendc::RequireTypeDuplicate<T>();
    sfumato::ascendc::VectorCall call;
    call.dst = sfumato::ascendc::Operand(dst, dstBlockStride, dstRepeatStride);
    call.scalar = sfumato::ascendc::ToBits(scalarValue);
    call.where = where;
    SetMask(&call, isSetMask, mask, repeatTimes);
    sfumato::ascendc::vector_dup(call);
}
template <class T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const std::type_identity_t<T>& scalarValue, uint64_t mask,
               uint32_t repeatTimes, uint16_t dstBlockStride, uint8_t dstRepeatStride, Where where = Where::Here()) {
    sfumato::ascendc::RequireTypeDuplicate<T>();
    sfumato::ascendc::VectorCall call;
    call.dst = sfumato::ascendc::Operand(dst, dstBlockStride, dstRepeatStride);
    call.scalar = sfumato::ascendc::ToBits(scalarValue);
    call.where = where;
    SetMask(&call, isSetMask, mask, repeatTimes);
    sfumato::ascendc::vector_dup(call);
}

// The mask register, read by calls with isSetMask = false (vector.md).
inline void SetMaskNorm() { sfumato::ascendc::SetMaskMode(false, Where{}); }
inline void SetMaskCount(Where where = Where::Here()) { sfumato::ascendc::SetMaskMode(true, where); }
inline void ResetMask() { sfumato::ascendc::ResetMask(); }
template <class T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(uint64_t maskHigh, uint64_t maskLow, Where where = Where::Here()) {
    sfumato::ascendc::SetVectorMask(maskHigh, maskLow, mode == MaskMode::COUNTER, where);
}
template <class T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(int32_t len, Where where = Where::Here()) {
    sfumato::ascendc::SetVectorMaskLength(len, sfumato::BitsOf(sfumato::ascendc::kTypeOf<T>), mode == MaskMode::COUNTER,
                                          where);
}

// The dequantisation register (conversions.md).
constexpr uint8_t VDEQ_TENSOR_SIZE = 16;
struct VdeqInfo {
    VdeqInfo() = default;
    VdeqInfo(const float scale[VDEQ_TENSOR_SIZE], const int16_t offset[VDEQ_TENSOR_SIZE],
             const bool sign_mode[VDEQ_TENSOR_SIZE]) {
        for (int i = 0; i < VDEQ_TENSOR_SIZE; ++i) {
            vdeqScale[i] = scale[i];
            vdeqOffset[i] = offset[i];
            vdeqSignMode[i] = sign_mode[i];
        }
    }
    float vdeqScale[VDEQ_TENSOR_SIZE] = {};
    int16_t vdeqOffset[VDEQ_TENSOR_SIZE] = {};
    bool vdeqSignMode[VDEQ_TENSOR_SIZE] = {};
};

// int32 to half.
inline void SetDeqScale(half scale, Where where = Where::Here()) {
    sfumato::ascendc::SetDeqScaleHalf(scale.bits(), where);
}
// int16 to int8/uint8, one scale for all lanes; offset in [-256, 255].
inline void SetDeqScale(float scale, int16_t offset, bool signMode, Where where = Where::Here()) {
    sfumato::ascendc::SetDeqScaleWord(scale, offset, signMode, where);
}
// int16 to int8/uint8, a scale for each of 16 lanes: the scalar unit writes the 16 words into vdeq.
template <class T>
void SetDeqScale(const LocalTensor<T>& vdeq, const VdeqInfo& info, Where where = Where::Here()) {
    static_assert(std::is_same_v<T, uint64_t>, "SetDeqScale: the tensor holds 16 words of uint64_t");
    sfumato::ascendc::SetDeqScaleVector(vdeq.view(), info.vdeqScale, info.vdeqOffset, info.vdeqSignMode, where);
}
// The tensor already holds the 16 words.
template <class T>
void SetDeqScale(const LocalTensor<T>& vdeq, Where where = Where::Here()) {
    static_assert(std::is_same_v<T, uint64_t>, "SetDeqScale: the tensor holds 16 words of uint64_t");
    sfumato::ascendc::SetDeqScaleVector(vdeq.view(), nullptr, nullptr, nullptr, where);
}

// Control register: bit 48 chooses inf/nan (1) or saturation (0) of float results (conversions.md).
template <int8_t startBit, int8_t endBit>
void SetCtrlSpr(int64_t value, Where where = Where::Here()) {
    static_assert(0 <= startBit && startBit <= endBit && endBit <= 63,
                  "SetCtrlSpr: bits startBit..endBit lie in 0..63");
    sfumato::ascendc::SetCtrl(startBit, endBit, static_cast<uint64_t>(value), where);
}
template <int8_t startBit, int8_t endBit>
int64_t GetCtrlSpr(Where where = Where::Here()) {
    static_assert(0 <= startBit && startBit <= endBit && endBit <= 63,
                  "GetCtrlSpr: bits startBit..endBit lie in 0..63");
    return static_cast<int64_t>(sfumato::ascendc::GetCtrl(startBit, endBit, where));
}
template <int8_t startBit, int8_t endBit>
void ResetCtrlSpr(Where where = Where::Here()) {
    SetCtrlSpr<startBit, endBit>(0, where);
}
template <SaturationMode mode = SaturationMode::FLOAT>
void SetSaturationFlag(bool enableSat, Where where = Where::Here()) {
    sfumato::ascendc::SetSaturation(enableSat, mode == SaturationMode::CAST, where);
}
template <SaturationMode mode = SaturationMode::FLOAT>
bool GetSaturationFlag(Where where = Where::Here()) {
    return sfumato::ascendc::GetSaturation(mode == SaturationMode::CAST, where);
}

}  // namespace AscendC
