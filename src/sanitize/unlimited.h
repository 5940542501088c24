// SPDX-License-Identifier: Apache-2.0
// What a record that the policy `saturate` limited would have written without it.
#pragma once

#include <functional>
#include <vector>

#include "sanitize/numbers_before.h"

namespace sfumato::sanitize {

using ExecuteRecord = std::function<void(const isa::Record&, const isa::MemoryMap&)>;

// Right after the record ran: it is executed once more without the policy, and everything else is as it was then.
class Unlimited {
public:
    // before: saved before it ran; allocations: of global memory, by `map`.
    Unlimited(const isa::Record& record, const Before& before, const isa::MemoryMap& map, size_t allocations,
              const ExecuteRecord& execute);

    // Only the bytes that the record writes mean something.
    Bytes results() { return {bytes_.data(), origin_}; }

private:
    uint64_t origin_;
    std::vector<uint8_t> bytes_;
};

}  // namespace sfumato::sanitize
