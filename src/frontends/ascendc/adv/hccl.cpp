// SPDX-License-Identifier: Apache-2.0
// The client of collective communication and, in a domain of one rank, its server (adv.md 11, ranks.md 7).
#include "sfumato/ascendc/adv/hccl.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>

#include "frontends/ascendc/adv/hccl_client.h"
#include "frontends/ascendc/adv/hccl_server.h"
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

int32_t LonelyDomain(runtime::Core& core, const uint8_t* context) {
    for (uint64_t domain = 0; domain < kDomains; ++domain) {
        const uint8_t* set = Framework::Of(core).hccl_context[domain];
        if (context == Contexts() + domain * kDomainBytes || (context && context == set))
            return static_cast<int32_t>(domain);
    }
    return -1;
}

uint8_t* HcclContext(uint32_t index, Where) {
    runtime::Core& core = ThisCore("GetHcclContext");
    if (uint8_t* set = Framework::Of(core).hccl_context[index]) return set;
    runtime::LaunchState& launch = core.launch();
    if (!launch.work) return Contexts() + index * kDomainBytes;
    if (index >= launch.groups.size()) return launch.lacks_context = true, nullptr;
    const runtime::Group& group = *launch.groups[index];
    return group.Context(static_cast<uint32_t>(group.PlaceOf(launch.work->rank())));
}
void SetHcclContext(uint32_t index, uint8_t* context, Where where) {
    RequireService(Service::kIdentity, "SetHcclContext", where);
    Framework::Of(ThisCore("SetHcclContext")).hccl_context[index] = context;
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
    if (!IsForeseen(core, *client, task.name, where)) return -1;
    const auto handle = static_cast<int8_t>(client->count);
    if (HasServer(*client)) {
        if (!ServerPrepare(core, *client, handle, task, where)) return -1;
    } else if (!InMemory(core, task, task.send, "sendBuf", where) ||
               !InMemory(core, task, task.recv, "recvBuf", where)) {
        return -1;
    }
    ++client->count;
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
    if (core.launch().work) core.waits().Join("Commit", where);
    core.waits().Signal(Counter(*client, handle), [&] {
        if (!HasServer(*client)) std::memmove(task->recv + at, task->send + at, task->bytes);
    });
    if (HasServer(*client)) ServerCommit(core, *client, handle, *task, where);
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
    if (HasServer(*client)) ServerWait(core, *client, handle, task->waited + 1, where);
    core.waits().Await(
        {Counter(*client, handle), ++task->waited, false},
        {fmt::format("Wait(handle {})", handle), where, "call Commit on core 0 before", "Commit"},
        {core.place().kind == isa::CoreKind::kCube ? 0 : uint64_t{runtime::ShapeOf(core.launch().task_type).cube}});
    return AscendC::HCCL_SUCCESS;
}

int32_t HcclQuery(HcclClient* client, int8_t handle, Where where) {
    runtime::Core& core = ThisCore("Query");
    HcclTask* task = TaskOf(core, *client, handle, "Query", where);
    if (!task) return AscendC::HCCL_FAILED;
    if (HasServer(*client)) return static_cast<int32_t>(ServerQuery(core, *client, handle, *task, where));
    return static_cast<int32_t>(BlockIdx() == 0 ? task->committed : task->waited);
}

void HcclFinalize(HcclClient* client, Where where) {
    runtime::Core& core = ThisCore("Finalize");
    if (!Ready(core, *client, "Finalize", where)) return;
    client->finalised = true;
}

uint8_t* HcclWindow(HcclClient* client, uint32_t rank, bool out, Where where) {
    const char* call = out ? "GetWindowsOutAddr" : "GetWindowsInAddr";
    if (!client->group && !ThisCore(call).launch().work) return HcclOtherRank(call, rank, where), nullptr;
    runtime::Core& core = ThisCore(call);
    if (!Ready(core, *client, call, where)) return nullptr;
    const runtime::Group& group = GroupOfClient(*client);
    if (rank < group.size()) return out ? group.Out(rank) : group.In(rank);
    Refuse(core, call, where,
           {Rule::kHcclContext, "rankId", "the group has no such rank", fmt::format("rank {}", rank),
            fmt::format("0 to {}: group '{}' has {} ranks", group.size() - 1, group.name(), group.size()),
            "ranks are numbered in the group: GetRankDim() tells how many there are"});
    return nullptr;
}

void HcclOtherRank(const char* call, uint32_t rank, Where where) {
    Refuse(
        ThisCore(call), call, where,
        {Rule::kHcclContext, "", "there is no other rank: one chip runs, alone", fmt::format("rank {}", rank),
         "collectives of one rank: AllReduce, AllGather, ReduceScatter, AlltoAll, AlltoAllV",
         "test the computation in a kernel of its own, or give the data that other chips would send as an argument"});
}

}  // namespace sfumato::ascendc
