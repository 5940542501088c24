// SPDX-License-Identifier: Apache-2.0
// The calls of acl_prof.h, which measure nothing (framework.md 5.3).
#include <cstdio>
#include <mutex>
#include <set>

#include "acl/acl_prof.h"
#include "host/acl_call.h"

struct aclprofConfig {
    uint64_t what = 0;
};

namespace {

using sfumato::Rule;
using sfumato::host::AclCall;

struct Configs {
    std::mutex mutex;
    std::set<const aclprofConfig*> live;
};
Configs& TheConfigs() {
    static auto* configs = new Configs;
    return *configs;
}

aclError Check(const char* name, const aclprofConfig* config) {
    std::lock_guard lock(TheConfigs().mutex);
    if (TheConfigs().live.count(config)) return ACL_SUCCESS;
    return AclCall(name).Refuse({Rule::kAclHandle, "profilerConfig", "this is no aclprofConfig",
                                 config ? "no object that is alive" : "nullptr",
                                 "one of aclprofCreateConfig that was not destroyed", ""});
}

}  // namespace

aclError aclprofInit(const char* folder, size_t length) {
    if (!folder || !length) return AclCall("aclprofInit").RefuseNull("profilerResultPath");
    static std::once_flag said;
    std::call_once(said, [] {
        std::fputs(
            "note: aclprofInit: nothing is measured here, and no file is written; `msprof op PROGRAM` "
            "prints estimates\n",
            stderr);
    });
    return ACL_SUCCESS;
}
aclError aclprofFinalize(void) { return ACL_SUCCESS; }
aclprofConfig* aclprofCreateConfig(uint32_t* devices, uint32_t count, aclprofAicoreMetrics, const aclprofAicoreEvents*,
                                   uint64_t what) {
    const AclCall call("aclprofCreateConfig");
    if (count && !devices) return call.RefuseNull("deviceIdList"), nullptr;
    for (uint32_t i = 0; i < count; ++i) {
        if (call.CheckDevice(static_cast<int32_t>(devices[i]))) return nullptr;
    }
    std::lock_guard lock(TheConfigs().mutex);
    return const_cast<aclprofConfig*>(*TheConfigs().live.insert(new aclprofConfig{what}).first);
}
aclError aclprofDestroyConfig(const aclprofConfig* config) {
    if (const aclError error = Check("aclprofDestroyConfig", config)) return error;
    std::lock_guard lock(TheConfigs().mutex);
    TheConfigs().live.erase(config);
    delete config;
    return ACL_SUCCESS;
}
aclError aclprofStart(const aclprofConfig* config) { return Check("aclprofStart", config); }
aclError aclprofStop(const aclprofConfig* config) { return Check("aclprofStop", config); }
