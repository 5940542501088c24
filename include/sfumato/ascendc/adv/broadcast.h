// SPDX-License-Identifier: Apache-2.0
// BroadCast, of late Broadcast (adv.md 9); the calls: calls/broadcast.txt.
#pragma once

#include "sfumato/ascendc/adv/call.h"

namespace sfumato::ascendc {

struct BroadcastCall {
    VectorOperand dst, src;
    const uint32_t *dst_shape = nullptr, *src_shape = nullptr;
    int32_t dim = 0, axis = 0;
    Lent tmp;
    const char* name = "";  // as the program spells it
    Where where;
    bool reuses = false;  // isReuseSource: src may be overwritten
};
SFUMATO_API void BroadcastTo(const BroadcastCall& call);

}  // namespace sfumato::ascendc

#include "sfumato/ascendc/calls/broadcast.h"
