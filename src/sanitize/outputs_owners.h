// SPDX-License-Identifier: Apache-2.0
// Who owns which blocks of a memory: stretches in order, so that a record costs what it touches in pieces, not in
// blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "isa/record.h"

namespace sfumato::sanitize {

// Stretches of blocks of one record, which come in any order and may overlap.
class BlockRuns {
public:
    void Clear() {
        runs_.clear();
        ordered_ = true;
    }
    void Add(isa::Span blocks);
    // Ascending and apart.
    const std::vector<isa::Span>& Ordered();

private:
    std::vector<isa::Span> runs_;
    std::vector<uint64_t> bits_;  // zeros between two calls
    bool ordered_ = true;
};

class BlockOwners {
public:
    static constexpr uint32_t kNobody = 0;

    bool empty() const { return stretches_.empty(); }
    // Who owns the first of these blocks that is owned.
    uint32_t FirstIn(isa::Span blocks) const;
    // The blocks become those of an owner, or nobody's; lost(owner, count) for each stretch another one had of them.
    void Give(const std::vector<isa::Span>& ascending, uint32_t owner,
              const std::function<void(uint32_t owner, uint64_t count)>& lost);
    // Nothing is this owner's any longer.
    void Remove(uint32_t owner);

private:
    struct Stretch {
        isa::Span blocks;
        uint32_t owner;
    };
    size_t FirstEndingAfter(uint64_t block) const;

    std::vector<Stretch> stretches_;  // ascending and apart
    std::vector<Stretch> merged_;     // of one Give
};

}  // namespace sfumato::sanitize
