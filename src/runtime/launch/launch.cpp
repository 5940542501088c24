// SPDX-License-Identifier: Apache-2.0
// A launch from its options to its findings: the first fault, and what only the whole launch shows.
#include "runtime/launch/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "report/finding.h"
#include "runtime/code/crash.h"
#include "runtime/code/source_lines.h"
#include "runtime/code/task_types.h"
#include "runtime/launch/all_schedules.h"
#include "runtime/launch/last_bit_runs.h"
#include "runtime/launch/launch_time.h"
#include "runtime/launch/run_cores.h"
#include "runtime/launch/strict.h"
#include "runtime/memory/constant_tables.h"
#include "runtime/memory/global_memory.h"

namespace sfumato {

bool LaunchResult::ok() const {
    return std::none_of(findings.begin(), findings.end(),
                        [](const Report& r) { return r.severity == Severity::kFault; });
}

namespace runtime {
namespace {

// The task type decides whether an instruction stands on the right kind of core: such a report names it, and what
// helps against it. TIK has none.
void NameTaskType(const LaunchState& state, Report* report) {
    if (state.task_type_from.empty()) return;
    const Shape shape = ShapeOf(state.task_type);
    report->found += fmt::format("; its type is {}, {}", Name(state.task_type), state.task_type_from);
    const bool on_cube = report->core_kind == CoreKind::kCube;
    const std::string guard = fmt::format("guard the call with ASCEND_IS_{}", on_cube ? "AIV" : "AIC");
    if (shape.cube && shape.vector) {
        report->hint = guard;
    } else if (state.task_type_by_source) {
        report->hint = fmt::format("declare a type that has {} cores, or {}", on_cube ? "vector" : "cube", guard);
    }
}

void ReportDamagedGuards(const LaunchState& state, GlobalMemory& memory, std::vector<Report>* findings) {
    const auto& impl = *memory.impl();
    std::lock_guard lock(impl.mutex);
    for (const int i : impl.DamagedGuards()) {
        const auto& a = impl.allocations[static_cast<size_t>(i)];
        Report report = ReportOf(Rule::kGmGuard);
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
            return r.rule == Rule::kRawOutOfBounds && r.operand == a.name && r.line != 0;
        });
        if (store != findings->end()) {
            report.file = store->file;
            report.line = store->line;
            report.core_order = store->core_order;
        }
        findings->push_back(std::move(report));
    }
}

// Asked for by name, --check raw says when it cannot work.
void ReportNotCompiled(const LaunchState& state, std::vector<Report>* findings) {
    if (state.raw_heard || state.options.check.empty() || !state.checks.Has(sanitize::Check::kRawNamed)) return;
    Report report = ReportOf(Rule::kRawNotCompiled);
    report.message = "--check raw sees nothing of this kernel";
    report.found = "no access: the code was compiled without the check, or touches no memory";
    report.legal = "a source that Sfumato compiles with --check raw";
    report.hint = "sfumato build --check=raw, CompileOptions::check, or ForChecks()";
    findings->push_back(std::move(report));
}

// All findings up to the first core that faulted; warnings and notes once per call site.
LaunchResult Merge(std::vector<Outcome> outcomes, bool collect) {
    LaunchResult result;
    std::set<Site> seen;
    bool stopped = false;
    for (auto& outcome : outcomes) {
        result.records += outcome.issued;
        if (stopped) continue;
        for (auto& report : outcome.findings) {
            const bool fault = report.severity == Severity::kFault;
            stopped = stopped || (fault && !collect);
            // One of the whole launch stands for itself: two outputs may be set at one line.
            const bool of_core = report.core_order >= 0;
            if (!fault && of_core && !seen.insert(SiteOf(report)).second) continue;
            result.findings.push_back(std::move(report));
        }
    }
    return result;
}

}  // namespace

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
    SystemWorkspace& operator=(SystemWorkspace&&) = delete;
    uint8_t* begin() const { return begin_; }

private:
    GlobalMemory& memory_;
    uint8_t* begin_;
};

using Prepare = std::function<void(runtime::LaunchState&)>;

