// SPDX-License-Identifier: Apache-2.0
// ConfusionTranspose, of late Transpose with a TransposeType (adv.md 9); the calls: calls/transpose.txt.
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

#include "sfumato/ascendc/calls/transpose.h"
