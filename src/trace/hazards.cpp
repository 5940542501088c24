// SPDX-License-Identifier: Apache-2.0
// Readers and writers of bytes.
#include "trace/hazards.h"

#include <algorithm>

namespace sfumato::trace {
namespace {

const Point& Later(const Point& a, const Point& b) { return b.at > a.at ? b : a; }

}  // namespace

Point Hazards::Before(const events::Access& access, Point since) const {
    if (access.memory == isa::Memory::kGm) {
        for (const Ended& e : gm_) {
            if (events::Conflict(e.access, access)) since = Later(since, e.end);
        }
        return since;
    }
    const auto& pages = pages_[static_cast<size_t>(access.memory)];
    const uint64_t end = std::min<uint64_t>(pages.size(), PagesTo(access));
    for (uint64_t page = access.bytes.begin / kPageBytes; page < end; ++page) {
        since = Later(since, pages[page].write);
        if (access.write) since = Later(since, pages[page].read);
    }
    return since;
}

Point Hazards::Before(const isa::Record& record, Point since) const {
    for (const events::Access& access : events::Accesses(record)) since = Before(access, since);
    return since;
}

void Hazards::Note(const isa::Record& record, Point end) {
    for (const events::Access& access : events::Accesses(record)) {
        if (access.memory == isa::Memory::kGm) {
            gm_[next_++ % kKept] = {access, end};
            continue;
        }
        auto& pages = pages_[static_cast<size_t>(access.memory)];
        const uint64_t last = PagesTo(access);
        if (pages.size() < last) pages.resize(last);
        for (uint64_t page = access.bytes.begin / kPageBytes; page < last; ++page)
            (access.write ? pages[page].write : pages[page].read) = end;
    }
}

}  // namespace sfumato::trace
