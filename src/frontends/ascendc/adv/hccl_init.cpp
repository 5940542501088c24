// SPDX-License-Identifier: Apache-2.0
// What a client of collective communication is made from: a context, and tilings of the host (ranks.md 7.1, 7.4).
#include <fmt/format.h>
#include <string.h>

#include <algorithm>

#include "frontends/ascendc/adv/hccl_client.h"
#include "frontends/ascendc/framework.h"
#include "runtime/launch/launch_state.h"
#include "sfumato/tiling/mc2_tiling.h"

namespace sfumato::ascendc {
namespace {

using tiling::Mc2Cc;
using tiling::Mc2Init;

// Numbers of HcclCMDType, with the names of the calls.
struct Operation {
    uint32_t number;
    std::string_view name;
};
constexpr Operation kOperations[] = {
    {1, "Broadcast"},   {2, "AllReduce"},       {3, "Reduce"},         {4, "Send"},          {5, "Receive"},
    {6, "AllGather"},   {7, "ReduceScatter"},   {8, "AlltoAllV"},      {9, "AlltoAllVC"},    {10, "AlltoAll"},
    {11, "Gather"},     {12, "Scatter"},        {13, "BatchSendRecv"}, {14, "BatchPut"},     {15, "BatchGet"},
    {16, "AllGatherV"}, {17, "ReduceScatterV"}, {18, "BatchWrite"},    {20, "HalfAlltoAllV"}};

std::string NameOfOperation(uint32_t number) {
    const auto* at = std::ranges::find(kOperations, number, &Operation::number);
    return at == std::end(kOperations) ? fmt::format("operation {}", number) : std::string(at->name);
}

std::string TextOf(const char (&field)[128]) { return {field, strnlen(field, sizeof field)}; }

bool RefuseInit(runtime::Core& core, const char* call, Where where, const std::string& message,
                const std::string& found, const std::string& legal, const std::string& hint) {
    return Refuse(core, call, where, {Rule::kHcclContext, "", message, found, legal, hint});
}

// Of a launch in a world: the group whose context of this rank it is; null after a report.
const runtime::Group* GroupFor(runtime::Core& core, const uint8_t* context, const char* call, Where where) {
    const runtime::World::Work& work = *core.launch().work;
    const std::string legal = "the context of a group of this launch, which GetHcclContext gives";
    if (!context) {
        RefuseInit(core, call, where, "there is no context: the launch names no group for it", "address 0", legal,
                   "name the group: MC2().HcclGroup(\"group\") in the operator's definition, or groups of the launch");
        return nullptr;
    }
    const runtime::Group* group = runtime::GroupOf(context);
    const auto at = group ? group->Find(context) : runtime::Group::Place{};
    if (!group || &group->world() != &work.world() || at.part != runtime::Group::Part::kContext || at.offset != 0) {
        RefuseInit(core, call, where, "the address is no context of a group",
                   fmt::format("{}", DescribeAddress(context, &core.launch().memory)), legal,
                   "pass what GetHcclContext returned, or the context that the host passed as an argument");
        return nullptr;
    }
    if (group->ranks()[at.place] != work.rank()) {
        RefuseInit(core, call, where, "the context is another rank's",
                   fmt::format("the context of rank {} in group '{}'; this is rank {}", group->ranks()[at.place],
                               group->name(), work.rank()),
                   legal, "each rank's launch gets the context of its own");
        return nullptr;
    }
    return group;
}

// Whether the tiling is where it must be, and is one.
bool TakeTiling(runtime::Core& core, HcclClient* client, const void* from, bool in_memory, const char* call,
                Where where) {
    const auto* at = static_cast<const uint8_t*>(from);
    const bool alone = !core.launch().work;
    if (!at) {
        if (alone || in_memory) return true;
        return RefuseInit(core, call, where, "the tiling is missing", "initTiling: address 0",
                          "the Mc2InitTiling that the host filled", "copy the tiling data with GET_TILING_DATA first");
    }
    if ((core.FindGm(at) >= 0) != in_memory) {
        return RefuseInit(core, call, where,
                          in_memory ? "the tiling does not lie in global memory" : "the tiling lies in global memory",
                          fmt::format("{}", DescribeAddress(at, &core.launch().memory)),
                          in_memory ? "initTiling in global memory, as the host passed it"
                                    : "a copy of the tiling data on the core's stack",
                          in_memory ? "use InitV2 for a tiling on the stack" : "copy it with GET_TILING_DATA first");
    }
    Mc2Init words;
    if (tiling::ReadMc2(at, &words)) return client->tiling = at, true;
    // A Mc2Msg of older programs begins with its version.
    if (alone || (in_memory && (words.magic == 1 || words.magic == 2))) return true;
    return RefuseInit(core, call, where, "initTiling is no Mc2InitTiling that the host filled",
                      fmt::format("it begins with {:#010x}", words.magic),
                      "what Mc2CcTilingConfig::GetTiling(Mc2InitTiling&) wrote in the tiling function",
                      "call GetTiling for it, and give the kernel the same struct");
}

}  // namespace

const runtime::Group& GroupOfClient(const HcclClient& client) {
    return *static_cast<const runtime::Group*>(client.group);
}

void HcclInit(HcclClient* client, const uint8_t* context, const void* from, bool in_memory, Where where) {
    const char* call = in_memory ? "Init" : "InitV2";
    runtime::Core& core = ThisCore(call);
    const runtime::CallScope scope(core, "Hccl", where);
    HcclClient made;
    if (core.launch().work) {
        const runtime::Group* group = GroupFor(core, context, call, where);
        if (!group) return;
        auto& used = Framework::Of(core).hccl_used;
        if (std::ranges::count(used, context) > 0) {
            RefuseInit(core, call, where, "there is a client of this context on the core already",
                       fmt::format("the context of group '{}' a second time", group->name()),
                       "one Hccl object a context", "keep the object, and call SetCcTilingV2 for another operation");
            return;
        }
        used.push_back(context);
        made.domain = static_cast<int32_t>(group->domain());
        made.group = group;
        made.rank = static_cast<uint32_t>(group->PlaceOf(core.launch().work->rank()));
        made.ranks = group->size();
    } else {
        made.domain = LonelyDomain(core, context);
        if (made.domain < 0) {
            RefuseInit(core, "Init", where, "the context is not one of this launch, which is one rank",
                       fmt::format("{}", static_cast<const void*>(context)), "what GetHcclContext gives",
                       "run the launch in a world of several ranks, with the group named");
            return;
        }
    }
    if (TakeTiling(core, &made, from, in_memory, call, where)) *client = made;
}

int32_t HcclSetTiling(HcclClient* client, const void* from, uint64_t offset, bool in_memory, Where where) {
    const char* call = in_memory ? "SetCcTiling" : "SetCcTilingV2";
    runtime::Core& core = ThisCore(call);
    if (!client->tiling && !core.launch().work) return AscendC::HCCL_SUCCESS;
    const auto fail = [&](const std::string& message, const std::string& found, const std::string& legal,
                          const std::string& hint) {
        RefuseInit(core, call, where, message, found, legal, hint);
        return AscendC::HCCL_FAILED;
    };
    if (client->domain < 0)
        return fail("the client was not initialised", "a call before Init", "InitV2 first", "call InitV2 before");
    if (!client->tiling && !in_memory)
        return fail("the client has no tiling", "Init, not InitV2",
                    "SetCcTiling after Init, SetCcTilingV2 after InitV2", "initialise the client with InitV2");
    const auto* at = in_memory ? static_cast<const uint8_t*>(from) : client->tiling + offset;
    Mc2Cc words;
    // A struct of a tiling: nothing lies further behind its first member.
    const bool near = in_memory ? at && core.FindGm(at) >= 0 : offset >= sizeof(Mc2InitTiling) && offset < 65536;
    if (!near || !tiling::ReadMc2(at, &words)) {
        return fail("no Mc2CcTiling lies there",
                    in_memory ? fmt::format("{}", static_cast<const void*>(at)) : fmt::format("offset {}", offset),
                    "bytes from the Mc2InitTiling to a Mc2CcTiling that Mc2CcTilingConfig::GetTiling wrote",
                    "use offsetof of the struct that the host fills");
    }
    const uint8_t** const end = client->cc_tiling + client->cc_tilings;
    if (std::find(client->cc_tiling, end, at) == end) {
        if (client->cc_tilings == tiling::kMostCcTilings) {
            return fail("the client has room for no other tiling", fmt::format("{} tilings", client->cc_tilings + 1),
                        "up to 8 Mc2CcTiling behind a Mc2InitTiling", "");
        }
        client->cc_tiling[client->cc_tilings++] = at;
    }
    if (!client->group) return AscendC::HCCL_SUCCESS;
    const runtime::Group& group = GroupOfClient(*client);
    if (const std::string name = TextOf(words.group); name != group.name()) {
        return fail("the tiling is of another group than the context", fmt::format("'{}'", name),
                    fmt::format("'{}'; the groups of this rank are {}", group.name(),
                                runtime::GroupNames(group.world(), core.launch().work->rank())),
                    "the tiling function reads the name from the operator's attribute");
    }
    return AscendC::HCCL_SUCCESS;
}

bool IsForeseen(runtime::Core& core, const HcclClient& client, const char* call, Where where) {
    if (!client.tiling) return true;
    std::string names;
    for (uint32_t i = 0; i < client.cc_tilings; ++i) {
        Mc2Cc words;
        tiling::ReadMc2(client.cc_tiling[i], &words);
        const std::string name = NameOfOperation(words.op_type);
        if (name == call) return true;
        names += (names.empty() ? "" : ", ") + name;
    }
    return RefuseInit(core, call, where, "no tiling that was set is of this operation", names.empty() ? "none" : names,
                      fmt::format("a Mc2CcTiling whose opType is that of {}", call),
                      "call SetCcTilingV2 with the tiling of the operation before");
}

}  // namespace sfumato::ascendc
