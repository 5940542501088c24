// SPDX-License-Identifier: Apache-2.0
// Polls of global memory.
#include "runtime/cores/polls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "isa/racy.h"
#include "isa/spans.h"
#include "isa/touched.h"
#include "report/finding.h"
#include "runtime/cores/core.h"
#include "runtime/launch/launch_state.h"
#include "sanitize/race_words.h"

namespace sfumato::runtime {

// Accesses of a core in a world to GM without a wait, after which it goes behind the others (decided).
constexpr uint64_t kMostAccesses = 65'536;
// A load of up to so many bytes may be a poll; more is data.
constexpr uint64_t kMostPollBytes = 512;
// What finds nothing changed before it is certain that nothing will: moves, shared by the cores that poll, and loads,
// which a launch that is alone does not share. More than a loop makes that ends by itself (decided); where ranks wait
// for each other, loops count to less, and people for longer.
struct MostLooks {
    uint64_t moves, loads;
};
#if defined(__SANITIZE_THREAD__)
constexpr MostLooks kAlone{30'000, 30'000}, kOfRanks{10'000, 10'000};  // each takes ten times as long there
#elif defined(__SANITIZE_ADDRESS__)
constexpr MostLooks kAlone{300'000, 1'200'000}, kOfRanks{10'000, 10'000};
#else
constexpr MostLooks kAlone{300'000, 1'200'000}, kOfRanks{100'000, 400'000};
#endif

Polls::Polls(Core& core)
    : core_(core), most_accesses_(core.launch().work ? kMostAccesses : UINT64_MAX), accesses_left_(most_accesses_) {}

void Polls::GoBehind() {
    accesses_left_ = most_accesses_;
    core_.waits().GoBehind(true);
}

void Polls::CleanedShared(const uint8_t* line, const char* call, Where where) {
    NoteAccess();
    const uint8_t* const before = std::exchange(line_.address, line);
    const Where at = std::exchange(line_.where, where);
    if (before && polling_.Quiet()) Polled(before, Polling::kLineBytes, false, call, at, NextIndex());
}

void Polls::NoteRecord(const isa::Record& record) {
    if (record.operand_count > 0 && record.dst().memory == isa::Memory::kGm) {
        NoteAccess();
        return polling_.Progress();
    }
    if (record.operand_count != 2 || record.operand[1].memory != isa::Memory::kGm) return polling_.Worked();
    NoteAccess();
    line_.address = nullptr;
    if (!polling_.Quiet()) return;
    const isa::Span span = SpanOf(record, 1);
    if (span.end - span.begin > kMostPollBytes) {
        if (!core_.launch().work || !PolledApart(record)) polling_.Progress();
        return;
    }
    Polled(core_.GmBase(record.operand[1].allocation) + span.begin, span.end - span.begin, false, isa::CallName(record),
           record.where, record.index);
}

bool Polls::PolledApart(const isa::Record& record) {
    constexpr uint64_t kMostFlag = 64;
    constexpr size_t kMostFlags = 64;  // of as many ranks
    const auto* move = record.If<isa::Move>();
    if (!move || move->block_count > kMostFlags) return false;
    std::vector<isa::Span> flags;
    bool small = true;
    isa::ForEachRun(record, 1, nullptr, [&](const isa::Span& run) {
        small = small && run.end - run.begin <= kMostFlag;
        flags.push_back(run);
    });
    if (!small) return false;
    const uint8_t* const base = core_.GmBase(record.operand[1].allocation);
    for (const isa::Span& flag : flags) {
        Polled(base + flag.begin, flag.end - flag.begin, false, isa::CallName(record), record.where, record.index);
    }
    return true;
}

uint64_t Polls::NextIndex() const { return core_.next_index(); }

void Polls::Step() {
    owes_step_ = false;
    worked_out_ = !core_.pipes().Step();
}

void Polls::Stale(const char* call, Where where, uint64_t index) {
    Report report = ToReport(sanitize::StalePoll(), call, where);
    report.index = index;
    core_.findings().Add(std::move(report));
}

// " (now 1; rank 2, aiv0 stored there last (DataCopy at f.cpp:7))".
std::string Polls::InWindow(const Polling::Read& read) const {
    int32_t now = 0;
    isa::CopyRacy(reinterpret_cast<uint8_t*>(&now), read.address, std::min<uint64_t>(read.bytes, sizeof(now)));
    constexpr int32_t kMostCounted = 1 << 24;
    const std::string value = std::abs(now) < kMostCounted ? std::to_string(now) : fmt::format("{:#x}", now);
    const std::string last = core_.launch().work->world().history().LastStore(read.address, read.bytes);
    return last.empty() ? fmt::format(" (now {})", value) : fmt::format(" (now {}; {})", value, last);
}

std::string Polls::BytesText() const {
    constexpr size_t kMostNamed = 3;
    std::vector<Polling::Read> reads = polling_.reads();
    std::ranges::sort(reads, [](const auto& a, const auto& b) { return a.address < b.address; });
    std::string text;
    for (size_t i = 0; i < reads.size() && i < kMostNamed; ++i) {
        const int gm = core_.FindGm(reads[i].address);
        text += fmt::format("{}{} bytes", i == 0 ? "" : " and ", reads[i].bytes);
        if (gm < 0) continue;
        const auto allocation = static_cast<uint32_t>(gm);
        text +=
            fmt::format(" at byte {} of '{}'", reads[i].address - core_.GmBase(allocation), core_.Gm(allocation).name);
        if (core_.launch().work && core_.launch().IsShared(allocation)) text += InWindow(reads[i]);
    }
    if (reads.size() > kMostNamed) text += fmt::format(" and {} other places", reads.size() - kMostNamed);
    return text;
}

void Polls::Polled(const uint8_t* address, uint64_t bytes, bool cached, const char* call, Where where, uint64_t index) {
    switch (polling_.Again(address, bytes, cached, where)) {
        case Polling::Found::kOther:
            if (polling_.Begins()) first_index_ = index;
            return;
        case Polling::Found::kChanged: rounds_ = 0; return;
        case Polling::Found::kStale: rounds_ = 0; return Stale(call, where, index);
        case Polling::Found::kUnchanged: break;
    }
    if (polling_.rounds() < rounds_) return;
    core_.stopping().IfAsked();
    CrossCore& cross_core = *core_.launch().cross_core;
    World::Work* const work = core_.launch().work;
    const uint64_t pollers = std::max<uint64_t>(1, work ? work->world().live_pollers() : cross_core.live_pollers());
    const MostLooks& limit = work ? kOfRanks : kAlone;
    const uint64_t looks = cached ? limit.loads / (work ? pollers : 1) : limit.moves / pollers;
    const uint64_t most = looks / polling_.reads().size();
    const bool last_time = polling_.rounds() >= most;
    const auto woken = core_.waits().Rest(call, where, [&] {
        std::function<std::string()> on;
        if (work) on = [this] { return BytesText(); };
        return cross_core.AwaitChange(
            core_.place().order, [this] { return polling_.Differs(); }, last_time, {call, where}, std::move(on));
    });
    // Others may wait for what lies in this core's own queues; the next scalar access runs some of it, unless nothing
    // is pending.
    if (woken == Cores::Woken::kWork && owes_step_) worked_out_ = true;
    owes_step_ = woken == Cores::Woken::kWork && !worked_out_;
    rounds_ = woken == Cores::Woken::kWork && worked_out_ ? most : 0;
    if (woken == Cores::Woken::kDone) {
        worked_out_ = false;
        // The program's read sees the change, and may be its last.
        if (polling_.LastIsStale()) Stale(call, where, index);
        polling_.Changed();
    }
    if (woken == Cores::Woken::kNever) {
        const std::string others = cross_core.Explain(core_.place().order).found;
        const auto& reads = polling_.reads();
        const auto lowest =
            std::ranges::min_element(reads, [](const auto& a, const auto& b) { return a.address < b.address; });
        core_.waits().StandsStill(
            {call, lowest->where}, first_index_,
            {fmt::format("it reads {} again and again, and nobody changes them{}", BytesText(),
                         others.empty() ? others : "; " + others),
             core_.launch().work
                 ? "store there on another rank, on every path, and before that rank waits for this one: "
                   "the bytes and the value that this wait reads"
                 : "write these bytes on another core, on every path and before that core waits for this one"});
        core_.stopping().Now();  // with faults collected, too: the program would read for ever
    }
}

}  // namespace sfumato::runtime
