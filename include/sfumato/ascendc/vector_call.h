// SPDX-License-Identifier: Apache-2.0
// Tensors, masks and repeats of a vector call as the plain struct the library takes.
#pragma once

#include "sfumato/ascendc/tensor.h"

namespace sfumato::ascendc {

template <class T>
VectorOperand Operand(const AscendC::LocalTensor<T>& tensor, uint16_t block_stride = 1, uint16_t repeat_stride = 8) {
    return {&tensor.view(), block_stride, kTypeOf<T>, repeat_stride};
}

// The mask of a call with repeats: of the first n elements, or two words of bits.
struct Mask {
    Mask(uint64_t n) : count(n) {}
    Mask(const uint64_t* bits) : words(bits) {}
    uint64_t count = 0;
    const uint64_t* words = nullptr;
};

inline void SetCount(VectorCall* call, int64_t count) {
    call->form = MaskForm::kCount;
    call->mask[0] = static_cast<uint64_t>(count);
}
// Without is_set_mask the mask is ignored, whatever it is: not even read (vector.md, Mask).
inline void SetMask(VectorCall* call, bool is_set_mask, const Mask& mask, uint32_t repeat) {
    call->form = !is_set_mask ? MaskForm::kRegister : mask.words ? MaskForm::kBits : MaskForm::kContinuous;
    call->mask[0] = mask.count;
    for (int i = 0; call->form == MaskForm::kBits && i < 2; ++i) call->mask[i] = mask.words[i];
    call->repeat = repeat;
}

template <class T>
VectorCall Fill(const AscendC::LocalTensor<T>& dst, const std::type_identity_t<T>& scalar, Where where,
                uint16_t block_stride = 1, uint16_t repeat_stride = 8) {
    VectorCall call;
    call.dst = Operand(dst, block_stride, repeat_stride);
    call.scalar = ToBits(scalar);
    call.where = where;
    return call;
}
// The builders of elementwise calls.
template <class T1, class T2>
VectorCall Unary(const AscendC::LocalTensor<T1>& dst, const AscendC::LocalTensor<T2>& src, Where where,
                 const AscendC::UnaryRepeatParams& p = {}) {
    VectorCall call;
    call.dst = Operand(dst, p.dstBlkStride, p.dstRepStride);
    call.src0 = Operand(src, p.srcBlkStride, p.srcRepStride);
    call.where = where;
    return call;
}
template <class T>
VectorCall Copying(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, Where where,
                   const AscendC::CopyRepeatParams& p) {
    VectorCall call;
    call.dst = Operand(dst, p.dstStride, p.dstRepeatSize);
    call.src0 = Operand(src, p.srcStride, p.srcRepeatSize);
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

template <class T, class U>
VectorCall Scalar(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<U>& src, U scalar, Where where,
                  const AscendC::UnaryRepeatParams& p) {
    VectorCall call = Unary(dst, src, where, p);
    call.scalar = ToBits(scalar);
    return call;
}
template <class T>
VectorCall Shift(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, T distance, bool rounds,
                 Where where, const AscendC::UnaryRepeatParams& p) {
    VectorCall call = Scalar(dst, src, distance, where, p);
    call.rounding = rounds ? Rounding::kRound : Rounding::kNone;
    return call;
}

}  // namespace sfumato::ascendc
