// SPDX-License-Identifier: Apache-2.0
// A launch: which cores, their threads, the first fault, the findings in order.
#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <exception>
#include <set>
#include <system_error>
#include <thread>
#include <tuple>

#include "runtime/core.h"
#include "runtime/float_environment.h"
#include "runtime/global_memory.h"
#include "runtime/launch.h"
#include "runtime/launch_state.h"

namespace sfumato {

bool LaunchResult::ok() const {
    return std::none_of(findings.begin(), findings.end(),
                        [](const Report& r) { return r.severity == Severity::kFault; });
}

std::string DescribeAddress(const void* p, const GlobalMemory* memory) {
    std::string text = runtime::CoreMemory::Describe(p);
    if (!text.empty() || !memory) return text;
    const auto& impl = *memory->impl();
    std::lock_guard lock(impl.mutex);
    const int nearest = impl.Nearest(p);
    if (nearest < 0) return "outside every allocation";
    const auto& a = impl.allocations[static_cast<size_t>(nearest)];
    const auto address = reinterpret_cast<uintptr_t>(p), begin = reinterpret_cast<uintptr_t>(a.base);
    if (address < begin) return fmt::format("{} bytes before '{}' ({} bytes)", begin - address, a.name, a.bytes);
    if (address < begin + a.bytes) return fmt::format("'{}'+{:#x}", a.name, address - begin);
    return fmt::format("{} bytes past the end of '{}' ({} bytes)", address - begin - a.bytes, a.name, a.bytes);
}

namespace runtime {
namespace {

struct Unit {
    Core::Place place;
};

// The cores a task type starts for one block, in order (framework.md 4.2).
struct Shape {
    uint32_t cube = 0, vector = 0;
};
Shape ShapeOf(TaskType type) {
    switch (type) {
        case TaskType::kAivOnly:
        case TaskType::kMixAiv10: return {0, 1};
        case TaskType::kAicOnly:
        case TaskType::kMixAic10: return {1, 0};
        case TaskType::kMixAic11: return {1, 1};
        case TaskType::kMixAic12: return {1, 2};
        case TaskType::kAiCore: return {0, 0};
    }
    return {};
}

std::vector<Unit> Units(const LaunchState& state) {
    std::vector<Unit> units;
    const Shape shape = ShapeOf(state.task_type);
    const uint32_t ratio = std::max(1u, shape.vector);
    const auto add = [&](isa::CoreKind kind, uint32_t block, uint32_t sub, std::string name) {
        units.push_back({{kind, block, sub, ratio, units.size(), std::move(name)}});
    };
    for (uint32_t block = 0; block < state.blocks; ++block) {
        if (state.task_type == TaskType::kAiCore) add(isa::CoreKind::kAiCore, block, 0, fmt::format("core{}", block));
        if (shape.cube) add(isa::CoreKind::kCube, block, 0, fmt::format("aic{}", block));
        for (uint32_t sub = 0; sub < shape.vector; ++sub) {
            add(isa::CoreKind::kVector, block, sub,
                shape.vector == 1 ? fmt::format("aiv{}", block) : fmt::format("aiv{}.{}", block, sub));
        }
    }
    return units;
}

// Cores of this launch that exist at the same time on the product.
uint64_t PhysicalCores(const LaunchState& state) {
    const Shape shape = ShapeOf(state.task_type);
    const soc::Chip& chip = state.chip;
    if (state.task_type == TaskType::kAiCore)
        return std::max(1u, std::max(chip.cube_cores, chip.vector_only ? chip.vector_cores : 0));
    if (!shape.cube) return std::max(1u, chip.vector_cores);
    return std::max(1u, chip.cube_cores) * (shape.cube + shape.vector);
}

Report ForeignException(const Core& core, const char* what) {
    Report report;
    report.rule = "exception";
    report.index = core.next_index();
    report.message = "the kernel threw a C++ exception";
    report.found = what;
    report.legal = "kernels do not throw: device code has no exceptions";
    return report;
}

struct Outcome {
    std::vector<Report> findings;
    uint64_t issued = 0;
};

void RunUnit(LaunchState& state, const Unit& unit, CoreMemory* memory, const std::function<void()>& kernel,
             Outcome* outcome) {
    if (state.stop_above.load() < unit.place.order || state.restart.load()) return;  // so do the cores that wait for it
    pthread_setname_np(pthread_self(), unit.place.name.substr(0, 15).c_str());
    Core core(&state, unit.place, memory);
    const DefaultFloatEnvironment environment;
    SetCurrentCore(&core);
    const auto guarded = [&](const auto& body) {
        try {
            body();
        } catch (const StopCore&) {
        }
    };
    guarded([&] {
        try {
            kernel();
            core.Finish();
        } catch (const StopCore&) {
        } catch (const std::exception& e) {
            core.Find(ForeignException(core, e.what()));
        } catch (...) {
            core.Find(ForeignException(core, "an exception that is not a std::exception"));
        }
    });
    SetCurrentCore(nullptr);
    exec::Publish();
    outcome->findings = core.TakeFindings();
    outcome->issued = core.issued();
    state.turns.End(unit.place.order);
}

// Runs every unit once, on as many named threads as the product has cores. A thread runs its units in ascending order.
std::vector<Outcome> RunUnits(LaunchState& state, const std::vector<Unit>& units, const std::function<void()>& kernel) {
    std::vector<Outcome> outcomes(units.size());
    const uint64_t count = std::min<uint64_t>(units.size(), PhysicalCores(state));
    state.cores = units.size();
    state.threads = count;
    std::vector<std::thread> threads;
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto fail = [&](std::exception_ptr error) {
        std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::move(error);
    };
    const auto run = [&](uint64_t t) {
        try {
            auto memory = CoreMemory::Acquire(state.chip);
            for (size_t i = t; i < units.size(); i += count)
                RunUnit(state, units[i], memory.get(), kernel, &outcomes[i]);
            CoreMemory::Release(std::move(memory));
        } catch (...) {
            fail(std::current_exception());
            state.StopAbove(0);  // nobody waits for the cores this thread leaves out
        }
    };
    try {
        for (uint64_t t = 0; t < count; ++t) threads.emplace_back(run, t);
    } catch (const std::system_error& e) {
        state.StopAbove(0);
        fail(std::make_exception_ptr(Error(
            fmt::format("Launch: only {} of {} core threads could be started: {}", threads.size(), count, e.what()))));
    }
    for (auto& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
    return outcomes;
}

TaskType DefaultTaskType(const soc::Chip& chip, CoreChoice core) {
    if (!chip.split_cores) return TaskType::kAiCore;
    return core == CoreChoice::kCube  ? TaskType::kAicOnly
           : core == CoreChoice::kMix ? TaskType::kMixAic12
                                      : TaskType::kAivOnly;
}

void ReportDamagedGuards(const LaunchState& state, GlobalMemory& memory, std::vector<Report>* findings) {
    const auto& impl = *memory.impl();
    std::lock_guard lock(impl.mutex);
    for (const int i : impl.DamagedGuards()) {
        const auto& a = impl.allocations[static_cast<size_t>(i)];
        Report report;
        report.rule = "gm-guard";
        report.chip = state.chip.name;
        report.kernel = state.options.kernel;
        report.operand = a.name;
        report.message = fmt::format("bytes next to the allocation '{}' were overwritten", a.name);
        report.found = "a store through a raw pointer outside the allocation: no instruction did it";
        report.legal = fmt::format("{} bytes", a.bytes);
        report.hint = "check pointers made by GetPhyAddr() and __gm__ casts";
        findings->push_back(std::move(report));
    }
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
            if (!fault && !seen.emplace(report.rule, report.file, report.line).second) continue;
            result.findings.push_back(std::move(report));
        }
    }
    return result;
}

}  // namespace

LaunchState::LaunchState(const LaunchOptions& launch_options, uint32_t block_count, GlobalMemory& memory)
    : options(launch_options), blocks(block_count) {
    chip = soc::FindChip(options.chip);
    schedule = Schedule::Parse(options.schedule);
    overflow = options.overflow == Overflow::kBoard ? chip.board_overflow : options.overflow;
    if (overflow == Overflow::kInfNan && !chip.supports_infnan) {
        throw UnsupportedError(fmt::format(
            "{} has no inf/nan mode: legal overflow policies are saturate and board (which is saturate there)",
            chip.name));
    }
    task_type = DefaultTaskType(chip, options.core);
    const auto& impl = *memory.impl();
    std::lock_guard lock(impl.mutex);
    for (const auto& a : impl.allocations) {
        const auto index = static_cast<uint32_t>(gm_base.size());
        gm_base.push_back(a.base);
        gm_range.push_back({a.bytes, a.name.c_str()});
        if (a.live) gm_by_address.emplace_back(reinterpret_cast<uintptr_t>(a.base), index);
    }
    std::sort(gm_by_address.begin(), gm_by_address.end());
}

void LaunchState::StopAbove(uint64_t order) {
    uint64_t current = stop_above.load();
    while (order < current && !stop_above.compare_exchange_weak(current, order)) {
    }
    turns.Wake();
}

void LaunchState::Restart() {
    restart.store(true);
    turns.Wake();
}

int LaunchState::FindGm(const void* p) const {
    const auto address = reinterpret_cast<uintptr_t>(p);
    auto after = std::upper_bound(gm_by_address.begin(), gm_by_address.end(), std::make_pair(address, UINT32_MAX));
    if (after == gm_by_address.begin()) return -1;
    const auto& [begin, index] = *--after;
    return address - begin <= gm_range[index].bytes ? static_cast<int>(index) : -1;
}

}  // namespace runtime

