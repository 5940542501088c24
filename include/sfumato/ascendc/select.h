// SPDX-License-Identifier: Apache-2.0
// Compare, Compares, Select and the CMPMASK register (vector_instructions.md 2 and 3).
#pragma once

#include "sfumato/ascendc/cast_pairs.h"
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

namespace AscendC {

// One bit an element, packed from bit 0 of dst on, repeat behind repeat. The mask counts on Ascend310B alone.
SFUMATO_FORMS((class T, class U), (class T, class U, bool isSetMask = true), Compare, vcmpv,
              (const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode),
              BinaryRepeatParams, (), (RequireTypeCompare<T>), Comparison(dst, src0, src1, cmpMode, where, params))

// One repeat, into CMPMASK; bits of lanes that the mask leaves out keep their value.
template <class T, bool isSetMask = true>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, const sfumato_::Mask& mask,
             const BinaryRepeatParams& params, SFUMATO_AT) {
    sfumato_::RequireTypeCompare<T>();
    sfumato_::CompareCall call{sfumato_::Binary(src0, src0, src1, where, params)};
    call.mode = cmpMode;
    SetMask(&call, isSetMask, mask, 1);
    sfumato_::vcmp(call);
}

// With a scalar; both names.
#define SFUMATO_COMPARES(Name)                                                                                       \
    SFUMATO_FORMS((class T, class U), (class T, class U, bool isSetMask = true), Name, vcmpvs,                       \
                  (const LocalTensor<U>& dst, const LocalTensor<T>& src0, const std::type_identity_t<T>& src1Scalar, \
                   CMPMODE cmpMode),                                                                                 \
                  UnaryRepeatParams, (), (RequireTypeCompares<T>),                                                   \
                  Comparison(#Name, dst, src0, src1Scalar, cmpMode, where, params))
SFUMATO_COMPARES(Compares)
SFUMATO_COMPARES(CompareScalar)
#undef SFUMATO_COMPARES

// CMPMASK from and to 16 bytes of UB.
template <class T>
void SetCmpMask(const LocalTensor<T>& src, SFUMATO_AT) {
    sfumato_::SetCmpMask(sfumato_::Operand(src), where);
}
template <class T>
void GetCmpMask(const LocalTensor<T>& dst, SFUMATO_AT) {
    sfumato_::GetCmpMask(sfumato_::Operand(dst), where);
}

// dst = the bit of selMask is 1 ? src0 : src1. VSEL_CMPMASK_SPR takes the same bits for every repeat, the other modes
// go on from repeat to repeat.
#define SFUMATO_SELECT(Source)                                                                                        \
    SFUMATO_FORMS((class T, class U), (class T, class U, bool isSetMask = true), Select, vsel,                        \
                  (const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, Source src1, \
                   SELMODE selMode),                                                                                  \
                  BinaryRepeatParams, (), (RequireTypeSelect<T>),                                                     \
                  Selection(dst, selMask, src0, src1, selMode, where, params))
SFUMATO_SELECT(const std::type_identity_t<T>&)
SFUMATO_SELECT(const LocalTensor<T>&)
#undef SFUMATO_SELECT

// Mask from SetVectorMask, and from SetCmpMask what the mode needs: the bits, the scalar, or the address of the bits.
template <class T, SELMODE selMode>
void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint32_t repeatTimes,
            const BinaryRepeatParams& params, SFUMATO_AT) {
    sfumato_::RequireTypeSelect<T>();
    static_assert(selMode != SELMODE::VSEL_TENSOR_SCALAR_MODE, "Select: this mode takes selMask instead of src1");
    sfumato_::SelectCall call{sfumato_::Binary(dst, src0, src1, where, params)};
    call.mode = selMode;
    call.from_register = true;
    SetMask(&call, false, MASK_PLACEHOLDER, repeatTimes);
    sfumato_::vsel(call);
}
template <class T, class U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, uint32_t repeatTimes,
            const BinaryRepeatParams& params, SFUMATO_AT) {
    sfumato_::RequireTypeSelect<T>();
    auto call = sfumato_::Selection(dst, selMask, src0, SELMODE::VSEL_TENSOR_SCALAR_MODE, where, params);
    call.from_register = true;
    SetMask(&call, false, MASK_PLACEHOLDER, repeatTimes);
    sfumato_::vsel(call);
}

}  // namespace AscendC
