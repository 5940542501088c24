// SPDX-License-Identifier: Apache-2.0
// Calls between cores by flags, and what stands beside them (framework.md 2.7).
#include "frontends/ascendc/cross_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/matmul/client.h"
#include "frontends/ascendc/pipe_names.h"
#include "runtime/launch/launch_state.h"
#include "sfumato/ascendc/cross_core.h"

namespace sfumato::ascendc {

using runtime::Meeting;
using runtime::TaskType;

runtime::Shape ShapeOf(runtime::Core& core) { return runtime::ShapeOf(core.launch().task_type); }

std::vector<uint64_t> CoresOf(runtime::Core& core, bool vector, bool cube) {
    const runtime::Shape shape = ShapeOf(core);
    std::vector<uint64_t> cores;
    for (uint64_t order = 0; order < core.launch().cores->count(); ++order) {
        const bool is_cube = order % shape.cores() < shape.cube;
        if (is_cube ? cube : vector) cores.push_back(order);
    }
    return cores;
}

const char* OtherWays(const soc::Chip& chip) {
    return chip.sync_memory ? "use SyncAll, IBSet and IBWait with a workspace: they work through global memory"
                            : "end the kernel where cores have to wait, and launch another one for the rest";
}

namespace {

// Of a flag: on chips without them one core has both units.
const char* WaysBesideFlags(const soc::Chip& chip) {
    return chip.sync_memory
               ? "a core here has both units: let its pipes wait by SetFlag and WaitFlag; between cores use "
                 "SyncAll, IBSet and IBWait with a workspace"
               : "a core here has both units: let its pipes wait by SetFlag and WaitFlag; where cores wait "
                 "for each other, end the kernel and launch another one for the rest";
}

}  // namespace

bool MeetsAlone(runtime::Core& core, const char* call, Where where) {
    const std::vector<std::string>& unlisted = core.chip().unlisted.calls;
    if (std::ranges::find(unlisted, call) == unlisted.end()) return false;
    const uint32_t blocks = core.launch().blocks, cores = std::max(1u, core.chip().cube_cores);
    if (blocks > cores) {
        return !Refuse(core, call, where,
                       {Rule::kCrossCoreUnsupported, "", "more blocks than the chip has cores cannot meet",
                        fmt::format("{} blocks on {} core of {}", blocks, cores, core.chip().product),
                        fmt::format("{}", cores), "launch one block: the others begin when this one has ended"});
    }
    NoteUnlisted(core, call, where);
    core.Settle();
    return true;
}

bool CheckFlags(runtime::Core& core, const char* call, Where where, const char* instead) {
    const auto has = [](const soc::Chip& chip) { return chip.cross_core_flags; };
    if (!RequireChip(core, call, where, has, Rule::kCrossCoreUnsupported, "has no flags between cores",
                     instead ? instead : OtherWays(core.chip())))
        return false;
    const TaskType type = core.launch().task_type;
    if (core.launch().task_type_declared && (type == TaskType::kAivOnly || type == TaskType::kAicOnly)) {
        const bool vector = type == TaskType::kAivOnly;
        return Refuse(core, call, where,
                      {Rule::kCrossCoreUnsupported, "", "kernels of this type have no flags between cores",
                       vector ? "KERNEL_TYPE_AIV_ONLY" : "KERNEL_TYPE_AIC_ONLY",
                       fmt::format("KERNEL_TYPE_MIX_{}_1_0, KERNEL_TYPE_MIX_AIC_1_1, KERNEL_TYPE_MIX_AIC_1_2",
                                   vector ? "AIV" : "AIC"),
                       fmt::format("declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_{}_1_0): a scheduler of "
                                   "the cores comes with it",
                                   vector ? "AIV" : "AIC")});
    }
    return true;
}

namespace {

uint8_t CheckId(runtime::Core& core, uint64_t id, const char* call, Where where) {
    if (id >= runtime::kFlagIds) {
        Find(core, call, where,
             {Rule::kCrossFlagId, "flagId", "the chip reads the low 4 bits of the flag's id",
              fmt::format("{}, read as {}", id, id % runtime::kFlagIds), "0 to 10; 11 to 14 where SyncAll is not used",
              "use an id up to 10"});
    }
    return static_cast<uint8_t>(id % runtime::kFlagIds);
}

constexpr const char* kMeetHint =
    "call it equally often, in one form, on every core that meets: no return, branch or shorter loop before it";

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
    if (!CheckFlags(core, name, where, WaysBesideFlags(core.chip()))) return;
    if (!SetsCrossFlags(pipe)) {
        Refuse(core, name, where,
               {Rule::kCrossFlagPipe, "pipe", "this pipe sets no flags between cores", PipeName(pipe),
                "PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX",
                "name the pipe whose work the other core waits for"});
        return;
    }
    if (!CheckPipe(core, ToPipe(pipe), name, where)) return;
    const runtime::Shape shape = ShapeOf(core);
    const bool cube = core.place().kind == isa::CoreKind::kCube;
    if (mode > 2 || (mode == 1 && (cube || shape.cube == 0)) || (mode == 2 && (shape.cube == 0 || shape.vector == 0))) {
        Refuse(core, name, where,
               {Rule::kCrossFlagMode, "modeId", "the launch has no cores that this mode joins",
                fmt::format("mode {} on {}, {} cube and {} vector cores a block", mode, core.place().name, shape.cube,
                            shape.vector),
                "0: all cores of the kind; 1: the vector cores of a block of both kinds; 2: cube with vector "
                "cores of the block",
                ModeHint(mode, cube && shape.vector != 0)});
        return;
    }
    isa::Record record(isa::Opcode::ffts_cross_core_sync);
    record.Set(isa::CrossFlag{mode, CheckId(core, id, name, where)});
    record.pipe = ToPipe(pipe);
    record.call = name;
    record.where = where;
    core.Issue(record);
    core.waits().MaybeYield();
}

void SetFlagBase() { Framework::Of(ThisCore("set_ffts_base_addr")).raw.flag_base = true; }

// A declared type makes a wrapper that tells the address.
void RequireFlagBase(Where where) {
    runtime::Core& core = ThisCore("ffts_cross_core_sync");
    if (std::exchange(Framework::Of(core).raw.flag_base, true) || core.launch().task_type_declared) return;
    Find(core, "ffts_cross_core_sync", where,
         {Rule::kSyncBaseUnset, "", "nothing has told the core where the flags lie", "no set_ffts_base_addr before",
          "set_ffts_base_addr(address), the address from rtGetC2cCtrlAddr of the host",
          "call it first in the kernel: the flag does nothing on a board without it"});
}

void wait_flag_dev(uint64_t id, const char* name, Where where) {
    runtime::Core& core = ThisCore(name);
    if (!CheckFlags(core, name, where, WaysBesideFlags(core.chip()))) return;
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
    if (MeetsAlone(core, "SyncAll", where)) return;
    if (!CheckFlags(core, "SyncAll", where)) return;
    const runtime::Shape shape = ShapeOf(core);
    if (!vector_only && shape.cube == 0) {
        Refuse(core, "SyncAll", where,
               {Rule::kSyncAllKind, "isAIVOnly", "the launch has no cube cores to wait for",
                "SyncAll<false> in a launch of vector cores alone: it hangs on the board",
                "SyncAll<true>() on vector cores; SyncAll<false>() in launches of both kinds", "call SyncAll()"});
        return;
    }
    const bool cube = core.place().kind == isa::CoreKind::kCube;
    // On cube cores alone, all of them meet.
    // One that serves Matmul takes part by itself (adv.md 15).
    const bool cubes = (!vector_only || shape.vector == 0) && !Framework::Of(core).client;
    if (cube && !cubes) {
        Refuse(core, "SyncAll", where,
               {Rule::kSyncAllKind, "isAIVOnly", "the vector cores meet, and this is a cube core",
                fmt::format("SyncAll<true> on {}", core.place().name),
                "SyncAll<false>() on both kinds, or SyncAll<true>() on vector cores",
                "guard the call with ASCEND_IS_AIV, or call SyncAll<false>() on every core"});
        return;
    }
    core.Settle();
    core.waits().Meet(runtime::MeetingCounter(Meeting::kCores, vector_only ? 1 : 2),
                      CoresOf(core, shape.vector != 0, cubes),
                      {vector_only ? "SyncAll" : "SyncAll<false>", where, kMeetHint});
}

void TaskOnce(int once, Where where) {
    const char* call = once == 0 ? "SetNextTaskStart" : "WaitPreTaskEnd";
    runtime::Core& core = ThisCore(call);
    if (Framework::Of(core).cross_core().task_calls[static_cast<size_t>(once)]++ == 0) return;
    Find(core, call, where,
         {Rule::kTaskOnce, "", "the core has called it before", "a second call", "one call on each core of a kernel",
          "remove the second call: it has an effect in kernels fused into one task only"});
}

void PassCache(const void* address) {
    ThisCore("ReadGmByPassDCache").scalar().Clean(address, "ReadGmByPassDCache", {});
}

void CleanCache(const void* address, bool one_line, bool of_ub, Where where) {
    constexpr uint64_t kLine = 64;
    runtime::Core& core = ThisCore("DataCacheCleanAndInvalid");
    if (!of_ub) core.scalar().Clean(one_line ? address : nullptr, "DataCacheCleanAndInvalid", where);
    const uint64_t past = reinterpret_cast<uint64_t>(address) % kLine;
    if (!one_line || of_ub || past == 0) return;
    Find(core, "DataCacheCleanAndInvalid", where,
         {Rule::kCacheLine, "dst", "one cache line is cleaned, from the tensor's address to the line's end",
          fmt::format("an address {} bytes past the start of a line of 64 bytes", past),
          "an address that is a multiple of 64 bytes",
          "clean from the line's start, or the whole cache: CacheLine::ENTIRE_DATA_CACHE"});
}

}  // namespace sfumato::ascendc