// watch: may be null.
LaunchResult LaunchOnce(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                        const std::function<void()>& kernel, const Prepare& prepare, runtime::RunOfMany run,
                        runtime::LaunchWatch& watch) {
    using namespace runtime;
    const auto* call = kernel.target<KernelCall>();
    if (call) AdoptConstantTables(memory, call->function);
    const SystemWorkspace workspace(memory, options.system_workspace);
    LaunchState state(options, blocks, memory, run.moved);
    if (call) state.source = call->source;
    state.system_workspace = workspace.begin();
    state.watch = &watch;
    prepare(state);
    for (Report& report : state.BindGroups()) state.task_type_faults.push_back(std::move(report));
    const uint64_t cores = uint64_t{blocks} * ShapeOf(state.task_type).cores();
    state.MakeDetectors(cores, [&state](uint64_t order) { return PlaceOf(state, order).name; });
    if (run.watch) state.detectors.push_back(std::move(run.watch));
    for (size_t i = 0; i < state.detectors.size(); ++i)
        state.listeners.insert(state.listeners.begin() + static_cast<std::ptrdiff_t>(i), state.detectors[i].get());
    Tracing tracing(options);
    if (tracing.listener()) state.listeners.push_back(tracing.listener());
    state.model = MakeModel(state, *memory.impl(), tracing.drawing());
    if (state.model) state.listeners.push_back(state.model.get());
    for (events::Listener* l : state.listeners) l->LaunchBegun({state.chip.product, options.kernel, blocks, cores});
    std::vector<Report> of_code;
    if (call && !state.checks.None()) of_code = call->findings;
    of_code.insert(of_code.end(), state.task_type_doubts.begin(), state.task_type_doubts.end());
    for (Report& report : of_code) ApplyStrict(options, &report);
    std::vector<Outcome> outcomes(1);
    outcomes[0].findings = std::move(state.task_type_faults);
    if (outcomes[0].findings.empty()) outcomes = RunCores(state, kernel);
    LaunchResult result = Merge(std::move(outcomes), options.collect);
    if (state.ended_by) result.findings.push_back(*state.ended_by);
    result.task_type = Name(state.task_type);
    result.task_type_from = state.task_type_from;
    result.findings.insert(result.findings.begin(), of_code.begin(), of_code.end());
    runtime::ForgetModules();
    if (call) ReportNotCompiled(state, &result.findings);
    ReportDamagedGuards(state, memory, &result.findings);
    for (Report& report : result.findings) {
        state.Stamp(&report);
        if (report.rule == Rule::kCoreKind) NameTaskType(state, &report);
    }
    if (state.model && result.ok()) result.estimate = std::make_shared<TimeEstimate>(state.model->Estimate());
    if (state.model && !result.ok() && tracing.drawing()) state.model->Stop();
    if (state.work && !result.ok()) {
        state.work->world().Failed(*state.work,
                                   *std::ranges::find(result.findings, Severity::kFault, &Report::severity));
    }
    if (state.rests) result.rests_on = state.rests->Readings(result.findings);
    result.cost = state.cost.total();
    tracing.Finish(&result);
    return result;
}

// prepare: refuses the chip, chooses the cores, adds listeners.
LaunchResult LaunchWith(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                        const std::function<void()>& kernel, const Prepare& prepare) {
    if (runtime::CurrentCore()) throw Error("Launch: called from inside a kernel");
    if (blocks < 1 || blocks > 65535) throw Error(fmt::format("Launch: {} blocks; legal are 1 to 65535", blocks));
    runtime::LaunchWatch watch(options);
    const CrashScope crashes;
    const auto once = [&](const LaunchOptions& o, runtime::RunOfMany run) {
        return LaunchOnce(o, blocks, memory, kernel, prepare, std::move(run), watch);
    };
    const auto checks = sanitize::Checks::Parse(options.check);
    const bool last_bit = checks.Has(sanitize::Check::kLastBit), ways = checks.Has(sanitize::Check::kMmadOrder);
    const std::optional<uint32_t> seeds = runtime::SeedsOfAll(options.schedule);
    if (seeds && !options.trace.empty())
        throw Error(fmt::format("trace: the schedule '{}' is many runs, a timeline is of one", options.schedule));
    if (seeds && (last_bit || ways)) {
        throw Error(fmt::format("check {}: the schedule '{}' is many runs; choose one of them",
                                last_bit ? "last-bit" : "mmad-order", options.schedule));
    }
    if (last_bit || ways) return runtime::LaunchWithLastBits(options, memory, once);
    return seeds ? runtime::LaunchUnderAll(options, *seeds, memory, once) : once(options, {});
}

void PrepareAscendC(runtime::LaunchState& state, const std::function<void()>& kernel) {
    if (!state.chip.ascendc) {
        throw UnsupportedError(fmt::format("{} has no Ascend C, only TIK: Ascend C kernels run on {}", state.chip.name,
                                           soc::FamilyList([](const soc::Chip& chip) { return chip.ascendc; })));
    }
    runtime::TaskTypeChoice choice = runtime::ChooseTaskType(state.chip, state.options, kernel);
    state.task_type = choice.type;
    state.task_type_declared = choice.declared;
    state.task_type_by_source = choice.by_source;
    state.task_type_from = std::move(choice.from);
    state.task_type_faults = std::move(choice.faults);
    state.task_type_doubts = std::move(choice.doubts);
}

}  // namespace

LaunchResult Launch(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                    const std::function<void()>& kernel) {
    return LaunchWith(options, blocks, memory, kernel,
                      [&](runtime::LaunchState& state) { PrepareAscendC(state, kernel); });
}

LaunchResult runtime::LaunchObserved(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                                     const std::function<void()>& kernel, events::Listener* listener) {
    return LaunchWith(options, blocks, memory, kernel, [&](LaunchState& state) {
        PrepareAscendC(state, kernel);
        state.listeners.push_back(listener);
    });
}

LaunchResult runtime::LaunchTik(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory, TaskType task,
                                const std::function<void()>& kernel) {
    return LaunchWith(options, blocks, memory, kernel, [task](LaunchState& state) { state.task_type = task; });
}

}  // namespace sfumato
