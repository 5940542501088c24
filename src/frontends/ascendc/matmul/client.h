// SPDX-License-Identifier: Apache-2.0
// Matmul in kernels of both kinds of core: vector cores ask, the cube core of the block serves (adv.md 2.5, 15).
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "frontends/ascendc/matmul/engine.h"

namespace sfumato::ascendc::mm {

struct Request {
    uint32_t client = 0;  // sub-block
    uint64_t number = 0;  // of this client, from 1
    bool holds = false;   // leaves a block in L0C
    std::function<void(Engine&, uint32_t client, uint32_t clients)> work;
};

// Of a block, for its cores together.
struct Desk {
    std::mutex mutex;
    std::deque<Request> queue;
    // IterateAll of objects with IBSHARE, by vector core.
    uint64_t shared_calls[2] = {0, 0};
    Where shared;        // the last of them
    uint32_t ended = 0;  // vector cores
};
std::shared_ptr<Desk> DeskOf(runtime::Core& core);

// What a vector core keeps.
struct Client {
    uint64_t sent = 0;
    uint32_t unawaited = 0;  // asynchronous calls whose wait has not come
    Where started;           // the last of them
};
// What a vector core has left undone when its kernel ends.
void AtEnd(runtime::Core& core, const Client& client);

// Sends a request; its number.
uint64_t Send(runtime::Core& core, Request request);
// A tensor in TSCM of a vector core, on the cube core that serves it: in its half of L1 (adv.md 15).
LocalView OnCube(runtime::Core& cube, uint32_t client, LocalView view, uint64_t offset);
uint64_t OffsetInL1(runtime::Core& core, const LocalView& view);
// Until the request of that number has been served.
void Serve(runtime::Core& core, const char* call, uint64_t number, Where where);
// The engine's own memory for this vector core, in GM. Null, reported, when there is less.
uint8_t* Staging(runtime::Core& core, uint64_t bytes, const char* call, Where where);

}  // namespace sfumato::ascendc::mm
