// SPDX-License-Identifier: Apache-2.0
// Communicators of hccl.h: made, asked, destroyed (ranks.md 9.2).
#include <unistd.h>

#include <cstring>

#include "hccl/hccl.h"
#include "host/hccl_call.h"
#include "host/ranks.h"

namespace sfumato::host {
namespace {

constexpr uint32_t kMostRanks = 64, kNoRank = 0xFFFFFFFF, kNotSet = 0xFFFFFFFF;
constexpr char kConfigMagic[] = "sfumato comm";

// What is in a root info; the rest is zero.
struct RootInfo {
    char magic[4];
    uint32_t version;
    uint64_t process, number;
};
constexpr RootInfo kRootInfo{{'S', 'F', 'M', 'R'}, 1, 0, 0};

HcclResult RefuseProcesses(const HcclCall& call, const char* operand, std::string found) {
    return call.Refuse({Rule::kCommUnsupported, operand, "in this version one process holds all ranks",
                        std::move(found), "all ranks of a communicator as threads, or one thread, of one process",
                        "set SFUMATO_DEVICES to the number of ranks, and start the program once"},
                       HCCL_E_NOT_SUPPORT);
}

// Enough devices for so many ranks.
HcclResult CheckRanks(const HcclCall& call, uint32_t ranks, uint32_t rank) {
    if (ranks < 1 || ranks > kMostRanks) {
        return call.Refuse({Rule::kAclArgument, "nRanks", "a communicator cannot have so many ranks",
                            fmt::format("{}", ranks), fmt::format("1 to {}", kMostRanks), ""});
    }
    if (rank >= ranks) {
        return call.Refuse({Rule::kAclArgument, "rank", "the communicator has no such rank", fmt::format("{}", rank),
                            fmt::format("0 to {}", ranks - 1), ""});
    }
    if (ranks <= Ranks::The().count()) return HCCL_SUCCESS;
    return RefuseProcesses(call, "nRanks", fmt::format("{} ranks, {} devices", ranks, Ranks::The().count()));
}

// What a configuration says; nothing where it is null.
HcclResult ReadConfig(const HcclCall& call, const HcclCommConfig* config, HcclComms::Request& request) {
    if (!config) return HCCL_SUCCESS;
    if (std::memcmp(config->reserved, kConfigMagic, sizeof(kConfigMagic)) != 0) {
        return call.Refuse({Rule::kAclArgument, "config", "the configuration was not initialised", "other bytes",
                            "what HcclCommConfigInit filled", "call HcclCommConfigInit first"});
    }
    if (config->hcclBufferSize == 0) {
        return call.Refuse(
            {Rule::kAclArgument, "config", "the buffer has no bytes", "hcclBufferSize 0", "1 MB or more", ""});
    }
    if (config->hcclDeterministic != kNotSet && config->hcclDeterministic > 2) {
        return call.Refuse({Rule::kAclArgument, "config", "there is no such mode",
                            fmt::format("hcclDeterministic {}", config->hcclDeterministic), "0, 1, 2", ""});
    }
    if (config->hcclBufferSize != kNotSet) request.window_mb = config->hcclBufferSize;
    request.name.assign(config->hcclCommName, strnlen(config->hcclCommName, COMM_NAME_MAX_LENGTH - 1));
    return HCCL_SUCCESS;
}

// Comes together with the other ranks, now or at the end of the group.
HcclResult Enter(const HcclCall& call, const HcclComms::Request& request) {
    auto entered = HcclComms::The().Enter(request);
    if (auto* refused = std::get_if<HcclRefusal>(&entered)) return call.Refuse(refused->finding, refused->code);
    const auto& join = std::get<std::shared_ptr<HcclJoin>>(entered);
    if (HcclGroupIsOpen()) return HcclGroupAdd(join), HCCL_SUCCESS;
    return HcclComms::The().Wait(call.acl(), {join}) ? HCCL_SUCCESS : HCCL_E_TIMEOUT;
}

HcclResult InitRank(const HcclCall& call, uint32_t ranks, const HcclRootInfo* info, uint32_t rank,
                    const HcclCommConfig* config, HcclComm* comm) {
    if (!info) return call.RefuseNull("rootInfo");
    if (!comm) return call.RefuseNull("comm");
    RootInfo root;
    std::memcpy(&root, info, sizeof(root));
    if (std::memcmp(root.magic, kRootInfo.magic, sizeof(root.magic)) != 0) {
        return call.Refuse({Rule::kAclArgument, "rootInfo", "these are not the bytes of a root info", "other bytes",
                            "what HcclGetRootInfo of one rank filled", "hand its 4108 bytes to all ranks"});
    }
    if (root.process != static_cast<uint64_t>(getpid()))
        return RefuseProcesses(call, "rootInfo", "the root info of another process");
    if (const HcclResult code = CheckRanks(call, ranks, rank)) return code;
    HcclComms::Request request;
    if (const HcclResult code = ReadConfig(call, config, request)) return code;
    request.key = fmt::format("127.0.0.1%sfumato_0_{}", root.number);
    request.size = ranks;
    request.rank = rank;
    request.member = {Device::Current().rank(), comm, {}};
    return Enter(call, request);
}

struct Settings {
    std::mutex mutex;
    int32_t deterministic = 0;
};
Settings& TheSettings() {
    static auto* settings = new Settings;
    return *settings;
}

}  // namespace
}  // namespace sfumato::host

