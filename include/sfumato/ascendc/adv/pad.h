// SPDX-License-Identifier: Apache-2.0
// Pad and UnPad: columns more, or fewer, of a matrix (adv.md 9).
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
                  std::is_same_v<T, int16_t> || std::is_same_v<T, uint16_t> || std::is_same_v<T, half> ||
                      std::is_same_v<T, int32_t> || std::is_same_v<T, uint32_t> || std::is_same_v<T, float>);
}

}  // namespace sfumato::ascendc

namespace AscendC {

// Rows of srcTensor, which are no whole blocks, with leftPad and rightPad columns more, in whole blocks; or rows of
// whole blocks whose last rightPad columns become padValue.
#define SFUMATO_PAD(Tmp, tmp)                                                                                    \
    template <class T>                                                                                           \
    void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const PadParams& padParams,       \
             SFUMATO_ONLY Tmp const PadTiling& tiling, SFUMATO_AT) {                                             \
        sfumato_::RequirePadType<T>(where);                                                                      \
        sfumato_::PadColumns({sfumato_::Operand(dstTensor), sfumato_::Operand(srcTensor), tmp, tiling.srcHeight, \
                              tiling.srcWidth, padParams.leftPad, padParams.rightPad,                            \
                              static_cast<double>(padParams.padValue), where});                                  \
    }
SFUMATO_LENT(SFUMATO_PAD)
#undef SFUMATO_PAD

// Rows of srcTensor, whole blocks, without their last rightPad columns, one behind another.
#define SFUMATO_UNPAD(Tmp, tmp)                                                                                    \
    template <class T>                                                                                             \
    void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const UnPadParams& unPadParams,   \
               SFUMATO_ONLY Tmp const UnPadTiling& tiling, SFUMATO_AT) {                                           \
        sfumato_::RequirePadType<T>(where);                                                                        \
        sfumato_::UnPadColumns({sfumato_::Operand(dstTensor), sfumato_::Operand(srcTensor), tmp, tiling.srcHeight, \
                                tiling.srcWidth, unPadParams.leftPad, unPadParams.rightPad, 0, where});            \
    }
SFUMATO_LENT(SFUMATO_UNPAD)
#undef SFUMATO_UNPAD

}  // namespace AscendC
