// SPDX-License-Identifier: Apache-2.0
// ConfusionTranspose, of late Transpose with a TransposeType (adv.md 9).
#pragma once

#include "sfumato/ascendc/adv/call.h"
#include "sfumato/ascendc/reduce_types.h"
#include "sfumato/tiling/vector_tiling.h"

namespace sfumato::ascendc {

struct RearrangeCall {
    VectorOperand dst, src;
    Lent tmp;
    AscendC::TransposeType type = AscendC::TransposeType::TRANSPOSE_TYPE_NONE;
    uint32_t shape[4] = {};  // B, N, S, H / N; of TRANSPOSE_ND2ND_ONLY H, W
    const char* name = "";   // as the program spells it
    Where where;
};
SFUMATO_API void Rearrange(const RearrangeCall& call);

}  // namespace sfumato::ascendc

namespace AscendC {

// src as [B, N, S, H / N] (TRANSPOSE_ND2ND_ONLY: [H, W]) in another order of axes, ND or NZ, as transposeType says. The
// shape is the tiling's.
#define SFUMATO_REARRANGE(Tmp, tmp, Name)                                                                         \
    template <class T>                                                                                            \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, SFUMATO_ONLY Tmp TransposeType transposeType, \
              const ConfusionTransposeTiling& tiling, SFUMATO_AT) {                                               \
        static_assert(sizeof(T) == 2 || sizeof(T) == 4, #Name ": the element types have 16 or 32 bits");          \
        sfumato_::Rearrange({sfumato_::Operand(dst),                                                              \
                             sfumato_::Operand(src),                                                              \
                             tmp,                                                                                 \
                             transposeType,                                                                       \
                             {tiling.axis0, tiling.axis1, tiling.axis2, tiling.axis3},                            \
                             #Name,                                                                               \
                             where});                                                                             \
    }
SFUMATO_LENT(SFUMATO_REARRANGE, ConfusionTranspose)
SFUMATO_LENT(SFUMATO_REARRANGE, Transpose)
#undef SFUMATO_REARRANGE

}  // namespace AscendC
