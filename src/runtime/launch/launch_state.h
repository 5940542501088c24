// SPDX-License-Identifier: Apache-2.0
// What the cores of one launch share.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "runtime/code/task_types.h"
#include "runtime/cores/core.h"
#include "runtime/cores/cores.h"
#include "runtime/cores/cross_core.h"
#include "runtime/cores/references.h"
#include "runtime/cores/schedule.h"
#include "runtime/launch/cost.h"
#include "runtime/launch/last_bits.h"
#include "runtime/launch/watch.h"
#include "runtime/memory/borrowed.h"
#include "runtime/world/world.h"
#include "events/listener.h"
#include "sanitize/checks.h"
#include "sanitize/rests.h"
#include "sfumato/debugger.h"
#include "sfumato/launch.h"
#include "soc/chip.h"
#include "timing/model.h"
#include "trace/log.h"

namespace sfumato::runtime {

class Group;

class LaunchState {
public:
    // moved: may be null.
    LaunchState(const LaunchOptions& options, uint32_t blocks, GlobalMemory& memory, const MovedCall* moved);

    const LaunchOptions& options;
    const uint32_t blocks;
    const soc::Chip& chip;
    Schedule schedule;
    Overflow overflow;  // never kBoard
    const LastBitChoice last_bits;
    TaskType task_type = TaskType::kAiCore;
    uint8_t* system_workspace = nullptr;   // options.system_workspace bytes of GM
    bool task_type_declared = false;       // by a KERNEL_TASK_TYPE that is known before the launch
    bool task_type_by_source = false;      // by that or by a qualifier
    std::string task_type_from;            // who chose it, for people; empty for TIK
    std::vector<Report> task_type_doubts;  // warnings, where its code chose it
    std::vector<Report> task_type_faults;
    std::atomic<bool> raw_heard = false;  // some code told what it does (--check raw)
    std::string source;                   // of the kernel, as the user gave its path; may be empty

    GlobalMemory& memory;
    // GM as it stood at launch.
    std::vector<uint8_t*> gm_base;
    std::vector<check::GmRange> gm_range;
    std::unique_ptr<std::atomic<bool>[]> unwritten;  // with skip_data: allocations a skipped store would have changed
    std::vector<Borrowed*> gm_borrowed;              // as gm_base; empty where no allocation is borrowed
    std::vector<bool> gm_shared;                     // as gm_base; empty where no other rank may touch any
    std::vector<debug::Allocation> gm_by_address;    // the live ones, sorted

    World::Work* work = nullptr;              // of several ranks, this launch among them; null: it is alone
    std::vector<const Group*> groups;         // of LaunchOptions::groups, in a world
    std::atomic<bool> lacks_context = false;  // a core was given address 0 for a group's context
    // Finds `groups`; what is wrong with their names.
    std::vector<Report> BindGroups();

    // Set once the task type is.
    std::optional<Cores> cores;
    std::optional<CrossCore> cross_core;

    // What the front end keeps for the cores of a block together, by block; guarded by shared_mutex.
    std::mutex shared_mutex;
    std::map<uint64_t, std::shared_ptr<void>> shared;

    StoresBeside stores;

    LaunchWatch* watch = nullptr;
    std::optional<Report> ended_by;  // what its watch reports

    std::mutex mutex;  // guards the callbacks of options
    std::optional<trace::Log> log;
    Cost cost;
    std::vector<events::Listener*> listeners;  // the checks first: a fault that ends the core is not logged

    // Of the checks that are on; made once the cores are known, and among the listeners.
    sanitize::Checks checks;
    std::optional<sanitize::LaunchView> view;
    std::vector<std::unique_ptr<events::Listener>> detectors;
    std::unique_ptr<timing::Model> model;  // with LaunchOptions::time
    sanitize::Rests* rests = nullptr;      // among them, with LaunchOptions::rests_on
    void MakeDetectors(uint64_t cores, std::function<std::string(uint64_t)> name_of);

    int FindGm(const void* p) const;
    // Whether other ranks may touch the allocation.
    bool IsShared(uint32_t allocation) const { return allocation < gm_shared.size() && gm_shared[allocation]; }
    // Which launch and which of its cores a report is of.
    void Stamp(Report* report) const;
};

}  // namespace sfumato::runtime
