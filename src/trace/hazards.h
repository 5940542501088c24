// SPDX-License-Identifier: Apache-2.0
// Where the last reads and writes of a core's bytes stand in a timeline: for what waits for bytes without a flag.
#pragma once

#include <array>
#include <vector>

#include "events/conflict.h"
#include "trace/timeline.h"

namespace sfumato::trace {

// Of one core. On-chip memories are kept in pages, of GM the latest accesses.
class Hazards {
public:
    // Later of `since` and what the record must wait for: the writers of what it touches, the readers of what it
    // writes.
    Point Before(const isa::Record& record, Point since) const;
    // The same for what is no record.
    Point Before(const events::Access& access, Point since) const;
    // The record ends here.
    void Note(const isa::Record& record, Point end);

private:
    static constexpr uint64_t kPageBytes = 512;
    static constexpr size_t kKept = 16;
    struct Page {
        Point read{0, 0, -1}, write{0, 0, -1};
    };
    static uint64_t PagesTo(const events::Access& access) { return (access.bytes.end + kPageBytes - 1) / kPageBytes; }
    struct Ended {
        events::Access access{};
        Point end{0, 0, -1};
    };

    std::array<std::vector<Page>, isa::kMemoryCount> pages_;
    std::array<Ended, kKept> gm_;
    size_t next_ = 0;
};

}  // namespace sfumato::trace
