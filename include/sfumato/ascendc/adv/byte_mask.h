// SPDX-License-Identifier: Apache-2.0
// Select with a byte mask, of old SelectWithBytesMask, and DropOut (adv.md 9); the calls: calls/byte_mask.txt.
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

constexpr uint32_t DROPOUT_MODE_BYTE_MISALIGN = 1;
constexpr uint32_t DROPOUT_MODE_BYTE_ALIGN = 2;
constexpr uint32_t DROPOUT_MODE_BIT_ALIGN = 3;
constexpr uint32_t DROPOUT_MODE_BIT_MISALIGN = 4;

struct DropOutShapeInfo {
    uint32_t firstAxis = 0;
    uint32_t srcLastAxis = 0;
    uint32_t maskLastAxis = 0;
};

}  // namespace AscendC

#include "sfumato/ascendc/calls/byte_mask.h"
