// SPDX-License-Identifier: Apache-2.0
// What compares, selects, fills from elements and gathers must do, element by element: vector_instructions.md 2 to 5
// read literally, without exec, numeric, the spans or a front end.
#pragma once

#include "isa/record.h"
#include "oracle/image.h"

namespace sfumato::oracle {

// Memories before a record, and as it must leave them; CMPMASK is bytes 0 to 15 of the registers, RSVD_CNT 16 to 23.
struct LaneMemory {
    const Bytes& before;
    Bytes& ub;
    Bytes& registers;
};

// Returns true when the overflow policy changed a result.
bool ExpectLanes(const isa::Record& record, const LaneMemory& memory);

// CreateVecIndex: the element that is `index` larger than the bits of the first one (4.3).
uint64_t IndexBits(DataType type, Overflow overflow, uint64_t first, uint64_t index, bool* replaced);

}  // namespace sfumato::oracle
