// SPDX-License-Identifier: Apache-2.0
// Cores run on worker threads, and what they leave is sorted out when all have ended.
#include "runtime/launch/run_cores.h"

#include <fmt/format.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <set>

#include "exec/exec.h"
#include "report/finding.h"
#include "runtime/code/memory_calls.h"
#include "runtime/code/raw_access.h"
#include "runtime/code/source_lines.h"
#include "runtime/cores/fibre.h"
#include "runtime/cores/float_environment.h"
#include "runtime/cores/workers.h"
#include "runtime/launch/strict.h"

namespace sfumato::runtime {

Core::Place PlaceOf(const LaunchState& state, uint64_t order) {
    const Shape shape = ShapeOf(state.task_type);
    const auto block = static_cast<uint32_t>(order / shape.cores()), at = static_cast<uint32_t>(order % shape.cores());
    const uint32_t ratio = std::max(1u, shape.vector);
    if (state.task_type == TaskType::kAiCore)
        return {isa::CoreKind::kAiCore, block, 0, ratio, order, fmt::format("core{}", block)};
    if (at < shape.cube) return {isa::CoreKind::kCube, block, 0, ratio, order, fmt::format("aic{}", block)};
    const uint32_t sub = at - shape.cube;
    return {isa::CoreKind::kVector,
            block,
            sub,
            ratio,
            order,
            shape.vector == 1 ? fmt::format("aiv{}", block) : fmt::format("aiv{}.{}", block, sub)};
}

void LaunchState::Stamp(Report* report) const {
    *report = Stamped(std::move(*report), chip.name, options.kernel);
    if (work && !report->rank) report->rank = work->rank();
    if (report->core_order < 0) return;
    const Core::Place place = PlaceOf(*this, static_cast<uint64_t>(report->core_order));
    report->core = place.name;
    report->core_kind = place.kind;
}

uint64_t BlocksAtOnce(const LaunchState& state) {
    const soc::Chip& chip = state.chip;
    if (state.task_type == TaskType::kAiCore)
        return std::max(1u, std::max(chip.cube_cores, chip.vector_only ? chip.vector_cores : 0));
    return std::max(1u, ShapeOf(state.task_type).cube ? chip.cube_cores : chip.vector_cores);
}

namespace {

// `thrown`: null for one that is no std::exception.
Report ForeignException(Core& core, const std::string& source, const std::exception* thrown) {
    const auto* memory = dynamic_cast<const std::bad_alloc*>(thrown);
    Report report = memory ? KernelMemory(fmt::format("{} from new", thrown->what())) : ReportOf(Rule::kException);
    // An exception_ptr is a pointer to the exception, in libstdc++ and in libc++. One of theirs has no place.
    const std::exception_ptr caught = std::current_exception();
    const void* object = nullptr;
    std::memcpy(&object, &caught, sizeof(object));
    if (object == core.stopping().thrown) {
        const CodePlace place = FindCode(static_cast<const uint8_t*>(core.stopping().thrown_at) - 1, source);
        report.file = place.file;
        report.line = place.line;
    }
    report.index = core.next_index();
    if (memory) return report;
    report.message = "the kernel threw a C++ exception";
    report.found = thrown ? thrown->what() : "an exception that is not a std::exception";
    report.legal = "kernels do not throw: device code has no exceptions";
    return report;
}

}  // namespace

// The next two are exported as Fibre::Enter is.

// False: the kernel was left in the middle, and nothing of it destroyed.
SFUMATO_API [[gnu::noinline]] bool RunsToItsEnd(Core& core, const std::function<void()>& kernel) {
    struct Landing {
        explicit Landing(Core& of) : core(of) { core.stopping().landing = &place; }
        ~Landing() { core.stopping().landing = nullptr; }
        Core& core;
        std::jmp_buf place;
    } landing(core);
    if (setjmp(landing.place) != 0) {
        Fibre::ForgetExceptions();
        return false;
    }
    kernel();
    return true;
}

// One core from its start to its end.
SFUMATO_API [[gnu::noinline]] void RunCore(LaunchState& state, uint64_t order, CoreMemory& memory,
                                           const std::function<void()>& kernel, Outcome* outcome) {
    const DefaultFloatEnvironment environment;
    Core core(&state, PlaceOf(state, order), &memory);
    try {
        try {
            std::optional<RawAccess> raw;
            if (state.checks.Has(sanitize::Check::kRaw)) raw.emplace(core);
            if (!RunsToItsEnd(core, kernel)) throw StopCore{};
            raw.reset();
            core.Finish();
        } catch (const StopCore&) {
        } catch (const std::exception& e) {
            core.findings().Add(ForeignException(core, state.source, &e));
        } catch (...) {
            core.findings().Add(ForeignException(core, state.source, nullptr));
        }
    } catch (const StopCore&) {
    }
    core.execution().LeaveTouch();
    exec::Publish();
    // CrossCore::End raises this.
    if (const Shape shape = ShapeOf(state.task_type); shape.cube && core.place().kind == isa::CoreKind::kVector) {
        core.Synced(
            {.kind = events::Sync::Kind::kEnded, .counter = MeetingCounter(Meeting::kServe, core.place().block)});
    }
    state.cross_core->End(order);
    outcome->findings = core.findings().Take();
    outcome->issued = core.next_index();
    outcome->started = true;
    outcome->stood = core.stopping().stood();
}

namespace {

bool IsClean(const LaunchState& state, const std::vector<Outcome>& outcomes) {
    return !state.ended_by && std::ranges::all_of(outcomes, [](const Outcome& outcome) {
        return std::ranges::none_of(outcome.findings, [](const Report& r) { return r.severity == Severity::kFault; });
    });
}

// What a read got that races with another core's store is chance, and so is what is told of it: the race is told.
void DropChance(std::vector<Outcome>* outcomes) {
    std::set<std::pair<std::string, uint32_t>> races;
    std::set<int64_t> arrays;
    for (const Outcome& outcome : *outcomes) {
        for (const Report& report : outcome.findings) {
            if (report.rule != Rule::kRaceCores) continue;
            races.emplace(report.file, report.line);
            for (const RelatedPlace& place : report.related) races.emplace(place.file, place.line);
            arrays.insert(report.allocation);
        }
    }
    if (races.empty()) return;
    const auto raced = [&](const Report& report) {
        // Of an array that is read and written: whether a step of the kernel reads what it wrote.
        if (report.rule == Rule::kOutputUnwritten && report.severity == Severity::kNote)
            return arrays.contains(report.allocation);
        if (report.rule != Rule::kUninitialisedRead) return false;
        return races.contains({report.file, report.line}) ||
               std::ranges::any_of(report.related, [&races](const RelatedPlace& place) {
                   return place.reads_first && races.contains({place.file, place.line});
               });
    };
    for (Outcome& outcome : *outcomes) std::erase_if(outcome.findings, raced);
}

// What the checks see only at the end. A report that names its core belongs to it, the others to the launch.
void AddDetected(LaunchState& state, std::vector<Outcome>* outcomes) {
    const bool clean = IsClean(state, *outcomes);
    for (events::Listener* listener : state.listeners) {
        for (Report& report : listener->Finish(clean)) {
            ApplyStrict(state.options, &report);
            const size_t core = report.core_order < 0 ? outcomes->size() - 1 : static_cast<size_t>(report.core_order);
            (*outcomes)[core].findings.push_back(std::move(report));
        }
    }
    DropChance(outcomes);
}

// Of a launch that was ended before its time.
void NoteStop(LaunchState& state, const std::vector<Outcome>& outcomes) {
    std::vector<const Stood*> stood;
    for (const Outcome& outcome : outcomes) stood.push_back(outcome.started ? &outcome.stood : nullptr);
    state.ended_by = state.watch->Ended(*state.cross_core, stood);
}

// What only the whole launch shows.
void AddLateFindings(LaunchState& state, std::vector<Outcome>* outcomes) {
    for (CrossCore::Late& late : state.cross_core->TakeLate(IsClean(state, *outcomes))) {
        Report& report = late.report;
        ApplyStrict(state.options, &report);
        report.core_order = static_cast<int64_t>(late.core);
        report.index = (*outcomes)[late.core].issued;
        (*outcomes)[late.core].findings.push_back(std::move(report));
    }
}

}  // namespace

std::vector<Outcome> RunCores(LaunchState& state, const std::function<void()>& kernel) {
    const Shape shape = ShapeOf(state.task_type);
    const uint64_t count = uint64_t{state.blocks} * shape.cores();
    Cores& cores = state.cores.emplace(count, shape.cores(), BlocksAtOnce(state), state.schedule);
    state.cross_core.emplace(&cores, shape, state.blocks,
                             [&state](uint64_t order) { return PlaceOf(state, order).name; });
    std::vector<Outcome> outcomes(count);
    const Cores::Body body = [&](uint64_t order, CoreMemory& memory) {
        RunCore(state, order, memory, kernel, &outcomes[order]);
    };
    const auto look = [&] { state.watch->Look(cores, *state.cross_core); };
    const auto* call = kernel.target<KernelCall>();
    if (state.work) {
        if (call && (HasThreadLocals(call->function) || HasThreadLocals(call->vector_function))) {
            throw UnsupportedError(
                "a kernel with thread_local or __BLOCK_LOCAL__ variables does not run beside other ranks: keep them in "
                "the kernel's class");
        }
        World::Ended ended = state.work->world().Run(*state.work, cores, *state.cross_core, state.chip, body,
                                                     [&](std::chrono::nanoseconds waited) {
                                                         state.watch->Waited(waited);
                                                         look();
                                                     });
        state.ended_by = std::move(ended.given_up);
        for (Report& note : ended.notes) outcomes.front().findings.push_back(std::move(note));
    } else if (call && (HasThreadLocals(call->function) || HasThreadLocals(call->vector_function))) {
        // They start fresh with a thread, so every core gets one of its own.
        const auto threads = static_cast<uint32_t>(std::min(count, BlocksAtOnce(state) * shape.cores()));
        const auto run_in_turn = [&] {
            while (cores.MoreToStart()) {
                try {
                    RunOnFreshThread([&] { cores.Work(state.chip, body, true); });
                } catch (...) {
                    cores.Fail(std::current_exception());
                }
            }
        };
        RunOnWorkers(threads, run_in_turn, threads, [&] { return look(), false; });
    } else {
        // What the checks inside cores find in a program with races would depend on who is faster.
        const bool judged =
            std::ranges::any_of(state.detectors, [](const auto& detector) { return detector->WantsOnChip(); });
        const uint64_t workers = state.schedule.one_core_at_a_time ? 1
                                 : !state.options.trace.empty()    ? 1
                                 : state.options.workers           ? state.options.workers
                                 : judged                          ? 1
                                                                   : CpuCount();
        // A core that polls a raw pointer never gives its thread back.
        const auto another = [&] { return look(), cores.WantsAnotherWorker(); };
        RunOnWorkers(
            static_cast<uint32_t>(std::min(count, workers)), [&] { cores.Work(state.chip, body); }, 1, another);
    }
    if (cores.failure()) std::rethrow_exception(cores.failure());
    if (!state.ended_by) NoteStop(state, outcomes);
    AddLateFindings(state, &outcomes);
    AddDetected(state, &outcomes);
    return outcomes;
}

}  // namespace sfumato::runtime
