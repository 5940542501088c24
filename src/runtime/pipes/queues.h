// SPDX-License-Identifier: Apache-2.0
// Records that wait in the queues of a core's pipes: what each touches, and which may overtake which.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "events/conflict.h"
#include "isa/record.h"

namespace sfumato::runtime {

// A record that waits. Many are never compared with another; those that are, are again and again.
struct Waiting {
    explicit Waiting(const isa::Record& r) : record(r) {}
    const events::Accesses& Touches() const { return accesses_ ? *accesses_ : accesses_.emplace(record); }
    // As Conflicts of what both touch, of exact bytes: what is read in UB to choose bytes counts as choosing all it
    // may.
    bool ConflictsExactly(const Waiting& other) const;

    isa::Record record;
    // Of a store of the scalar unit: what its bytes held before, while the scalar unit alone sees the store.
    uint64_t before = 0;
    // Another one that was issued later has run before it, as the schedule wanted.
    mutable bool overtaken = false;

private:
    // Sorted, without overlaps.
    const std::vector<isa::Span>& RunsOf(size_t access) const;

    mutable std::optional<events::Accesses> accesses_;
    mutable std::array<std::vector<isa::Span>, 7> runs_;  // by access; empty: not asked for yet
};

using Queue = std::deque<Waiting>;
using Queues = std::array<Queue, isa::kPipeCount>;

constexpr size_t kLookahead = 8;  // records of one pipe that may overtake each other without a barrier

// True when a later record may overtake an earlier one that lies before it in the same queue, without a barrier between
// them (framework.md 2.1).
class Overtaking {
public:
    // The compiler's own V to V barriers keep dependent vector instructions apart when auto_sync is on (2.5).
    Overtaking(isa::Pipe pipe, bool auto_sync)
        : vector_kept_(pipe == isa::Pipe::kV && auto_sync),
          matmul_(pipe == isa::Pipe::kM),
          scalar_(pipe == isa::Pipe::kS) {}

    bool May(const Waiting& earlier, const Waiting& later) const;

private:
    bool vector_kept_, matmul_, scalar_;
};

}  // namespace sfumato::runtime
