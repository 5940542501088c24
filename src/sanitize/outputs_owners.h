// SPDX-License-Identifier: Apache-2.0
// Who owns which blocks of 32 bytes of a memory. Both classes keep runs of blocks, not blocks: a record costs as much
// as it touches pieces.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "isa/record.h"

namespace sfumato::sanitize {

// The blocks that one record writes: runs that come in any order and may overlap.
class BlockRuns {
public:
    void Clear() {
        runs_.clear();
        ordered_ = true;
    }
    void Add(isa::Span blocks);
    // The same blocks, as runs that ascend and do not touch each other.
    const std::vector<isa::Span>& Ordered();

private:
    std::vector<isa::Span> runs_;
    std::vector<uint64_t> bits_;  // of Ordered, a bit a block; all 0 between its calls
    bool ordered_ = true;         // runs_ is what Ordered returns
};

class BlockOwners {
public:
    static constexpr uint32_t kNobody = 0;

    bool empty() const { return owned_.empty(); }
    // The owner of the first of these blocks that has one.
    uint32_t FirstIn(isa::Span blocks) const;
    // Gives the runs to an owner, or to nobody. Calls lost(owner, blocks) for each run that it takes from an owner.
    void Give(const std::vector<isa::Span>& ascending, uint32_t owner,
              const std::function<void(uint32_t owner, uint64_t blocks)>& lost);
    void RemoveOwner(uint32_t owner);

private:
    struct Owned {
        isa::Span blocks;
        uint32_t owner;
    };
    size_t FirstEndingAfter(uint64_t block) const;

    std::vector<Owned> owned_;  // ascending, none overlaps another
    std::vector<Owned> given_;  // of one Give
};

}  // namespace sfumato::sanitize
