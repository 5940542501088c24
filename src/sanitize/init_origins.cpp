// SPDX-License-Identifier: Apache-2.0
// Regions of memories, and the words for where undefined bytes come from.
#include "sanitize/init_origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "events/event.h"

namespace sfumato::sanitize {
namespace {

constexpr size_t kMostWriters = 8;

std::string PlaceOf(isa::Span span) {
    return span.end - span.begin == 1 ? fmt::format("byte {}", span.begin)
                                      : fmt::format("bytes {} to {}", span.begin, span.end - 1);
}

}  // namespace

std::string Origin::Found() const {
    const std::string place =
        gm ? fmt::format("{} of '{}'", PlaceOf(gap), memory) : fmt::format("{} of {}", PlaceOf(gap), memory);
    return place + (stale ? fmt::format(", written before {} handed them out, not since", buffer_call)
                          : ", which nobody wrote");
}

std::vector<RelatedPlace> Origin::Related(Where where) const {
    std::vector<RelatedPlace> related;
    if (buffer_call) {
        related.push_back(
            {buffer_where.file, buffer_where.line,
             fmt::format("{} {} {}", buffer_call,
                         buffer_call == std::string_view(events::kReusedSource) ? "gives up" : "hands out",
                         PlaceOf(buffer))});
    }
    if (writer.call && writer.where.file[0] != '\0') {
        related.push_back({writer.where.file, writer.where.line,
                           fmt::format("{} writes {} of it", writer.call, PlaceOf(writer.bytes))});
    }
    const bool elsewhere = reader.where.line != where.line || std::string_view(reader.where.file) != where.file;
    if (reader.call && elsewhere) {
        related.push_back(
            {reader.where.file, reader.where.line, fmt::format("{} reads them first", reader.call), true});
    }
    return related;
}

std::string Origin::Hint() const {
    if (buffer_call && std::string_view(buffer_call) == events::kReusedSource)
        return "pass isReuseSource = false, or read the source before the call";
    if (gm) return "write them first, and let the cores that read wait for those that write";
    if (!writer.call) return "write the buffer first: a copy, or the instruction whose result it should hold";
    return "write the rest too, by a fill or a copy that pads, or leave it out of the count";
}

uint32_t Origins::Add(Origin origin) {
    const std::lock_guard lock(mutex_);
    origins_.push_back(std::move(origin));
    return static_cast<uint32_t>(origins_.size() - 1);
}

Origin Origins::At(uint32_t index) const {
    const std::lock_guard lock(mutex_);
    return origins_[index];
}

bool Origins::IsStale(uint32_t index) const {
    const std::lock_guard lock(mutex_);
    return origins_[index].stale;
}

uint32_t Origins::Stored(uint32_t index, const Report& report) {
    const std::lock_guard lock(mutex_);
    uint32_t& stored = stored_[{index, report.file, report.line, report.core_order}];
    if (stored == 0) {
        Origin origin = origins_[index];
        origin.store = report;
        origins_.push_back(std::move(origin));
        stored = static_cast<uint32_t>(origins_.size() - 1);
    }
    return stored;
}

void Regions::Renew(isa::Span bytes, const char* call, Where where) {
    auto at = regions_.upper_bound(bytes.begin);
    const bool apart = at == regions_.end() || at->second.bytes.begin >= bytes.end;
    if (at != regions_.begin() && apart && std::prev(at)->second.bytes.begin == bytes.begin &&
        std::prev(at)->second.bytes.end == bytes.end) {
        Region& region = std::prev(at)->second;  // the same buffer again, as in most loops
        region.call = call;
        region.where = where;
        region.writers.clear();
        return;
    }
    if (at != regions_.begin() && std::prev(at)->second.bytes.end > bytes.begin) --at;
    while (at != regions_.end() && at->second.bytes.begin < bytes.end) at = regions_.erase(at);
    regions_[bytes.begin] = {bytes, call, where};
}

Region& Regions::Of(uint64_t at) {
    auto after = regions_.upper_bound(at);
    if (after == regions_.begin()) return whole_;
    Region& region = (--after)->second;
    return at < region.bytes.end ? region : whole_;
}

void Regions::Write(isa::Span bytes, const char* call, Where where) {
    Region& region = Of(bytes.begin);
    for (Writer& writer : region.writers) {
        if (writer.where.line != where.line || writer.where.file != where.file) continue;
        writer.bytes = bytes;
        return;
    }
    if (region.writers.size() < kMostWriters) {
        region.writers.push_back({call, where, bytes});
    } else {
        region.writers[region.next_writer++ % kMostWriters] = {call, where, bytes};
    }
}

Writer WriterNextTo(const Region& region, isa::Span gap) {
    constexpr uint64_t kTouching = isa::kBlockBytes;
    const Writer* best = nullptr;
    uint64_t best_distance = region.call ? UINT64_MAX : kTouching;
    for (const Writer& writer : region.writers) {
        const uint64_t distance = writer.bytes.end <= gap.begin   ? gap.begin - writer.bytes.end
                                  : writer.bytes.begin >= gap.end ? writer.bytes.begin - gap.end
                                                                  : 0;
        if (distance < best_distance) best = &writer, best_distance = distance;
    }
    return best ? *best : Writer{};
}

}  // namespace sfumato::sanitize
