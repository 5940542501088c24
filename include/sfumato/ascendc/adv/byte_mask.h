// SPDX-License-Identifier: Apache-2.0
// Select with a byte mask, of old SelectWithBytesMask, and DropOut (adv.md 9).
#pragma once

#include "sfumato/ascendc/adv/call.h"

namespace sfumato::ascendc {

// Rows of data and of their mask.
struct MaskShape {
    uint32_t rows = 0, width = 0, mask_width = 0;
};

struct ByteSelectCall {
    VectorOperand dst, src, mask;
    uint64_t scalar = 0;          // bits of an element
    bool scalar_where_0 = false;  // src0 is the scalar
    Lent tmp;
    MaskShape shape;
    const char* name = "";  // as the program spells it
    Where where;
    bool reuses = false;  // isReuseMask: a mask with rows longer than those of the data may be overwritten
};
SFUMATO_API void SelectByBytes(const ByteSelectCall& call);

struct DropOutCall {
    VectorOperand dst, src, mask;
    Lent tmp;
    float keep_prob = 0;
    uint32_t mode = 0;
    MaskShape shape;
    Where where;
};
SFUMATO_API void DropElements(const DropOutCall& call);

template <class U>
inline constexpr bool kByteMask = std::is_integral_v<U> && sizeof(U) <= 4;

}  // namespace sfumato::ascendc

namespace AscendC {

struct SelectWithBytesMaskShapeInfo {
    uint32_t firstAxis = 0;
    uint32_t srcLastAxis = 0;
    uint32_t maskLastAxis = 0;
};

// dst = mask is 0 ? src0 : src1, one of which is a number. Elements of the mask beyond srcLastAxis are ignored.
#define SFUMATO_BYTE_SELECT(Name, Source0, Source1, tensor, number, first)                                         \
    template <class T, class U, bool isReuseMask = true>                                                           \
    void Name(const LocalTensor<T>& dst, Source0 src0, Source1 src1, const LocalTensor<U>& mask,                   \
              const LocalTensor<uint8_t>& sharedTmpBuffer, const SelectWithBytesMaskShapeInfo& info, SFUMATO_AT) { \
        SFUMATO_TYPES(T, #Name ": the data are of half or float",                                                  \
                      std::is_same_v<T, half> || std::is_same_v<T, float>);                                        \
        SFUMATO_TYPES(U, #Name ": the mask is of bool or of integers up to 32 bits", sfumato_::kByteMask<U>);      \
        sfumato_::SelectByBytes({sfumato_::Operand(dst),                                                           \
                                 sfumato_::Operand(tensor),                                                        \
                                 sfumato_::Operand(mask),                                                          \
                                 sfumato_::ToBits(number),                                                         \
                                 first,                                                                            \
                                 sharedTmpBuffer,                                                                  \
                                 {info.firstAxis, info.srcLastAxis, info.maskLastAxis},                            \
                                 #Name,                                                                            \
                                 where,                                                                            \
                                 isReuseMask});                                                                    \
    }
#define SFUMATO_BYTE_SELECTS(Name)                                                                     \
    SFUMATO_BYTE_SELECT(Name, const LocalTensor<T>&, const std::type_identity_t<T>, src0, src1, false) \
    SFUMATO_BYTE_SELECT(Name, const std::type_identity_t<T>, const LocalTensor<T>&, src1, src0, true)
SFUMATO_BYTE_SELECTS(Select)
SFUMATO_BYTE_SELECTS(SelectWithBytesMask)
#undef SFUMATO_BYTE_SELECTS
#undef SFUMATO_BYTE_SELECT

constexpr uint32_t DROPOUT_MODE_BYTE_MISALIGN = 1;
constexpr uint32_t DROPOUT_MODE_BYTE_ALIGN = 2;
constexpr uint32_t DROPOUT_MODE_BIT_ALIGN = 3;
constexpr uint32_t DROPOUT_MODE_BIT_MISALIGN = 4;

struct DropOutShapeInfo {
    uint32_t firstAxis = 0;
    uint32_t srcLastAxis = 0;
    uint32_t maskLastAxis = 0;
};

// dst = mask keeps ? src / keepProb : 0. dropOutMode: a byte an element (1, 2) or a bit (3, 4), 0: by the shape.
#define SFUMATO_DROP_OUT(Tmp, tmp)                                                                       \
    template <class T, bool isInitBitMode = false, uint32_t dropOutMode = 0>                             \
    void DropOut(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& mask, \
                 SFUMATO_ONLY Tmp const float keepProb, const DropOutShapeInfo& info, SFUMATO_AT) {      \
        SFUMATO_TYPES(T, "DropOut: the data are of half or float",                                       \
                      std::is_same_v<T, half> || std::is_same_v<T, float>);                              \
        static_assert(dropOutMode <= DROPOUT_MODE_BIT_MISALIGN, "DropOut: dropOutMode is 0 to 4");       \
        sfumato_::DropElements({sfumato_::Operand(dst),                                                  \
                                sfumato_::Operand(src),                                                  \
                                sfumato_::Operand(mask),                                                 \
                                tmp,                                                                     \
                                keepProb,                                                                \
                                dropOutMode,                                                             \
                                {info.firstAxis, info.srcLastAxis, info.maskLastAxis},                   \
                                where});                                                                 \
    }
SFUMATO_LENT(SFUMATO_DROP_OUT)
#undef SFUMATO_DROP_OUT

// Prepares the temporary buffer of DropOut for masks of bits: nothing is needed here.
template <class T>
void DropOutBitModeInit(const LocalTensor<T>&) {}

}  // namespace AscendC
