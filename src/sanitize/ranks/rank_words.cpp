// SPDX-License-Identifier: Apache-2.0
// What is said of accesses of two ranks, and what would order them.
#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "report/finding.h"
#include "sanitize/ranks/rank_pairs.h"

namespace sfumato::sanitize {
namespace {

bool IsFlag(const RankSide& side) { return side.store && side.store->flag; }

// Neither is a flag or a poll (ranks.md 3.3).
bool IsTold(const RankPair& pair) {
    if (pair.rule == Rule::kFlagLost) return pair.polled;
    if (pair.rule != Rule::kRaceRanks) return true;
    for (const RankSide* side : {&pair.earlier, &pair.later}) {
        if (side->Reads() && side->site->polls) return false;
    }
    const bool read_first = pair.earlier.Reads(), reads = read_first || pair.later.Reads();
    if (read_first) return !(IsFlag(pair.later) && pair.polled);
    return reads || !(IsFlag(pair.earlier) || IsFlag(pair.later) || pair.polled);
}

const char* DoesOf(const RankSide& side) {
    switch (side.kind) {
        case Access::Kind::kRead: return "reads";
        case Access::Kind::kWrite: return "stores to";
        case Access::Kind::kAtomic: return "adds atomically to";
    }
    return "";
}

std::string NameOf(const RankSide& side) { return fmt::format("rank {}, {}", side.slot.rank, side.core); }

// The side that the report stands at: the one that reads, else that of the higher rank; of a lost flag who stores over
// it.
bool EarlierTells(const RankPair& pair) {
    if (pair.rule == Rule::kFlagLost || pair.rule == Rule::kFlagReused) return false;
    if (pair.earlier.Reads() != pair.later.Reads()) return pair.earlier.Reads();
    return pair.earlier.slot.rank > pair.later.slot.rank;
}
const RankSide& TellsOf(const RankPair& pair) { return EarlierTells(pair) ? pair.earlier : pair.later; }
const RankSide& OtherOf(const RankPair& pair) { return EarlierTells(pair) ? pair.later : pair.earlier; }

struct RankWords {
    std::string message, legal, hint, flag;
};

RankWords WordsOfRace(const RankSide& at, const RankSide& other, bool waited) {
    RankWords words;
    words.message =
        fmt::format("{} bytes that {} {}, and nothing orders the two", DoesOf(at), NameOf(other), DoesOf(other));
    words.legal =
        "between two ranks: a flag that one stores behind its access, drained, and the other waits for; a barrier or "
        "a collective of both; or bytes of its own for each";
    words.flag =
        fmt::format("stores a flag that rank {} has waited for, which says nothing of that store", at.slot.rank);
    if (at.Reads() && waited) {
        words.hint = fmt::format(
            "let rank {} store before its flag; or, where the store is of the next round, let it wait for a flag that "
            "this core stores behind its read, or take another half of the window",
            other.slot.rank);
    } else if (at.Reads()) {
        words.hint =
            fmt::format("wait for a flag that rank {} stores behind its store, before this read", other.slot.rank);
    } else if (at.kind == Access::Kind::kAtomic || other.kind == Access::Kind::kAtomic) {
        words.hint = "let both add atomically, or order the plain store by a flag";
    } else {
        words.hint = "give each rank its own part of the window: check offset, length and rank";
    }
    return words;
}

RankWords WordsOf(const RankPair& pair) {
    const RankSide &at = TellsOf(pair), &other = OtherOf(pair);
    switch (pair.rule) {
        case Rule::kFlagBeforeData:
            return {fmt::format("reads bytes that {} stores before its flag, and that may not have arrived with it",
                                NameOf(other)),
                    "a flag that is stored once the data before it has arrived: stores of a pipe come in any order",
                    fmt::format("call PipeBarrier<{}>() or PipeBarrier<PIPE_ALL>() between the store and the flag",
                                isa::Name(other.pipe)),
                    fmt::format("stores the flag that rank {} has waited for", at.slot.rank)};
        case Rule::kTornRead:
            return {fmt::format("reads bytes of a store of {} that may not have arrived with the flag in it",
                                NameOf(other)),
                    fmt::format("a flag in each block of {} bytes, or behind a barrier: blocks of a store come in any "
                                "order",
                                kRankBlock),
                    "store the flag by a call of its own, behind PipeBarrier<PIPE_MTE3>()", ""};
        case Rule::kFlagClearEarly:
            return {fmt::format("reads bytes that {} {} again, as a flag of this rank has given them free before",
                                NameOf(other), DoesOf(other)),
                    "a flag that is stored once the read before it is complete",
                    "store the flag behind the read: with PipeBarrier<PIPE_ALL>() or HardEvent::MTE2_MTE3 between the "
                    "two",
                    "stores that flag"};
        case Rule::kFlagLost:
            return {fmt::format("stores over a flag of {} that nobody has read", NameOf(other)),
                    "one writer for the bytes of a flag; a receiver clears it behind its wait",
                    "give each writer a flag of its own (stores are of 32 bytes), or clear it behind the wait", ""};
        case Rule::kCacheNotCleaned:
            return {fmt::format("reads bytes that are still in the data cache of {}", NameOf(other)),
                    "DataCacheCleanAndInvalid of the line behind a scalar store that others read",
                    "call DataCacheCleanAndInvalid after the store: a board shows it when that kernel has ended", ""};
        case Rule::kCacheStale:
            return {
                fmt::format("reads bytes that its data cache holds as they were before {} stored them", NameOf(other)),
                "DataCacheCleanAndInvalid of the line before a scalar load of what others store",
                "call DataCacheCleanAndInvalid before the load: a board reads the old bytes", ""};
        case Rule::kCacheLostWrite:
            return {fmt::format("stores into a line of 64 bytes that {} stores to, too, one of them by a data cache",
                                NameOf(other)),
                    "one core alone writes a line of 64 bytes by SetValue: it is written back whole",
                    "give the bytes that SetValue stores a line of their own, or store them by DataCopy", ""};
        case Rule::kFlagReused:
            return {
                fmt::format("waits for a flag of {} that has ended this wait in an earlier launch, too", NameOf(other)),
                "a flag that is cleared behind the wait, or whose value carries the number of the launch",
                "store a counter that goes up by one each launch, and wait for that; or clear the flag and let "
                "all ranks meet before the next",
                ""};
        case Rule::kStaleWindow:
            return {fmt::format("reads bytes that {} stored in an earlier launch of this kernel", NameOf(other)),
                    "bytes that are stored in each round before they are read; of an earlier round only what is meant",
                    "look whether the store is left out this round, goes elsewhere, or is waited for by an older "
                    "flag; clear the window where nothing is stored",
                    ""};
        default: return WordsOfRace(at, other, pair.flag != nullptr);
    }
}

Report ReportOfPair(const RankPair& pair, size_t pairs_of_ranks) {
    const RankSide &at = TellsOf(pair), &other = OtherOf(pair);
    RankWords words = WordsOf(pair);
    std::string found = fmt::format("bytes {} to {} of '{}'", pair.bytes.begin, pair.bytes.end - 1, pair.of);
    if (pairs_of_ranks > 1) {
        found += fmt::format("; and {} more pair{} of ranks", pairs_of_ranks - 1, pairs_of_ranks == 2 ? "" : "s");
    }
    if (pair.hosts) {
        found += "; hosts may order the two by means of their own, which nobody sees";
        words.hint =
            "wait for the first launch and submit the second on one thread; if the hosts meet in between, this is no "
            "fault";
    }
    Report report = ToReport({.rule = pair.rule,
                              .operand = "GM",
                              .message = std::move(words.message),
                              .found = std::move(found),
                              .legal = std::move(words.legal),
                              .hint = std::move(words.hint)},
                             at.site->call, at.site->where());
    if (pair.hosts) report.severity = Severity::kNote;
    report.rank = at.slot.rank;
    report.core = at.core;
    report.index = at.index;
    report.related.push_back({other.site->file, other.site->line,
                              fmt::format("{} {} them, on {} of {}", other.site->call, DoesOf(other),
                                          isa::Name(other.pipe), NameOf(other))});
    if (pair.flag && !words.flag.empty()) {
        report.related.push_back({pair.flag->file, pair.flag->line, fmt::format("{} {}", pair.flag->call, words.flag)});
    }
    return report;
}

}  // namespace

std::vector<Report> RankReports(const std::vector<RankPair>& pairs, RankTold& told_before) {
    struct Told {
        const RankPair* pair;
        std::set<std::pair<uint32_t, uint32_t>> ranks;
    };
    std::map<RankTold::key_type, Told> told;
    // The lowest ranks and bytes stand for all, whoever came first.
    const auto place = [](const RankPair& pair) {
        const RankSide &at = TellsOf(pair), &other = OtherOf(pair);
        return std::tuple(at.slot.rank, other.slot.rank, at.core, other.core, pair.of, pair.bytes.begin);
    };
    for (const RankPair& pair : pairs) {
        if (!IsTold(pair)) continue;
        const RankSide &at = TellsOf(pair), &other = OtherOf(pair);
        Told& tell =
            told.try_emplace({pair.hosts, pair.rule, at.site->file, at.site->line, other.site->file, other.site->line},
                             Told{&pair, {}})
                .first->second;
        tell.ranks.insert({at.slot.rank, other.slot.rank});
        if (place(pair) < place(*tell.pair)) tell.pair = &pair;
    }
    std::vector<Report> reports;
    for (const auto& [key, tell] : told) {
        if (told_before.insert(key).second) reports.push_back(ReportOfPair(*tell.pair, tell.ranks.size()));
    }
    return reports;
}

}  // namespace sfumato::sanitize
