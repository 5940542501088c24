// SPDX-License-Identifier: Apache-2.0
// Where the memories of records lie on the host.
#pragma once

#include "isa/record.h"

namespace sfumato::isa {

// Host addresses of a core's memories, and of the launch's GM allocations.
struct MemoryMap {
    uint8_t* base[kMemoryCount] = {};
    uint8_t* const* gm = nullptr;  // gm[operand.allocation] is the first byte of the allocation
    uint8_t* Address(const Operand& o) const {
        return (o.memory == Memory::kGm ? gm[o.allocation] : base[static_cast<int>(o.memory)]) + o.offset;
    }
};

}  // namespace sfumato::isa
