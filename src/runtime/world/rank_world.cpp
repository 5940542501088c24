// SPDX-License-Identifier: Apache-2.0
// Launches on all ranks of a world: submitted, waited for, run again under other schedules, and put together.
#include "sfumato/rank_world.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "report/finding.h"
#include "runtime/launch/all_schedules.h"
#include "runtime/launch/launch.h"
#include "runtime/launch/strict.h"
#include "runtime/memory/image.h"
#include "runtime/world/group.h"
#include "runtime/world/rank_results.h"
#include "runtime/world/rank_schedules.h"
#include "runtime/world/window_image.h"
#include "runtime/world/world.h"
#include "soc/chip.h"
#include "trace/rank_timeline.h"
#include "trace/steps.h"

namespace sfumato {

using runtime::RankSchedule;
using runtime::World;

struct RankWorld::Impl {
    explicit Impl(const RankWorldOptions& given) : options(given), world(given.ranks) {
        for (uint32_t r = 0; r < options.ranks; ++r)
            memories.push_back(std::make_unique<GlobalMemory>(GlobalMemory::Options{.fill = options.fill}));
    }
    RankWorldOptions options;
    std::vector<std::unique_ptr<GlobalMemory>> memories;
    World world;
    std::map<std::string, std::unique_ptr<runtime::Group>> groups;
    std::mutex one_at_a_time;

