// SPDX-License-Identifier: Apache-2.0
// Where undefined bits come from, and the report of where they matter.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "isa/touched.h"
#include "report/finding.h"
#include "sanitize/init_core.h"

namespace sfumato::sanitize {
namespace {

using isa::Memory;
using isa::Span;

// Blocks of one buffer that are told apart; a long loop over more is one origin.
constexpr size_t kMostApart = 4096;

}  // namespace

uint32_t InitCore::OriginAt(Memory memory, uint32_t allocation, uint64_t at, uint64_t end) {
    Shadow& shadow = ShadowOf(memory, allocation);
    if (const uint32_t known = shadow.Origin(at)) return known;
    const bool gm = memory == Memory::kGm;
    const Region allocation_region{{0, shadow.size()}};
    const Region& region = gm ? allocation_region : ChipOf(memory).regions.Of(at);
    const bool stale = !gm && region.call && shadow.Stale(at);
    const Writer writer = WriterNextTo(region, {at, at + 1});
    const bool apart = known_origins_.size() < kMostApart;
    uint32_t& known = known_origins_[{static_cast<int>(memory), allocation, region.bytes.begin, region.where.line,
                                      stale, writer.where.line, apart ? at / kBlock : ~uint64_t{0}}];
    if (known != 0) return known;
    Origin origin;
    origin.gm = gm;
    origin.stale = stale;
    origin.memory = gm ? launch_.launch().gm[allocation].name : isa::Name(memory);
    origin.buffer = region.bytes;
    origin.buffer_call = region.call;
    origin.buffer_where = region.where;
    origin.reader = reader_;
    origin.writer = writer;
    origin.gap = {at, at + 1};
    end = std::min(end, region.bytes.end);
    while (origin.gap.end < end && !shadow.Defined({origin.gap.end, origin.gap.end + 1})) ++origin.gap.end;
    return known = launch_.origins().Add(std::move(origin));
}

uint32_t InitCore::OriginIn(Memory memory, uint32_t allocation, Span run) {
    Shadow& shadow = ShadowOf(memory, allocation);
    uint32_t first = 0;
    for (uint64_t at = run.begin; at < run.end; at = (at / kBlock + 1) * kBlock) {
        const Span part{at, std::min(run.end, (at / kBlock + 1) * kBlock)};
        if (shadow.Defined(part)) continue;
        uint64_t byte = part.begin;
        while (shadow.Defined({byte, byte + 1})) ++byte;
        const uint32_t origin = OriginAt(memory, allocation, byte, run.end);
        if (!launch_.origins().IsStale(origin)) return origin;
        if (first == 0) first = origin;
    }
    return first;
}

uint32_t InitCore::OriginOf(const isa::Record& r, const Sources& sources, const isa::MemoryMap& map) {
    uint32_t first = 0;
    for (const Source& source : sources) {
        uint32_t found = 0;
        EachRun(r, source, map, [&](const Span& run) {
            if (found == 0 || launch_.origins().IsStale(found)) {
                if (const uint32_t origin = OriginIn(source.memory, source.allocation, run)) found = origin;
            }
        });
        if (found != 0 && !launch_.origins().IsStale(found)) return found;
        if (first == 0) first = found;
    }
    return first;
}

Report InitCore::MakeReport(const Use& use, uint32_t index) const {
    const Origin origin = launch_.origins().At(index);
    const bool reused = origin.buffer_call && std::string_view(origin.buffer_call) == events::kReusedSource;
    Report report = ToReport(
        {reused         ? Rule::kSourceReused
         : origin.stale ? Rule::kStaleRead
                        : Rule::kUninitialisedRead,
         use.operand,
         fmt::format("{} {}{}", use.what,
                     reused         ? "a call with isReuseSource was allowed to overwrite"
                     : origin.stale ? "an earlier tensor left in the buffer"
                                    : "nobody wrote",
                     use.to),
         origin.Found(), "data written before, in this block or by a core it waits for; padding may hold anything",
         origin.Hint()},
        use.call, use.where);
    report.index = use.index;
    report.related = origin.Related(use.where);
    return report;
}

}  // namespace sfumato::sanitize
