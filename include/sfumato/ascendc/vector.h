// SPDX-License-Identifier: Apache-2.0
// Cast (pages/004), CastDeq, and the registers vector instructions read: mask, dequantisation, control.
#pragma once

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

}  // namespace AscendC

#include "sfumato/ascendc/calls/vector.h"
