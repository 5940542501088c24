// SPDX-License-Identifier: Apache-2.0
// Tensors, masks and repeats of a vector call as the plain struct the library takes.
#pragma once

#include "sfumato/ascendc/tensor.h"

namespace sfumato::ascendc {

template <class T>
VectorOperand Operand(const AscendC::LocalTensor<T>& tensor, uint16_t block_stride = 1, uint16_t repeat_stride = 8) {
    return {&tensor.view(), kTypeOf<T>, block_stride, repeat_stride};
}

inline void SetCount(VectorCall* call, int64_t count) {
    call->form = MaskForm::kCount;
    call->mask[0] = static_cast<uint64_t>(count);
}
inline void SetMask(VectorCall* call, bool is_set_mask, uint64_t mask, uint32_t repeat) {
    call->form = is_set_mask ? MaskForm::kContinuous : MaskForm::kRegister;
    call->mask[0] = mask;
    call->repeat = repeat;
}
inline void SetMask(VectorCall* call, bool is_set_mask, const uint64_t* mask, uint32_t repeat) {
    call->form = is_set_mask ? MaskForm::kBits : MaskForm::kRegister;
    call->mask[0] = mask[0];
    call->mask[1] = mask[1];
    call->repeat = repeat;
}

template <class T1, class T2>
VectorCall Unary(const AscendC::LocalTensor<T1>& dst, const AscendC::LocalTensor<T2>& src, Where where,
                 const AscendC::UnaryRepeatParams& p = {}) {
    VectorCall call;
    call.dst = Operand(dst, p.dstBlkStride, p.dstRepStride);
    call.src0 = Operand(src, p.srcBlkStride, p.srcRepStride);
    call.where = where;
    return call;
}
template <class T, class U>
VectorCall Binary(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<U>& src0,
                  const AscendC::LocalTensor<U>& src1, Where where, const AscendC::BinaryRepeatParams& p = {}) {
    VectorCall call;
    call.dst = Operand(dst, p.dstBlkStride, p.dstRepStride);
    call.src0 = Operand(src0, p.src0BlkStride, p.src0RepStride);
    call.src1 = Operand(src1, p.src1BlkStride, p.src1RepStride);
    call.where = where;
    return call;
}

}  // namespace sfumato::ascendc
