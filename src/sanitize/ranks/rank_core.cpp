// SPDX-License-Identifier: Apache-2.0
// One core: its order, and what it touches of memory that several ranks touch.
#include "sanitize/ranks/rank_core.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>

#include "isa/racy.h"
#include "isa/spans.h"
#include "isa/touched.h"
#include "sanitize/cache_lines.h"
#include "sanitize/core_order.h"
#include "sanitize/ranks/rank_cycle.h"
#include "sanitize/ranks/rank_learnt.h"

namespace sfumato::sanitize {
namespace {

constexpr auto kScalar = static_cast<size_t>(isa::Pipe::kS);
constexpr size_t kMostLoaded = 512;  // lines of a data cache of 32 KiB

}  // namespace

class RankCore final : public events::Hears<events::Issued, events::Posted, events::Executing, events::Executed,
                                            events::Accessed, events::Sync, events::CoreEnded> {
public:
    RankCore(RankWatch& watch, const events::Place& place)
        : watch_(watch), history_(watch.history()), place_(place), order_(watch.view().flags), learnt_(watch.start()) {}
    ~RankCore() override {
        if (slot_) watch_.Ended(*slot_, next_ + 1, learnt_.All());
    }
    RankCore& operator=(RankCore&&) = delete;

    void On(const events::Issued& event) override {
        next_ = std::max(next_, event.record.index + 1);
        HearPointers();
        order_.Issued(event.record);
    }

    void On(const events::Posted& event) override {
        const isa::Record& record = event.record;
        if (record.dst().memory != isa::Memory::kGm) return;
        cycle_.Clear();
        if (!watch_.IsShared(record.dst().allocation)) return;
        posted_.insert(record.index);
        const isa::Span span = isa::SpanOf(record, 0);
        runs_.assign(1, span);
        std::array<uint8_t, 8> before{};
        std::memcpy(before.data(), &event.before, before.size());
        old_.assign(before.data(), before.data() + (span.end - span.begin));
        Stored(
            {isa::CallName(record), record.where, record.dst().allocation, TickOf(record.index), isa::Pipe::kS, false},
            order_.scalar(), nullptr);
    }

    void On(const events::Executing& event) override {
        const isa::Record& record = event.record;
        if (!posted_.empty() && posted_.erase(record.index) != 0) return;
        for (int i = record.operand_count - 1; i >= 0; --i) {
            const isa::Operand& operand = record.operand[static_cast<size_t>(i)];
            if (operand.memory != isa::Memory::kGm) continue;
            const bool writes = isa::IsWritten(record, i);
            if (writes) cycle_.Clear();
            if (!watch_.IsShared(operand.allocation)) continue;
            const uint8_t* base = event.memory.gm[operand.allocation];
            RunsOf(record, i);
            if (runs_.empty()) continue;
            if (!writes) {
                Loaded(
                    {isa::CallName(record), record.where, operand.allocation, TickOf(record.index), record.pipe, false},
                    order_.Starts(record), base);
                continue;
            }
            old_.clear();
            for (const isa::Span& run : runs_) old_.insert(old_.end(), base + run.begin, base + run.end);
            stores_ = true;
        }
    }

    void On(const events::Executed& event) override {
        const isa::Record& record = event.record;
        if (std::exchange(stores_, false)) {
            RunsOf(record, 0);
            Stored({isa::CallName(record), record.where, record.dst().allocation, TickOf(record.index), record.pipe,
                    isa::IsAtomic(record)},
                   order_.Starts(record), event.memory.gm[record.dst().allocation]);
        }
        if (older_.empty()) return;
        // Once more, from those bytes.
        if (record.operand_count == 2 && watch_.view().execute) {
            gm_.assign(event.memory.gm, event.memory.gm + watch_.view().gm.size());
            gm_[record.src0().allocation] = older_.data() - older_begin_;
            isa::MemoryMap with_older = event.memory;
            with_older.gm = gm_.data();
            watch_.view().execute(record, with_older);
        }
        older_.clear();
    }

    void On(const events::Accessed& event) override {
        const events::ScalarAccess& scalar = event.access;
        next_ = std::max(next_, scalar.index);
        if (scalar.memory != isa::Memory::kGm || scalar.through == events::ScalarAccess::Through::kLeftAlone) return;
        if (scalar.write) cycle_.Clear();
        if (!watch_.IsShared(scalar.allocation)) return;
        if (!scalar.write) unheard_.erase({scalar.allocation, CacheLines::LineOf(scalar.bytes.begin)});
        HearPointers();
        runs_.assign(1, scalar.bytes);
        const uint8_t* base = event.memory.gm[scalar.allocation];
        const Call call{scalar.call, scalar.where, scalar.allocation, time_.Step(scalar.index), isa::Pipe::kS, false};
        const uint64_t bytes = scalar.bytes.end - scalar.bytes.begin;
        if (scalar.write) {
            old_.clear();
            if (scalar.before) old_.assign(scalar.before, scalar.before + bytes);
            return Stored(call, order_.scalar(), scalar.before ? base : nullptr);
        }
        Loaded(call, order_.scalar(), base);
        if (older_.empty() || bytes > seen_.size()) return older_.clear();
        std::memcpy(seen_.data(), older_.data(), bytes);
        event.instead = seen_.data();
        older_.clear();
    }

    void On(const events::CoreEnded&) override {
        std::lock_guard lock(history_.mutex_);
        EndWait();
    }

    void On(const events::Sync& sync) override {
        using Kind = events::Sync::Kind;
        next_ = std::max(next_, sync.record ? sync.record->index + 1 : sync.index);
        switch (sync.kind) {
            case Kind::kPassed: return order_.Passed(*sync.record);
            case Kind::kDrained: return order_.Drained(time_.Step(next_));
            case Kind::kFenced: return order_.StoresDone(time_.Step(next_));
            case Kind::kCleaned: return Cleaned(sync);
            case Kind::kFlagSet:
            case Kind::kFlagWaited:
            case Kind::kRaised:
            case Kind::kWaits:
            case Kind::kReached:
            case Kind::kArrived:
            case Kind::kMet:
            case Kind::kEnded: break;
        }
        HearPointers();
        if (sync.counter >= events::Sync::kOfWorld) return Meet(sync);
        const auto known = watch_.cross().Synced(place_, sync, [&] {
            if (!sync.record) {
                const uint64_t tick = time_.Step(next_);
                order_.Drained(tick);
                return Published(order_.At(isa::Pipe::kS, tick), true);
            }
            order_.Starts(*sync.record);
            return Published(order_.At(sync.record->pipe, TickOf(sync.record->index)), false);
        });
        if (known) Learn(*known);
    }

private:
    struct Call {
        const char* name;
        Where where;
        uint32_t allocation;
        uint64_t tick;  // of this launch
        isa::Pipe pipe;
        bool atomic;
    };

    // What the server of a group does behind a commit of all ranks orders what was before it and behind its wait.
    void Meet(const events::Sync& sync) {
        const uint64_t tick = time_.Step(next_);
        if (sync.kind == events::Sync::Kind::kReached) return Learn(history_.ServedBehind(sync.counter), tick);
        order_.Drained(tick);
        history_.Serves(sync.counter, Published(order_.At(isa::Pipe::kS, tick), true));
    }

    // The cache of all lines, or one.
    void Cleaned(const events::Sync& sync) {
        const events::Sync::Line* line = sync.line;
        if (line ? !watch_.IsShared(line->allocation) : cached_.empty() && loaded_.empty()) return;
        std::lock_guard lock(history_.mutex_);
        const uint64_t begin = line ? CacheLines::LineOf(line->byte) : 0;
        if (line) {
            loaded_.erase({line->allocation, begin});
        } else {
            loaded_.clear();
        }
        const size_t stored = std::erase_if(cached_, [&](const std::shared_ptr<RankStore>& store) {
            const bool of_line = !line || (store->region == watch_.RegionOf(line->allocation) &&
                                           store->span.Overlaps({begin, begin + CacheLines::kLine}));
            if (of_line) store->cached = false;
            return of_line;
        });
        if (line && stored == 0 && watch_.judges()) unheard_[{line->allocation, begin}] = sync.where;
    }

    // A line was cleaned and none of its bytes read, as far as is heard: a pointer of the kernel's own has polled it.
    void HearPointers() {
        if (unheard_.empty()) return;
        std::lock_guard lock(history_.mutex_);
        const uint64_t tick = time_.Step(next_);
        RankKnown learnt;
        for (const auto& [line, where] : unheard_) {
            runs_.assign(1, {line.second, line.second + CacheLines::kLine});
            RankHistory::Doing doing = Does({"DataCacheCleanAndInvalid", where, line.first, tick, isa::Pipe::kS, false},
                                            order_.scalar(), Access::Kind::kRead);
            doing.scalar = Global(tick);
            learnt = JoinRankKnown(std::move(learnt), history_.ReadUnheard(doing));
        }
        unheard_.clear();
        if (learnt) Learn(learnt, tick);
    }

    void RunsOf(const isa::Record& record, int operand) {
        runs_.clear();
        isa::ForEachRun(record, operand, nullptr, [this](const isa::Span& run) { runs_.push_back(run); });
    }

    uint64_t Global(uint64_t tick) const { return tick == 0 ? 0 : tick + (base_ << events::kStepBits); }
    RankBounds GlobalOf(const events::Bounds& own) const {
        RankBounds bounds;
        for (size_t p = 0; p < own.size(); ++p) {
            if (const size_t b = RankBoundOf(p); b != kNoBound) bounds[b] = Global(own[p]);
        }
        return bounds;
    }
    // What a pipe with this clock has done and knows, as others may learn it. all: it is the scalar unit's.
    RankKnown Published(const Clock& clock, bool all) const {
        const RankKnown& known = all ? learnt_.All() : learnt_.Before(clock.own[kScalar]);
        return slot_ ? WithBounds(known, *slot_, GlobalOf(clock.own)) : known;
    }
    void Learn(const RankKnown& known) { Learn(known, time_.Step(next_)); }
    void Learn(const RankKnown& known, uint64_t tick) {
        learnt_.Add(tick, known);
        Clock clock;
        // What others know of this core comes back, too.
        for (size_t p = 0; slot_ && p < clock.own.size(); ++p) {
            const size_t b = RankBoundOf(p);
            const uint64_t bound = b == kNoBound ? 0 : KnownOf(known, *slot_, b), start = base_ << events::kStepBits;
            if (bound > start) clock.own[p] = bound - start;
        }
        clock.own[kScalar] = std::max(clock.own[kScalar], tick + 1);
        order_.ScalarLearns(clock, tick);
    }

    // With the lock held.
    RankHistory::Doing Does(const Call& call, const Clock& clock, Access::Kind kind) {
        if (!slot_) {
            slot_ = watch_.SlotOf(place_);
            base_ = history_.places_[slot_->rank][slot_->index].base;
        }
        const RankSite* site = SiteOf(call);
        Access access;
        access.tick = Global(call.tick);
        access.where = site->where();
        access.call = site->call.c_str();
        access.core = slot_->packed();
        access.pipe = call.pipe;
        access.kind = kind;
        access.by_scalar = call.pipe == isa::Pipe::kS;
        return {*slot_,
                access,
                watch_.RegionOf(call.allocation),
                runs_,
                site,
                watch_.launch(),
                access.by_scalar ? learnt_.All() : learnt_.Before(clock.own[kScalar]),
                0};
    }

    const RankSite* SiteOf(const Call& call) {
        uint64_t bytes = 0;
        for (const isa::Span& run : runs_) bytes += run.end - run.begin;
        CachedSite& known = sites_[(call.where.line + bytes / 32) % sites_.size()];
        if (!known.site || known.name != call.name || known.file != call.where.file || known.line != call.where.line ||
            known.bytes != bytes) {
            known = {call.name, call.where.file, call.where.line, bytes,
                     history_.SiteOf(call.where.file, call.where.line, call.name, bytes)};
        }
        return known.site;
    }

    // With the lock held.
    void EndWait() {
        if (wait_) history_.EndWait(*wait_);
        wait_.reset();
    }

    void Loaded(const Call& call, const Clock& clock, const uint8_t* base) {
        std::lock_guard lock(history_.mutex_);
        if (!watch_.judges()) return;
        const isa::Span hull = HullOf(runs_);
        const RankSite* site = SiteOf(call);
        RankCycle::Turn& turn = cycle_.Of(site, watch_.RegionOf(call.allocation), hull, base + hull.begin);
        // A poll that finds what it has found.
        if (turn.again && site->polls && turn.settled == history_.stores_.count()) return;
        if (turn.again) history_.Polls(*site);
        RankHistory::Doing doing = Does(call, clock, Access::Kind::kRead);
        const uint64_t tick = time_.Step(next_);
        doing.scalar = Global(tick);
        if (call.pipe == isa::Pipe::kS && watch_.view().chip.clean_cache) LoadedByCache(call, doing, hull);
        doing.may_come_back = turn.again || hull.end - hull.begin <= kRankBlock;
        RankHistory::Answer answer = history_.Read(doing);
        if (wait_ && (wait_->doer.site != doing.site || wait_->begin != hull.begin)) EndWait();
        if (doing.site->polls) {
            wait_ = {history_.SideOf(doing.access), hull.begin, doing.launch->epoch, std::move(answer.polled)};
        }
        if (answer.learnt) Learn(answer.learnt, tick);
        const bool settled = !answer.learnt && answer.older.empty();
        turn.settled = settled ? history_.stores_.count() : UINT64_MAX;
        if (answer.older.empty()) return;
        // The bytes before those stores, the latest first.
        older_.resize(hull.end - hull.begin);
        older_begin_ = hull.begin;
        isa::CopyRacy(older_.data(), base + hull.begin, older_.size());
        std::ranges::sort(answer.older, [](const auto& a, const auto& b) { return a->serial > b->serial; });
        for (const auto& store : answer.older) {
            const uint8_t* old = store->old.data();
            for (const isa::Span& run : store->runs) {
                const uint64_t begin = std::max(run.begin, hull.begin), end = std::min(run.end, hull.end);
                if (begin < end) std::memcpy(older_.data() + begin - hull.begin, old + begin - run.begin, end - begin);
                old += run.end - run.begin;
            }
        }
    }

    // A line stays in the cache as it was when it was loaded, until it is cleaned.
    void LoadedByCache(const Call& call, const RankHistory::Doing& doing, isa::Span bytes) {
        if (loaded_.size() >= kMostLoaded) loaded_.clear();
        const auto [at, fresh] =
            loaded_.try_emplace({call.allocation, CacheLines::LineOf(bytes.begin)}, history_.stores_.count());
        if (!fresh) history_.ReadFromCache(doing, at->second);
    }

    // now: the region as the store left it, to see whether it changed a byte; null: it did.
    void Stored(const Call& call, const Clock& clock, const uint8_t* now) {
        // What arrives later has changed nothing yet.
        bool changed = !now || watch_.torn();
        const uint8_t* old = old_.data();
        for (const isa::Span& run : runs_) {
            changed = changed || std::memcmp(old, now + run.begin, run.end - run.begin) != 0;
            old += run.end - run.begin;
        }
        std::lock_guard lock(history_.mutex_);
        EndWait();
        const RankHistory::Doing doing = Does(call, clock, call.atomic ? Access::Kind::kAtomic : Access::Kind::kWrite);
        // As good as a read (ranks.md 4.4).
        if (!changed) return history_.StoredAgain(doing);
        auto store = std::make_shared<RankStore>();
        store->slot = *slot_;
        store->tick = doing.access.tick;
        store->site = doing.site;
        store->launch = doing.launch;
        store->region = doing.region;
        store->span = HullOf(runs_);
        store->atomic = call.atomic;
        store->pipe = call.pipe;
        store->own = GlobalOf(clock.own);
        // The scalar unit is in order; that what it stored has arrived, a barrier says where the chip has one.
        if (doing.access.by_scalar) {
            store->own[0] = doing.access.tick;
            if (!watch_.view().chip.data_sync_barrier) store->own[1] = doing.access.tick;
        }
        store->others = doing.known;
        if (watch_.judges() && !old_.empty()) {
            store->runs = runs_;
            store->old = old_;
        }
        if (doing.access.by_scalar && watch_.view().chip.clean_cache) {
            store->cached = true;
            cached_.push_back(store);
        }
        history_.Store(doing, store, watch_.judges());
    }

    RankWatch& watch_;
    RankHistory& history_;
    const events::Place place_;
    CoreOrder order_;
    events::ScalarTime time_;
    RankLearnt learnt_;
    RankCycle cycle_;
    std::optional<RankSlot> slot_;  // once it has touched what others touch
    uint64_t base_ = 0;             // records of launches before
    uint64_t next_ = 0;             // the record that comes next
    std::vector<isa::Span> runs_;
    std::vector<uint8_t> old_, older_;
    uint64_t older_begin_ = 0;
    bool stores_ = false;
    std::vector<std::shared_ptr<RankStore>> cached_;  // stores in the data cache
    // Lines that were cleaned and not read since, by allocation and first byte, and where they were.
    std::map<std::pair<uint32_t, uint64_t>, Where> unheard_;
    std::map<std::pair<uint32_t, uint64_t>, uint64_t> loaded_;  // lines in the data cache: how many stores there were
    std::set<uint64_t> posted_;                                 // records that have been judged
    std::optional<RankHistory::Ending> wait_;                   // a poll that may have read for the last time
    std::array<uint8_t, 16> seen_{};
    std::vector<uint8_t*> gm_;
    struct CachedSite {
        const char* name = nullptr;
        const char* file = nullptr;
        uint32_t line = 0;
        uint64_t bytes = 0;
        const RankSite* site = nullptr;
    };
    std::array<CachedSite, 32> sites_{};
};

std::unique_ptr<events::CoreListener> MakeRankCore(RankWatch& watch, const events::Place& place) {
    return std::make_unique<RankCore>(watch, place);
}

}  // namespace sfumato::sanitize
