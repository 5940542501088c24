// SPDX-License-Identifier: Apache-2.0
// A launch: which cores, what they run on, the first fault, the findings in order.
#include <fmt/format.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <set>
#include <tuple>

#include "exec/exec.h"
#include "report/finding.h"
#include "runtime/all_schedules.h"
#include "runtime/core.h"
#include "runtime/fibre.h"
#include "runtime/float_environment.h"
#include "runtime/global_memory.h"
#include "runtime/launch.h"
#include "runtime/launch_state.h"
#include "runtime/memory_calls.h"
#include "runtime/raw_access.h"
#include "runtime/source_lines.h"
#include "runtime/task_types.h"
#include "runtime/workers.h"
#include "timing/drawing.h"
#include "trace/steps.h"

namespace sfumato {

bool LaunchResult::ok() const {
    return std::none_of(findings.begin(), findings.end(),
                        [](const Report& r) { return r.severity == Severity::kFault; });
}

namespace runtime {
namespace {

// A core of the launch by its place in the order: the cores of a block in a row, its cube core first.
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

// Blocks of this launch that run at the same time on the product.
uint64_t BlocksAtOnce(const LaunchState& state) {
    const soc::Chip& chip = state.chip;
    if (state.task_type == TaskType::kAiCore)
        return std::max(1u, std::max(chip.cube_cores, chip.vector_only ? chip.vector_cores : 0));
    return std::max(1u, ShapeOf(state.task_type).cube ? chip.cube_cores : chip.vector_cores);
}

// `thrown`: null for one that is no std::exception.
Report ForeignException(const Core& core, const std::string& source, const std::exception* thrown) {
    const auto* memory = dynamic_cast<const std::bad_alloc*>(thrown);
    Report report = memory ? KernelMemory(fmt::format("{} from new", thrown->what())) : ReportOf(Rule::kException);
    // An exception_ptr is a pointer to the exception, in libstdc++ and in libc++. One of theirs has no place.
    const std::exception_ptr caught = std::current_exception();
    const void* object = nullptr;
    std::memcpy(&object, &caught, sizeof(object));
    if (object == core.thrown) {
        const CodePlace place = FindCode(static_cast<const uint8_t*>(core.thrown_at) - 1, source);
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

struct Outcome {
    std::vector<Report> findings;
    uint64_t issued = 0;
    bool started = false;
    Stood stood;
};

// The next two are exported as Fibre::Enter is.

// False: the kernel was left in the middle, and nothing of it destroyed.
SFUMATO_API [[gnu::noinline]] bool RunsToItsEnd(Core& core, const std::function<void()>& kernel) {
    struct Landing {
        explicit Landing(Core& of) : core(of) { core.landing = &place; }
        ~Landing() { core.landing = nullptr; }
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
            core.Find(ForeignException(core, state.source, &e));
        } catch (...) {
            core.Find(ForeignException(core, state.source, nullptr));
        }
    } catch (const StopCore&) {
    }
    exec::Publish();
    // CrossCore::End raises this.
    if (const Shape shape = ShapeOf(state.task_type); shape.cube && core.place().kind == isa::CoreKind::kVector) {
        for (trace::Observer* o : state.observers)
            o->Raises(core.place(), MeetingCounter(Meeting::kServe, core.place().block));
    }
    state.cross_core->End(order);
    outcome->findings = core.TakeFindings();
    outcome->issued = core.issued();
    outcome->started = true;
    outcome->stood = core.stood();
}

namespace {

bool IsClean(const LaunchState& state, const std::vector<Outcome>& outcomes) {
    return !state.ended_by && std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& outcome) {
        return std::none_of(outcome.findings.begin(), outcome.findings.end(),
                            [](const Report& r) { return r.severity == Severity::kFault; });
    });
}

// What a read got that races with another core's store is chance, and so is what is told of it: the race is told.
void DropChance(std::vector<Outcome>* outcomes) {
    std::set<std::pair<std::string, uint32_t>> races;
    std::string bytes;  // of what
    for (const Outcome& outcome : *outcomes) {
        for (const Report& report : outcome.findings) {
            if (report.rule != Info(Rule::kRaceCores).id) continue;
            races.emplace(report.file, report.line);
            for (const RelatedPlace& place : report.related) races.emplace(place.file, place.line);
            bytes += report.found;
        }
    }
    if (races.empty()) return;
    const auto raced = [&](const Report& report) {
        // Of an array that is read and written: whether a step of the kernel reads what it wrote.
        if (report.rule == Info(Rule::kOutputUnwritten).id && report.severity == Severity::kNote)
            return bytes.find("'" + report.found.substr(0, report.found.find(':')) + "'") != std::string::npos;
        if (report.rule != Info(Rule::kUninitialisedRead).id) return false;
        return races.contains({report.file, report.line}) ||
               std::any_of(report.related.begin(), report.related.end(), [&races](const RelatedPlace& place) {
                   return place.note.ends_with("reads them first") && races.contains({place.file, place.line});
               });
    };
    for (Outcome& outcome : *outcomes) std::erase_if(outcome.findings, raced);
}

// What the checks see only at the end. A report that names its core belongs to it, the others to the launch.
void AddDetected(LaunchState& state, std::vector<Outcome>* outcomes) {
    const bool clean = IsClean(state, *outcomes);
    for (const auto& detector : state.detectors) {
        for (Report& report : detector->Finish(clean)) {
            if (report.severity == Severity::kWarning && state.options.strict) report.severity = Severity::kFault;
            report.chip = state.chip.name;
            report.kernel = state.options.kernel;
            size_t core = 0;
            while (core + 1 < outcomes->size() && !report.core.empty() && PlaceOf(state, core).name != report.core)
                ++core;
            if (report.core.empty()) core = outcomes->size() - 1;
            (*outcomes)[core].findings.push_back(std::move(report));
        }
    }
    DropChance(outcomes);
}

// Of a launch that was ended before its time.
void NoteStop(LaunchState& state, const std::vector<Outcome>& outcomes) {
    std::vector<const Stood*> stood;
    for (const Outcome& outcome : outcomes) stood.push_back(outcome.started ? &outcome.stood : nullptr);
    state.ended_by =
        state.watch->Ended(*state.cross_core, stood, [&](uint64_t order) { return PlaceOf(state, order).name; });
    if (state.ended_by) state.ended_by->chip = state.chip.name;
}

// What only the whole launch shows.
void AddLateFindings(LaunchState& state, std::vector<Outcome>* outcomes) {
    for (CrossCore::Late& late : state.cross_core->TakeLate(IsClean(state, *outcomes))) {
        Report& report = late.report;
        if (report.severity == Severity::kWarning && state.options.strict) report.severity = Severity::kFault;
        report.chip = state.chip.name;
        report.kernel = state.options.kernel;
        report.core = PlaceOf(state, late.core).name;
        report.index = (*outcomes)[late.core].issued;
        (*outcomes)[late.core].findings.push_back(std::move(report));
    }
}

// Runs every core once.
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
    if (call && (HasThreadLocals(call->function) || HasThreadLocals(call->vector_function))) {
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
        const bool judged = std::any_of(state.detectors.begin(), state.detectors.end(),
                                        [](const auto& detector) { return detector->WantsOnChip(); });
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
    NoteStop(state, outcomes);
    AddLateFindings(state, &outcomes);
    AddDetected(state, &outcomes);
    return outcomes;
}

// The task type decides whether an instruction stands on the right kind of core: such a report names it, and what
// helps against it. TIK has none.
void NameTaskType(const LaunchState& state, std::vector<Report>* findings) {
    if (state.task_type_from.empty()) return;
    const Shape shape = ShapeOf(state.task_type);
    for (Report& report : *findings) {
        if (report.rule != Info(Rule::kCoreKind).id) continue;
        report.found += fmt::format("; its type is {}, {}", Name(state.task_type), state.task_type_from);
        const bool on_cube = report.core.starts_with("aic");
        const std::string guard = fmt::format("guard the call with ASCEND_IS_{}", on_cube ? "AIV" : "AIC");
        if (shape.cube && shape.vector) {
            report.hint = guard;
        } else if (state.task_type_from.starts_with("declared")) {
            report.hint = fmt::format("declare a type that has {} cores, or {}", on_cube ? "vector" : "cube", guard);
        }
    }
}

void ReportDamagedGuards(const LaunchState& state, GlobalMemory& memory, std::vector<Report>* findings) {
    const auto& impl = *memory.impl();
    std::lock_guard lock(impl.mutex);
    for (const int i : impl.DamagedGuards()) {
        const auto& a = impl.allocations[static_cast<size_t>(i)];
        Report report = ReportOf(Rule::kGmGuard);
        report.chip = state.chip.name;
        report.kernel = state.options.kernel;
        report.operand = a.name;
        report.message = fmt::format("bytes next to the allocation '{}' were overwritten", a.name);
        report.found = "a store through a raw pointer outside the allocation: no instruction did it";
        report.legal = fmt::format("{} bytes", a.bytes);
        report.hint =
            state.checks.Has(sanitize::Check::kRaw)
                ? "check pointers made by GetPhyAddr() and __gm__ casts"
                : "use --check raw (sfumato run, sfumato build) to see the line; GetPhyAddr() and __gm__ casts make "
                  "such pointers";
        const auto store = std::find_if(findings->begin(), findings->end(), [&a](const Report& r) {
            return r.rule == Info(Rule::kRawOutOfBounds).id && r.operand == a.name && r.line != 0;
        });
        if (store != findings->end()) {
            report.file = store->file;
            report.line = store->line;
            report.core = store->core;
        }
        findings->push_back(std::move(report));
    }
}

// Asked for by name, --check raw says when it cannot work.
void ReportNotCompiled(const LaunchState& state, std::vector<Report>* findings) {
    if (state.raw_heard || state.options.check.find("raw") == std::string::npos) return;
    Report report = ReportOf(Rule::kRawNotCompiled);
    report.chip = state.chip.name;
    report.kernel = state.options.kernel;
    report.message = "--check raw sees nothing of this kernel";
    report.found = "no access: the code was compiled without the check, or touches no memory";
    report.legal = "a source that Sfumato compiles with --check raw";
    report.hint = "sfumato build --check=raw, CompileOptions::check, or ForChecks()";
    findings->push_back(std::move(report));
}

// All findings up to the first core that faulted; warnings and notes once per call site.
LaunchResult Merge(std::vector<Outcome> outcomes, bool collect) {
    LaunchResult result;
    std::set<std::tuple<std::string, std::string, uint32_t>> seen;
    bool stopped = false;
    for (auto& outcome : outcomes) {
        result.records += outcome.issued;
        if (stopped) continue;
        for (auto& report : outcome.findings) {
            const bool fault = report.severity == Severity::kFault;
            stopped = stopped || (fault && !collect);
            // One of the whole launch stands for itself: two outputs may be set at one line.
            const bool of_core = !report.core.empty();
            if (!fault && of_core && !seen.emplace(report.rule, report.file, report.line).second) continue;
            result.findings.push_back(std::move(report));
        }
    }
    return result;
}

}  // namespace

// The model of LaunchOptions::time. Counters of flags are its own: it sets them in the order of time.
std::unique_ptr<timing::Model> MakeModel(LaunchState& state, const GlobalMemory::Impl& memory,
                                         timing::Drawing* drawing) {
    if (!state.options.time) return nullptr;
    if (state.schedule.kind != Schedule::Kind::kEager) {
        throw Error(fmt::format("an estimate of time needs the schedule eager, not {}", state.options.schedule));
    }
    const Shape shape = ShapeOf(state.task_type);
    timing::Model::Setup setup{state.chip,
                               *state.options.time,
                               drawing,
                               state.blocks,
                               shape.cube,
                               shape.vector,
                               BlocksAtOnce(state),
                               {},
                               {},
                               {},
                               {}};
    for (size_t i = 0; i < state.gm_base.size(); ++i) {
        setup.allocations.push_back(state.gm_range[i].bytes);
        using Role = GlobalMemory::Role;
        const Role role = memory.allocations[i].role;
        if (memory.allocations[i].live && (role == Role::kInput || role == Role::kInOut))
            setup.inputs.push_back(static_cast<uint32_t>(i));
    }
    setup.make_set_flag = [shape, blocks = state.blocks] {
        auto counters = std::make_shared<Counters>(shape, blocks);
        return [counters](uint64_t core, uint8_t mode, uint32_t id) {
            std::vector<uint64_t> raised;
            for (const uint64_t receiver : counters->Receivers(core, mode)) raised.push_back(FlagCounter(receiver, id));
            const uint64_t before = raised.empty() ? 0 : counters->Count(raised.front());
            counters->Set(core, mode, id);
            if (raised.empty() || counters->Count(raised.front()) == before) raised.clear();
            return raised;
        };
    };
    setup.is_barrier = [](uint64_t counter) {
        return counter >> 56 == static_cast<uint64_t>(Meeting::kCores) ||
               counter >> 56 == static_cast<uint64_t>(Meeting::kSoftSync);
    };
    return std::make_unique<timing::Model>(std::move(setup));
}

LaunchState::LaunchState(const LaunchOptions& launch_options, uint32_t block_count, GlobalMemory& memory)
    : options(launch_options), blocks(block_count), chip(soc::FindChip(options.chip)), gm(memory.impl()) {
    schedule = Schedule::Parse(options.schedule);
    checks = sanitize::Checks::Parse(options.check);
    overflow = soc::PolicyOf(chip, options.overflow.value_or(Info(options.route).overflow));
    const auto& impl = *memory.impl();
    std::lock_guard lock(impl.mutex);
    for (const auto& a : impl.allocations) {
        gm_base.push_back(a.base);
        gm_range.push_back({a.bytes, a.name.c_str(), a.padding, a.others != 0});
        if (a.live && a.borrowed) {
            gm_borrowed.resize(impl.allocations.size());
            gm_borrowed[gm_base.size() - 1] = a.borrowed.get();
        }
    }
    if (options.skip_data) unwritten = std::make_unique<std::atomic<bool>[]>(gm_base.size());
    for (const auto& [address, index] : impl.live)
        gm_by_address.push_back({address, gm_range[index].bytes, gm_range[index].name, index});
    if (options.log) {
        log.emplace(options.log, options.log_order == LogOrder::kExecuted, &mutex);
        observers.push_back(&*log);
    }
    if (options.cost) observers.push_back(&cost);
}

void LaunchState::MakeDetectors(GlobalMemory& memory, uint64_t core_count,
                                std::function<std::string(uint64_t)> name_of) {
    view.emplace(sanitize::LaunchView{chip,
                                      checks,
                                      options.auto_sync,
                                      options.flags,
                                      core_count,
                                      options.fill,
                                      memory.impl()->options.fill,
                                      options.numbers,
                                      {},
                                      std::move(name_of),
                                      [](const isa::Record& r, const isa::MemoryMap& map) { exec::Execute(r, map); },
                                      Info(options.route).option});
    const auto& impl = *memory.impl();
    std::lock_guard lock(impl.mutex);
    // Allocated since the launch began: nothing that its cores may reach.
    for (size_t i = 0; i < gm_base.size(); ++i) {
        const auto& a = impl.allocations[i];
        view->gm.push_back({a.base, a.bytes, a.name, static_cast<sanitize::GmRole>(a.role), a.live, a.type, a.padding,
                            a.others, a.live ? a.PaddingWritten(impl.options.fill) : 0});
    }
    detectors = sanitize::MakeDetectors(*view);
    if (!options.rests_on) return;
    auto made = std::make_unique<sanitize::Rests>(*view);
    rests = made.get();
    detectors.push_back(std::move(made));
}

int LaunchState::FindGm(const void* p) const {
    const auto address = reinterpret_cast<uintptr_t>(p);
    const auto after = std::upper_bound(gm_by_address.begin(), gm_by_address.end(), address,
                                        [](uintptr_t a, const debug::Allocation& b) { return a < b.address; });
    if (after == gm_by_address.begin()) return -1;
    const debug::Allocation& found = *std::prev(after);
    return address - found.address <= found.bytes ? static_cast<int>(found.index) : -1;
}

}  // namespace runtime

namespace {

// GM of the launch itself, freed with it.
class SystemWorkspace {
public:
    SystemWorkspace(GlobalMemory& memory, uint64_t bytes)
        : memory_(memory), begin_(bytes ? memory.Allocate(bytes, "system workspace") : nullptr) {
        if (begin_) memory.SetRole(begin_, GlobalMemory::Role::kWorkspace);
    }
    ~SystemWorkspace() {
        if (begin_) memory_.Free(begin_);
    }
    SystemWorkspace(const SystemWorkspace&) = delete;
    SystemWorkspace& operator=(const SystemWorkspace&) = delete;
    uint8_t* begin() const { return begin_; }

private:
    GlobalMemory& memory_;
    uint8_t* begin_;
};

// The timeline of a launch that is asked for one: in estimated time where there is an estimate.
class Tracing {
public:
    explicit Tracing(const LaunchOptions& options) {
        if (options.trace.empty()) return;
        sink_ = trace::OpenTimeline(options.trace);
        if (options.time) {
            drawing_.emplace(sink_.get());
        } else {
            steps_.emplace(sink_.get(), options.flags);
        }
    }
    trace::Observer* observer() { return steps_ ? &*steps_ : nullptr; }
    timing::Drawing* drawing() { return drawing_ ? &*drawing_ : nullptr; }
    void Finish(LaunchResult* result) {
        if (!sink_) return;
        if (steps_) steps_->Finish(result->findings);
        if (drawing_)
            sink_->Ended(result->findings, result->estimate ? ErrorOf(*result->estimate) : "the launch had a fault");
        try {
            result->trace = sink_->Close();
        } catch (const Error& e) {
            result->trace_error = e.what();
        }
    }

private:
    static std::string ErrorOf(const TimeEstimate& estimate) {
        const std::string kind = fmt::format("class {}, {}", estimate.error_class, estimate.error_why);
        return estimate.factor > 0
                   ? fmt::format("{}: from 1/{:g} to {:g} times", kind, estimate.factor, estimate.factor)
                   : fmt::format("{}: no interval", kind);
    }

