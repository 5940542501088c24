// SPDX-License-Identifier: Apache-2.0
// What a client of a group of several ranks asks of the group's server (ranks.md 7.1, 7.3).
#pragma once

#include "frontends/ascendc/adv/hccl_client.h"

namespace sfumato::ascendc {

// Whether the client has other ranks; otherwise its tasks are copies.
inline bool HasServer(const HcclClient& client) { return client.group && client.ranks > 1; }

// False after a report: the task is none, lies outside of memory or differs from the other ranks'.
bool ServerPrepare(runtime::Core& core, const HcclClient& client, int8_t handle, const HcclTask& task, Where where);
// In the step that lets the next task of the handle run.
void ServerCommit(runtime::Core& core, const HcclClient& client, int8_t handle, const HcclTask& task, Where where);
// Until `count` tasks of the handle are complete.
void ServerWait(runtime::Core& core, const HcclClient& client, int8_t handle, uint32_t count, Where where);
// Tasks of the handle that are complete. Asked again and again it rests, so that others go on.
uint32_t ServerQuery(runtime::Core& core, const HcclClient& client, int8_t handle, HcclTask& task, Where where);

}  // namespace sfumato::ascendc
