// SPDX-License-Identifier: Apache-2.0
// Calls between cores through global memory (framework.md 2.7). They wait in the runtime, too, so that a deadlock is
// seen; the bytes a board would leave in the workspace are written.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "frontends/ascendc/cross_core.h"
#include "frontends/ascendc/framework.h"
#include "runtime/launch/launch_state.h"
#include "sfumato/ascendc/cross_core.h"

namespace sfumato::ascendc {
namespace {

using runtime::Meeting;

constexpr uint64_t kSlot = 32;
constexpr uint64_t kGroupSlot = 512;

// Cores that calls through memory count: vector cores, AI cores.
uint64_t VectorCores(runtime::Core& core) {
    return uint64_t{core.launch().blocks} * std::max(1u, ShapeOf(core).vector);
}

bool CheckMemoryCalls(runtime::Core& core, const char* call, Where where) {
    const auto has = [](const soc::Chip& chip) { return chip.sync_memory; };
    if (!RequireChip(core, call, where, has, Rule::kCrossCoreUnsupported, "has no such call", OtherWays(core.chip())))
        return false;
    if (core.place().kind != isa::CoreKind::kCube) return true;
    return Refuse(
        core, call, where,
        {Rule::kCrossCoreUnsupported, "", "only vector cores wait through global memory", core.place().name,
         "a vector core", "guard the call with ASCEND_IS_AIV; CrossCoreSetFlag and CrossCoreWaitFlag join both kinds"});
}

// The workspace, of at least so many bytes; nullptr (and a report) when they do not lie in global memory.
uint8_t* Workspace(runtime::Core& core, const GlobalView& gm, uint64_t bytes, const char* call, const char* needs,
                   Where where, const char* name = "gmWorkspace") {
    isa::Operand operand;
    if (!ToOperand(core, call, name, gm, DataType::kInt32, where, &operand)) return nullptr;
    const uint64_t have = std::min(operand.limit - operand.offset, gm.size ? gm.size * sizeof(int32_t) : UINT64_MAX);
    if (have >= bytes) return gm.address;
    Refuse(core, call, where,
           {Rule::kSyncWorkspace, name, "the workspace in global memory is too small", fmt::format("{} bytes", have),
            fmt::format("at least {} bytes: {}", bytes, needs),
            "make it larger on the host, clear it there, and give SetGlobalBuffer its size"});
    return nullptr;
}

bool CheckUb(runtime::Core& core, const LocalView& ub, uint64_t bytes, const char* call, const char* needs,
             Where where) {
    isa::Operand operand;
    if (!ToOperand(core, call, "ubWorkspace", ub, DataType::kInt32, where, &operand)) return false;
    const uint64_t have = std::min<uint64_t>(ub.room, uint64_t{ub.size} * sizeof(int32_t));
    if (have >= bytes) return true;
    return Refuse(
        core, call, where,
        {Rule::kSyncWorkspace, "ubWorkspace", "the workspace in UB is too small", fmt::format("{} bytes", have),
         fmt::format("at least {} bytes: {}", bytes, needs), "give the buffer behind it so many bytes in InitBuffer"});
}

// Before the first use in a launch.
bool CheckZero(runtime::Core& core, const uint8_t* slot, uint64_t bytes, const char* call, Where where,
               const char* name = "gmWorkspace") {
    for (uint64_t i = 0; i < bytes; ++i) {
        if (slot[i] == 0) continue;
        const int gm = core.FindGm(slot);
        return Refuse(
            core, call, where,
            {Rule::kSyncWorkspace, name, "the workspace is not zero before its first use",
             fmt::format("{:#04x} at byte {} of '{}'", slot[i], slot + i - core.GmBase(static_cast<uint32_t>(gm)),
                         core.Gm(static_cast<uint32_t>(gm)).name),
             "0 in every byte of a slot",
             "clear it on the host before every launch: a core would pass before the others come"});
    }
    return true;
}

uint64_t Counter(Meeting use, const uint8_t* address) {
    return runtime::MeetingCounter(use, reinterpret_cast<uint64_t>(address) & ((uint64_t{1} << 48) - 1));
}

void StoreWord(uint8_t* slot, int32_t value) { std::memcpy(slot, &value, sizeof(value)); }

std::vector<uint64_t> Others(runtime::Core& core) {
    std::vector<uint64_t> cores = CoresOf(core, true, false);
    std::erase(cores, core.place().order);
    return cores;
}

}  // namespace

void SyncAllCores(const SyncMemory& memory, int32_t used_cores, Where where) {
    runtime::Core& core = ThisCore("SyncAll");
    if (MeetsAlone(core, "SyncAll", where)) return;
    LibraryCall(core, "SyncAll", where);
    if (!CheckMemoryCalls(core, "SyncAll", where)) return;
    const uint64_t all = VectorCores(core);
    const auto index = static_cast<uint64_t>(BlockIdx());
    const bool exists = used_cores >= 0 && static_cast<uint64_t>(used_cores) <= all;
    if (!exists || (used_cores != 0 && index >= static_cast<uint64_t>(used_cores))) {
        Refuse(core, "SyncAll", where,
               {Rule::kSyncArguments, "usedCores",
                exists ? "the core is not among the cores that meet" : "the launch has no such cores",
                exists ? fmt::format("{} on block {}", used_cores, index) : fmt::format("{}", used_cores),
                fmt::format("0 (all) to {}, above the index of every core that calls", all),
                exists ? "let blocks from usedCores on return before the call, or count them, too"
                       : "pass 0, or GetBlockNum()"});
        return;
    }
    const uint64_t count = used_cores ? static_cast<uint64_t>(used_cores) : all;
    constexpr const char* kNeeds = "32 for each core";
    uint8_t* gm = Workspace(core, memory.gm, all * kSlot, "SyncAll", kNeeds, where);
    if (!gm || !CheckUb(core, memory.ub, all * kSlot, "SyncAll", kNeeds, where)) return;
    // Cores that count differently never meet. More than 255 cannot meet on any chip.
    const uint64_t counter = Counter(Meeting::kSoftSync, gm) | (count & 255) << 48;
    uint8_t* slot = gm + index * kSlot;
    const uint64_t used = core.launch().cross_core->Uses(core.place().order, counter);
    if (used == 0 && !CheckZero(core, slot, kSlot, "SyncAll", where)) return;
    std::vector<uint64_t> cores = CoresOf(core, true, false);
    cores.resize(count);
    core.Called("SyncAll with a workspace", where);
    core.Drain();
    StoreWord(slot, static_cast<int32_t>(used + 1));
    core.waits().Meet(counter, cores,
                      {fmt::format("SyncAll(usedCores {})", used_cores), where,
                       "call it equally often, with one workspace and one usedCores, on every core that meets"});
}

namespace {

// The slot of IBSet and IBWait, and its counter; nullptr when the call was reported.
uint8_t* IbSlot(runtime::Core& core, const SyncMemory& memory, int32_t block, int32_t event, const char* call,
                Where where) {
    if (!CheckMemoryCalls(core, call, where)) return nullptr;
    const uint64_t cores = VectorCores(core);
    if (block < 0 || static_cast<uint64_t>(block) >= cores || event < 0) {
        Refuse(core, call, where,
               {Rule::kSyncArguments, event < 0 ? "eventID" : "blockIdx",
                event < 0 ? "the event is negative" : "no core has this index",
                fmt::format("{}", event < 0 ? event : block),
                event < 0 ? "0 and above" : fmt::format("0 to {}", cores - 1),
                event < 0 ? "number events from 0: each takes a slot for every core"
                          : "the first block has none before it, the last none behind it"});
        return nullptr;
    }
    const uint64_t at = (cores * static_cast<uint64_t>(event) + static_cast<uint64_t>(block)) * kSlot;
    uint8_t* gm = Workspace(core, memory.gm, at + kSlot, call, "(cores x eventID + blockIdx) x 32, and 32 more", where);
    if (!gm || !CheckUb(core, memory.ub, kSlot, call, "one slot", where)) return nullptr;
    return gm + at;
}

}  // namespace

void IbSet(const SyncMemory& memory, int32_t block, int32_t event, Where where) {
    runtime::Core& core = ThisCore("IBSet");
    LibraryCall(core, "IBSet", where);
    uint8_t* slot = IbSlot(core, memory, block, event, "IBSet", where);
    if (!slot) return;
    const uint64_t counter = Counter(Meeting::kIbSlot, slot);
    core.Called("IBSet", where);
    core.Settle();
    if (!core.launch().cross_core->Used(counter) && !CheckZero(core, slot, kSlot, "IBSet", where)) return;
    core.waits().Signal(counter, [slot] { StoreWord(slot, 1); });
}

void IbWait(const SyncMemory& memory, int32_t block, int32_t event, Where where) {
    runtime::Core& core = ThisCore("IBWait");
    LibraryCall(core, "IBWait", where);
    uint8_t* slot = IbSlot(core, memory, block, event, "IBWait", where);
    if (!slot) return;
    core.Called("IBWait", where);
    core.Drain();
    core.waits().Await(
        {Counter(Meeting::kIbSlot, slot), 1, true},
        {fmt::format("IBWait(blockIdx {}, eventID {})", block, event), where,
         fmt::format("call IBSet(blockIdx {}, eventID {}) in the same workspace, on another core and before "
                     "that core waits itself",
                     block, event),
         fmt::format("IBSet(blockIdx {}, eventID {})", block, event)},
        {CoresOf(core, true, false)[static_cast<size_t>(block)]}, [slot] { StoreWord(slot, 0); });
}

void BlockOrder(const SyncMemory& memory, BlockOrderStep step, Where where) {
    constexpr const char* kNames[] = {"InitDetermineComputeWorkspace", "WaitPreBlock", "NotifyNextBlock"};
    const char* call = kNames[static_cast<int>(step)];
    runtime::Core& core = ThisCore(call);
    if (!CheckFlags(core, call, where) || !CheckMemoryCalls(core, call, where)) return;
    const uint64_t cores = VectorCores(core), index = static_cast<uint64_t>(BlockIdx());
    uint8_t* gm = Workspace(core, memory.gm, cores * kSlot, call, "32 for each core", where);
    if (!gm || !CheckUb(core, memory.ub, cores * kSlot + kSlot, call, "32 for each core, and 32 more", where)) return;
    // Counts notifications.
    const uint64_t turn = Counter(Meeting::kBlockOrder, gm);
    CrossCoreState::Order& own = Framework::Of(core).cross_core().order[turn];
    if (step == BlockOrderStep::kInit) {
        StoreWord(gm + index * kSlot, 0);
        own.ready = true;
        return;
    }
    const bool waits = step == BlockOrderStep::kWait;
    if (!own.ready || own.waited == waits) {
        Refuse(core, call, where,
               {Rule::kBlockOrder, "", "the calls are out of order",
                !own.ready ? fmt::format("{} before InitDetermineComputeWorkspace", call)
                : waits    ? "WaitPreBlock after WaitPreBlock"
                           : "NotifyNextBlock without WaitPreBlock before it",
                "InitDetermineComputeWorkspace first, then WaitPreBlock and NotifyNextBlock in turn",
                !own.ready ? "call InitDetermineComputeWorkspace at the start of the kernel, on every core"
                : waits    ? "call NotifyNextBlock before the next WaitPreBlock"
                           : "call WaitPreBlock first"});
        return;
    }
    own.waited = waits;
    if (waits) {
        core.Drain();
        const std::vector<uint64_t> vectors = CoresOf(core, true, false);
        const uint64_t before = index == 0 ? cores - 1 : index - 1;
        core.waits().Await({turn, own.round * cores + index, false},
                           {call, where, "call NotifyNextBlock after every WaitPreBlock, equally often on every core",
                            "NotifyNextBlock"},
                           {vectors[before]});
    } else {
        ++own.round;
        core.Settle();
        core.waits().Signal(
            turn, [gm, index, round = own.round] { StoreWord(gm + index * kSlot, static_cast<int32_t>(round)); });
    }
}

namespace {

bool CheckGroup(runtime::Core& core, uint8_t* gm, uint32_t wait_size, uint32_t index, uint32_t size, const char* call,
                Where where) {
    if (!CheckFlags(core, call, where) || !CheckMemoryCalls(core, call, where)) return false;
    if (reinterpret_cast<uint64_t>(gm) % kGroupSlot != 0) {
        return Refuse(
            core, call, where,
            {Rule::kSyncWorkspace, "groupWorkspace", "the workspace of a GroupBarrier is not aligned",
             fmt::format("an address {} bytes past a multiple of 512", reinterpret_cast<uint64_t>(gm) % kGroupSlot),
             "a multiple of 512 bytes", "start it at a multiple of 512 bytes of the workspace"});
    }
    if (index >= size) {
        return Refuse(core, call, where,
                      {Rule::kSyncArguments, "index", "the group has no member with this index",
                       fmt::format("{}, in a group of {}", index, size),
                       size == 0 ? "a group of at least 1" : fmt::format("0 to {}", size - 1),
                       "number the cores of each group from 0, up to the size given to GroupBarrier"});
    }
    return Workspace(core, {gm, 0}, wait_size * kGroupSlot, call, "512 for each core that waits", where,
                     "groupWorkspace") != nullptr;
}

}  // namespace

void GroupArrive(uint8_t* gm, uint32_t arrive_size, uint32_t wait_size, uint32_t index, Where where) {
    runtime::Core& core = ThisCore("GroupBarrier::Arrive");
    if (!CheckGroup(core, gm, wait_size, index, arrive_size, "GroupBarrier::Arrive", where)) return;
    core.Settle();
    if (!CheckZero(core, gm, wait_size * kGroupSlot, "GroupBarrier::Arrive", where, "groupWorkspace")) return;
    core.waits().Signal(Counter(Meeting::kGroupArrive, gm + index));
}

void GroupWait(uint8_t* gm, uint32_t arrive_size, uint32_t wait_size, uint32_t index, Where where) {
    runtime::Core& core = ThisCore("GroupBarrier::Wait");
    if (!CheckGroup(core, gm, wait_size, index, wait_size, "GroupBarrier::Wait", where)) return;
    const uint64_t round = ++Framework::Of(core).cross_core().order[Counter(Meeting::kGroupArrive, gm)].round;
    core.Drain();
    for (uint32_t member = 0; member < arrive_size; ++member) {
        core.waits().Await(
            {Counter(Meeting::kGroupArrive, gm + member), round, false},
            {"GroupBarrier::Wait", where, fmt::format("call Arrive({}) on a core that does not wait before", member),
             fmt::format("Arrive({})", member)},
            Others(core));
    }
}

}  // namespace sfumato::ascendc