    std::unique_ptr<trace::TimelineSink> sink_;
    std::optional<trace::Steps> steps_;
    std::optional<timing::Drawing> drawing_;
};

using Prepare = std::function<void(runtime::LaunchState&)>;

// watch: may be null.
LaunchResult LaunchOnce(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                        const std::function<void()>& kernel, const Prepare& prepare,
                        std::unique_ptr<sanitize::Detector> detector, runtime::LaunchWatch& watch) {
    using namespace runtime;
    const SystemWorkspace workspace(memory, options.system_workspace);
    LaunchState state(options, blocks, memory);
    const auto* call = kernel.target<KernelCall>();
    if (call) state.source = call->source;
    state.system_workspace = workspace.begin();
    state.watch = &watch;
    prepare(state);
    const uint64_t cores = uint64_t{blocks} * ShapeOf(state.task_type).cores();
    state.MakeDetectors(memory, cores, [&state](uint64_t order) { return PlaceOf(state, order).name; });
    if (detector) state.detectors.push_back(std::move(detector));
    Tracing tracing(options);
    if (tracing.observer()) state.observers.push_back(tracing.observer());
    state.model = MakeModel(state, *memory.impl(), tracing.drawing());
    if (state.model) state.observers.push_back(state.model.get());
    for (trace::Observer* o : state.observers) o->LaunchBegun({state.chip.product, options.kernel, blocks, cores});
    std::vector<Report> of_code;
    if (call && !state.checks.None()) of_code = call->findings;
    for (Report& report : of_code) {
        if (options.strict && report.severity == Severity::kWarning) report.severity = Severity::kFault;
        report.chip = state.chip.name;
        report.kernel = options.kernel;
    }
    std::vector<Outcome> outcomes(1);
    outcomes[0].findings = std::move(state.task_type_faults);
    if (outcomes[0].findings.empty()) outcomes = RunCores(state, kernel);
    for (trace::Observer* o : state.observers) o->LaunchEnded();
    LaunchResult result = Merge(std::move(outcomes), options.collect);
    if (state.ended_by) result.findings.push_back(*state.ended_by);
    result.task_type = Name(state.task_type);
    result.task_type_from = state.task_type_from;
    NameTaskType(state, &result.findings);
    result.findings.insert(result.findings.begin(), of_code.begin(), of_code.end());
    runtime::ForgetModules();
    if (call) ReportNotCompiled(state, &result.findings);
    ReportDamagedGuards(state, memory, &result.findings);
    if (state.model && result.ok()) result.estimate = std::make_shared<TimeEstimate>(state.model->Finish());
    if (state.rests) result.rests_on = state.rests->Readings(result.findings);
    result.cost = state.cost.total();
    tracing.Finish(&result);
    return result;
}

// prepare: refuses the chip, chooses the cores, adds observers.
LaunchResult LaunchWith(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                        const std::function<void()>& kernel, const Prepare& prepare) {
    if (runtime::CurrentCore()) throw Error("Launch: called from inside a kernel");
    if (blocks < 1 || blocks > 65535) throw Error(fmt::format("Launch: {} blocks; legal are 1 to 65535", blocks));
    runtime::LaunchWatch watch(options);
    const auto once = [&](const LaunchOptions& o, std::unique_ptr<sanitize::Detector> detector) {
        return LaunchOnce(o, blocks, memory, kernel, prepare, std::move(detector), watch);
    };
    const std::optional<uint32_t> seeds = runtime::SeedsOfAll(options.schedule);
    if (seeds && !options.trace.empty())
        throw Error(fmt::format("trace: the schedule '{}' is many runs, a timeline is of one", options.schedule));
    return seeds ? runtime::LaunchUnderAll(options, *seeds, memory, once) : once(options, nullptr);
}

void PrepareAscendC(runtime::LaunchState& state, const std::function<void()>& kernel) {
    if (!state.chip.ascendc) {
        throw UnsupportedError(fmt::format("{} has no Ascend C, only TIK: Ascend C kernels run on {}", state.chip.name,
                                           soc::FamilyList([](const soc::Chip& chip) { return chip.ascendc; })));
    }
    runtime::TaskTypeChoice choice = runtime::ChooseTaskType(state.chip, state.options, kernel);
    for (Report& fault : choice.faults) {
        fault.chip = state.chip.name;
        fault.kernel = state.options.kernel;
    }
    state.task_type = choice.type;
    state.task_type_declared = choice.declared;
    state.task_type_from = std::move(choice.from);
    state.task_type_faults = std::move(choice.faults);
}

}  // namespace

LaunchResult Launch(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                    const std::function<void()>& kernel) {
    return LaunchWith(options, blocks, memory, kernel,
                      [&](runtime::LaunchState& state) { PrepareAscendC(state, kernel); });
}

LaunchResult runtime::LaunchObserved(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                                     const std::function<void()>& kernel, trace::Observer* observer) {
    return LaunchWith(options, blocks, memory, kernel, [&](LaunchState& state) {
        PrepareAscendC(state, kernel);
        state.observers.push_back(observer);
    });
}

LaunchResult runtime::LaunchTik(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory, TaskType task,
                                const std::function<void()>& kernel) {
    return LaunchWith(options, blocks, memory, kernel, [task](LaunchState& state) { state.task_type = task; });
}

}  // namespace sfumato