    runtime::Group& Find(const std::string& name) const {
        const auto at = groups.find(name);
        if (at != groups.end()) return *at->second;
        std::vector<std::string> names;
        for (const auto& group : groups) names.push_back(group.first);
        throw Error(fmt::format("there is no group '{}' of ranks; there are: {}", name, fmt::join(names, ", ")));
    }
    void Check(const Request& request) const;
    LaunchResult LaunchOne(const LaunchOptions& launch, const Work& work, trace::RankTimeline* timeline);
    std::vector<LaunchResult> RunOnce(const Request& request, const RankSchedule& schedule,
                                      trace::RankTimeline* timeline = nullptr);
    Outcome RunMany(const Request& request, const std::vector<RankSchedule>& schedules);
};

namespace {

void CheckWorldOptions(const RankWorldOptions& o) {
    if (o.ranks < 1 || o.ranks > RankWorld::kMostRanks)
        throw Error(fmt::format("{} ranks; legal are 1 to {}", o.ranks, RankWorld::kMostRanks));
    constexpr uint64_t kMebi = uint64_t{1} << 20, kMost = uint64_t{4096} << 20;
    if (o.window_bytes < kMebi || o.window_bytes > kMost || o.window_bytes % kMebi != 0)
        throw Error(fmt::format("windows of {} bytes; legal are 1 to 4096 MiB, whole ones", o.window_bytes));
    const soc::Chip& chip = soc::FindChip(o.chip);
    if (!chip.ascendc)
        throw UnsupportedError(fmt::format("{} has no Ascend C, only TIK: its kernels are one rank", chip.name));
}

// Prints whole lines with the rank in front: cores of other ranks print between.
class RankLines {
public:
    RankLines(uint32_t rank, std::function<void(std::string_view)> print)
        : prefix_(fmt::format("rank {}: ", rank)), print_(std::move(print)) {}
    void Add(std::string_view text) {
        line_ += text;
        for (size_t end; (end = line_.find('\n')) != std::string::npos; line_.erase(0, end + 1))
            print_(prefix_ + line_.substr(0, end + 1));
    }
    void Finish() {
        if (!line_.empty()) Add("\n");
    }

private:
    std::string prefix_, line_;
    std::function<void(std::string_view)> print_;
};

void PrintOnStdout(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace

RankWorld::RankWorld(const RankWorldOptions& options) {
    CheckWorldOptions(options);
    impl_ = std::make_unique<Impl>(options);
    std::vector<uint32_t> all(options.ranks);
    std::iota(all.begin(), all.end(), 0);
    AddGroup(kAll, all);
}

RankWorld::~RankWorld() = default;

uint32_t RankWorld::ranks() const { return impl_->options.ranks; }
const std::string& RankWorld::chip() const { return impl_->options.chip; }

GlobalMemory& RankWorld::memory(uint32_t rank) {
    if (rank >= ranks()) throw Error(fmt::format("rank {} is not there; legal are 0 to {}", rank, ranks() - 1));
    return *impl_->memories[rank];
}

void RankWorld::AddGroup(const std::string& name, const std::vector<uint32_t>& ranks) {
    if (name.empty()) throw Error("a group of ranks has a name");
    if (impl_->groups.contains(name)) throw Error(fmt::format("there is a group '{}' already", name));
    if (ranks.empty()) throw Error(fmt::format("group '{}': it has no ranks", name));
    std::vector<GlobalMemory*> memories;
    for (size_t i = 0; i < ranks.size(); ++i) {
        if (i > 0 && ranks[i] <= ranks[i - 1]) {
            throw Error(fmt::format("group '{}': ranks {} are not ascending", name, fmt::join(ranks, ", ")));
        }
        memories.push_back(&memory(ranks[i]));
    }
    runtime::GroupOptions options;
    options.window_bytes = impl_->options.window_bytes;
    options.chip = impl_->options.chip;
    impl_->groups[name] = std::make_unique<runtime::Group>(impl_->world, name, ranks, memories, options);
}

RankWorld::Place RankWorld::PlaceOf(const std::string& name, uint32_t rank) const {
    const runtime::Group& group = impl_->Find(name);
    const int place = group.PlaceOf(rank);
    if (place < 0) {
        throw Error(
            fmt::format("rank {} is not in the group '{}' of ranks {}", rank, name, fmt::join(group.ranks(), ", ")));
    }
    const auto at = static_cast<uint32_t>(place);
    return {at,
            group.size(),
            group.Context(at),
            {group.In(at), group.window_bytes()},
            {group.Out(at), group.window_bytes()}};
}

void RankWorld::Impl::Check(const Request& request) const {
    if (request.works.empty()) throw Error("a launch of no rank");
    if (request.repeat < 1) throw Error("repeat=0 launches nothing: give at least 1");
    for (const std::string& name : request.groups) Find(name);
    for (const Work& work : request.works) {
        if (work.rank >= options.ranks)
            throw Error(fmt::format("rank {} is not there; legal are 0 to {}", work.rank, options.ranks - 1));
        if (const char* many = runtime::ManyRuns(work.options))
            throw Error(fmt::format("{} is many runs of one launch: not with ranks", many));
        if (work.options.time) throw Error("time: nothing estimates how long launches of several ranks take");
    }
}

// timeline: may be null.
LaunchResult RankWorld::Impl::LaunchOne(const LaunchOptions& launch, const Work& work, trace::RankTimeline* timeline) {
    GlobalMemory& memory = *memories[work.rank];
    if (!timeline) return sfumato::Launch(launch, work.blocks, memory, work.kernel);
    trace::Steps steps(timeline->Of(work.rank), launch.flags);
    LaunchResult result = runtime::LaunchObserved(launch, work.blocks, memory, work.kernel, &steps);
    steps.Close(result.findings);
    return result;
}

std::vector<LaunchResult> RankWorld::Impl::RunOnce(const Request& request, const RankSchedule& schedule,
                                                   trace::RankTimeline* timeline) {
    const size_t count = request.works.size();
    std::vector<LaunchResult> results(count);
    std::vector<std::exception_ptr> thrown(count);
    std::vector<bool> failed(options.ranks);
    std::vector<RankLines> lines;
    lines.reserve(count);
    world.SetOrder(schedule.order);
    for (const Work& work : request.works)
        lines.emplace_back(work.rank, work.options.print ? work.options.print : PrintOnStdout);
    const auto run = [&](size_t i) {
        const Work& work = request.works[i];
        if (failed[work.rank]) return;  // what it left is nothing to go on with
        LaunchOptions launch = work.options;
        launch.schedule = schedule.inside;
        for (size_t g = 0; work.options.groups.empty() && g < request.groups.size() && launch.groups.size() < 2; ++g) {
            if (Find(request.groups[g]).PlaceOf(work.rank) >= 0) launch.groups.push_back(request.groups[g]);
        }
        launch.print = [&out = lines[i]](std::string_view text) { out.Add(text); };
        if (const auto log = work.options.log) {
            launch.log = [log, rank = work.rank](std::string_view line) {
                log(fmt::format("rank {}: {}", rank, line));
            };
        }
        try {
            LaunchResult result = LaunchOne(launch, work, timeline);
            failed[work.rank] = !result.ok();
            runtime::AddResult(&results[i], std::move(result));
        } catch (...) {
            thrown[i] = std::current_exception();
            failed[work.rank] = true;
            world.Failed(*World::Current(), Stamped(ReportOf(Rule::kException), options.chip, launch.kernel));
        }
    };
    for (uint32_t turn = 0; turn < request.repeat; ++turn) {
        for (size_t i = 0; i < count; ++i) {
            const Work& work = request.works[i];
            std::vector<World::Domain> domains;
            for (const std::string& name : request.groups) {
                const runtime::Group& group = Find(name);
                if (group.PlaceOf(work.rank) >= 0) domains.push_back(group.domain());
            }
            const std::string call = fmt::format("{}<<<{}>>>", work.options.kernel, work.blocks);
            world.Submit(work.rank, nullptr, World::Launch{{call, {}}, [&run, i] { run(i); }, std::move(domains)});
        }
    }
    world.Block({"a launch of ranks", {}}, [this] {
        for (uint32_t r = 0; r < options.ranks; ++r) {
            if (!world.IdleLocked(r)) return false;
        }
        return true;
    });
    world.Leave();
    // What is launched from here on is behind all of it: nothing runs any more.
    for (uint32_t r = 0; r < options.ranks; ++r) world.history().Meets(r);
    for (RankLines& line : lines) line.Finish();
    for (const std::exception_ptr& e : thrown) {
        if (e) std::rethrow_exception(e);
    }
    return results;
}

namespace {

// What all ranks have, to go on from again.
struct WorldImage {
    WorldImage(World& of, const std::vector<std::unique_ptr<GlobalMemory>>& memories) : world(&of) {
        for (uint32_t r = 0; r < memories.size(); ++r) {
            own.emplace_back(*memories[r]);
            windows.emplace_back(*memories[r], r);
        }
    }
    void Restore() const {
        for (const runtime::Image& image : own) image.Restore();
        for (const runtime::WindowImage& image : windows) image.Restore();
        world->history().ForgetAll();
    }
    World* world;
    std::vector<runtime::Image> own;
    std::vector<runtime::WindowImage> windows;
};

// The first byte that differs, of the lowest rank, and under which schedules.
struct RankDifference {
    uint32_t rank;
    runtime::GmByte byte;
    uint8_t here, there;
    std::vector<std::string> schedules;
};

Report OfDifference(const RankDifference& d, const std::string& name, size_t runs) {
    Report report = ReportOf(Rule::kScheduleDependent);
    report.rank = d.rank;
    report.operand = name;
    report.message = fmt::format("the bytes of '{}' of rank {} depend on the order in which ranks run", name, d.rank);
    report.found = fmt::format(
        "byte {} is {:#04x} under eager and {:#04x} under {}; {} of {} schedules differ there first: {}", d.byte.offset,
        d.here, d.there, d.schedules[0], d.schedules.size(), runs, fmt::join(d.schedules, ", "));
    report.legal = "the same bytes in every order that flags between ranks, barriers and the waits of cores allow";
    report.hint = fmt::format(
        "look for accesses of ranks that nothing orders, and for windows used again too early; --schedule {} shows it "
        "alone",
        d.schedules[0]);
    return report;
}

}  // namespace

RankWorld::Outcome RankWorld::Impl::RunMany(const Request& request, const std::vector<RankSchedule>& schedules) {
    const WorldImage inputs(world, memories);
    Outcome outcome;
    outcome.of_works = RunOnce(request, schedules[0]);
    outcome.whole = runtime::Together(outcome.of_works);
    if (!outcome.whole.ok()) return outcome;
    const WorldImage left(world, memories);
    Request quiet = request;
    for (Work& work : quiet.works) {
        const std::string check = work.options.check;
        work.options = runtime::Quiet(work.options);
        work.options.check = check;  // between ranks, other orders show other races
    }
    std::vector<RankDifference> differences;
    const auto note = [&](const std::string& schedule) {
        for (uint32_t r = 0; r < options.ranks; ++r) {
            const auto byte = left.own[r].FirstDifference();
            if (!byte) continue;
            const auto same = std::ranges::find_if(differences, [&](const RankDifference& d) {
                return d.rank == r && d.byte.allocation == byte->allocation && d.byte.offset == byte->offset;
            });
            if (same != differences.end()) {
                same->schedules.push_back(schedule);
            } else {
                const uint8_t now = memories[r]->impl()->allocations[byte->allocation].base[byte->offset];
                differences.push_back({r, *byte, left.own[r].BytesAt(*byte, 1)[0], now, {schedule}});
            }
            return;
        }
    };
    for (size_t i = 1; i < schedules.size(); ++i) {
        inputs.Restore();
        const LaunchResult other = runtime::Together(RunOnce(quiet, schedules[i]));
        runtime::AddFoundUnder(schedules[i].name, other, &outcome.whole);
        const bool ended = std::ranges::any_of(
            other.findings, [](const Report& r) { return r.rule == Rule::kTimeout || r.rule == Rule::kInterrupted; });
        if (ended) break;
        if (other.ok()) note(schedules[i].name);
    }
    for (const RankDifference& d : differences) {
        Report report = OfDifference(d, left.own[d.rank].NameOf(d.byte.allocation), schedules.size() - 1);
        const auto of_rank = std::ranges::find(request.works, d.rank, &Work::rank);
        const LaunchOptions& launch = (of_rank == request.works.end() ? request.works.begin() : of_rank)->options;
        runtime::ApplyStrict(launch, &report);
        outcome.whole.findings.push_back(Stamped(std::move(report), soc::FindChip(options.chip).name, launch.kernel));
    }
    left.Restore();
    return outcome;
}

void RankWorld::CheckSchedule(const std::string& schedule, uint32_t ranks) {
    runtime::RankSchedulesOf(schedule, ranks);
}

RankWorld::Outcome RankWorld::Launch(const Request& request) {
    std::lock_guard lock(impl_->one_at_a_time);
    impl_->Check(request);
    const std::vector<RankSchedule> schedules = runtime::RankSchedulesOf(request.schedule, ranks());
    if (schedules.size() > 1) {
        if (!request.trace.empty()) {
            throw Error(fmt::format("trace: the schedule '{}' is many runs, a timeline is of one", request.schedule));
        }
        return impl_->RunMany(request, schedules);
    }
    std::optional<trace::RankTimeline> timeline;
    if (!request.trace.empty()) timeline.emplace(request.trace, ranks());
    Outcome outcome;
    outcome.of_works = impl_->RunOnce(request, schedules[0], timeline ? &*timeline : nullptr);
    outcome.whole = runtime::Together(outcome.of_works);
    if (!timeline) return outcome;
    try {
        outcome.whole.trace = timeline->Close(outcome.whole.findings);
    } catch (const Error& e) {
        outcome.whole.trace_error = e.what();
    }
    return outcome;
}

}  // namespace sfumato
