// SPDX-License-Identifier: Apache-2.0
// Looks at the exact bytes of records and of scalar accesses.
#include "runtime/cores/local_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "isa/touched.h"
#include "runtime/pipes/queues.h"

namespace sfumato::runtime {
namespace {

WatchedUnit UnitOf(isa::Pipe pipe) {
    if (pipe == isa::Pipe::kS) return WatchedUnit::kScalar;
    return pipe == isa::Pipe::kV ? WatchedUnit::kVector : WatchedUnit::kMove;
}

}  // namespace

void LocalWatch::Set(size_t number, const LocalRange* range, uint64_t index) {
    for (Window& w : windows_) {
        if (w.number == number) w.until = std::min(w.until, index);
    }
    if (range) windows_.push_back({number, *range, index});
}

const LocalWatch::Window* LocalWatch::Broken(isa::Span bytes, WatchedUnit unit, bool write, uint64_t index) const {
    const auto at = static_cast<size_t>(unit);
    const auto found = std::ranges::find_if(windows_, [&](const Window& w) {
        return index >= w.since && index < w.until && (write ? w.range.writes : w.range.reads)[at] &&
               w.range.bytes.Overlaps(bytes);
    });
    return found == windows_.end() ? nullptr : &*found;
}

Report LocalWatch::ReportOn(const Window& window, std::string_view call, isa::Span bytes, WatchedUnit unit, bool write,
                            Where where) const {
    constexpr const char* kUnits[] = {"the scalar unit", "the vector unit", "a move"};
    return ToReport(
        {Rule::kWatchedAccess, "",
         fmt::format("{} {} bytes that CheckLocalMemoryIA watches", kUnits[static_cast<size_t>(unit)],
                     write ? "writes" : "reads"),
         fmt::format("bytes {} to {} of UB", bytes.begin, bytes.end - 1),
         fmt::format("bytes outside {} to {}, which range {} watches since {}:{}", window.range.bytes.begin,
                     window.range.bytes.end - 1, window.number, window.range.where.file, window.range.where.line),
         "call CheckLocalMemoryIA with isEnable false where the access is meant"},
        call, where);
}

void LocalWatch::TellAt(uint64_t index, Report report) {
    report.index = index;
    tell_(std::move(report));
}

void LocalWatch::On(const events::Executing& event) {
    const isa::Record& record = event.record;
    if (isa::IsControl(record)) return;
    const WatchedUnit unit = UnitOf(record.pipe);
    const uint8_t* ub = event.memory.base[static_cast<int>(isa::Memory::kUb)];
    std::optional<Report> found;
    for (const events::Access& a : events::Accesses(record)) {
        if (a.memory != isa::Memory::kUb) continue;
        const auto look = [&](isa::Span run, bool write) {
            const Window* broken = found ? nullptr : Broken(run, unit, write, record.index);
            if (broken) found = ReportOn(*broken, isa::CallName(record), run, unit, write, record.where);
        };
        const bool reads = !a.write || isa::Has(record.op, isa::kReadsDst);
        const auto look_at = [&](isa::Span run) {
            if (a.write) look(run, true);
            if (reads) look(run, false);
        };
        a.operand < 0 ? look_at(a.bytes) : isa::ForEachRun(record, a.operand, ub, look_at);
    }
    if (!found) return;
    TellAt(record.index, std::move(*found));
}

void LocalWatch::On(const events::Accessed& event) {
    const events::ScalarAccess& access = event.access;
    if (access.memory != isa::Memory::kUb) return;
    if (const Window* broken = Broken(access.bytes, WatchedUnit::kScalar, access.write, access.index))
        TellAt(access.index,
               ReportOn(*broken, access.call, access.bytes, WatchedUnit::kScalar, access.write, access.where));
}

void LocalWatch::On(const events::CoreEnded& event) {
    const auto on = std::ranges::find_if(windows_, [](const Window& w) { return w.until == ~uint64_t{0}; });
    if (on == windows_.end()) return;
    TellAt(event.index, ToReport({Rule::kWatchLeftOn, "isEnable", "a range is still watched when the kernel ends",
                                  fmt::format("range {}", on->number), "isEnable false at the end of the kernel",
                                  "the next kernel on the core would meet it"},
                                 "CheckLocalMemoryIA", on->range.where));
}

}  // namespace sfumato::runtime