using namespace sfumato::host;
using sfumato::Rule;

HcclResult HcclGetRootInfo(HcclRootInfo* info) {
    const HcclCall call("HcclGetRootInfo");
    if (!info) return call.RefuseNull("rootInfo");
    // The thread counts from now on: ranks that it is about to start are not missing.
    if (Ranks::The().count() > 1) Ranks::The().Set(Device::Current().rank());
    std::memset(info, 0, sizeof(*info));
    RootInfo root = kRootInfo;
    root.process = static_cast<uint64_t>(getpid());
    root.number = HcclComms::The().NextRoot();
    std::memcpy(info, &root, sizeof(root));
    return HCCL_SUCCESS;
}

HcclResult HcclCommInitRootInfo(uint32_t ranks, const HcclRootInfo* info, uint32_t rank, HcclComm* comm) {
    return InitRank(HcclCall("HcclCommInitRootInfo"), ranks, info, rank, nullptr, comm);
}
HcclResult HcclCommInitRootInfoConfig(uint32_t ranks, const HcclRootInfo* info, uint32_t rank,
                                      const HcclCommConfig* config, HcclComm* comm) {
    const HcclCall call("HcclCommInitRootInfoConfig");
    if (!config) return call.RefuseNull("config");
    return InitRank(call, ranks, info, rank, config, comm);
}

HcclResult HcclCommInitAll(uint32_t count, int32_t* devices, HcclComm* comms) {
    const HcclCall call("HcclCommInitAll");
    if (!devices) return call.RefuseNull("devices");
    if (!comms) return call.RefuseNull("comms");
    if (const HcclResult code = CheckRanks(call, count, 0)) return code;
    for (uint32_t i = 0; i < count; ++i) {
        if (call.acl().CheckDevice(devices[i], "devices")) return HCCL_E_PARA;
        if (std::find(devices, devices + i, devices[i]) == devices + i) continue;
        return call.Refuse({Rule::kAclArgument, "devices", "a device is named twice", fmt::format("{}", devices[i]),
                            "a device for each rank", ""});
    }
    HcclComms::Request request;
    request.key = fmt::format("127.0.0.1%sfumato_0_{}", HcclComms::The().NextRoot());
    request.size = count;
    for (uint32_t i = 0; i < count; ++i) {
        request.rank = i;
        request.member = {Ranks::The().count() == 1 ? 0 : static_cast<uint32_t>(devices[i]), &comms[i], {}};
        auto entered = HcclComms::The().Enter(request);
        if (auto* refused = std::get_if<HcclRefusal>(&entered)) return call.Refuse(refused->finding, refused->code);
    }
    return HCCL_SUCCESS;
}

