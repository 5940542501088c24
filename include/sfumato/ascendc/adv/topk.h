// SPDX-License-Identifier: Apache-2.0
// TopK (adv.md 10); the call: calls/topk.txt.
#pragma once

#include "sfumato/ascendc/adv/call.h"
#include "sfumato/tiling/topk_mode.h"
#include "sfumato/tiling/vector_tiling.h"

namespace sfumato::ascendc {

struct TopKCall {
    VectorOperand value, index, src, src_index, finish;
    Lent tmp;
    int32_t k = 0, outter = 1, inner = 0, n = 0;
    bool given_index = false, finishes = false, small = false, largest = true;
    Where where;
    bool reuses = false;  // isReuseSrc: src may be overwritten
};
SFUMATO_API void TakeTopK(const TopKCall& call);

}  // namespace sfumato::ascendc

namespace AscendC {

// outter rows of inner elements, of which the first n count.
struct TopKInfo {
    int32_t outter = 1;
    int32_t inner = 0;
    int32_t n = 0;
};

}  // namespace AscendC

#include "sfumato/ascendc/calls/topk.h"
