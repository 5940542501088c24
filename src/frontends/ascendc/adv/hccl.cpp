// SPDX-License-Identifier: Apache-2.0
// The client of collective communication and its server, in a domain of one rank (adv.md 11).
#include "sfumato/ascendc/adv/hccl.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>

#include "frontends/ascendc/framework.h"
#include "runtime/launch/launch_state.h"
#include "sfumato/ascendc/services.h"

namespace sfumato::ascendc {
namespace {

// More than any struct that programs cast a context to.
constexpr uint64_t kDomains = 2, kDomainBytes = 65536;

// What stands for contexts: zeros, which nobody can write.
uint8_t* Contexts() {
    static uint8_t* const page = [] {
        void* p = mmap(nullptr, kDomains * kDomainBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return p == MAP_FAILED ? nullptr : static_cast<uint8_t*>(p);
    }();
    return page;
}

bool Ready(runtime::Core& core, const HcclClient& client, const char* call, Where where) {
    if (client.domain >= 0 && !client.finalised) return true;
    return Refuse(core, call, where,
                  {Rule::kHcclContext, "", client.finalised ? "the client has ended" : "the client was not initialised",
                   client.finalised ? "a call after Finalize" : "a call before Init", "Init first, Finalize last",
                   "call Init with the address that GetHcclContext gives"});
}

HcclTask* TaskOf(runtime::Core& core, HcclClient& client, int8_t handle, const char* call, Where where) {
    if (!Ready(core, client, call, where)) return nullptr;
    if (handle >= 0 && handle < client.count) return &client.tasks[handle];
    Refuse(core, call, where,
           {Rule::kHcclContext, "", "there is no task of this handle", fmt::format("handle {}", handle),
            "what AllReduce and its sisters returned", "prepare the task before, on the same core"});
    return nullptr;
}

// Of a task: a counter with a bit that no address of memory has.
uint64_t Counter(const HcclClient& client, int8_t handle) {
    const uint64_t task = static_cast<uint64_t>(client.domain) << 8 | static_cast<uint8_t>(handle);
    return runtime::MeetingCounter(runtime::Meeting::kGroupArrive, uint64_t{1} << 55 | task);
}

// The bytes of a task lie in one allocation.
bool InMemory(runtime::Core& core, const HcclTask& task, uint8_t* at, const char* name, Where where) {
    const int allocation = core.FindGm(at);
    const uint64_t bytes = task.repeat == 0 ? 0 : (task.repeat - 1) * task.step + task.bytes;
    if (allocation >= 0) {
        const auto index = static_cast<uint32_t>(allocation);
        const uint64_t offset = static_cast<uint64_t>(at - core.GmBase(index));
        if (offset + bytes <= core.Gm(index).bytes) return true;
    }
    return Refuse(core, task.name, where,
                  {Rule::kHcclContext, "", fmt::format("{} does not lie in global memory as a whole", name),
                   fmt::format("{} bytes", bytes), "bytes of one argument or of the workspace",
                   "count counts elements of a task, repeat tasks"});
}

}  // namespace

uint8_t* HcclContext(uint32_t index, Where) {
    uint8_t* set = Framework::Of(ThisCore("GetHcclContext")).hccl_context[index];
    return set ? set : Contexts() + index * kDomainBytes;
}
void SetHcclContext(uint32_t index, uint8_t* context, Where where) {
    RequireService(Service::kIdentity, "SetHcclContext", where);
    Framework::Of(ThisCore("SetHcclContext")).hccl_context[index] = context;
}

void HcclInit(HcclClient* client, const uint8_t* context, Where where) {
    runtime::Core& core = ThisCore("Init");
    const runtime::CallScope scope(core, "Hccl", where);
    for (uint64_t domain = 0; domain < kDomains; ++domain) {
        const uint8_t* set = Framework::Of(core).hccl_context[domain];
        if (context != Contexts() + domain * kDomainBytes && (!context || context != set)) continue;
        *client = {};
        client->domain = static_cast<int32_t>(domain);
        return;
    }
    Refuse(core, "Init", where,
           {Rule::kHcclContext, "", "the context is not one of this launch, which is one rank",
            fmt::format("{}", static_cast<const void*>(context)), "what GetHcclContext gives",
            "more than one rank cannot be run: give the data that other ranks would send as an argument"});
}

int8_t HcclPrepare(HcclClient* client, const HcclTask& task, bool commit, Where where) {
    runtime::Core& core = ThisCore(task.name);
    if (!Ready(core, *client, task.name, where)) return -1;
    if (client->count == HcclClient::kTasks) {
        Refuse(
            core, task.name, where,
            {Rule::kHcclContext, "", "the client has no room for another task", fmt::format("{} tasks", client->count),
             "up to 63 prepared tasks", "prepare one task with repeat instead of many"});
        return -1;
    }
    if (!InMemory(core, task, task.send, "sendBuf", where) || !InMemory(core, task, task.recv, "recvBuf", where))
        return -1;
    const auto handle = static_cast<int8_t>(client->count++);
    client->tasks[handle] = task;
    for (uint32_t i = 0; commit && i < task.repeat; ++i) HcclCommit(client, handle, where);
    return handle;
}

void HcclCommit(HcclClient* client, int8_t handle, Where where) {
    runtime::Core& core = ThisCore("Commit");
    HcclTask* task = TaskOf(core, *client, handle, "Commit", where);
    if (!task) return;
    if (task->committed == task->repeat) {
        Refuse(core, "Commit", where,
               {Rule::kHcclContext, "", "all tasks of the handle were committed",
                fmt::format("handle {}, repeat {}", handle, task->repeat), "as many Commits as repeat",
                "without the template argument commit, Commit lets one task run"});
        return;
    }
    const uint64_t at = task->committed++ * task->step;
    if (BlockIdx() != 0) return;
    core.Settle();
    core.waits().Signal(Counter(*client, handle), [&] { std::memmove(task->recv + at, task->send + at, task->bytes); });
}

int32_t HcclWait(HcclClient* client, int8_t handle, Where where) {
    runtime::Core& core = ThisCore("Wait");
    HcclTask* task = TaskOf(core, *client, handle, "Wait", where);
    if (!task) return AscendC::HCCL_FAILED;
    if (task->waited == task->repeat) {
        Refuse(core, "Wait", where,
               {Rule::kHcclContext, "", "all tasks of the handle were waited for",
                fmt::format("handle {}, repeat {}", handle, task->repeat), "as many Waits as repeat",
                "prepare another task"});
        return AscendC::HCCL_FAILED;
    }
    core.Drain();
    core.waits().Await(
        {Counter(*client, handle), ++task->waited, false},
        {fmt::format("Wait(handle {})", handle), where, "call Commit on core 0 before", "Commit"},
        {core.place().kind == isa::CoreKind::kCube ? 0 : uint64_t{runtime::ShapeOf(core.launch().task_type).cube}});
    return AscendC::HCCL_SUCCESS;
}

int32_t HcclQuery(HcclClient* client, int8_t handle, Where where) {
    runtime::Core& core = ThisCore("Query");
    const HcclTask* task = TaskOf(core, *client, handle, "Query", where);
    if (!task) return AscendC::HCCL_FAILED;
    return static_cast<int32_t>(BlockIdx() == 0 ? task->committed : task->waited);
}

void HcclFinalize(HcclClient* client, Where where) {
    runtime::Core& core = ThisCore("Finalize");
    if (!Ready(core, *client, "Finalize", where)) return;
    client->finalised = true;
}

void HcclOtherRank(const char* call, uint32_t rank, Where where) {
    Refuse(
        ThisCore(call), call, where,
        {Rule::kHcclContext, "", "there is no other rank: one chip runs, alone", fmt::format("rank {}", rank),
         "collectives of one rank: AllReduce, AllGather, ReduceScatter, AlltoAll, AlltoAllV",
         "test the computation in a kernel of its own, or give the data that other chips would send as an argument"});
}

}  // namespace sfumato::ascendc
