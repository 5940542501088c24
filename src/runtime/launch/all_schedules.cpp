// SPDX-License-Identifier: Apache-2.0
// The runs of the schedule "all", their comparison and its report.
#include "runtime/launch/all_schedules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "report/finding.h"
#include "runtime/cores/number_behind.h"
#include "runtime/launch/run_history.h"
#include "runtime/launch/strict.h"
#include "runtime/memory/global_memory.h"
#include "runtime/memory/image.h"
#include "runtime/pipes/events.h"
#include "sanitize/checks.h"
#include "soc/chip.h"

namespace sfumato::runtime {
namespace {

constexpr uint32_t kDefaultSeeds = 8, kMostSeeds = 65535;
constexpr size_t kMostReports = 4;         // each takes two more runs
constexpr size_t kMostNamedSchedules = 6;  // schedules in a report

std::vector<uint8_t> CurrentBytes(const GlobalMemory& memory, const GmByte& at, uint64_t size) {
    const auto& a = memory.impl()->allocations[at.allocation];
    return {a.base + at.offset, a.base + at.offset + std::min(size, a.bytes - at.offset)};
}

std::string At(const Step& step) { return fmt::format("{}:{}", step.where().file, step.where().line); }

std::string Writer(const Step* step) {
    if (!step) return "no instruction wrote it";
    return fmt::format("{} at {} on {} wrote it", step->call(), At(*step), step->core_name);
}

// The call that would keep the two in order.
std::string OrderingHint(const SwappedSteps& steps) {
    const Step &first = *steps.first, &second = *steps.second;
    if (first.core != second.core) {
        return "let one core wait for the other (SyncAll, CrossCoreSetFlag and CrossCoreWaitFlag), or give each its "
               "own "
               "bytes";
    }
    const bool tik = second.record() && second.record()->api == isa::Api::kTik;
    if (first.pipe() == second.pipe()) {
        return tik ? fmt::format("take them out of disable_sync, or put pipe_barrier({}) between them",
                                 isa::Name(first.pipe()))
                   : fmt::format("put PipeBarrier<{}>() between them", isa::Name(first.pipe()));
    }
    if (tik) {
        return fmt::format(
            "take them out of disable_sync, or put set_flag('{0}', '{1}', id) and wait_flag('{0}', "
            "'{1}', id) between them",
            isa::Name(first.pipe()), isa::Name(second.pipe()));
    }
    if (const EventInfo* event = FindEvent(first.pipe(), second.pipe()))
        return fmt::format("put SetFlag<HardEvent::{0}> and WaitFlag<HardEvent::{0}> between them", event->name);
    return "put PipeBarrier<PIPE_ALL>() between them";
}

// A first byte that differs from eager's, and under which schedules; the first of them is looked into.
struct Difference {
    GmByte byte;
    std::vector<std::string> schedules;
    const std::string& other() const { return schedules[0]; }
};

// "bytes 0 to 63 of UB".
std::string BytesText(const events::Access& bytes, const Image& image) {
    const bool gm = bytes.memory == isa::Memory::kGm;
    return fmt::format("bytes {} to {} of {}", bytes.bytes.begin, bytes.bytes.end - 1,
                       gm ? "'" + image.NameOf(bytes.allocation) + "'" : isa::Name(bytes.memory));
}

}  // namespace

std::optional<uint32_t> SeedsOfAll(const std::string& schedule) {
    if (schedule == "all") return kDefaultSeeds;
    if (!schedule.starts_with("all:")) return std::nullopt;
    const auto seeds = NumberBehind<uint32_t>("all:", schedule);
    if (!seeds || *seeds > kMostSeeds)
        throw Error(fmt::format("unknown schedule '{}': all:N takes a number of seeds, 0 to {}", schedule, kMostSeeds));
    return seeds;
}

const char* ManyRuns(const LaunchOptions& options) {
    if (SeedsOfAll(options.schedule)) return "the schedule 'all'";
    const auto checks = sanitize::Checks::Parse(options.check);
    if (checks.Has(sanitize::Check::kLastBit)) return "the check last-bit";
    return checks.Has(sanitize::Check::kMmadOrder) ? "the check mmad-order" : nullptr;
}

LaunchOptions Quiet(LaunchOptions options) {
    options.check = "none";
    options.log = {};
    options.trace.clear();
    options.print = [](std::string_view) {};
    return options;
}

namespace {

class AllRuns {
public:
    AllRuns(const LaunchOptions& options, uint32_t seeds, GlobalMemory& memory, const LaunchOnce& once)
        : options_(options), once_(once), inputs_(memory), memory_(memory) {
        others_ = {"late", "ahead"};
        for (uint32_t seed = 1; seed <= seeds; ++seed) others_.push_back(fmt::format("seed:{}", seed));
    }

