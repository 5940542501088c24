// SPDX-License-Identifier: Apache-2.0
// What is said about a race, and what would order it.
#include "sanitize/race_words.h"

#include <fmt/format.h>

#include <tuple>

#include "events/clock.h"
#include "report/finding.h"

namespace sfumato::sanitize {
namespace {

using isa::Pipe;

bool Writes(const Access& a) { return a.kind != Access::Kind::kRead; }

const char* Verb(const Access& a) {
    switch (a.kind) {
        case Access::Kind::kRead: return "reads";
        case Access::Kind::kWrite: return "writes";
        case Access::Kind::kAtomic: return "adds atomically to";
    }
    return "";
}

// "PIPE_MTE2" as a word of an event: "MTE2".
std::string_view Short(Pipe pipe) { return std::string_view(isa::Name(pipe)).substr(5); }

std::string Hint(const Access& earlier, const Access& later, bool auto_sync) {
    if (earlier.pipe == later.pipe) {
        return fmt::format("add PipeBarrier<{}>() between the two{}", isa::Name(earlier.pipe),
                           earlier.pipe == Pipe::kV && !auto_sync ? ", or leave auto_sync on" : "");
    }
    const std::string event = fmt::format("{}_{}", Short(earlier.pipe), Short(later.pipe));
    const std::string flags = fmt::format(
        "SetFlag<HardEvent::{0}>(id) after the first and WaitFlag<HardEvent::{0}>(id) before the second", event);
    if (earlier.pipe == Pipe::kS || later.pipe == Pipe::kS) return "add " + flags;
    if (Writes(earlier) && !Writes(later)) return fmt::format("add {}; a queue's EnQue and DeQue do the same", flags);
    return fmt::format("add {}; a queue's FreeTensor and AllocTensor do the same", flags);
}

const char* Direction(const Access& earlier, const Access& later) {
    if (!Writes(later)) return "read after write";
    return Writes(earlier) ? "write after write" : "write after read";
}

RelatedPlace Other(const Access& a, const std::string& by) {
    return {a.where.file, a.where.line, fmt::format("{} {} them{}", a.call, Verb(a), by)};
}

// A finding about two accesses of one core, at the later one.
Report OfTwo(Finding finding, const Access& earlier, const Access& later) {
    finding.message =
        fmt::format("{} {} bytes that {} {}, and nothing orders the two", isa::Name(later.pipe), Verb(later),
                    earlier.pipe == later.pipe ? "it" : isa::Name(earlier.pipe), Verb(earlier));
    Report report = ToReport(std::move(finding), later.call, later.where);
    report.index = RecordAt(later.tick);
    report.related.push_back(Other(earlier, fmt::format(", on {}", isa::Name(earlier.pipe))));
    return report;
}

// What orders two cores on a chip: by flags, through global memory, or nothing within a launch.
struct CoreOrdering {
    const char *legal, *by, *write_read;
};
constexpr CoreOrdering kByFlags = {
    "SyncAll, flags between cores or IBSet and IBWait between them; or bytes of its own for each core", "SyncAll()",
    "call SyncAll() on all cores between the write and the read, or set a flag behind the write"};
constexpr CoreOrdering kByMemory = {
    "SyncAll, IBSet and IBWait with a workspace between them; or bytes of its own for each core",
    "SyncAll with a workspace",
    "call SyncAll with a workspace on all cores between the write and the read, or IBSet behind the write"};
constexpr CoreOrdering kByLaunches = {"bytes of its own for each core: cores wait for each other in no launch here",
                                      "a launch for each",
                                      "end the kernel behind the write, and launch another one that reads"};

const CoreOrdering& CoreOrderingOn(const soc::Chip& chip) {
    return chip.cross_core_flags ? kByFlags : chip.sync_memory ? kByMemory : kByLaunches;
}

}  // namespace

// In the order of the program, which a schedule may have turned round.
Report RaceReport(const Access& ran, const Access& runs, isa::Memory memory, const std::string& bytes, bool auto_sync) {
    const auto& [earlier, later] = runs.tick < ran.tick ? std::tie(runs, ran) : std::tie(ran, runs);
    Finding finding{.rule = Rule::kRace,
                    .operand = isa::Name(memory),
                    .found = fmt::format("{}, {}", Direction(earlier, later), bytes),
                    .legal = "a flag, a barrier or a queue between two accesses of the same bytes, unless both read",
                    .hint = Hint(earlier, later, auto_sync)};
    return OfTwo(std::move(finding), earlier, later);
}

Report HeldReport(const Access& call, const Access& write, isa::Memory memory, const std::string& bytes) {
    Finding finding{
        .rule = Rule::kRace,
        .operand = isa::Name(memory),
        .message =
            fmt::format("{} writes bytes that an asynchronous {} may still read", isa::Name(write.pipe), call.call),
        .found = fmt::format("write after read, {}", bytes),
        .legal = "the operands of an asynchronous call stay as they are until it has been waited for",
        .hint = fmt::format("call Wait{} before, or compute the next operand into another tensor", call.call)};
    Report report = ToReport(std::move(finding), write.call, write.where);
    report.index = RecordAt(write.tick);
    report.related.push_back({call.where.file, call.where.line, fmt::format("{} reads them", call.call)});
    return report;
}

Report EqualReport(const Access& earlier, const Access& later, const std::string& bytes) {
    Finding finding{
        .rule = Rule::kEqualBytes,
        .operand = "GM",
        .found = bytes + ", which had these values already",
        .legal = "a flag or a barrier between two stores to the same bytes; or stores that have none in common",
        .hint = Hint(earlier, later, true)};
    return OfTwo(std::move(finding), earlier, later);
}

Report CoreRaceReport(const Access& lower, const std::string& lower_core, const Access& higher,
                      const std::string& higher_core, const std::string& bytes, bool equal, const soc::Chip& chip) {
    const bool atomic = lower.kind == Access::Kind::kAtomic || higher.kind == Access::Kind::kAtomic;
    const CoreOrdering& ordering = CoreOrderingOn(chip);
    Finding finding{
        .rule = equal ? Rule::kEqualBytes : Rule::kRaceCores,
        .operand = "GM",
        .message = fmt::format("{} {} bytes that {} {}, and nothing orders the two", higher_core, Verb(higher),
                               lower_core, Verb(lower)),
        .found = bytes + (equal ? ", which had these values already" : ""),
        .legal = ordering.legal,
        .hint = atomic ? fmt::format("let all cores store atomically, or order the plain access by {}", ordering.by)
                : chip.data_sync_barrier && chip.cross_core_flags && Writes(lower) != Writes(higher) &&
                        (lower.IsScalarStore() || higher.IsScalarStore())
                    ? "call DataSyncBarrier<MemDsbT::DDR>() between the store and the one that says it is there, or "
                      "SyncAll() on all cores between the write and the read"
                : Writes(lower) && Writes(higher)
                    ? fmt::format("give each block its own part: check offset, length and tail; or order the two by {}",
                                  ordering.by)
                    : ordering.write_read};
    Report report = ToReport(std::move(finding), higher.call, higher.where);
    report.core_order = higher.core;
    report.index = RecordAt(higher.tick);
    report.related.push_back(Other(lower, fmt::format(", on {} of {}", isa::Name(lower.pipe), lower_core)));
    return report;
}

Report FlagReport(const isa::Record& set, const CoreOrder::FlagWait& wait) {
    const auto& flag = set.As<isa::Flag>();
    const bool tik = set.api == isa::Api::kTik;
    const char* setter = isa::Name(flag.from);
    const std::string event = fmt::format("{}_{}", Short(flag.from), Short(flag.to)),
                      back = fmt::format("{}_{}", Short(flag.to), Short(flag.from));
    Finding finding{.rule = Rule::kFlagSetTwice,
                    .operand = fmt::format("{} id {}", event, flag.id),
                    .message = fmt::format("the flag may be set again before {} has taken it", isa::Name(flag.to)),
                    .found = fmt::format("nothing makes {} come behind the wait before", setter),
                    .legal = "one wait between two sets of a flag, in every order: a flag is binary",
                    .hint = fmt::format("alternate between two event ids, as many as there are buffers; or let {} "
                                        "wait for {} first ({})",
                                        setter, isa::Name(flag.to), tik ? back : "HardEvent::" + back)};
    Report report = ToReport(std::move(finding), isa::CallName(set), set.where);
    report.severity = Severity::kWarning;  // in this order it went well
    report.index = set.index;
    report.related.push_back({wait.where.file, wait.where.line, fmt::format("{} waits for it", isa::Name(flag.to))});
    return report;
}

Finding StalePoll() {
    return {.rule = Rule::kStalePoll,
            .operand = "src",
            .message = "polls global memory through the data cache",
            .found = "new bytes, which another core has written; this core has read the line before",
            .legal = "DataCacheCleanAndInvalid between two reads of a line that others write",
            .hint = "call DataCacheCleanAndInvalid in the loop: a board reads the old bytes for ever"};
}

Report CacheReport(CacheLines::Trouble trouble, const Access& earlier, const std::string& earlier_core,
                   const Access& later, const std::string& later_core, const std::string& bytes) {
    using Trouble = CacheLines::Trouble;
    constexpr const char* kClean =
        "DataCacheCleanAndInvalid of the line behind a scalar store that others read, and before a scalar load of what "
        "others wrote";
    Finding finding{.operand = "GM", .legal = kClean};
    switch (trouble) {
        case Trouble::kNotCleaned:
            finding.rule = Rule::kCacheNotCleaned;
            finding.message = fmt::format("reads bytes that are still in the data cache of {}", earlier_core);
            finding.found = fmt::format("{}, stored by the scalar unit and not cleaned", bytes);
            finding.hint = "call DataCacheCleanAndInvalid after the store, then let the reader wait for it";
            break;
        case Trouble::kStale:
            finding.rule = Rule::kCacheStale;
            finding.message = "reads bytes that the data cache holds as they were before";
            finding.found =
                fmt::format("{}, which {} has written since {} loaded the line", bytes, earlier_core, later_core);
            finding.hint = "call DataCacheCleanAndInvalid before the load: a board reads the old bytes";
            break;
        case Trouble::kLostWrite:
            finding.rule = Rule::kCacheLostWrite;
            finding.message = fmt::format("writes into a line that is dirty in the data cache of {}", earlier_core);
            finding.found = fmt::format("a line of 64 bytes, {}; written back whole, it undoes this store", bytes);
            finding.legal = "one core alone writes a line, or the line is cleaned before another write";
            finding.hint =
                "let each core store into lines of its own, or call DataCacheCleanAndInvalid after the store";
            break;
        case Trouble::kOldLine:
            finding.rule = Rule::kCacheLostWrite;
            finding.message = "writes into a line that the data cache holds as it was before";
            finding.found =
                fmt::format("{}, which {} has written since {} loaded the line; written back whole, it undoes that",
                            bytes, earlier_core, later_core);
            finding.legal = "one core alone writes a line, or the line is cleaned before another write";
            finding.hint = "call DataCacheCleanAndInvalid before the store, behind what orders the other write";
            break;
    }
    Report report = ToReport(std::move(finding), later.call, later.where);
    report.core_order = later.core;
    report.index = RecordAt(later.tick);
    report.related.push_back(Other(earlier, fmt::format(", on {} of {}", isa::Name(earlier.pipe), earlier_core)));
    return report;
}

}  // namespace sfumato::sanitize
