// SPDX-License-Identifier: Apache-2.0
#include "host/stream_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "host/device.h"

namespace sfumato::host {

StreamOrder& StreamOrder::The() {
    static auto* order = new StreamOrder;
    return *order;
}

StreamOrder::StreamOrder() {
    try {
        const StreamsOption option = StreamsOptionOfEnvironment();
        Enable(option.check, option.strict);
    } catch (const std::exception&) {
        // The first launch says what is wrong with the options.
    }
}

void StreamOrder::Enable(bool on, bool strict) {
    on_ = on;
    strict_ = strict;
}

void StreamOrder::Join(Clock& clock, const Clock& other) {
    for (const auto& [doer, time] : other) {
        uint64_t& mine = clock[doer];
        mine = std::max(mine, time);
    }
}

void StreamOrder::Made(const void* stream) {
    if (!keeps()) return;
    std::lock_guard lock(mutex_);
    numbers_.try_emplace(stream, static_cast<uint32_t>(numbers_.size() + 1));
}

void StreamOrder::MadeBlock(const void* p) {
    if (!keeps()) return;
    std::lock_guard lock(mutex_);
    blocks_.erase(reinterpret_cast<uintptr_t>(p));
}

void StreamOrder::Recorded(const void* event, const void* stream) {
    if (!keeps()) return;
    std::lock_guard lock(mutex_);
    Clock& clock = clocks_[OnStream(stream)];
    Join(clock, clocks_[kTheHost]);
    events_[event] = clock;
}

void StreamOrder::Waits(const void* stream, const void* event) {
    if (!keeps()) return;
    std::lock_guard lock(mutex_);
    if (const auto it = events_.find(event); it != events_.end()) Join(clocks_[OnStream(stream)], it->second);
}

void StreamOrder::Forget(const void* event) {
    if (!keeps()) return;
    std::lock_guard lock(mutex_);
    events_.erase(event);
}

void StreamOrder::SynchronizedWith(const void* stream) {
    if (!keeps()) return;
    std::lock_guard lock(mutex_);
    Join(clocks_[kTheHost], clocks_[OnStream(stream)]);
}

void StreamOrder::SynchronizedWithEvent(const void* event) {
    if (!keeps()) return;
    std::lock_guard lock(mutex_);
    if (const auto it = events_.find(event); it != events_.end()) Join(clocks_[kTheHost], it->second);
}

void StreamOrder::SynchronizedWithAll() {
    if (!keeps()) return;
    std::lock_guard lock(mutex_);
    Clock& host = clocks_[kTheHost];
    for (const auto& [doer, clock] : clocks_) {
        if (!doer.is_host) Join(host, clock);
    }
}

std::vector<StreamOrder::Access> StreamOrder::AccessesOf(const std::vector<runtime::TouchedBytes>& touched) const {
    std::vector<Access> accesses;
    for (const runtime::TouchedBytes& bytes : touched) {
        const host::Place place = Device::Find(bytes.begin);
        if (!place.OnDevice() || place.block->freed || bytes.bytes == 0) continue;
        accesses.push_back({reinterpret_cast<uintptr_t>(bytes.begin) - place.offset, place.block->name, place.offset,
                            place.offset + bytes.bytes, bytes.write});
    }
    // A piece of work that reads what it writes is no two.
    std::ranges::stable_sort(accesses, [](const Access& a, const Access& b) { return a.write < b.write; });
    return accesses;
}

std::vector<Report> StreamOrder::Submit(const Doer& doer, const std::string& call, Where where,
                                        const std::vector<runtime::TouchedBytes>& touched, Of of) {
    std::vector<Report> reports;
    if (!keeps()) return reports;
    const std::vector<Access> accesses = AccessesOf(touched);
    std::lock_guard lock(mutex_);
    Clock& clock = clocks_[doer];
    if (!doer.is_host) Join(clock, clocks_[kTheHost]);
    const auto [place, is_new] = place_numbers_.try_emplace({doer, call, where.file, where.line, of}, places_.size());
    if (is_new) places_.push_back(place->first);
    const Moment now{doer, ++clock[doer], place->second};
    for (const Access& access : accesses) Apply(access, now, clock, reports);
    return reports;
}

// So that a piece begins at `at`, if any reaches over it.
void StreamOrder::Split(Pieces& pieces, uint64_t at) {
    auto it = pieces.lower_bound(at);
    if (it == pieces.begin()) return;
    --it;
    if (it->second.end <= at) return;
    pieces[at] = it->second;
    it->second.end = at;
}

void StreamOrder::Apply(const Access& access, const Moment& now, const Clock& clock, std::vector<Report>& reports) {
    const auto ordered = [&](const Moment& earlier) {
        const auto it = clock.find(earlier.doer);
        return earlier.time == 0 || (it != clock.end() && earlier.time <= it->second);
    };
    Pieces& pieces = blocks_[access.block];
    Split(pieces, access.begin);
    Split(pieces, access.end);
    const auto end = pieces.lower_bound(access.end);
    for (auto it = pieces.lower_bound(access.begin); it != end; ++it) {
        const Piece& piece = it->second;
        if (!ordered(piece.written)) Tell(piece.written, true, now, access, it->first, piece.end, reports);
        for (const auto& [doer, read] : piece.read) {
            if (access.write && !ordered(read)) Tell(read, false, now, access, it->first, piece.end, reports);
        }
    }
    if (access.write) {
        pieces.erase(pieces.lower_bound(access.begin), end);
        pieces[access.begin] = {access.end, now, {}};
        return;
    }
    uint64_t at = access.begin;  // bytes nobody has touched get a piece, too
    for (auto it = pieces.lower_bound(at); at < access.end; ++it) {
        const uint64_t next = it == end ? access.end : it->first;
        if (at < next) pieces[at] = {next, {}, {{now.doer, now}}};
        if (it == end) break;
        it->second.read[now.doer] = now;
        at = it->second.end;
    }
}

void StreamOrder::Tell(const Moment& earlier, bool earlier_wrote, const Moment& now, const Access& access,
                       uint64_t begin, uint64_t end, std::vector<Report>& reports) {
    const Place &first = places_[earlier.place], &second = places_[now.place];
    const bool of_comms = first.of == Of::kComms || second.of == Of::kComms;
    if (!of_comms && !on_) return;
    if (!told_.emplace(earlier.place, earlier_wrote, now.place, access.write).second) return;
    const std::string did =
        fmt::format("{} {} them, on {}", first.call, earlier_wrote ? "writes" : "reads", NameOf(first.doer));
    Finding finding{of_comms ? Rule::kCommBuffer : Rule::kStreamRace, "", "", "", "", ""};
    finding.message =
        fmt::format("{} bytes of the device that {} {}, and nothing orders the two", access.write ? "writes" : "reads",
                    NameOf(first.doer), earlier_wrote ? "writes" : "reads");
    finding.found = fmt::format("bytes {}..{} of '{}', on {}; {}", begin, end, access.name, NameOf(second.doer), did);
    finding.legal = second.doer.is_host ? "a call behind one that synchronises, such as aclrtSynchronizeStream"
                                        : "work of one stream, or with an event or a call that synchronises between";
    if (of_comms && (second.doer.is_host || first.doer.is_host)) {
        finding.hint = "call aclrtSynchronizeStream behind the collective: it is queued when its call returns";
    } else if (!second.doer.is_host && !first.doer.is_host) {
        finding.hint = "aclrtRecordEvent behind the one, aclrtStreamWaitEvent before the other";
    }
    Report report = ToReport(std::move(finding), second.call, {});
    report.file = second.file;
    report.line = second.line;
    if (first.line) report.related.push_back({first.file, first.line, did});
    if (strict_) report.severity = Severity::kFault;
    reports.push_back(std::move(report));
}

std::string StreamOrder::NameOf(const Doer& doer) const {
    if (doer.is_host) return "the host";
    if (!doer.stream) return "the default stream";
    const auto it = numbers_.find(doer.stream);
    return it == numbers_.end() ? fmt::format("stream {}", doer.stream) : fmt::format("stream {}", it->second);
}

}  // namespace sfumato::host
