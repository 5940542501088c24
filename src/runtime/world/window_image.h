// SPDX-License-Identifier: Apache-2.0
// What the shared memory of a rank holds at one time, to run launches again from it. Windows are large and mostly
// untouched: only pages that are there are copied.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "runtime/memory/global_memory.h"

namespace sfumato::runtime {

class WindowImage {
public:
    // Of the allocations in `memory` that are this rank's and that other ranks may touch, or that one made of.
    WindowImage(const GlobalMemory& memory, uint32_t rank);
    void Restore() const;

private:
    struct Window {
        uint8_t* base;
        uint64_t bytes;
        std::map<uint64_t, std::vector<uint8_t>> pages;  // by their offset; all others are zero
    };
    std::vector<Window> windows_;
};

}  // namespace sfumato::runtime
