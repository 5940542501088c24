// SPDX-License-Identifier: Apache-2.0
// Clients of groups of several ranks: their tasks as collectives of the group's server, waits for other ranks.
#include "frontends/ascendc/adv/hccl_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "frontends/ascendc/framework.h"
#include "runtime/launch/launch_state.h"
#include "runtime/world/task_server.h"
#include "sfumato/ascendc/services.h"

namespace sfumato::ascendc {
namespace {

using runtime::Collective;
using runtime::CollectiveKind;
using runtime::EvenParts;
using runtime::TaskServer;

constexpr uint32_t kQueriesBeforeRest = 64, kMostQueryWakes = 64;

TaskServer& ServerOf(const HcclClient& client) { return GroupOfClient(client).server(); }
TaskServer::Client ClientOf(runtime::Core& core, const HcclClient& client) { return {client.rank, core.launch().work}; }
// The others' calls give handles alone.
bool Sends(runtime::Core& core, const HcclClient& client) {
    return BlockIdx() == 0 && ServerOf(client).Sends(ClientOf(core, client), core.place().order);
}

CollectiveKind KindOf(const HcclTask& task) {
    switch (task.kind) {
        case HcclTask::Kind::kAllReduce: return CollectiveKind::kAllReduce;
        case HcclTask::Kind::kAllGather: return CollectiveKind::kAllGather;
        case HcclTask::Kind::kReduceScatter: return CollectiveKind::kReduceScatter;
        default: return CollectiveKind::kAlltoAll;
    }
}

// Counts that AlltoAllV gives for each rank, in the i-th repetition.
std::vector<runtime::Part> PartsOf(const uint64_t* counts, const uint64_t* displacements, uint32_t ranks, uint64_t i) {
    std::vector<runtime::Part> parts;
    for (uint32_t r = 0; r < ranks; ++r) parts.push_back({displacements[r] + counts[r] * i, counts[r]});
    return parts;
}

// The i-th repetition of a task as this rank's side of a collective.
Collective CollectiveOf(const HcclTask& task, uint32_t ranks, uint64_t i) {
    Collective call;
    call.kind = KindOf(task);
    call.call = task.name;
    call.type = task.type;
    call.repeat = task.repeat;
    call.send = task.send;
    call.recv = task.recv;
    if (task.kind == HcclTask::Kind::kAlltoAllV) {
        call.sends = PartsOf(task.send_counts, task.send_at, ranks, i);
        call.recvs = PartsOf(task.recv_counts, task.recv_at, ranks, i);
        return call;
    }
    call.send += i * task.step;
    call.recv += i * task.step;
    call.count = task.count;
    if (task.op >= 0) call.op = static_cast<numeric::CollectiveOp>(task.op);
    const std::vector<runtime::Part> parts = EvenParts(ranks, task.count, task.stride ? task.stride : task.count);
    if (call.kind == CollectiveKind::kReduceScatter || call.kind == CollectiveKind::kAlltoAll) call.sends = parts;
    if (call.kind == CollectiveKind::kAllGather || call.kind == CollectiveKind::kAlltoAll) call.recvs = parts;
    return call;
}

uint64_t ElementsOf(const Collective& call, const std::vector<runtime::Part>& parts) {
    uint64_t end = parts.empty() ? call.count.value_or(0) : 0;
    for (const runtime::Part& part : parts) {
        if (part.count != 0) end = std::max(end, part.offset + part.count);
    }
    return end;
}

bool LiesInMemory(runtime::Core& core, const Collective& call, const uint8_t* at,
                  const std::vector<runtime::Part>& parts, const char* name, Where where) {
    const uint64_t bytes = ElementsOf(call, parts) * runtime::CommTypeOf(call.type)->bytes;
    if (bytes == 0) return true;
    if (const int allocation = core.FindGm(at); allocation >= 0) {
        const auto index = static_cast<uint32_t>(allocation);
        if (static_cast<uint64_t>(at - core.GmBase(index)) + bytes <= core.Gm(index).bytes) return true;
    }
    return Refuse(core, call.call.c_str(), where,
                  {Rule::kHcclContext, name, fmt::format("{} does not lie in global memory as a whole", name),
                   fmt::format("{} bytes", bytes), "bytes of one argument, of a window or of the workspace",
                   "buffers have room for the parts of all ranks; strides count elements from part to part"});
}

bool IsReduced(const HcclTask& task) {
    if (task.op < 0) return true;
    const runtime::CommType& type = *runtime::CommTypeOf(task.type);
    return task.op != AscendC::HCCL_REDUCE_PROD && task.op <= AscendC::HCCL_REDUCE_MIN &&
           type.reduced != DataType::kInt64 && numeric::HasType(numeric::CollectiveOp::kSum, type.reduced);
}

// Of a BatchWrite: an item as its chip has it.
struct BatchItem {
    uint64_t source, destination, bytes;
};
BatchItem ItemAt(const uint8_t* items, uint32_t i, bool a3) {
    uint32_t words[16];
    if (a3) {
        std::memcpy(words, items + 64 * i, 64);
        return {words[8] | uint64_t{words[9]} << 32, words[10] | uint64_t{words[11]} << 32, words[7]};
    }
    std::memcpy(words, items + 32 * i, 32);
    const auto pair = [&words](int at) { return words[at] | uint64_t{words[at + 1]} << 32; };
    const runtime::CommType* type = runtime::CommTypeOf(static_cast<int>(words[6]));
    return {pair(0), pair(2), pair(4) * (type ? type->bytes : 0)};
}

bool LiesInWindow(const runtime::Group& group, uint64_t address, uint64_t bytes) {
    const auto* p = reinterpret_cast<const uint8_t*>(address);
    if (runtime::GroupOf(p) != &group) return false;
    const runtime::Group::Place at = group.Find(p);
    const bool window = at.part == runtime::Group::Part::kIn || at.part == runtime::Group::Part::kOut;
    const bool exp = at.part == runtime::Group::Part::kExp;
    return (window && at.offset + bytes <= group.window_bytes()) ||
           (exp && at.offset + bytes <= runtime::Group::kExpBytes);
}

// Its items are read now, and have arrived when it returns.
void WriteBatch(runtime::Core& core, const HcclClient& client, const HcclTask& task, Where where) {
    const runtime::Group& group = GroupOfClient(client);
    const bool a3 = group.layout() == runtime::ContextLayout::kOperationResource;
    for (uint32_t i = 0; i < task.count; ++i) {
        const BatchItem item = ItemAt(task.send, i, a3);
        const bool from = core.FindGm(reinterpret_cast<const uint8_t*>(item.source)) >= 0;
        if (from && LiesInWindow(group, item.destination, item.bytes)) {
            std::memmove(reinterpret_cast<void*>(item.destination), reinterpret_cast<const void*>(item.source),
                         item.bytes);
            continue;
        }
        Refuse(core, "BatchWrite", where,
               {Rule::kHcclContext, fmt::format("item {}", i),
                from ? "the destination is not in a window of the group" : "the source is not in global memory",
                fmt::format("{:#x}, {} bytes", from ? item.destination : item.source, item.bytes),
                "own memory as the source, a window of a rank as the destination",
                "GetWindowsInAddr(rank) tells where the window of a rank is"});
        return;
    }
}

}  // namespace

bool ServerPrepare(runtime::Core& core, const HcclClient& client, int8_t handle, const HcclTask& task, Where where) {
    if (!runtime::CommTypeOf(task.type) || !IsReduced(task)) {
        return Refuse(
            core, task.name, where,
            {Rule::kHcclContext, "dataType", "there is no such type, or it is not reduced so",
             fmt::format("type {}, operation {}", task.type, task.op),
             "int8, int16, int32, half, bfloat16, float of HCCL_REDUCE_SUM, MAX and MIN; all types are copied", ""});
    }
    if (task.kind == HcclTask::Kind::kBatchWrite || !Sends(core, client)) return true;
    std::vector<Collective> tasks;
    for (uint32_t i = 0; i < task.repeat; ++i) {
        tasks.push_back(CollectiveOf(task, client.ranks, i));
        const Collective& call = tasks.back();
        if (!LiesInMemory(core, call, call.send, call.sends, "sendBuf", where) ||
            !LiesInMemory(core, call, call.recv, call.recvs, "recvBuf", where))
            return false;
    }
    std::optional<Finding> finding = ServerOf(client).Prepare(ClientOf(core, client), handle, std::move(tasks));
    return !finding || Refuse(core, task.name, where, std::move(*finding));
}

void ServerCommit(runtime::Core& core, const HcclClient& client, int8_t handle, const HcclTask& task, Where where) {
    if (task.kind == HcclTask::Kind::kBatchWrite) {
        if (BlockIdx() == 0) WriteBatch(core, client, task, where);
    } else if (Sends(core, client)) {
        TaskServer& server = ServerOf(client);
        const TaskServer::Client mine = ClientOf(core, client);
        core.waits().Committed(server.CounterOf(mine, handle, task.committed - 1));
        server.Commit(mine, handle);
    }
}

void ServerWait(runtime::Core& core, const HcclClient& client, int8_t handle, uint32_t count, Where where) {
    if (client.tasks[handle].kind == HcclTask::Kind::kBatchWrite) return;
    TaskServer& server = ServerOf(client);
    const TaskServer::Client mine = ClientOf(core, client);
    const std::string name = fmt::format("Wait(handle {})", handle);
    const auto woken = core.waits().Rest(name, where, [&] {
        return core.launch().cores->WaitFor(core.place().order,
                                            {"Wait", [&] { return server.Completed(mine, handle) >= count; }});
    });
    if (woken == runtime::Cores::Woken::kDone) core.waits().Completed(server.CounterOf(mine, handle, count - 1));
    if (woken != runtime::Cores::Woken::kNever) return;
    core.waits().StandsStill({name, where}, core.next_index(),
                             {fmt::format("task {} of {}: {}", count - 1, client.tasks[handle].name,
                                          server.StateOf(mine, handle, count - 1)),
                              "prepare and commit the task on every rank"});
    core.stopping().Now();
}

uint32_t ServerQuery(runtime::Core& core, const HcclClient& client, int8_t handle, HcclTask& task, Where where) {
    if (task.kind == HcclTask::Kind::kBatchWrite) return task.committed;
    TaskServer& server = ServerOf(client);
    const TaskServer::Client mine = ClientOf(core, client);
    const uint32_t now = server.Completed(mine, handle);
    if (now == task.repeat || now != task.queried) {
        task.queried = now;
        task.queries = 0;
        return now;
    }
    if (++task.queries < kQueriesBeforeRest) return now;
    const bool last_time = task.queries >= kQueriesBeforeRest + kMostQueryWakes;
    const std::string name = fmt::format("Query(handle {})", handle);
    const auto woken = core.waits().Rest(name, where, [&] {
        runtime::Cores::Wait wait{"Query", [&] { return server.Completed(mine, handle) != now; }};
        wait.can_work = wait.polls = !last_time;
        return core.launch().cores->WaitFor(core.place().order, wait);
    });
    if (woken == runtime::Cores::Woken::kNever) {
        core.waits().StandsStill({name, where}, core.next_index(),
                                 {fmt::format("it is asked again and again; task {} of {}: {}", now, task.name,
                                              server.StateOf(mine, handle, now)),
                                  "prepare and commit the task on every rank"});
        core.stopping().Now();
    }
    return server.Completed(mine, handle);
}

}  // namespace sfumato::ascendc
