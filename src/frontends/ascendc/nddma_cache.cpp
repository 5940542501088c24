// SPDX-License-Identifier: Apache-2.0
// NDDMA that reads again what its core has written since, without NdDmaDci between them.
#include "frontends/ascendc/nddma_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "frontends/ascendc/context.h"
#include "isa/boxes.h"
#include "isa/touched.h"

namespace sfumato::ascendc {
namespace {

bool SharesMemory(const isa::Operand& a, const isa::Operand& b) {
    return a.memory == isa::Memory::kGm && b.memory == isa::Memory::kGm && a.allocation == b.allocation;
}

// Calls visit(bytes) for those of `span` among the bytes that an operand touches.
template <class Visit>
void ForEachShared(const isa::Record& record, int operand, const isa::Span& span, const Visit& visit) {
    ForEachRun(record, operand, nullptr, [&](const isa::Span& run) {
        if (run.Overlaps(span)) visit(isa::Span{std::max(run.begin, span.begin), std::min(run.end, span.end)});
    });
}

}  // namespace

void NdDmaCache::Issuing(const isa::Record& record) {
    // What follows walks over all that a record touches, which is yet to be checked.
    const auto inside = [&](int operand) {
        const isa::Operand& o = record.operand[static_cast<size_t>(operand)];
        return o.memory == isa::Memory::kGm && SpanOf(record, operand).end <= core_.Gm(o.allocation).bytes;
    };
    if (const auto* box = record.If<isa::NdDma>()) {
        if (isa::HasPlaces(*box, core_.chip().Bytes(isa::Memory::kUb)) && inside(1)) Look(record);
    } else if (!reads_.empty() && record.operand_count > 0 && record.dst().memory == isa::Memory::kGm && inside(0)) {
        Note(record);
    }
}

void NdDmaCache::Look(const isa::Record& record) {
    std::optional<isa::Span> stale;
    const Read* found = nullptr;
    for (const Read& read : reads_) {
        if (!SharesMemory(read.record.src0(), record.src0())) continue;
        for (const isa::Span& written : read.written) {
            if (found) break;
            ForEachShared(record, 1, written, [&](const isa::Span& bytes) {
                if (!stale) stale = bytes;
                found = &read;
            });
        }
    }
    if (found) {
        Find(core_, "DataCopy", record.where,
             {Rule::kNdDmaStale, "src", "NDDMA may read what its cache holds of before",
              fmt::format("bytes {} to {} of {}, which {} at {} has written since NDDMA read them", stale->begin,
                          stale->end - 1, core_.Gm(record.src0().allocation).name, found->call,
                          runtime::At(found->where)),
              "NdDmaDci between the store and the next NDDMA of these bytes",
              "call NdDmaDci() once the store has ended"});
        reads_.clear();  // one is told of, not each of a loop
    }
    if (reads_.size() == kMostReads) reads_.pop_front();
    reads_.push_back({record, SpanOf(record, 1), {}, nullptr, {}});
}

void NdDmaCache::Note(const isa::Record& store) {
    const isa::Span stored = SpanOf(store, 0);
    for (Read& read : reads_) {
        if (!SharesMemory(read.record.src0(), store.dst()) || !read.hull.Overlaps(stored)) continue;
        ForEachShared(store, 0, read.hull, [&](const isa::Span& bytes) {
            ForEachShared(read.record, 1, bytes, [&](const isa::Span& stale) {
                read.written.push_back(stale);
                read.call = isa::CallName(store);
                read.where = store.where;
            });
        });
    }
}

}  // namespace sfumato::ascendc