namespace {

// prepare: refuses the chip, or sets the cores.
template <class Prepare>
LaunchResult LaunchWith(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                        const std::function<void()>& kernel, const Prepare& prepare) {
    using namespace runtime;
    if (CurrentCore()) throw Error("Launch: called from inside a kernel");
    if (blocks < 1 || blocks > 65535) throw Error(fmt::format("Launch: {} blocks; legal are 1 to 65535", blocks));
    LaunchState state(options, blocks, memory);
    prepare(state);
    std::vector<Outcome> outcomes = RunUnits(state, Units(state), kernel);
    if (state.restart.load()) {
        state.task_type = *state.declared;
        state.task_type_declared = true;
        state.restart.store(false);
        state.stop_above.store(UINT64_MAX);
        state.turns.Clear();
        outcomes = RunUnits(state, Units(state), kernel);
    }
    LaunchResult result = Merge(std::move(outcomes), options.collect);
    ReportDamagedGuards(state, memory, &result.findings);
    return result;
}

}  // namespace

LaunchResult Launch(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory,
                    const std::function<void()>& kernel) {
    return LaunchWith(options, blocks, memory, kernel, [](runtime::LaunchState& state) {
        if (state.chip.ascendc) return;
        throw UnsupportedError(fmt::format(
            "{} has no Ascend C, only TIK: Ascend C kernels run on Ascend910, Ascend310P, Ascend910B and Ascend310B",
            state.chip.name));
    });
}

LaunchResult runtime::LaunchTik(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory, TaskType task,
                                const std::function<void()>& kernel) {
    return LaunchWith(options, blocks, memory, kernel, [task](LaunchState& state) { state.task_type = task; });
}

}  // namespace sfumato
