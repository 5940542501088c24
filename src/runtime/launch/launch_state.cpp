// SPDX-License-Identifier: Apache-2.0
// What a launch takes from its options and from global memory before its cores run.
#include "runtime/launch/launch_state.h"

#include <algorithm>

#include "exec/exec.h"
#include "runtime/memory/global_memory.h"
#include "sanitize/detectors.h"

namespace sfumato::runtime {
namespace {

// What a launch looks for. One that skips data writes no output by design, so nobody asks for those left unwritten.
sanitize::Checks ChecksOf(const LaunchOptions& options) {
    using sanitize::Check;
    const sanitize::Checks asked = sanitize::Checks::Parse(options.check);
    sanitize::Checks checks;
    for (int i = 0; i < static_cast<int>(Check::kCount); ++i) {
        const auto check = static_cast<Check>(i);
        if (asked.Has(check) && !(options.skip_data && check == Check::kOutputs)) checks.Add(check);
    }
    return checks;
}

}  // namespace

LaunchState::LaunchState(const LaunchOptions& launch_options, uint32_t block_count, GlobalMemory& global_memory,
                         const MovedCall* moved)
    : options(launch_options),
      blocks(block_count),
      chip(soc::FindChip(options.chip)),
      last_bits(options, chip, moved),
      memory(global_memory) {
    schedule = Schedule::Parse(options.schedule);
    work = World::Current();
    if (schedule.of_ranks && !work) {
        throw Error(
            fmt::format("the schedule '{}' says what several ranks do, and this launch is of one: run it with ranks, "
                        "or under late, "
                        "ahead or seed:N",
                        options.schedule));
    }
    if (work) {
        schedule.one_core_at_a_time = true;
        schedule.torn = schedule.torn || schedule.kind == Schedule::Kind::kSeed;
    }
    checks = ChecksOf(options);
    overflow = soc::PolicyOf(chip, options.overflow, Info(options.route).overflow);
    auto& impl = *memory.impl();
    std::lock_guard lock(impl.mutex);
    if (work) impl.rank = work->rank();
    for (const auto& a : impl.allocations) {
        gm_base.push_back(a.base);
        gm_range.push_back({a.bytes, a.name.c_str(), a.padding, a.others != 0, a.block == nullptr && !a.shared_by,
                            a.shared_by.has_value()});
        if (a.live && a.shared_by && work) {
            gm_shared.resize(impl.allocations.size());
            gm_shared[gm_base.size() - 1] = true;
        }
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
        listeners.push_back(&*log);
    }
    if (options.cost) listeners.push_back(&cost);
}

void LaunchState::MakeDetectors(uint64_t core_count, std::function<std::string(uint64_t)> name_of) {
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
                                      last_bits.record(),
                                      [this](const isa::Record& r) { return last_bits.DecidedByRecord(r); },
                                      Info(options.route).option});
    const auto& impl = *memory.impl();
    std::lock_guard lock(impl.mutex);
    // Allocated since the launch began: nothing that its cores may reach.
    for (size_t i = 0; i < gm_base.size(); ++i) {
        const auto& a = impl.allocations[i];
        view->gm.push_back({a.base, a.bytes, a.name, static_cast<sanitize::GmRole>(a.role), a.live, a.type, a.padding,
                            a.others, a.live ? a.PaddingWritten(impl.options.fill) : 0,
                            IsShared(static_cast<uint32_t>(i))});
    }
    detectors = sanitize::MakeDetectors(*view);
    if (work) {
        sanitize::RankHistory::Launch launch{work->rank(), work->submission(), {}, schedule.torn, options.kernel};
        for (size_t i = 0; i < gm_base.size(); ++i) {
            const auto& shared_by = impl.allocations[i].shared_by;
            launch.owner_of.push_back(IsShared(static_cast<uint32_t>(i)) ? shared_by : std::nullopt);
        }
        detectors.push_back(work->world().history().Watch(*view, std::move(launch)));
    }
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

}  // namespace sfumato::runtime
