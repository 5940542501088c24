// SPDX-License-Identifier: Apache-2.0
// Readers and writers of bytes.
#include "trace/hazards.h"

#include <algorithm>

namespace sfumato::trace {
namespace {

const Point& Later(const Point& a, const Point& b) { return b.at > a.at ? b : a; }

}  // namespace

Point Hazards::Latest(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool readers, Point since) const {
    if (bytes.begin >= bytes.end) return since;
    if (memory == isa::Memory::kGm) {
        for (const Access& a : gm_) {
            if (a.allocation == allocation && a.bytes.Overlaps(bytes) && (a.write || readers))
                since = Later(since, a.end);
        }
        return since;
    }
    const auto& pages = pages_[static_cast<size_t>(memory)];
    const uint64_t end = std::min<uint64_t>(pages.size(), (bytes.end + kPageBytes - 1) / kPageBytes);
    for (uint64_t page = bytes.begin / kPageBytes; page < end; ++page) {
        since = Later(since, pages[page].write);
        if (readers) since = Later(since, pages[page].read);
    }
    return since;
}

Point Hazards::Before(const isa::Record& record, Point since) const {
    for (int i = 0; i < record.operand_count; ++i) {
        const isa::Operand& o = record.operand[static_cast<size_t>(i)];
        if (o.memory == isa::Memory::kNone) continue;
        since = Latest(o.memory, o.allocation, SpanOf(record, i), isa::IsWritten(record, i), since);
    }
    return since;
}

Point Hazards::Writers(isa::Memory memory, uint32_t allocation, isa::Span bytes, Point since) const {
    return Latest(memory, allocation, bytes, false, since);
}

void Hazards::Note(const isa::Record& record, Point end) {
    for (int i = 0; i < record.operand_count; ++i) {
        const isa::Operand& o = record.operand[static_cast<size_t>(i)];
        const isa::Span bytes = SpanOf(record, i);
        if (o.memory == isa::Memory::kNone || bytes.begin >= bytes.end) continue;
        const bool write = isa::IsWritten(record, i);
        if (o.memory == isa::Memory::kGm) {
            gm_[next_++ % kKept] = {o.allocation, bytes, write, end};
            continue;
        }
        auto& pages = pages_[static_cast<size_t>(o.memory)];
        const uint64_t last = (bytes.end + kPageBytes - 1) / kPageBytes;
        if (pages.size() < last) pages.resize(last);
        for (uint64_t page = bytes.begin / kPageBytes; page < last; ++page)
            (write ? pages[page].write : pages[page].read) = end;
    }
}

}  // namespace sfumato::trace
