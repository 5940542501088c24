// SPDX-License-Identifier: Apache-2.0
// Calls between cores (framework.md 2.7). Those through memory wait in the runtime, too, so that a deadlock is seen;
// the bytes a board would leave in the workspace are written.
#include <fmt/format.h>

#include <cstring>
#include <numeric>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/matmul/client.h"
#include "frontends/ascendc/pipe_names.h"
#include "runtime/launch_state.h"
#include "sfumato/ascendc/cross_core.h"

namespace sfumato::ascendc {
namespace {

using runtime::Condition;
using runtime::Meeting;
using runtime::TaskType;

constexpr uint64_t kSlot = 32;
constexpr uint64_t kGroupSlot = 512;

bool Refuse(runtime::Core& core, const char* call, Finding finding, Where where) {
    Find(core, call, std::move(finding), where);
    return false;
}

runtime::Shape ShapeOf(runtime::Core& core) { return runtime::ShapeOf(core.launch().task_type); }

// The cores of the launch by kind; every core where kinds are one.
std::vector<uint64_t> CoresOf(runtime::Core& core, bool vector, bool cube) {
    const runtime::Shape shape = ShapeOf(core);
    std::vector<uint64_t> cores;
    for (uint64_t order = 0; order < core.launch().cores->count(); ++order) {
        const bool is_cube = order % shape.cores() < shape.cube;
        if (is_cube ? cube : vector) cores.push_back(order);
    }
    return cores;
}

// Cores that calls through memory count: vector cores, AI cores.
uint64_t VectorCores(runtime::Core& core) {
    return uint64_t{core.launch().blocks} * std::max(1u, ShapeOf(core).vector);
}

// What a chip without the call has.
const char* OtherWays(const soc::Chip& chip) {
    return chip.sync_memory ? "use SyncAll, IBSet and IBWait with a workspace: they work through global memory"
                            : "end the kernel where cores have to wait, and launch another one for the rest";
}

bool CheckFlags(runtime::Core& core, const char* call, Where where) {
    if (!core.chip().cross_core_flags) {
        return Refuse(core, call,
                      {.rule = Rule::kCrossCoreUnsupported,
                       .message = fmt::format("{} has no flags between cores", core.chip().name),
                       .found = core.chip().name,
                       .legal = AscendCFamilies([](const soc::Chip& chip) { return chip.cross_core_flags; }),
                       .hint = OtherWays(core.chip())},
                      where);
    }
    const TaskType type = core.launch().task_type;
    if (core.launch().task_type_declared && (type == TaskType::kAivOnly || type == TaskType::kAicOnly)) {
        const bool vector = type == TaskType::kAivOnly;
        return Refuse(core, call,
                      {.rule = Rule::kCrossCoreUnsupported,
                       .message = "kernels of this type have no flags between cores",
                       .found = vector ? "KERNEL_TYPE_AIV_ONLY" : "KERNEL_TYPE_AIC_ONLY",
                       .legal = fmt::format("KERNEL_TYPE_MIX_{}_1_0, KERNEL_TYPE_MIX_AIC_1_1, KERNEL_TYPE_MIX_AIC_1_2",
                                            vector ? "AIV" : "AIC"),
                       .hint = fmt::format("declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_{}_1_0): a scheduler of "
                                           "the cores comes with it",
                                           vector ? "AIV" : "AIC")},
                      where);
    }
    return true;
}

bool CheckMemoryCalls(runtime::Core& core, const char* call, Where where) {
    if (!core.chip().sync_memory) {
        return Refuse(core, call,
                      {.rule = Rule::kCrossCoreUnsupported,
                       .message = fmt::format("{} has no such call", core.chip().name),
                       .found = core.chip().name,
                       .legal = AscendCFamilies([](const soc::Chip& chip) { return chip.sync_memory; }),
                       .hint = OtherWays(core.chip())},
                      where);
    }
    if (core.place().kind != isa::CoreKind::kCube) return true;
    return Refuse(core, call,
                  {.rule = Rule::kCrossCoreUnsupported,
                   .message = "only vector cores wait through global memory",
                   .found = core.place().name,
                   .legal = "a vector core",
                   .hint = "guard the call with ASCEND_IS_AIV; CrossCoreSetFlag and CrossCoreWaitFlag join both kinds"},
                  where);
}

uint8_t CheckId(runtime::Core& core, uint64_t id, const char* call, Where where) {
    if (id >= runtime::kFlagIds) {
        Find(core, call,
             {.rule = Rule::kCrossFlagId,
              .operand = "flagId",
              .message = "the chip reads the low 4 bits of the flag's id",
              .found = fmt::format("{}, read as {}", id, id % runtime::kFlagIds),
              .legal = "0 to 10; 11 to 14 where SyncAll is not used",
              .hint = "use an id up to 10"},
             where);
    }
    return static_cast<uint8_t>(id % runtime::kFlagIds);
}

// The workspace, of at least so many bytes; nullptr (and a report) when they do not lie in global memory.
uint8_t* Workspace(runtime::Core& core, const GlobalView& gm, uint64_t bytes, const char* call, const char* needs,
                   Where where, const char* name = "gmWorkspace") {
    isa::Operand operand;
    if (!ToOperand(core, call, name, gm, DataType::kInt32, where, &operand)) return nullptr;
    const uint64_t have = std::min(operand.limit - operand.offset, gm.size ? gm.size * sizeof(int32_t) : UINT64_MAX);
    if (have >= bytes) return gm.address;
    Refuse(core, call,
           {.rule = Rule::kSyncWorkspace,
            .operand = name,
            .message = "the workspace in global memory is too small",
            .found = fmt::format("{} bytes", have),
            .legal = fmt::format("at least {} bytes: {}", bytes, needs),
            .hint = "make it larger on the host, clear it there, and give SetGlobalBuffer its size"},
           where);
    return nullptr;
}

bool CheckUb(runtime::Core& core, const LocalView& ub, uint64_t bytes, const char* call, const char* needs,
             Where where) {
    isa::Operand operand;
    if (!ToOperand(core, call, "ubWorkspace", ub, DataType::kInt32, where, &operand)) return false;
    const uint64_t have = std::min<uint64_t>(ub.room, uint64_t{ub.size} * sizeof(int32_t));
    if (have >= bytes) return true;
    return Refuse(core, call,
                  {.rule = Rule::kSyncWorkspace,
                   .operand = "ubWorkspace",
                   .message = "the workspace in UB is too small",
                   .found = fmt::format("{} bytes", have),
                   .legal = fmt::format("at least {} bytes: {}", bytes, needs),
                   .hint = "give the buffer behind it so many bytes in InitBuffer"},
                  where);
}

// Before the first use in a launch.
bool CheckZero(runtime::Core& core, const uint8_t* slot, uint64_t bytes, const char* call, Where where,
               const char* name = "gmWorkspace") {
    for (uint64_t i = 0; i < bytes; ++i) {
        if (slot[i] == 0) continue;
        const int gm = core.FindGm(slot);
        return Refuse(core, call,
                      {.rule = Rule::kSyncWorkspace,
                       .operand = name,
                       .message = "the workspace is not zero before its first use",
                       .found = fmt::format("{:#04x} at byte {} of '{}'", slot[i],
                                            slot + i - core.GmBase(static_cast<uint32_t>(gm)),
                                            core.Gm(static_cast<uint32_t>(gm)).name),
                       .legal = "0 in every byte of a slot",
                       .hint = "clear it on the host before every launch: a core would pass before the others come"},
                      where);
    }
    return true;
}

constexpr const char* kMeetHint =
    "call it equally often, in one form, on every core that meets: no return, branch or shorter loop before it";

uint64_t Counter(Meeting use, const uint8_t* address) {
    return runtime::MeetingCounter(use, reinterpret_cast<uint64_t>(address) & ((uint64_t{1} << 48) - 1));
}

void StoreWord(uint8_t* slot, int32_t value) { std::memcpy(slot, &value, sizeof(value)); }

std::vector<uint64_t> Others(runtime::Core& core) {
    std::vector<uint64_t> cores = CoresOf(core, true, false);
    std::erase(cores, core.place().order);
    return cores;
}

std::string CallText(const char* name, uint64_t id) { return fmt::format("{}({})", name, id); }

const char* ModeHint(uint8_t mode, bool has_vector_cores) {
    if (mode > 2) return "put the mode into bits 4 and 5 of config, the id into bits 8 to 11";
    if (mode == 1 && has_vector_cores) return "guard the call with ASCEND_IS_AIV, or use mode 2 between the kinds";
    return mode == 1 ? "use mode 0, or launch both kinds: KERNEL_TYPE_MIX_AIC_1_2"
                     : "launch both kinds: KERNEL_TYPE_MIX_AIC_1_2 or KERNEL_TYPE_MIX_AIC_1_1";
}

}  // namespace

void ffts_cross_core_sync(::pipe_t pipe, uint8_t mode, uint64_t id, const char* name, Where where) {
    runtime::Core& core = ThisCore(name);
    if (!CheckFlags(core, name, where)) return;
    if (!SetsCrossFlags(pipe)) {
        Refuse(core, name,
               {.rule = Rule::kCrossFlagPipe,
                .operand = "pipe",
                .message = "this pipe sets no flags between cores",
                .found = PipeName(pipe),
                .legal = "PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX",
                .hint = "name the pipe whose work the other core waits for"},
               where);
        return;
    }
    if (!CheckPipe(core, ToPipe(pipe), name, where)) return;
    const runtime::Shape shape = ShapeOf(core);
    const bool cube = core.place().kind == isa::CoreKind::kCube;
    if (mode > 2 || (mode == 1 && (cube || shape.cube == 0)) || (mode == 2 && (shape.cube == 0 || shape.vector == 0))) {
        Refuse(core, name,
               {.rule = Rule::kCrossFlagMode,
                .operand = "modeId",
                .message = "the launch has no cores that this mode joins",
                .found = fmt::format("mode {} on {}, {} cube and {} vector cores a block", mode, core.place().name,
                                     shape.cube, shape.vector),
                .legal = "0: all cores of the kind; 1: the vector cores of a block of both kinds; 2: cube with vector "
                         "cores of the block",
                .hint = ModeHint(mode, cube && shape.vector != 0)},
               where);
        return;
    }
    isa::Record record(isa::Opcode::ffts_cross_core_sync);
    record.Set(isa::CrossFlag{mode, CheckId(core, id, name, where)});
    record.pipe = ToPipe(pipe);
    record.call = name;
    record.where = where;
    core.Issue(record);
    core.MaybeYield();
}

void wait_flag_dev(uint64_t id, const char* name, Where where) {
    runtime::Core& core = ThisCore(name);
    if (!CheckFlags(core, name, where)) return;
    const uint8_t flag = CheckId(core, id, name, where);
    const uint64_t order = core.place().order;
    isa::Record record(isa::Opcode::wait_flag_dev);
    record.Set(isa::CrossFlag{0, flag});
    record.pipe = isa::Pipe::kS;
    record.call = name;
    record.where = where;
    core.IssueWait(record, {runtime::FlagCounter(order, flag), 1, true}, {CallText(name, id), where});
}

void SyncAllCores(bool vector_only, Where where) {
    runtime::Core& core = ThisCore("SyncAll");
    if (!CheckFlags(core, "SyncAll", where)) return;
    const runtime::Shape shape = ShapeOf(core);
    if (!vector_only && shape.cube == 0) {
        Refuse(core, "SyncAll",
               {.rule = Rule::kSyncAllKind,
                .operand = "isAIVOnly",
                .message = "the launch has no cube cores to wait for",
                .found = "SyncAll<false> in a launch of vector cores alone: it hangs on the board",
                .legal = "SyncAll<true>() on vector cores; SyncAll<false>() in launches of both kinds",
                .hint = "call SyncAll()"},
               where);
        return;
    }
    const bool cube = core.place().kind == isa::CoreKind::kCube;
    // On cube cores alone, all of them meet.
    // One that serves Matmul takes part by itself (adv.md 15).
    const bool cubes = (!vector_only || shape.vector == 0) && !Framework::Of(core).client;
    if (cube && !cubes) {
        Refuse(core, "SyncAll",
               {.rule = Rule::kSyncAllKind,
                .operand = "isAIVOnly",
                .message = "the vector cores meet, and this is a cube core",
                .found = fmt::format("SyncAll<true> on {}", core.place().name),
                .legal = "SyncAll<false>() on both kinds, or SyncAll<true>() on vector cores",
                .hint = "guard the call with ASCEND_IS_AIV, or call SyncAll<false>() on every core"},
               where);
        return;
    }
    core.Settle();
    core.Meet(runtime::MeetingCounter(Meeting::kCores, vector_only ? 1 : 2), CoresOf(core, shape.vector != 0, cubes),
              {vector_only ? "SyncAll" : "SyncAll<false>", where, kMeetHint});
}

void SyncAllCores(const SyncMemory& memory, int32_t used_cores, Where where) {
    runtime::Core& core = ThisCore("SyncAll");
    if (!CheckMemoryCalls(core, "SyncAll", where)) return;
    const uint64_t all = VectorCores(core);
    const auto index = static_cast<uint64_t>(BlockIdx());
    const bool exists = used_cores >= 0 && static_cast<uint64_t>(used_cores) <= all;
    if (!exists || (used_cores != 0 && index >= static_cast<uint64_t>(used_cores))) {
        Refuse(core, "SyncAll",
               {.rule = Rule::kSyncArguments,
                .operand = "usedCores",
                .message = exists ? "the core is not among the cores that meet" : "the launch has no such cores",
                .found = exists ? fmt::format("{} on block {}", used_cores, index) : fmt::format("{}", used_cores),
                .legal = fmt::format("0 (all) to {}, above the index of every core that calls", all),
                .hint = exists ? "let blocks from usedCores on return before the call, or count them, too"
                               : "pass 0, or GetBlockNum()"},
               where);
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
    core.Meet(counter, cores,
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
        Refuse(core, call,
               {.rule = Rule::kSyncArguments,
                .operand = event < 0 ? "eventID" : "blockIdx",
                .message = event < 0 ? "the event is negative" : "no core has this index",
                .found = fmt::format("{}", event < 0 ? event : block),
                .legal = event < 0 ? "0 and above" : fmt::format("0 to {}", cores - 1),
                .hint = event < 0 ? "number events from 0: each takes a slot for every core"
                                  : "the first block has none before it, the last none behind it"},
               where);
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
    uint8_t* slot = IbSlot(core, memory, block, event, "IBSet", where);
    if (!slot) return;
    const uint64_t counter = Counter(Meeting::kIbSlot, slot);
    core.Called("IBSet", where);
    core.Settle();
    if (!core.launch().cross_core->Used(counter) && !CheckZero(core, slot, kSlot, "IBSet", where)) return;
    core.Signal(counter, [slot] { StoreWord(slot, 1); });
}

void IbWait(const SyncMemory& memory, int32_t block, int32_t event, Where where) {
    runtime::Core& core = ThisCore("IBWait");
    uint8_t* slot = IbSlot(core, memory, block, event, "IBWait", where);
    if (!slot) return;
    core.Called("IBWait", where);
    core.Drain();
    core.Await({Counter(Meeting::kIbSlot, slot), 1, true},
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
        Refuse(core, call,
               {.rule = Rule::kBlockOrder,
                .message = "the calls are out of order",
                .found = !own.ready ? fmt::format("{} before InitDetermineComputeWorkspace", call)
                         : waits    ? "WaitPreBlock after WaitPreBlock"
                                    : "NotifyNextBlock without WaitPreBlock before it",
                .legal = "InitDetermineComputeWorkspace first, then WaitPreBlock and NotifyNextBlock in turn",
                .hint = !own.ready ? "call InitDetermineComputeWorkspace at the start of the kernel, on every core"
                        : waits    ? "call NotifyNextBlock before the next WaitPreBlock"
                                   : "call WaitPreBlock first"},
               where);
        return;
    }
    own.waited = waits;
    if (waits) {
        core.Drain();
        const std::vector<uint64_t> vectors = CoresOf(core, true, false);
        const uint64_t before = index == 0 ? cores - 1 : index - 1;
        core.Await({turn, own.round * cores + index, false},
                   {call, where, "call NotifyNextBlock after every WaitPreBlock, equally often on every core",
                    "NotifyNextBlock"},
                   {vectors[before]});
    } else {
        ++own.round;
        core.Settle();
        core.Signal(turn,
                    [gm, index, round = own.round] { StoreWord(gm + index * kSlot, static_cast<int32_t>(round)); });
    }
}

namespace {

bool CheckGroup(runtime::Core& core, uint8_t* gm, uint32_t wait_size, uint32_t index, uint32_t size, const char* call,
                Where where) {
    if (!CheckFlags(core, call, where) || !CheckMemoryCalls(core, call, where)) return false;
    if (reinterpret_cast<uint64_t>(gm) % kGroupSlot != 0) {
        return Refuse(core, call,
                      {.rule = Rule::kSyncWorkspace,
                       .operand = "groupWorkspace",
                       .message = "the workspace of a GroupBarrier is not aligned",
                       .found = fmt::format("an address {} bytes past a multiple of 512",
                                            reinterpret_cast<uint64_t>(gm) % kGroupSlot),
                       .legal = "a multiple of 512 bytes",
                       .hint = "start it at a multiple of 512 bytes of the workspace"},
                      where);
    }
    if (index >= size) {
        return Refuse(core, call,
                      {.rule = Rule::kSyncArguments,
                       .operand = "index",
                       .message = "the group has no member with this index",
                       .found = fmt::format("{}, in a group of {}", index, size),
                       .legal = size == 0 ? "a group of at least 1" : fmt::format("0 to {}", size - 1),
                       .hint = "number the cores of each group from 0, up to the size given to GroupBarrier"},
                      where);
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
    core.Signal(Counter(Meeting::kGroupArrive, gm + index));
}

void GroupWait(uint8_t* gm, uint32_t arrive_size, uint32_t wait_size, uint32_t index, Where where) {
    runtime::Core& core = ThisCore("GroupBarrier::Wait");
    if (!CheckGroup(core, gm, wait_size, index, wait_size, "GroupBarrier::Wait", where)) return;
    const uint64_t round = ++Framework::Of(core).cross_core().order[Counter(Meeting::kGroupArrive, gm)].round;
    core.Drain();
    for (uint32_t member = 0; member < arrive_size; ++member) {
        core.Await(
            {Counter(Meeting::kGroupArrive, gm + member), round, false},
            {"GroupBarrier::Wait", where, fmt::format("call Arrive({}) on a core that does not wait before", member),
             fmt::format("Arrive({})", member)},
            Others(core));
    }
}

void TaskOnce(int once, Where where) {
    const char* call = once == 0 ? "SetNextTaskStart" : "WaitPreTaskEnd";
    runtime::Core& core = ThisCore(call);
    if (Framework::Of(core).cross_core().task_calls[static_cast<size_t>(once)]++ == 0) return;
    Find(core, call,
         {.rule = Rule::kTaskOnce,
          .message = "the core has called it before",
          .found = "a second call",
          .legal = "one call on each core of a kernel",
          .hint = "remove the second call: it has an effect in kernels fused into one task only"},
         where);
}

void PassCache(const void* address) { ThisCore("ReadGmByPassDCache").Cleaned(address); }

void CleanCache(const void* address, bool one_line, bool of_ub, Where where) {
    constexpr uint64_t kLine = 64;
    runtime::Core& core = ThisCore("DataCacheCleanAndInvalid");
    if (!of_ub) core.Cleaned(one_line ? address : nullptr);
    const uint64_t past = reinterpret_cast<uint64_t>(address) % kLine;
    if (!one_line || of_ub || past == 0) return;
    Find(core, "DataCacheCleanAndInvalid",
         {.rule = Rule::kCacheLine,
          .operand = "dst",
          .message = "one cache line is cleaned, from the tensor's address to the line's end",
          .found = fmt::format("an address {} bytes past the start of a line of 64 bytes", past),
          .legal = "an address that is a multiple of 64 bytes",
          .hint = "clean from the line's start, or the whole cache: CacheLine::ENTIRE_DATA_CACHE"},
         where);
}

}  // namespace sfumato::ascendc
