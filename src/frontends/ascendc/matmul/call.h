// SPDX-License-Identifier: Apache-2.0
// How a call of Matmul runs: where it is written, or on the cube core of the block, with tensors of UB on the way
// through GM.
#pragma once

#include <functional>
#include <vector>

#include "frontends/ascendc/matmul/client.h"
#include "frontends/ascendc/matmul/place.h"

namespace sfumato::ascendc::mm {

struct Way {
    bool sync = true;
    bool holds = false;      // leaves a block in L0C
    bool waited_for = true;  // by another call, where it is not sync
};
using Work = std::function<void(Engine&, const Object&)>;
using Storing = std::function<void(Engine&, const Object&, const Output&)>;

void Run(runtime::Core& core, Object* object, const char* call, Where where, const Way& way, Work work);
// What arrives in UB: blocks of a matrix, and `count` matrices, `step` elements from one to the next.
struct Arrival {
    std::vector<Block> blocks;
    uint64_t count = 1, step = 0;
};
// Run with a result. In UB it arrives through GM.
void Fetch(runtime::Core& core, Object* object, const char* call, Where where, const Way& way, const Output& output,
           Storing storing, const Arrival& arrival);
// A block of a row-major matrix in GM to its place in UB.
void ToUb(runtime::Core& core, const Object& object, const GlobalView& from, uint64_t pitch, const Block& block,
          const Place& place, const LocalView& to, const char* call, Where where);
// An IterateAll of an object with IBSHARE.
void CountShared(runtime::Core& core, Where where);
// A call was started that a wait must follow, or was waited for.
void CountStarted(runtime::Core& core, Object* object, bool waited, Where where);

}  // namespace sfumato::ascendc::mm
