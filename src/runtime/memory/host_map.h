// SPDX-License-Identifier: Apache-2.0
// What lies at an address of the host's own memory.
#pragma once

#include <cstdint>
#include <vector>

#include "system/modules.h"

namespace sfumato::runtime {

// Memory of loaded modules: code, constants, variables.
class ModuleMap {
public:
    // Whether they lie in the module that holds `code`, in its variables of this thread, or, where they are only read,
    // in any module.
    bool Holds(uintptr_t address, uint64_t bytes, bool write, const void* code);

private:
    struct Range {
        system::Addresses addresses;
        uintptr_t module;  // where it was loaded
    };
    void Read();
    std::vector<Range> ranges_;
};

}  // namespace sfumato::runtime