HcclResult HcclCommInitClusterInfo(const char* path, uint32_t, HcclComm*) {
    return RefuseProcesses(HcclCall("HcclCommInitClusterInfo"), "clusterInfo",
                           fmt::format("a table of ranks, '{}'", path ? path : ""));
}
HcclResult HcclCommInitClusterInfoConfig(const char* path, uint32_t, HcclCommConfig*, HcclComm*) {
    return RefuseProcesses(HcclCall("HcclCommInitClusterInfoConfig"), "clusterInfo",
                           fmt::format("a table of ranks, '{}'", path ? path : ""));
}

HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t count, uint32_t* ids, uint64_t sub_id, uint32_t sub_rank,
                                   HcclCommConfig* config, HcclComm* sub) {
    const HcclCall call("HcclCreateSubCommConfig");
    if (!comm) return call.RefuseNull("comm");
    if (!sub) return call.RefuseNull("subComm");
    HcclResult code = HCCL_SUCCESS;
    const std::shared_ptr<HcclRank> parent = call.Rank(*comm, code);
    if (!parent) return code;
    if (!ids && sub_rank == kNoRank) return *sub = nullptr, HCCL_SUCCESS;  // not a member
    if (!ids) return call.RefuseNull("rankIds");
    if (parent->domain->is_sub) {
        return call.Refuse({Rule::kCommUnsupported, "comm", "it is a part of another communicator already",
                            parent->domain->name, "a communicator of HcclCommInitRootInfo and its sisters", ""},
                           HCCL_E_NOT_SUPPORT);
    }
    if ((code = CheckRanks(call, count, sub_rank))) return code;
    HcclComms::Request request;
    if ((code = ReadConfig(call, config, request))) return code;
    for (uint32_t i = 0; i < count; ++i) {
        if (ids[i] < parent->domain->ranks.size() && (i == 0 || ids[i] > ids[i - 1])) {
            request.member.wanted.push_back(parent->domain->ranks[ids[i]]);
            continue;
        }
        return call.Refuse({Rule::kAclArgument, "rankIds", "the ranks are not in order, or none of the communicator's",
                            fmt::format("{}", ids[i]),
                            fmt::format("ascending numbers up to {}", parent->domain->ranks.size() - 1), ""});
    }
    if (ids[sub_rank] != parent->place) {
        return call.Refuse({Rule::kAclArgument, "subCommRankId", "the rank has another place in the list",
                            fmt::format("place {}, which is rank {}", sub_rank, ids[sub_rank]),
                            fmt::format("the place of rank {}", parent->place), ""});
    }
    request.key = fmt::format("{}_sub_{}", parent->domain->name, sub_id);
    request.size = count;
    request.rank = sub_rank;
    request.is_sub = true;
    request.member.device = parent->device();
    request.member.comm = sub;
    return Enter(call, request);
}

HcclResult HcclCommDestroy(HcclComm comm) {
    const HcclCall call("HcclCommDestroy");
    HcclResult code = HCCL_SUCCESS;
    const std::shared_ptr<HcclRank> rank = call.Rank(comm, code);
    if (!rank) return code;
    const uint64_t pending = rank->domain->comm ? rank->domain->comm->Pending(rank->place) : 0;
    if (pending != 0) {
        return call.Refuse({Rule::kCommLifetime, "comm", "works of the rank still use the communicator",
                            fmt::format("{} of rank {} on {}", pending, rank->place, rank->domain->name),
                            "a communicator whose works are complete", "call aclrtSynchronizeStream before"},
                           HCCL_E_AGAIN);
    }
    HcclComms::The().Destroy(comm);
    return HCCL_SUCCESS;
}

void SfumatoHcclConfigInit(HcclCommConfig* config) {
    if (!config) return;
    std::memset(config, 0, sizeof(*config));
    std::memcpy(config->reserved, kConfigMagic, sizeof(kConfigMagic));
    config->hcclBufferSize = config->hcclDeterministic = kNotSet;
    config->hcclRdmaTrafficClass = config->hcclRdmaServiceLevel = kNotSet;
}

