// SPDX-License-Identifier: Apache-2.0
// What a read that may be a poll leaves on chip.
#pragma once

#include <vector>

#include "isa/memory_map.h"
#include "sanitize/launch_view.h"

namespace sfumato::sanitize {

// What a move that read few bytes of global memory leaves: the bytes that it was judged with.
class SeenBytes {
public:
    // After the record has run. seen: of its read, at most MostPolled(true).
    void Put(const isa::Record& record, const isa::MemoryMap& memory, uint8_t* seen, const LaunchView& launch);

private:
    std::vector<uint8_t*> gm_;  // as MemoryMap::gm
};

}  // namespace sfumato::sanitize
