// SPDX-License-Identifier: Apache-2.0
// Pad and UnPad: columns more, or fewer, of a matrix (adv.md 9); their calls: calls/pad.txt.
#pragma once

#include "sfumato/ascendc/adv/call.h"
#include "sfumato/tiling/vector_tiling.h"

namespace AscendC {

// Columns to add on both sides, and what they hold as a number of the elements' type.
struct PadParams {
    uint16_t leftPad = 0, rightPad = 0;
    int32_t padValue = 0;
};
// Columns to drop.
struct UnPadParams {
    uint16_t leftPad = 0, rightPad = 0;
};

}  // namespace AscendC

namespace sfumato::ascendc {

struct PadCall {
    VectorOperand dst, src;
    Lent tmp;
    uint32_t rows = 0, columns = 0;  // of src
    uint32_t left = 0, right = 0;
    double value = 0;  // of Pad
    Where where;
};
SFUMATO_API void PadColumns(const PadCall& call);
SFUMATO_API void UnPadColumns(const PadCall& call);

template <class T>
void RequirePadType([[maybe_unused]] Where where) {
    SFUMATO_TYPES(T, "Pad, UnPad: the element types are int16_t, uint16_t, half, int32_t, uint32_t and float",
                  kOneOf<T, int16_t, uint16_t, half, int32_t, uint32_t, float>);
}

}  // namespace sfumato::ascendc

#include "sfumato/ascendc/calls/pad.h"