HcclResult HcclGetCommName(HcclComm comm, char* name) {
    const HcclCall call("HcclGetCommName");
    if (!name) return call.RefuseNull("commName");
    HcclResult code = HCCL_SUCCESS;
    const std::shared_ptr<HcclRank> rank = call.Rank(comm, code);
    if (!rank) return code;
    try {
        HcclComms::The().MakeGroup(*rank->domain);
    } catch (const sfumato::Error& error) {
        return call.Refuse({Rule::kCommUnsupported, "comm", "kernels cannot use this communicator", error.what(),
                            "ranks and a chip that have contexts", ""},
                           HCCL_E_NOT_SUPPORT);
    }
    std::strncpy(name, rank->domain->name.c_str(), COMM_NAME_MAX_LENGTH - 1);
    name[COMM_NAME_MAX_LENGTH - 1] = 0;
    return HCCL_SUCCESS;
}

HcclResult HcclCommGetHandleWithName(const char* name, HcclComm* comm) {
    const HcclCall call("HcclCommGetHandleWithName");
    if (!name) return call.RefuseNull("commName");
    if (!comm) return call.RefuseNull("comm");
    *comm = HcclComms::The().Named(name, Device::Current().rank());
    if (*comm) return HCCL_SUCCESS;
    return call.Refuse({Rule::kAclArgument, "commName", "the device is in no communicator of this name", name,
                        "what HcclGetCommName gave", ""},
                       HCCL_E_NOT_FOUND);
}

HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank_id) {
    const HcclCall call("HcclGetRankId");
    if (!rank_id) return call.RefuseNull("rank");
    HcclResult code = HCCL_SUCCESS;
    if (const std::shared_ptr<HcclRank> rank = call.Rank(comm, code)) *rank_id = rank->place;
    return code;
}

HcclResult HcclGetRankSize(HcclComm comm, uint32_t* size) {
    const HcclCall call("HcclGetRankSize");
    if (!size) return call.RefuseNull("rankSize");
    HcclResult code = HCCL_SUCCESS;
    if (const std::shared_ptr<HcclRank> rank = call.Rank(comm, code))
        *size = static_cast<uint32_t>(rank->domain->ranks.size());
    return code;
}

HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* error) {
    const HcclCall call("HcclGetCommAsyncError");
    if (!error) return call.RefuseNull("asyncError");
    HcclResult code = HCCL_SUCCESS;
    if (const std::shared_ptr<HcclRank> rank = call.Rank(comm, code)) *error = HcclComms::The().ErrorOf(*rank);
    return code;
}

const char* HcclGetErrorString(HcclResult code) {
    constexpr const char* kWords[] = {"no error",
                                      "parameter error",
                                      "empty pointer",
                                      "memory error",
                                      "internal error",
                                      "feature not supported",
                                      "resource not found",
                                      "resource unavailable",
                                      "system call error",
                                      "timeout",
                                      "open file failure",
                                      "TCP connection error",
                                      "RoCE connection error",
                                      "TCP transfer error",
                                      "RoCE transfer error",
                                      "runtime error",
                                      "driver error",
                                      "profiling error",
                                      "CCE error",
                                      "network error",
                                      "operation to be repeated",
                                      "remote error",
                                      "communicator suspended",
                                      "operation retry failed",
                                      "out of memory"};
    if (code == HCCL_E_IN_STATUS) return "error in status";
    const bool known = code >= 0 && code < static_cast<int>(std::size(kWords));
    return known ? kWords[code] : "unknown error";
}

HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue value) {
    const HcclCall call("HcclSetConfig");
    if (config != HCCL_DETERMINISTIC || value.value < 0 || value.value > 2) {
        return call.Refuse({Rule::kAclArgument, "config", "there is no such setting",
                            fmt::format("{} of {}", value.value, static_cast<int>(config)),
                            "0, 1 or 2 of HCCL_DETERMINISTIC", "reductions repeat here whatever it is"});
    }
    std::lock_guard lock(TheSettings().mutex);
    TheSettings().deterministic = value.value;
    return HCCL_SUCCESS;
}

HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* value) {
    const HcclCall call("HcclGetConfig");
    if (!value) return call.RefuseNull("configValue");
    if (config != HCCL_DETERMINISTIC) {
        return call.Refuse({Rule::kAclArgument, "config", "there is no such setting",
                            fmt::format("{}", static_cast<int>(config)), "HCCL_DETERMINISTIC (0)", ""});
    }
    std::lock_guard lock(TheSettings().mutex);
    value->value = TheSettings().deterministic;
    return HCCL_SUCCESS;
}
