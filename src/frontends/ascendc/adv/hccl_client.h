// SPDX-License-Identifier: Apache-2.0
// Clients of collective communication: what they are made from, and what they may then ask (adv.md 11, ranks.md 7).
#pragma once

#include "frontends/ascendc/context.h"
#include "runtime/world/group.h"
#include "sfumato/ascendc/adv/hccl.h"

namespace sfumato::ascendc {

// Of a client with a group.
const runtime::Group& GroupOfClient(const HcclClient& client);
// Of a launch outside a world: which of its contexts the address is, -1 for none.
int32_t LonelyDomain(runtime::Core& core, const uint8_t* context);
// Whether a tiling of the operation was set, where the client has tilings; else after a report.
bool IsForeseen(runtime::Core& core, const HcclClient& client, const char* call, Where where);

}  // namespace sfumato::ascendc
