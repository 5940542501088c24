// SPDX-License-Identifier: Apache-2.0
// Blocks of global memory that one launch needs, given back whatever happens.
#pragma once

#include <vector>

#include "sfumato/launch.h"

namespace sfumato::op {

class LaunchBlocks {
public:
    explicit LaunchBlocks(GlobalMemory& memory) : memory_(memory) {}
    ~LaunchBlocks() {
        for (uint8_t* p : blocks_) memory_.Free(p);
    }
    LaunchBlocks& operator=(LaunchBlocks&&) = delete;

    // Takes over what `memory` allocated.
    uint8_t* Take(uint8_t* block) {
        blocks_.push_back(block);
        return block;
    }

private:
    GlobalMemory& memory_;
    std::vector<uint8_t*> blocks_;
};

}  // namespace sfumato::op
