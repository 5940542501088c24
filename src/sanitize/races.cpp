// SPDX-License-Identifier: Apache-2.0
// Global memory: who touched it, who waits for whom, and what data caches hold.
#include "sanitize/races.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "report/finding.h"
#include "sanitize/race_words.h"

namespace sfumato::sanitize {

class Races::Judging final : public History::Judge {
public:
    Judging(Races& races, const GmAccess& gm, const Clock& clock, const Earlier& earlier, Outcome* outcome)
        : races_(races), gm_(gm), clock_(clock), earlier_(earlier), outcome_(*outcome) {}

    void Meet(const Access& other, const History::Stretch& stretch) override {
        const Access& access = gm_.access;
        if (other.core == access.core) return earlier_(other, stretch);
        if (Ordered(other)) return;
        const isa::Span bytes = stretch.Bytes();
        const bool reads = access.kind == Access::Kind::kRead, other_reads = other.kind == Access::Kind::kRead;
        if (reads) {
            const Polls::Answer answer = races_.polls_.Read(gm_, other, bytes);
            if (answer.verdict == Polls::Verdict::kRace) {
                races_.NoteLocked(other, access, gm_.allocation, bytes, false);
            } else if (answer.clock) {
                outcome_.learnt =
                    JoinKnown(std::move(outcome_.learnt), races_.cross_.Publish(other.core, *answer.clock));
            } else {
                outcome_.not_yet.push_back(other);
            }
        } else if (!other_reads) {
            outcome_.writes.push_back({other, bytes});
        } else if (!races_.polls_.StoreAfterRead(other, gm_, bytes)) {
            races_.NoteLocked(other, access, gm_.allocation, bytes, false);
        }
    }
    // Of writes that race the lowest core's stays: what is reported does not depend on who came first.
    bool Keeps(const Access& other) override { return other.core < gm_.access.core && !Ordered(other); }

private:
    bool Ordered(const Access& other) const {
        if (clock_.others && (*clock_.others)[other.core][static_cast<size_t>(other.pipe)] > other.tick) return true;
        return races_.polls_.Waited(gm_.access.core, other);
    }

