// SPDX-License-Identifier: Apache-2.0
// What host code of operators that communicate asks of a communicator: its context, and how its ranks are connected
// (ranks.md 7.4, 7.5). All ranks are one server with one layer, each connected to each.
#include <cstring>

#include "hccl/hccl.h"
#include "host/hccl_call.h"
#include "host/ranks.h"
#include "sfumato/tiling/mc2_tiling.h"

namespace sfumato::host {
namespace {

constexpr uint32_t kFullMesh = 1;  // assumed: no page numbers the kinds

// What a call writes about a communicator; `to`: where.
template <class Value, class Of>
HcclResult Tell(const char* name, HcclComm comm, Value* to, const Of& of) {
    const HcclCall call(name);
    if (!to) return call.RefuseNull("result");
    HcclResult code = HCCL_SUCCESS;
    const std::shared_ptr<HcclRank> rank = call.Rank(comm, code);
    if (rank) *to = of(*rank);
    return code;
}

uint32_t SizeOf(const HcclRank& rank) { return static_cast<uint32_t>(rank.domain->ranks.size()); }

HcclResult TellOfGroup(const char* name, const char* group, uint32_t* to, uint32_t (*of)(const HcclRank&)) {
    HcclComm comm = nullptr;
    const HcclResult code = HcclCommGetHandleWithName(group, &comm);
    return code == HCCL_SUCCESS ? Tell(name, comm, to, of) : code;
}

HcclResult RefuseLayer(const HcclCall& call, uint32_t layer) {
    return call.Refuse({Rule::kAclArgument, "netLayer", "the communicator has no such layer", fmt::format("{}", layer),
                        "0: all ranks are one server", ""});
}

}  // namespace
}  // namespace sfumato::host

using namespace sfumato::host;
using sfumato::Rule;

HcclResult HcclAllocComResourceByTiling(HcclComm comm, void*, void* tiling, void** context) {
    const HcclCall call("HcclAllocComResourceByTiling");
    if (!tiling) return call.RefuseNull("Mc2Tiling");
    if (!context) return call.RefuseNull("commContext");
    HcclResult code = HCCL_SUCCESS;
    const std::shared_ptr<HcclRank> rank = call.Rank(comm, code);
    if (!rank) return code;
    sfumato::tiling::Mc2Init words;
    // A Mc2Msg of older programs begins with its version.
    if (!sfumato::tiling::ReadMc2(tiling, &words) && words.magic != 1 && words.magic != 2) {
        return call.Refuse({Rule::kAclArgument, "Mc2Tiling", "the tiling does not begin with a Mc2InitTiling",
                            fmt::format("it begins with {:#010x}", words.magic),
                            "host memory that Mc2CcTilingConfig::GetTiling filled", ""});
    }
    char name[COMM_NAME_MAX_LENGTH];
    if ((code = HcclGetCommName(comm, name)) != HCCL_SUCCESS) return code;
    const sfumato::runtime::Group* group = rank->domain->group.get();
    if (!group) {
        return call.Refuse({Rule::kCommUnsupported, "comm", "one device alone has no context of a group", "1 device",
                            "two devices at least", "set SFUMATO_DEVICES to the number of ranks"},
                           HCCL_E_NOT_SUPPORT);
    }
    *context = group->Context(rank->place);
    return HCCL_SUCCESS;
}

HcclResult HcomGetCommHandleByGroup(const char* group, HcclComm* comm) {
    return HcclCommGetHandleWithName(group, comm);
}
HcclResult HcomGetRankSizeEx(const char* group, uint32_t* size, uint32_t) {
    return TellOfGroup("HcomGetRankSizeEx", group, size, SizeOf);
}
HcclResult HcomGetL0TopoTypeEx(const char* group, uint32_t* type, uint32_t) {
    return TellOfGroup("HcomGetL0TopoTypeEx", group, type, [](const HcclRank&) { return kFullMesh; });
}

HcclResult CommGetNetLayers(HcclComm comm, uint32_t** layers, uint32_t* count) {
    static uint32_t only = 0;
    if (!layers) return HcclCall("CommGetNetLayers").RefuseNull("netLayers");
    *layers = &only;
    return Tell("CommGetNetLayers", comm, count, [](const HcclRank&) { return 1u; });
}
HcclResult CommGetInstTopoTypeByNetLayer(HcclComm comm, uint32_t layer, uint32_t* type) {
    if (layer != 0) return RefuseLayer(HcclCall("CommGetInstTopoTypeByNetLayer"), layer);
    return Tell("CommGetInstTopoTypeByNetLayer", comm, type, [](const HcclRank&) { return kFullMesh; });
}
HcclResult CommGetInstSizeByNetLayer(HcclComm comm, uint32_t layer, uint32_t* size) {
    if (layer != 0) return RefuseLayer(HcclCall("CommGetInstSizeByNetLayer"), layer);
    return Tell("CommGetInstSizeByNetLayer", comm, size, SizeOf);
}
HcclResult CommGetCCLBufSizeCfg(HcclComm comm, uint64_t* bytes) {
    char name[COMM_NAME_MAX_LENGTH];
    if (const HcclResult code = HcclGetCommName(comm, name)) return code;
    return Tell("CommGetCCLBufSizeCfg", comm, bytes, [](const HcclRank& rank) {
        const sfumato::runtime::Group* group = rank.domain->group.get();
        return group ? group->window_bytes() : sfumato::runtime::GroupOptions().window_bytes;
    });
}
