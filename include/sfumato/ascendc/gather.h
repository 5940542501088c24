// SPDX-License-Identifier: Apache-2.0
// Fills from elements and gathers: Brcb, VectorPadding, CreateVecIndex, ArithProgression, Gather, Gatherb, Scatter,
// GatherMask, BilinearInterpolation (vector_instructions.md 4, 5 and 12).
#pragma once

#include "sfumato/ascendc/vector_call.h"

namespace sfumato::ascendc {

template <class T>
GatherCall Gathering(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                     const AscendC::LocalTensor<uint32_t>& offsets, uint64_t base, Where where, uint16_t dst_repeat = 8,
                     uint16_t src_repeat = 8) {
    GatherCall call;
    call.dst = Operand(dst, 1, dst_repeat);
    call.src0 = Operand(src, 1, src_repeat);
    call.offsets = Operand(offsets);
    call.base = base;
    call.where = where;
    return call;
}

template <class T>
PaddingCall Padding(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, uint8_t mode, bool right,
                    Where where, const AscendC::UnaryRepeatParams& params) {
    return {Unary(dst, src, where, params), mode, right};
}

template <class T>
GatherMaskCall Squeezing(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src0, bool counter,
                         uint32_t mask, const AscendC::GatherMaskParams& params, Where where) {
    return {Operand(dst), Operand(src0), {}, 0, counter, mask, params, where};
}

}  // namespace sfumato::ascendc

#include "sfumato/ascendc/calls/gather.h"