    Races& races_;
    const GmAccess& gm_;
    const Clock& clock_;
    const Earlier& earlier_;
    Outcome& outcome_;
};

void Races::TouchGm(const GmAccess& gm, isa::Span run, const Clock& clock, const uint8_t* content,
                    const Earlier& earlier, Outcome* outcome) {
    std::lock_guard lock(mutex_);
    auto& history = gm_[gm.allocation];
    if (!history) history = std::make_unique<History>(&pasts_, launch_.gm[gm.allocation].bytes);
    Judging judging(*this, gm, clock, earlier, outcome);
    history->Touch(run, gm.access, judging);
    if (gm.access.few_bytes && gm.access.kind != Access::Kind::kRead) polls_.Store(gm, content, clock);
    if (gm.access.few_bytes && gm.access.kind == Access::Kind::kRead) {
        std::memcpy(outcome->seen.data(), content, gm.bytes.end - gm.bytes.begin);
        for (const Access& store : outcome->not_yet) polls_.PutOlder(store, gm, outcome->seen.data());
        outcome->has_seen = true;
    }
    const auto trouble = [&](CacheLines::Trouble found, const Access& other, isa::Span bytes) {
        NoteCache(found, other, gm, bytes, outcome->learnt != nullptr);
    };
    // What is given the older bytes may be a poll: then it reads the line again.
    if (!launch_.chip.clean_cache || !outcome->not_yet.empty()) return;
    if (gm.access.by_scalar) {
        lines_.Scalar(gm.allocation, run, gm.access, trouble);
    } else {
        lines_.Pipe(gm.allocation, run, gm.access, trouble);
    }
}

void Races::Cleaned(uint32_t core, const uint32_t* allocation, uint64_t byte) {
    std::lock_guard lock(mutex_);
    std::erase_if(polled_, [&](const PolledLine& polled) {
        constexpr uint64_t kLine = CacheLines::kLine;
        return polled.store.core == core &&
               (!allocation || (polled.read.allocation == *allocation && polled.bytes.begin / kLine == byte / kLine));
    });
    if (allocation) {
        lines_.Cleaned(core, *allocation, byte);
    } else {
        lines_.CleanedAll(core);
    }
}

void Races::Note(const Access& a, const Access& b, uint32_t allocation, isa::Span bytes, bool equal) {
    std::lock_guard lock(mutex_);
    NoteLocked(a, b, allocation, bytes, equal);
}

void Races::NoteLocked(const Access& a, const Access& b, uint32_t allocation, isa::Span bytes, bool equal) {
    const Access& lower = a.core < b.core ? a : b;
    const Access& higher = a.core < b.core ? b : a;
    const Pair now{lower, higher, allocation, bytes, equal};
    const auto [at, fresh] =
        pairs_.try_emplace({lower.where.file, lower.where.line, higher.where.file, higher.where.line}, now);
    if (fresh) return;
    Pair& pair = at->second;
    // One that changes bytes says more; of those alike, the lowest cores and bytes.
    const auto place = [](const Pair& p) {
        return std::tuple(p.equal, p.lower.core, p.higher.core, p.allocation, p.bytes.begin);
    };
    if (place(now) < place(pair)) pair = now;
}

void Races::NoteCache(CacheLines::Trouble trouble, const Access& earlier, const GmAccess& later, isa::Span bytes,
                      bool polls) {
    const Access& access = later.access;
    // A board's poll sees the old bytes until the store is cleaned: only what never is counts.
    if (polls && trouble == CacheLines::Trouble::kNotCleaned) return polled_.push_back({earlier, later, bytes});
    // Two stores into one line disturb each other: which came first is chance.
    const bool turn = trouble == CacheLines::Trouble::kLostWrite && access.by_scalar && access.core < earlier.core;
    const Access &first = turn ? access : earlier, &second = turn ? earlier : access;
    const CachePair now{trouble, first, second, later.allocation, bytes, polls};
    const auto [at, fresh] =
        cache_pairs_.try_emplace({first.where.file, first.where.line, second.where.file, second.where.line}, now);
    const auto place = [](const CachePair& p) {
        return std::tuple(p.trouble, p.earlier.core, p.later.core, p.allocation, p.bytes.begin);
    };
    if (!fresh && place(now) < place(at->second)) at->second = now;
}

std::string Races::Bytes(uint32_t allocation, isa::Span bytes) const {
    return fmt::format("bytes {} to {} of '{}'", bytes.begin, bytes.end - 1, launch_.gm[allocation].name);
}

std::vector<Report> Races::Finish(bool clean) {
    // Where cores stop depends on when they are told to: a fault is mended first.
    if (!clean) return {};
    for (const Polls::Open& open : polls_.open())
        NoteLocked(open.read.access, open.store, open.read.allocation, open.met, false);
    for (const PolledLine& polled : polled_)
        NoteCache(CacheLines::Trouble::kNotCleaned, polled.store, polled.read, polled.bytes, false);
    std::vector<Report> reports;
    for (const auto& [key, pair] : pairs_) {
        reports.push_back(CoreRaceReport(pair.lower, launch_.name_of(pair.lower.core), pair.higher,
                                         launch_.name_of(pair.higher.core), Bytes(pair.allocation, pair.bytes),
                                         pair.equal));
    }
    for (const auto& [key, pair] : cache_pairs_) {
        if (pairs_.contains(key)) continue;
        if (pair.polls && pair.trouble == CacheLines::Trouble::kStale) {
            Report report = ToReport(StalePoll(), pair.later.call, pair.later.where);
            report.core = launch_.name_of(pair.later.core);
            report.index = pair.later.tick / 2;
            reports.push_back(std::move(report));
            continue;
        }
        reports.push_back(CacheReport(pair.trouble, pair.earlier, launch_.name_of(pair.earlier.core), pair.later,
                                      launch_.name_of(pair.later.core), Bytes(pair.allocation, pair.bytes)));
    }
    return reports;
}

}  // namespace sfumato::sanitize
