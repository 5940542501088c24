// SPDX-License-Identifier: Apache-2.0
// Compare, Compares, Select and the CMPMASK register (vector_instructions.md 2 and 3).
#pragma once

#include "sfumato/ascendc/vector_call.h"

namespace sfumato::ascendc {

template <class T, class U>
CompareCall Comparison(const AscendC::LocalTensor<U>& dst, const AscendC::LocalTensor<T>& src0,
                       const AscendC::LocalTensor<T>& src1, AscendC::CMPMODE mode, Where where,
                       const AscendC::BinaryRepeatParams& p = {}) {
    static_assert(kWholeBytes<U>, "Compare: dst holds bits, in elements of whole bytes");
    CompareCall call{Binary(dst, src0, src1, where, p)};
    call.name = "Compare";
    call.mode = mode;
    return call;
}
template <class T, class U>
CompareCall Comparison(const char* name, const AscendC::LocalTensor<U>& dst, const AscendC::LocalTensor<T>& src0,
                       T scalar, AscendC::CMPMODE mode, Where where, const AscendC::UnaryRepeatParams& p = {}) {
    static_assert(kWholeBytes<U>, "Compares: dst holds bits, in elements of whole bytes");
    CompareCall call{Unary(dst, src0, where, p)};
    call.name = name;
    call.scalar = ToBits(scalar);
    call.mode = mode;
    return call;
}

template <class T, class U>
SelectCall Selection(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<U>& sel,
                     const AscendC::LocalTensor<T>& src0, AscendC::SELMODE mode, Where where,
                     const AscendC::BinaryRepeatParams& p = {}) {
    static_assert(kWholeBytes<U>, "Select: selMask holds bits, in elements of whole bytes");
    SelectCall call;
    call.dst = Operand(dst, p.dstBlkStride, p.dstRepStride);
    call.src0 = Operand(src0, p.src0BlkStride, p.src0RepStride);
    call.sel = Operand(sel);
    call.mode = mode;
    call.where = where;
    return call;
}
template <class T, class U>
SelectCall Selection(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<U>& sel,
                     const AscendC::LocalTensor<T>& src0, const AscendC::LocalTensor<T>& src1, AscendC::SELMODE mode,
                     Where where, const AscendC::BinaryRepeatParams& p = {}) {
    SelectCall call = Selection(dst, sel, src0, mode, where, p);
    call.src1 = Operand(src1, p.src1BlkStride, p.src1RepStride);
    return call;
}
template <class T, class U>
SelectCall Selection(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<U>& sel,
                     const AscendC::LocalTensor<T>& src0, const T& src1, AscendC::SELMODE mode, Where where,
                     const AscendC::BinaryRepeatParams& p = {}) {
    SelectCall call = Selection(dst, sel, src0, mode, where, p);
    call.scalar = ToBits(src1);
    return call;
}

}  // namespace sfumato::ascendc

#include "sfumato/ascendc/calls/select.h"
