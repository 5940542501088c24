// SPDX-License-Identifier: Apache-2.0
// Which launch, which core of it, and which bytes.
#pragma once

#include <cstdint>
#include <string>

#include "isa/record.h"

namespace sfumato::events {

// Which core, and which block it runs.
struct Place {
    isa::CoreKind kind;
    uint32_t block;      // raw block number, the same for all cores of a block
    uint32_t sub_block;  // 0, or 0 and 1 for the vector cores of a cube core
    uint32_t ratio;      // vector cores per cube core of this launch
    uint64_t order;      // in the launch; reports are sorted by it
    std::string name;    // "aiv0", "aic3", "aiv2.1", "core5"
};

struct LaunchFacts {
    const std::string& chip;    // the product
    const std::string& kernel;  // "" when unknown
    uint32_t blocks;
    uint64_t cores;  // of all blocks
};

}  // namespace sfumato::events
