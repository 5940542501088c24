// SPDX-License-Identifier: Apache-2.0
// Accesses of memory that several ranks touch, judged against those before them.
#include "sanitize/ranks/rank_history.h"

#include <fmt/format.h>

#include <algorithm>

#include "sanitize/ranks/rank_watch.h"

namespace sfumato::sanitize {
namespace {

constexpr size_t kMostFlags = 16;  // remembered of a core that stores them, for a rank that waits

uint64_t FirstBlock(isa::Span bytes) { return bytes.begin / kRankBlock; }
uint64_t LastBlock(isa::Span bytes) { return (bytes.end - 1) / kRankBlock; }

}  // namespace

RankHistory::Submission RankHistory::Submitted(const RankKnown& by_host) {
    std::lock_guard lock(mutex_);
    return {++moment_, by_host};
}

RankKnown RankHistory::Awaited(uint32_t rank, const RankKnown& by_host) {
    std::lock_guard lock(mutex_);
    return JoinRankKnown(by_host, ended_[rank]);
}

void RankHistory::Meets(uint32_t rank) {
    std::lock_guard lock(mutex_);
    for (const RankKnown& ended : ended_) ended_[rank] = JoinRankKnown(ended_[rank], ended);
}

void RankHistory::Serves(uint64_t task, const RankKnown& known) {
    constexpr size_t kMostServed = 4096;
    std::lock_guard lock(mutex_);
    RankKnown& all = served_[task];
    all = JoinRankKnown(all, known);
    if (served_.size() > kMostServed) served_.erase(served_.begin());
}

RankKnown RankHistory::ServedBehind(uint64_t task) {
    std::lock_guard lock(mutex_);
    const auto at = served_.find(task);
    return at == served_.end() ? nullptr : at->second;
}

std::unique_ptr<events::Listener> RankHistory::Watch(const LaunchView& view, Launch launch) {
    return std::make_unique<RankWatch>(*this, view, std::move(launch));
}

void RankHistory::Forget(const uint8_t* base) {
    std::lock_guard lock(mutex_);
    memory_.Forget(base);
}

void RankHistory::ForgetAll() {
    std::lock_guard lock(mutex_);
    memory_.ForgetAll();
}

void RankHistory::End(RankLaunch& launch, const RankKnown& known) {
    launch.ended = ++moment_;
    ended_[launch.rank] = JoinRankKnown(ended_[launch.rank], known);
    --running_;
}

const RankSite* RankHistory::SiteOf(const char* file, uint32_t line, const char* call, uint64_t bytes) {
    auto& site = sites_[{file, line, call, bytes}];
    if (!site) {
        site = std::make_unique<RankSite>(RankSite{file, call, line, bytes});
        by_call_[site->call.c_str()] = site.get();
    }
    return site.get();
}

const RankHistory::Core::Life& RankHistory::LifeOf(const Access& access) const {
    const RankSlot slot = RankSlot::Of(access.core);
    const auto& lives = places_[slot.rank][slot.index].lives;
    const uint64_t record = events::RecordAt(access.tick);
    const auto after = std::ranges::upper_bound(lives, record, {}, &Core::Life::base);
    return after == lives.begin() ? lives.front() : *std::prev(after);
}

RankSide RankHistory::SideOf(const Access& access) const {
    RankSide side;
    side.slot = RankSlot::Of(access.core);
    const Core::Life& life = LifeOf(access);
    side.core = life.name;
    side.tick = access.tick;
    side.index = events::RecordAt(access.tick) - life.base;
    side.site = by_call_.at(access.call);
    side.kind = access.kind;
    side.pipe = access.pipe;
    if (!side.Reads()) side.store = stores_.Find(access.core, access.tick);
    return side;
}

Access RankHistory::AccessOf(const RankStore& store) {
    Access access;
    access.core = store.slot.packed();
    access.tick = store.tick;
    access.call = store.site->call.c_str();
    access.kind = store.atomic ? Access::Kind::kAtomic : Access::Kind::kWrite;
    access.pipe = store.pipe;
    access.by_scalar = store.pipe == isa::Pipe::kS;
    return access;
}

RankSide RankHistory::SideOfStore(const std::shared_ptr<RankStore>& store) const { return SideOf(AccessOf(*store)); }

RankPair RankHistory::PairOf(Rule rule, const Doing& doing, const Met& met) const {
    RankPair pair{.rule = rule,
                  .earlier = SideOf(met.earlier),
                  .later = SideOf(doing.access),
                  .region = doing.region,
                  .bytes = HullOf(met.spans)};
    pair.of = memory_[doing.region].name;
    pair.polled = memory_.IsPolled(doing.region, pair.bytes);
    pair.hosts = doing.launch->MayKnowThatEnded(*LifeOf(met.earlier).launch);
    return pair;
}

std::vector<RankHistory::Met> RankHistory::Touch(const Doing& doing) {
    std::vector<Met> mets;
    for (const isa::Span& run : doing.runs) {
        memory_.Touch(doing.region, run, doing.access, [&](const Access& earlier, isa::Span bytes) {
            bytes.begin = std::max(bytes.begin, run.begin);
            bytes.end = std::min(bytes.end, run.end);
            const auto same = std::ranges::find_if(mets, [&](const Met& met) { return met.earlier.Is(earlier); });
            if (same == mets.end()) {
                mets.push_back({earlier, {bytes}});
            } else if (same->spans.back().end == bytes.begin) {
                same->spans.back().end = bytes.end;
            } else {
                same->spans.push_back(bytes);
            }
        });
    }
    return mets;
}

bool RankHistory::IsOrdered(const Doing& doing, const Access& earlier) const {
    const RankSlot slot = RankSlot::Of(earlier.core);
    if (slot.rank == doing.slot.rank) return true;
    const size_t bound = earlier.IsScalarStore() ? events::kScalarStores : static_cast<size_t>(earlier.pipe);
    const size_t at = RankBoundOf(bound);
    return at == kNoBound || KnownOf(doing.known, slot, at) > earlier.tick;
}

bool RankHistory::IsBehind(const Doing& doing, const RankStore::Awaited& by) {
    return by.slot == doing.slot || KnownOf(doing.known, by.slot, 0) > by.tick;
}

bool RankHistory::IsAwaited(const Doing& doing, const RankStore& store, isa::Span bytes) const {
    return std::ranges::any_of(store.awaited, [&](const RankStore::Awaited& by) {
        return by.first_block <= FirstBlock(bytes) && LastBlock(bytes) <= by.last_block && IsBehind(doing, by);
    });
}

RankHistory::Answer RankHistory::Read(const Doing& read) {
    Answer answer;
    if (read.site->polls) {
        for (const isa::Span& run : read.runs) memory_.Polled(read.region, run);
    }
    for (const Met& met : Touch(read)) {
        if (met.earlier.kind != Access::Kind::kRead) ReadStore(read, met, answer);
    }
    return answer;
}

void RankHistory::Await(const Doing& read, const std::shared_ptr<RankStore>& store, const Met& met, Answer& answer) {
    store->flag = true;
    for (const isa::Span& span : met.spans) {
        store->awaited.push_back(
            {read.slot, read.scalar, FirstBlock(span), LastBlock(span), read.site, read.launch->epoch});
    }
    auto& flags = flags_[{read.slot.rank, store->slot.packed()}];
    if (std::ranges::find(flags, store) == flags.end()) flags.push_back(store);
    if (flags.size() > kMostFlags) flags.pop_front();
    answer.learnt = JoinRankKnown(std::move(answer.learnt), WithBounds(store->others, store->slot, store->own));
    pairs_.CameBack(read.slot, *store);
}

void RankHistory::ReadStore(const Doing& read, const Met& met, Answer& answer) {
    const std::shared_ptr<RankStore> store = stores_.Find(met.earlier.core, met.earlier.tick);
    if (!store) return;
    store->seen = true;
    NoteStale(read, *store, met);
    if (read.site->polls) {
        store->flag = true;
        if (store->slot.rank != read.slot.rank) answer.polled.push_back(store);
    }
    if (store->cached && store->slot.rank != read.slot.rank && store->launch->ended == UINT64_MAX) {
        constexpr size_t kMostCached = 64;
        if (cached_.size() < kMostCached) cached_.push_back(PairOf(Rule::kCacheNotCleaned, read, met));
    }
    if (IsOrdered(read, met.earlier)) return;
    const auto awaited = [&](isa::Span span) { return IsAwaited(read, *store, span); };
    if (std::ranges::all_of(met.spans, awaited)) return;
    if (read.site->polls) return Await(read, store, met, answer);
    const isa::Span hull = HullOf(read.runs);
    const auto kept = pairs_.IsKept(read.slot, read.site, hull, *store);
    if (kept == RankPairs::Kept::kThis && read.may_come_back) {
        Polls(*read.site);
        for (const isa::Span& run : read.runs) memory_.Polled(read.region, run);
        return Await(read, store, met, answer);
    }
    if (kept != RankPairs::Kept::kNo) return Withhold(read, store, answer);
    RankPair pair = PairOf(Rule::kRaceRanks, read, met);
    if (const auto flag = FlagBehind(read, store->slot, store->tick)) {
        const auto in_block = [&](isa::Span span) {
            return flag->region == read.region && FirstBlock(flag->span) <= FirstBlock(span) &&
                   LastBlock(span) <= LastBlock(flag->span);
        };
        // What lies in the block of the flag comes with it.
        if (flag != store && std::ranges::all_of(met.spans, in_block)) return;
        pair.rule = flag == store ? Rule::kTornRead : Rule::kFlagBeforeData;
        pair.flag = flag->site;
    } else {
        Explain(pair, store->others);
    }
    if (pair.rule == Rule::kRaceRanks && !pair.hosts && !store->old.empty()) {
        Withhold(read, store, answer);
        return pairs_.Keep(hull, std::move(pair));
    }
    pairs_.Add(std::move(pair));
    // One missing flag, one report.
    answer.learnt = JoinRankKnown(std::move(answer.learnt), WithBounds(store->others, store->slot, store->own));
    for (const isa::Span& span : met.spans) {
        store->awaited.push_back(
            {read.slot, read.scalar, FirstBlock(span), LastBlock(span), read.site, read.launch->epoch});
    }
}

// A counter that rose several times meanwhile may have been low enough only at first.
void RankHistory::Withhold(const Doing& read, const std::shared_ptr<RankStore>& store, Answer& answer) const {
    std::vector<std::shared_ptr<RankStore>> below = {store};
    while (!below.empty()) {
        const std::shared_ptr<RankStore> top = std::move(below.back());
        below.pop_back();
        if (std::ranges::find(answer.older, top) != answer.older.end()) continue;
        answer.older.push_back(top);
        for (const auto& [core, tick] : top->over) {
            auto next = stores_.Find(core, tick);
            if (!next || next->old.empty() || IsOrdered(read, AccessOf(*next)) || IsAwaited(read, *next, next->span))
                continue;
            below.push_back(std::move(next));
        }
    }
}

RankKnown RankHistory::ReadUnheard(const Doing& read) {
    Answer answer;
    const auto stored = [&](const Access& earlier, isa::Span bytes) {
        const auto store = stores_.Find(earlier.core, earlier.tick);
        if (!store || IsOrdered(read, earlier) || IsAwaited(read, *store, bytes)) return;
        store->seen = true;
        Await(read, store, {earlier, {bytes}}, answer);
    };
    const isa::Span run = read.runs.front();
    for (uint64_t byte = run.begin; byte < run.end; ++byte) {
        const Past* const past = memory_.At(read.region, byte);
        if (!past) continue;
        if (past->written) stored(past->write, {byte, byte + 1});
        for (const Access& other : past->others) {
            if (other.kind == Access::Kind::kAtomic) stored(other, {byte, byte + 1});
        }
    }
    return answer.learnt;
}

void RankHistory::Store(const Doing& doing, std::shared_ptr<RankStore> store, bool judges) {
    stores_.Add(store);
    if (judges) ShareLines(doing, *store);
    for (const Met& met : Touch(doing)) {
        if (judges) StoreOver(doing, store, met);
    }
}

void RankHistory::StoreOver(const Doing& doing, const std::shared_ptr<RankStore>& store, const Met& met) {
    const bool read = met.earlier.kind == Access::Kind::kRead;
    const std::shared_ptr<RankStore> earlier = read ? nullptr : stores_.Find(met.earlier.core, met.earlier.tick);
    if (earlier) {
        NoteLost(doing, earlier, met);
        if (store->over.size() < RankStore::kMostOver) store->over.emplace_back(met.earlier.core, met.earlier.tick);
    }
    if (IsOrdered(doing, met.earlier)) return;
    if (read) {
        if (by_call_.at(met.earlier.call)->polls) return;
        RankPair pair = PairOf(Rule::kRaceRanks, doing, met);
        Explain(pair, doing.known);
        return pairs_.Add(std::move(pair));
    }
    if (!earlier || (store->atomic && met.earlier.kind == Access::Kind::kAtomic)) return;
    const auto awaited = [&](isa::Span span) { return IsAwaited(doing, *earlier, span); };
    if (!std::ranges::all_of(met.spans, awaited)) pairs_.Add(PairOf(Rule::kRaceRanks, doing, met));
}

}  // namespace sfumato::sanitize
