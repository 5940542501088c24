// SPDX-License-Identifier: Apache-2.0
// acl calls between devices of the process (ranks.md 10): peer access, and memory by its key.
#include <unistd.h>

#include <algorithm>
#include <map>

#include "acl/acl_rt.h"
#include "host/acl_call.h"
#include "host/ranks.h"

namespace sfumato::host {
namespace {

aclError CheckPeer(const AclCall& call, int32_t peer, int32_t device) {
    const auto count = static_cast<int32_t>(Ranks::The().count());
    if (peer >= 0 && peer < count && peer != device) return ACL_SUCCESS;
    return call.Refuse(
        {Rule::kAclArgument, "peerDeviceId",
         peer == device ? "a device is no peer of itself" : "there is no such device", fmt::format("{}", peer),
         count == 1 ? "none, as there is one device" : fmt::format("0 to {} without {}", count - 1, device),
         "SFUMATO_DEVICES says how many there are"});
}

int32_t CurrentRank() { return static_cast<int32_t>(Device::Current().rank()); }

constexpr size_t kKeyBytes = 65;  // 64 characters and zero

// Memory of a device that has a key, and who has it by that.
struct Exported {
    void* p;
    uint32_t rank;
    bool checks_pids;
    std::vector<int32_t> pids;
    std::multiset<uint32_t> importers;  // ranks
};
struct Keys {
    std::mutex mutex;
    std::map<std::string, Exported> exported;
    uint64_t next = 0;
};
Keys& TheKeys() {
    static auto* keys = new Keys;
    return *keys;
}

aclError RefuseKey(const AclCall& call, const std::string& key) {
    return call.Refuse({Rule::kAclHandle, "key", "no memory has this key", key,
                        "what aclrtIpcMemGetExportKey gave in this process, not closed",
                        "several processes are not yet one world: run the ranks as threads"});
}

aclError Export(const AclCall& call, void* p, size_t size, char* key, size_t length, uint64_t flags) {
    if (!key) return call.RefuseNull("key");
    if (length < kKeyBytes) {
        return call.Refuse({Rule::kAclArgument, "len", "the key does not fit", fmt::format("{}", length),
                            fmt::format("at least {}: 64 characters and zero", kKeyBytes), ""});
    }
    if (flags > 1) {
        return call.Refuse({Rule::kAclArgument, "flags", "there is no such flag", fmt::format("{:#x}", flags),
                            "0, or 1 for any process", ""});
    }
    const Place place = Device::Find(p);
    if (!place.OnDevice() || place.block->freed || place.offset != 0 || size == 0 || size > place.block->bytes) {
        return call.Refuse({Rule::kAclArgument, "devPtr", "a key is of a block of the device",
                            fmt::format("{} bytes at {}", size, Device::Describe(p)),
                            "the address that aclrtMalloc returned, and at most its bytes", ""});
    }
    Keys& keys = TheKeys();
    std::lock_guard lock(keys.mutex);
    const std::string made = fmt::format("sfumato{:057x}", ++keys.next);
    std::copy_n(made.c_str(), kKeyBytes, key);
    keys.exported[made] = {p, place.rank, flags == 0, {}, {}};
    return ACL_SUCCESS;
}

aclError Import(const AclCall& call, void** p, const char* key, uint64_t flags) {
    if (!p || !key) return call.RefuseNull(p ? "key" : "devPtr");
    const auto rank = static_cast<uint32_t>(CurrentRank());
    Keys& keys = TheKeys();
    std::lock_guard lock(keys.mutex);
    const auto it = keys.exported.find(key);
    if (it == keys.exported.end()) return RefuseKey(call, key);
    Exported& exported = it->second;
    if (exported.checks_pids && std::ranges::find(exported.pids, getpid()) == exported.pids.end()) {
        return call.Refuse({Rule::kAclOrder, "key", "the process may not import the memory",
                            fmt::format("{}", getpid()), "a process of aclrtIpcMemSetImportPid, or a key of flags 1",
                            ""});
    }
    if (flags == 1 && rank != exported.rank) Ranks::The().SetPeerAccess(rank, exported.rank, true);
    if (!Ranks::The().MayTouch(rank, exported.rank)) {
        return call.Refuse({Rule::kRemoteAccess, "key", "the memory is of a device without peer access",
                            fmt::format("device {}, current device {}", exported.rank, rank),
                            "memory of the current device, or of one it has access to",
                            fmt::format("aclrtDeviceEnablePeerAccess({}, 0) before", exported.rank)});
    }
    exported.importers.insert(rank);
    *p = exported.p;
    return ACL_SUCCESS;
}

// By an importer, or by the device that made the key, when nobody has the memory any more.
aclError CloseKey(const AclCall& call, const char* key) {
    if (!key) return call.RefuseNull("key");
    const auto rank = static_cast<uint32_t>(CurrentRank());
    Keys& keys = TheKeys();
    std::lock_guard lock(keys.mutex);
    const auto it = keys.exported.find(key);
    if (it == keys.exported.end()) return RefuseKey(call, key);
    std::multiset<uint32_t>& importers = it->second.importers;
    if (const auto mine = importers.find(rank); mine != importers.end()) {
        importers.erase(mine);
    } else if (importers.empty()) {
        keys.exported.erase(it);
    } else {
        return call.Refuse({Rule::kAclOrder, "key", "others still have the memory by this key",
                            fmt::format("device {} has imported it", *importers.begin()),
                            "aclrtIpcMemClose of the importers before that of the exporter", ""});
    }
    return ACL_SUCCESS;
}

}  // namespace
}  // namespace sfumato::host