    LaunchResult Run() {
        LaunchOptions eager = options_;
        eager.schedule = kEager;
        LaunchResult result = once_(eager, {});
        if (!result.ok()) return result;
        const Image left(memory_);
        for (const std::string& name : others_) {
            if (!Compare(name, left)) break;
        }
        AddFindings(&result);
        const size_t reports = std::min(kMostReports, differences_.size());
        for (size_t i = 0; i < reports; ++i) AddReport(Explain(differences_[i], left), &result);
        left.Restore();
        return result;
    }

private:
    static constexpr const char* kEager = "serial";  // eager, so that it replays

    // Once more, quietly.
    LaunchResult Again(const std::string& schedule, std::unique_ptr<events::Listener> watch) {
        inputs_.Restore();
        LaunchOptions options = Quiet(options_);
        options.schedule = schedule;
        return once_(options, {std::move(watch)});
    }

    // False: the launch is to end, and none of its runs goes on.
    bool Compare(const std::string& name, const Image& left) {
        LaunchResult result = Again(name, nullptr);
        const bool ok = result.ok();
        bool ended = false;
        for (Report& report : result.findings) {
            ended = ended || report.rule == Rule::kTimeout || report.rule == Rule::kInterrupted;
            found_.push_back({std::move(report), name});
        }
        if (!ok) return !ended;
        const std::optional<GmByte> byte = left.FirstDifference();
        if (!byte) return true;
        for (Difference& d : differences_) {
            if (d.byte.allocation == byte->allocation && d.byte.offset == byte->offset)
                return d.schedules.push_back(name), true;
        }
        differences_.push_back({*byte, {name}});
        return true;
    }

    // What eager has not found, each with the schedules that have.
    void AddFindings(LaunchResult* result) const {
        using Key = std::tuple<Rule, std::string, uint32_t>;
        const auto key = [](const Report& r) { return Key{r.rule, r.file, r.line}; };
        std::map<Key, bool> known;
        for (const Report& r : result->findings) known[key(r)] = true;
        for (size_t i = 0; i < found_.size(); ++i) {
            if (known[key(found_[i].first)]) continue;
            known[key(found_[i].first)] = true;
            std::vector<std::string> names;
            for (size_t j = i; j < found_.size(); ++j) {
                const bool same = key(found_[j].first) == key(found_[i].first);
                if (same && names.size() < kMostNamedSchedules && (names.empty() || names.back() != found_[j].second))
                    names.push_back(found_[j].second);
            }
            Report report = found_[i].first;
            report.found += fmt::format("{}under the schedule{} {}, not under eager", report.found.empty() ? "" : "; ",
                                        names.size() == 1 ? "" : "s", fmt::join(names, ", "));
            result->findings.push_back(std::move(report));
        }
    }

