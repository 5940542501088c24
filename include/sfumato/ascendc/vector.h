// SPDX-License-Identifier: Apache-2.0
// Cast (pages/004), CastDeq, and the registers vector instructions read: mask, dequantisation, control.
#pragma once

#include "sfumato/ascendc/cast_pairs.h"
#include "sfumato/ascendc/vector_call.h"

namespace sfumato::ascendc {

template <class T1, class T2>
VectorCall Conversion(const AscendC::LocalTensor<T1>& dst, const AscendC::LocalTensor<T2>& src, AscendC::RoundMode mode,
                      Where where, const AscendC::UnaryRepeatParams& params) {
    VectorCall call = Unary(dst, src, where, params);
    call.rounding = static_cast<Rounding>(mode);
    return call;
}
template <class T1, class T2>
VectorCall Dequantisation(const AscendC::LocalTensor<T1>& dst, const AscendC::LocalTensor<T2>& src, bool vector,
                          bool half, Where where, const AscendC::UnaryRepeatParams& params) {
    VectorCall call = Unary(dst, src, where, params);
    call.vector_deq = vector;
    call.half_block = half;
    return call;
}

}  // namespace sfumato::ascendc

namespace AscendC {

// dst = src converted to T1 by round_mode. Legal pairs and modes: docs/instructions/Cast.md.
SFUMATO_FORMS((class T1, class T2), (class T1, class T2, bool isSetMask = true), Cast, vconv,
              (const LocalTensor<T1>& dst, const LocalTensor<T2>& src, const RoundMode& round_mode), UnaryRepeatParams,
              (), (RequireTypeCast<T1, T2>), Conversion(dst, src, round_mode, where, params))

// Dequantises int16 to int8/uint8 with the scale, offset and sign SetDeqScale left; 16 results go to one half of each
// destination block, halfBlock true = bytes 0..15 (vector_instructions.md 9.3). int32 to half: as Cast with
// SetDeqScale. CastDequant is the name of newer releases.
#define SFUMATO_CAST_DEQUANT(Name)                                                                                \
    SFUMATO_FORMS((class T1, class T2, bool isVecDeq = true, bool halfBlock = true),                              \
                  (class T1, class T2, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true), Name, \
                  vconv_deq, (const LocalTensor<T1>& dst, const LocalTensor<T2>& src), UnaryRepeatParams, (),     \
                  (RequireTypeCastDeq<T1, T2>), Dequantisation(dst, src, isVecDeq, halfBlock, where, params))
SFUMATO_CAST_DEQUANT(CastDeq)
SFUMATO_CAST_DEQUANT(CastDequant)
#undef SFUMATO_CAST_DEQUANT

// The mask register, read by calls with isSetMask = false (vector.md).
inline void SetMaskNorm() { sfumato_::SetMaskMode(false, sfumato::Where{}); }
inline void SetMaskCount(SFUMATO_AT) { sfumato_::SetMaskMode(true, where); }
inline void ResetMask() { sfumato_::ResetMask(); }
template <class T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(uint64_t maskHigh, uint64_t maskLow, SFUMATO_AT) {
    sfumato_::SetVectorMask(maskHigh, maskLow, mode == MaskMode::COUNTER, where);
}
template <class T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(int32_t len, SFUMATO_AT) {
    sfumato_::SetVectorMaskLength(len, sfumato::BitsOf(sfumato_::kTypeOf<T>), mode == MaskMode::COUNTER, where);
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
inline void SetDeqScale(half scale, SFUMATO_AT) { sfumato_::SetDeqScaleHalf(scale.bits(), where); }
// int16 to int8/uint8, one scale for all lanes; offset in [-256, 255].
inline void SetDeqScale(float scale, int16_t offset, bool signMode, SFUMATO_AT) {
    sfumato_::SetDeqScaleWord(scale, offset, signMode, where);
}
// int16 to int8/uint8, a scale for each of 16 lanes: the scalar unit writes the 16 words into vdeq.
template <class T>
void SetDeqScale(const LocalTensor<T>& vdeq, const VdeqInfo& info, SFUMATO_AT) {
    static_assert(std::is_same_v<T, uint64_t>, "SetDeqScale: the tensor holds 16 words of uint64_t");
    sfumato_::SetDeqScaleVector(vdeq.view(), info.vdeqScale, info.vdeqOffset, info.vdeqSignMode, where);
}
// The tensor already holds the 16 words.
template <class T>
void SetDeqScale(const LocalTensor<T>& vdeq, SFUMATO_AT) {
    static_assert(std::is_same_v<T, uint64_t>, "SetDeqScale: the tensor holds 16 words of uint64_t");
    sfumato_::SetDeqScaleVector(vdeq.view(), nullptr, nullptr, nullptr, where);
}

// Control register: bit 48 chooses inf/nan (1) or saturation (0) of float results (conversions.md).
template <int8_t startBit, int8_t endBit>
void SetCtrlSpr(int64_t value, SFUMATO_AT) {
    static_assert(0 <= startBit && startBit <= endBit && endBit <= 63,
                  "SetCtrlSpr: bits startBit..endBit lie in 0..63");
    sfumato_::SetCtrl(startBit, endBit, static_cast<uint64_t>(value), where);
}
template <int8_t startBit, int8_t endBit>
int64_t GetCtrlSpr(SFUMATO_AT) {
    static_assert(0 <= startBit && startBit <= endBit && endBit <= 63,
                  "GetCtrlSpr: bits startBit..endBit lie in 0..63");
    return static_cast<int64_t>(sfumato_::GetCtrl(startBit, endBit, where));
}
template <int8_t startBit, int8_t endBit>
void ResetCtrlSpr(SFUMATO_AT) {
    SetCtrlSpr<startBit, endBit>(0, where);
}
template <SaturationMode mode = SaturationMode::FLOAT>
void SetSaturationFlag(bool enableSat, SFUMATO_AT) {
    sfumato_::SetSaturation(enableSat, mode == SaturationMode::CAST, where);
}
template <SaturationMode mode = SaturationMode::FLOAT>
bool GetSaturationFlag(SFUMATO_AT) {
    return sfumato_::GetSaturation(mode == SaturationMode::CAST, where);
}

}  // namespace AscendC
