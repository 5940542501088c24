// SPDX-License-Identifier: Apache-2.0
// Flags between ranks: which one stands between two accesses, which are lost, which end a wait twice (ranks.md 5).
#include <algorithm>

#include "sanitize/cache_lines.h"
#include "sanitize/ranks/rank_history.h"

namespace sfumato::sanitize {
namespace {

constexpr size_t kMostStale = 256;

}  // namespace

std::shared_ptr<RankStore> RankHistory::FlagBehind(const Doing& doing, RankSlot slot, uint64_t tick) const {
    const auto at = flags_.find({doing.slot.rank, slot.packed()});
    if (at == flags_.end()) return nullptr;
    // The first one behind that moment.
    std::shared_ptr<RankStore> first;
    for (const auto& flag : at->second) {
        const bool waits = std::ranges::any_of(
            flag->awaited, [&](const auto& by) { return by.slot.rank == doing.slot.rank && IsBehind(doing, by); });
        if (flag->tick >= tick && waits && (!first || flag->tick < first->tick)) first = flag;
    }
    return first;
}

RankHistory::Waited RankHistory::LastWait(RankSlot reader, uint64_t before, RankSlot writer) const {
    Waited last;
    const auto at = flags_.find({reader.rank, writer.packed()});
    if (at == flags_.end()) return last;
    for (const auto& flag : at->second) {
        for (const RankStore::Awaited& by : flag->awaited) {
            if (by.slot == reader && by.tick < before && by.tick > last.tick) last = {by.tick, flag->site};
        }
    }
    return last;
}

// A flag of the reader, stored behind the wait that let it read, and waited for before the store: though nothing says
// that the read was over by then.
const RankSite* RankHistory::GivenFree(RankSlot reader, uint64_t waited, RankSlot writer, uint64_t store,
                                       const RankKnown& known) const {
    const auto at = flags_.find({writer.rank, reader.packed()});
    if (at == flags_.end() || waited == 0) return nullptr;
    for (const auto& flag : at->second) {
        const bool before = std::ranges::any_of(flag->awaited, [&](const RankStore::Awaited& by) {
            return by.slot == writer ? by.tick < store : KnownOf(known, by.slot, 0) > by.tick;
        });
        if (before && flag->tick > waited) return flag->site;
    }
    return nullptr;
}

void RankHistory::Explain(RankPair& pair, const RankKnown& of_writer) const {
    const bool read_first = pair.earlier.Reads();
    if (pair.rule != Rule::kRaceRanks || read_first == pair.later.Reads()) return;
    const RankSide &reader = read_first ? pair.earlier : pair.later, &writer = read_first ? pair.later : pair.earlier;
    const Waited wait = LastWait(reader.slot, reader.tick, writer.slot);
    pair.flag = wait.flag;
    if (const RankSite* free = GivenFree(reader.slot, wait.tick, writer.slot, writer.tick, of_writer)) {
        pair.rule = Rule::kFlagClearEarly;
        pair.flag = free;
    }
}

// A flag is for another rank than the one that stores it: what a receiver clears need not be seen.
void RankHistory::NoteLost(const Doing& doing, const std::shared_ptr<RankStore>& earlier, const Met& met) {
    if (earlier->seen || earlier->slot == doing.slot || doing.access.kind != Access::Kind::kWrite) return;
    if (earlier->slot.rank == memory_[doing.region].owner) return;
    pairs_.Add(PairOf(Rule::kFlagLost, doing, met));
}

// What a launch of the same kernel stored a round before: a read that is no poll, of a round that was not stored.
void RankHistory::NoteStale(const Doing& read, const RankStore& store, const Met& met) {
    const RankLaunch &now = *read.launch, &then = *store.launch;
    if (!now.looks_for_stale || read.site->polls || store.flag || stale_.size() >= kMostStale) return;
    if (then.rank == now.rank || then.kernel != now.kernel || store.IsOf(now.epoch, HullOf(met.spans))) return;
    stale_.push_back(PairOf(Rule::kStaleWindow, read, met));
}

void RankHistory::ReadFromCache(const Doing& read, uint64_t loaded) {
    const isa::Span run = read.runs.front();
    for (uint64_t byte = run.begin; byte < run.end; ++byte) {
        const Past* past = memory_.At(read.region, byte);
        const auto store = past && past->written ? stores_.Find(past->write.core, past->write.tick) : nullptr;
        if (!store || store->slot.rank == read.slot.rank || store->serial <= loaded) continue;
        if (stale_.size() < kMostStale) stale_.push_back(PairOf(Rule::kCacheStale, read, {past->write, {run}}));
        return;
    }
}

void RankHistory::ShareLines(const Doing& doing, const RankStore& store) {
    const Past* last = nullptr;
    const auto beside = [&](uint64_t byte) {
        const Past* past = memory_.At(doing.region, byte);
        if (!past || past == last || !past->written) return;
        last = past;
        if ((!store.cached && !past->write.by_scalar) || IsOrdered(doing, past->write)) return;
        const auto other = stores_.Find(past->write.core, past->write.tick);
        if (!other || IsAwaited(doing, *other, {byte, byte + 1})) return;
        const uint64_t line = CacheLines::LineOf(byte);
        pairs_.Add(PairOf(Rule::kCacheLostWrite, doing, {past->write, {{line, line + CacheLines::kLine}}}));
    };
    for (const isa::Span& run : doing.runs) {
        const uint64_t end = CacheLines::LineOf(run.end - 1) + CacheLines::kLine;
        for (uint64_t byte = CacheLines::LineOf(run.begin); byte < run.begin; ++byte) beside(byte);
        for (uint64_t byte = run.end; byte < end; ++byte) beside(byte);
    }
}

void RankHistory::EndWait(const Ending& ending) {
    for (const auto& store : ending.stores) {
        const RankStore::Ended now{ending.doer.slot, ending.doer.site, ending.begin, ending.epoch};
        const auto before = std::ranges::find_if(store->ended, [&](const RankStore::Ended& other) {
            return other.slot == now.slot && other.site == now.site && other.begin == now.begin;
        });
        if (before == store->ended.end()) {
            store->ended.push_back(now);
        } else if (before->epoch != now.epoch) {
            reused_.push_back({store, ending.doer});
        }
    }
}

void RankHistory::StoredAgain(const Doing& doing) {
    const auto renew = [&](isa::Span run, uint64_t byte) {
        const Past* past = memory_.At(doing.region, byte);
        const auto store = past && past->written ? stores_.Find(past->write.core, past->write.tick) : nullptr;
        if (!store) return;
        store->again = store->again || past->write.core == doing.access.core;
        store->Renew(run, doing.launch->epoch);
    };
    for (const isa::Span& run : doing.runs) {
        renew(run, run.begin);
        if (!doing.launch->looks_for_stale) continue;
        constexpr uint64_t kStep = isa::kBlockBytes;
        for (uint64_t byte = (run.begin / kStep + 1) * kStep; byte < run.end; byte += kStep) renew(run, byte);
    }
}

std::vector<Report> RankHistory::TakeReports(bool clean) {
    clean_ = clean_ && clean;
    if (running_ != 0) return {};
    std::vector<RankPair> pairs = pairs_.Take();
    for (RankPair& pair : pairs) pair.polled = pair.polled || memory_.IsPolled(pair.region, pair.bytes);
    for (const auto& [store, doer] : reused_) {
        // A value that was stored again carries no number of the launch.
        if (!store->again) continue;
        RankPair pair{.rule = Rule::kFlagReused,
                      .earlier = SideOfStore(store),
                      .later = doer,
                      .region = store->region,
                      .bytes = store->span};
        pair.of = memory_[store->region].name;
        pairs.push_back(std::move(pair));
    }
    reused_.clear();
    for (RankPair& pair : cached_) {
        if (pair.earlier.store && pair.earlier.store->cached) pairs.push_back(std::move(pair));
    }
    cached_.clear();
    for (RankPair& pair : stale_) {
        const bool flag = (pair.earlier.store && pair.earlier.store->flag) || memory_.IsPolled(pair.region, pair.bytes);
        if (!pair.later.site->polls && !(flag && pair.rule == Rule::kStaleWindow)) pairs.push_back(std::move(pair));
    }
    stale_.clear();
    std::vector<std::pair<uint32_t, isa::Span>> waits = std::move(waits_);
    waits_.clear();
    const bool all_clean = std::exchange(clean_, true);
    // Where ranks stop depends on what fails, and that is mended first: but for a flag that a wait has missed.
    if (!all_clean) {
        std::erase_if(pairs, [&](const RankPair& pair) {
            return pair.rule != Rule::kFlagLost || std::ranges::none_of(waits, [&](const auto& wait) {
                       return wait.first == pair.region && wait.second.Overlaps(pair.bytes);
                   });
        });
        for (RankPair& pair : pairs) pair.polled = true;
    }
    std::vector<Report> reports = RankReports(pairs, told_);
    for (Report& report : reports) {
        if (report.rule == Rule::kFlagLost && !all_clean) report.severity = Severity::kWarning;
    }
    return reports;
}

}  // namespace sfumato::sanitize