    // Two runs again, with every step kept.
    Report Explain(const Difference& d, const Image& left) {
        RunHistory eager(d.byte), other(d.byte);
        Again(kEager, eager.Watch());
        Again(d.other(), other.Watch());
        const Step* writer = eager.writer() ? eager.writer() : other.writer();
        const std::optional<SwappedSteps> swapped = eager.FindSwapped(other);

        Report report = ReportOf(Rule::kScheduleDependent);
        report.operand = left.NameOf(d.byte.allocation);
        const char* what = !swapped                                        ? "pipes or cores"
                           : swapped->first->core != swapped->second->core ? "cores"
                                                                           : "pipes";
        report.message = fmt::format("the bytes of '{}' depend on the order in which {} run", report.operand, what);
        report.found = FoundText(d, left, eager.writer(), other.writer());
        report.legal = "the same bytes in every order that flags, barriers and the waits of cores allow";
        report.hint = fmt::format("look for accesses that nothing orders; --schedule {} shows it alone", d.other());
        if (swapped) {
            const Step& first = *swapped->first;
            report.hint = OrderingHint(*swapped);
            report.related.push_back(
                {first.where().file, first.where().line,
                 fmt::format("{} {} {}, on {} of {}: before it under eager, after it under {}", first.call(),
                             first.WritesSome(swapped->bytes) ? "writes" : "reads", BytesText(swapped->bytes, left),
                             isa::Name(first.pipe()), first.core_name, d.other())});
        }
        if (const Step* place = swapped ? swapped->second : writer) {
            report.message = fmt::format("{}: {}", place->call(), report.message);
            report.instruction = place->call();
            report.core = place->core_name;
            report.index = place->index();
            report.file = place->where().file;
            report.line = place->where().line;
        }
        return report;
    }

    // Memory is as the other schedule left it.
    std::string FoundText(const Difference& d, const Image& left, const Step* of_eager, const Step* of_other) const {
        const Step* typed = of_eager ? of_eager : of_other;
        const std::optional<DataType> type = typed ? typed->TypeInGm() : std::nullopt;
        const uint64_t size = type && BitsOf(*type) >= 8 ? BitsOf(*type) / 8 : 1, element = d.byte.offset / size;
        const GmByte start{d.byte.allocation, element * size};
        std::string text = fmt::format("byte {}", d.byte.offset);
        if (type) text += fmt::format(", in element {} of {},", element, CName(*type));
        const std::string here = ValueText(type, left.BytesAt(start, size)),
                          there = ValueText(type, CurrentBytes(memory_, start, size));
        if (of_eager && of_other && of_eager->key() == of_other->key()) {
            text += fmt::format(" is {} under eager and {} under {}; {} both times", here, there, d.other(),
                                Writer(of_eager));
        } else {
            text += fmt::format(" is {} under eager ({}) and {} under {} ({})", here, Writer(of_eager), there,
                                d.other(), Writer(of_other));
        }
        const auto named =
            d.schedules.begin() + static_cast<std::ptrdiff_t>(std::min(kMostNamedSchedules, d.schedules.size()));
        return text + fmt::format("; {} of {} schedules differ there first: {}{}", d.schedules.size(), others_.size(),
                                  fmt::join(d.schedules.begin(), named, ", "),
                                  named == d.schedules.end() ? "" : " ...");
    }

    void AddReport(Report report, LaunchResult* result) const {
        for (const Report& r : result->findings) {
            if (r.rule == report.rule && r.file == report.file && r.line == report.line) return;
        }
        ApplyStrict(options_, &report);
        result->findings.push_back(Stamped(std::move(report), soc::FindChip(options_.chip).name, options_.kernel));
    }

    const LaunchOptions& options_;
    const LaunchOnce& once_;
    const Image inputs_;
    GlobalMemory& memory_;
    std::vector<std::string> others_;
    std::vector<std::pair<Report, std::string>> found_;  // and the schedule
    std::vector<Difference> differences_;
};

}  // namespace

LaunchResult LaunchUnderAll(const LaunchOptions& options, uint32_t seeds, GlobalMemory& memory,
                            const LaunchOnce& once) {
    return AllRuns(options, seeds, memory, once).Run();
}

}  // namespace sfumato::runtime