using namespace sfumato::host;
using sfumato::Rule;

aclError aclrtDeviceCanAccessPeer(int32_t* can, int32_t device, int32_t peer) {
    const AclCall call("aclrtDeviceCanAccessPeer");
    if (!can) return call.RefuseNull("canAccessPeer");
    aclError error = call.CheckDevice(device);
    if (!error) error = CheckPeer(call, peer, device);
    if (!error) *can = 1;
    return error;
}
aclError aclrtDeviceEnablePeerAccess(int32_t peer, uint32_t flags) {
    const AclCall call("aclrtDeviceEnablePeerAccess");
    if (const aclError error = CheckPeer(call, peer, CurrentRank())) return error;
    if (flags != 0) {
        return call.Refuse(
            {Rule::kAclArgument, "flags", "there is no such flag", fmt::format("{:#x}", flags), "0", ""});
    }
    Ranks::The().SetPeerAccess(Device::Current().rank(), static_cast<uint32_t>(peer), true);
    return ACL_SUCCESS;
}
aclError aclrtDeviceDisablePeerAccess(int32_t peer) {
    const AclCall call("aclrtDeviceDisablePeerAccess");
    if (const aclError error = CheckPeer(call, peer, CurrentRank())) return error;
    if (Ranks::The().SetPeerAccess(Device::Current().rank(), static_cast<uint32_t>(peer), false)) return ACL_SUCCESS;
    return call.Refuse({Rule::kAclOrder, "peerDeviceId", "the current device has no access to this one",
                        fmt::format("device {}, current device {}", peer, CurrentRank()),
                        "a device of aclrtDeviceEnablePeerAccess", ""});
}

aclError aclrtIpcMemGetExportKey(void* block, size_t size, char* key, size_t length, uint64_t flags) {
    return Export("aclrtIpcMemGetExportKey", block, size, key, length, flags);
}
aclError aclrtIpcMemImportByKey(void** block, const char* key, uint64_t flags) {
    return Import("aclrtIpcMemImportByKey", block, key, flags);
}
aclError aclrtIpcMemClose(const char* key) { return CloseKey("aclrtIpcMemClose", key); }
aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pids, size_t count) {
    const AclCall call("aclrtIpcMemSetImportPid");
    if (!key || !pids) return call.RefuseNull(key ? "pid" : "key");
    Keys& keys = TheKeys();
    std::lock_guard lock(keys.mutex);
    const auto it = keys.exported.find(key);
    if (it == keys.exported.end()) return RefuseKey(call, key);
    it->second.pids.assign(pids, pids + count);
    return ACL_SUCCESS;
}
aclError aclrtDeviceGetBareTgid(int32_t* pid) {
    if (!pid) return AclCall("aclrtDeviceGetBareTgid").RefuseNull("pid");
    *pid = getpid();
    return ACL_SUCCESS;
}
