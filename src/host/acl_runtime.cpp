// SPDX-License-Identifier: Apache-2.0
// acl calls on the process, the device and its modes, and contexts (framework.md 5.3).
#include "acl/acl_rt.h"

#include <unistd.h>

#include "host/acl_call.h"
#include "host/capture.h"
#include "host/ranks.h"
#include "host/stream_order.h"
#include "runtime/cores/of_thread.h"
#include "soc/chip.h"
#include "system/memory.h"

namespace sfumato::host {
namespace {

struct Process {
    std::mutex mutex;
    int inits = 0;
    std::string soc_name;
};
Process& TheProcess() {
    static auto* process = new Process;
    return *process;
}
struct OfCaller {
    aclrtContext context = nullptr;
    int32_t device = 0;  // as it was named: of one device it is any number
};
OfCaller& Caller() { return runtime::OfThread<OfCaller>(); }

// The calling thread works for the device from now on.
void SetDevice(int32_t device) {
    Caller().device = device;
    if (Ranks::The().count() > 1) Ranks::The().Set(static_cast<uint32_t>(device));
}

constexpr std::pair<aclrtFloatOverflowMode, Overflow> kModes[] = {
    {ACL_RT_OVERFLOW_MODE_SATURATION, Overflow::kSaturate},
    {ACL_RT_OVERFLOW_MODE_INFNAN, Overflow::kInfNan},
    {ACL_RT_OVERFLOW_MODE_UNDEF, Overflow::kBoard}};

// What launches follow while no aclrtSetDeviceSatMode was called.
Overflow ModeNobodySet() {
    const LaunchOptions options = OptionsOfEnvironment(Route::kHost, "");
    return soc::PolicyOf(soc::FindChip(options.chip), options.overflow, Info(options.route).overflow);
}

void* NewContext(int32_t device) {
    return NewHandle(Handle::kContext, Ranks::The().count() > 1 ? static_cast<uint32_t>(device) : 0);
}

// A board has a product's name, also where a family was asked for.
std::string SocName() { return soc::FindChip(ChipOfEnvironment()).product; }

}  // namespace
}  // namespace sfumato::host

using namespace sfumato::host;
using sfumato::Rule;

aclError aclInit(const char*) {
    std::lock_guard lock(TheProcess().mutex);
    ++TheProcess().inits;
    return ACL_SUCCESS;
}
aclError aclFinalize() {
    std::lock_guard lock(TheProcess().mutex);
    if (TheProcess().inits > 0) {
        --TheProcess().inits;
        return ACL_SUCCESS;
    }
    return AclCall("aclFinalize")
        .Refuse({Rule::kAclOrder, "", "there was no aclInit, or as many aclFinalize before", "0 open calls of aclInit",
                 "one aclFinalize for each aclInit", ""},
                ACL_ERROR_UNINITIALIZE);
}
aclError aclrtGetVersion(int32_t* major, int32_t* minor, int32_t* patch) {
    if (!major || !minor || !patch) return AclCall("aclrtGetVersion").RefuseNull("majorVersion");
    *major = 1, *minor = 0, *patch = 0;
    return ACL_SUCCESS;
}
aclError aclrtGetRunMode(aclrtRunMode* mode) {
    if (!mode) return AclCall("aclrtGetRunMode").RefuseNull("runMode");
    *mode = ACL_HOST;
    return ACL_SUCCESS;
}

aclError aclrtSetDevice(int32_t device) {
    if (const aclError error = AclCall("aclrtSetDevice").CheckDevice(device)) return error;
    if (Ranks::The().count() > 1 && device != Caller().device) Caller().context = nullptr;
    SetDevice(device);
    return ACL_SUCCESS;
}
aclError aclrtResetDevice(int32_t device) {
    const AclCall call("aclrtResetDevice");
    if (const aclError error = call.CheckDevice(device)) return error;
    Ranks& ranks = Ranks::The();
    if (ranks.count() == 1) return ACL_SUCCESS;
    Device& reset = ranks.device(static_cast<uint32_t>(device));
    ranks.WaitForDevice(call.name(), reset);
    ranks.Leave(reset.rank());
    return reset.Collect();
}
aclError aclrtGetDevice(int32_t* device) {
    if (!device) return AclCall("aclrtGetDevice").RefuseNull("deviceId");
    *device = Caller().device;
    return ACL_SUCCESS;
}
aclError aclrtGetDeviceCount(uint32_t* count) {
    if (!count) return AclCall("aclrtGetDeviceCount").RefuseNull("count");
    *count = Ranks::The().count();
    return ACL_SUCCESS;
}
const char* aclrtGetSocName() {
    std::lock_guard lock(TheProcess().mutex);
    try {
        TheProcess().soc_name = SocName();
    } catch (const std::exception& error) {
        EndProcess(sfumato::kUsage, error.what());
    }
    return TheProcess().soc_name.c_str();
}
aclError aclGetDeviceCapability(uint32_t device, aclDeviceInfo info, int64_t* value) {
    const AclCall call("aclGetDeviceCapability");
    if (!value) return call.RefuseNull("value");
    if (const aclError error = call.CheckDevice(static_cast<int32_t>(device))) return error;
    const sfumato::soc::Chip chip = sfumato::soc::FindChip(ChipOfEnvironment());
    if (info == ACL_DEVICE_INFO_AI_CORE_NUM || info == ACL_DEVICE_INFO_VECTOR_CORE_NUM) {
        *value = info == ACL_DEVICE_INFO_AI_CORE_NUM ? chip.cube_cores : chip.vector_cores;
        return ACL_SUCCESS;
    }
    return call.Refuse({Rule::kAclUnsupported, "deviceInfo", "this is not known of the device",
                        fmt::format("{}", static_cast<int>(info)),
                        "ACL_DEVICE_INFO_AI_CORE_NUM (0), ACL_DEVICE_INFO_VECTOR_CORE_NUM (1)", ""},
                       ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}
aclError aclrtGetDeviceInfo(uint32_t device, aclrtDevAttr attribute, int64_t* value) {
    const AclCall call("aclrtGetDeviceInfo");
    if (!value) return call.RefuseNull("value");
    if (const aclError error = call.CheckDevice(static_cast<int32_t>(device))) return error;
    const sfumato::soc::Chip chip = sfumato::soc::FindChip(ChipOfEnvironment());
    switch (attribute) {
        case ACL_DEV_ATTR_AICORE_CORE_NUM:
        case ACL_DEV_ATTR_CUBE_CORE_NUM: *value = chip.cube_cores; return ACL_SUCCESS;
        case ACL_DEV_ATTR_VECTOR_CORE_NUM: *value = chip.vector_cores; return ACL_SUCCESS;
        case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
            *value = static_cast<int64_t>(sfumato::system::TotalMemory());
            return ACL_SUCCESS;
        default: break;
    }
    return call.Refuse({Rule::kAclUnsupported, "attr", "this is not known of the device",
                        fmt::format("{}", static_cast<int>(attribute)),
                        "ACL_DEV_ATTR_AICORE_CORE_NUM (101), ACL_DEV_ATTR_CUBE_CORE_NUM (102), "
                        "ACL_DEV_ATTR_VECTOR_CORE_NUM (201), ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE (301)",
                        ""},
                       ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}
aclError aclrtGetHardwareSyncAddr(void** addr) {
    if (!addr) return AclCall("aclrtGetHardwareSyncAddr").RefuseNull("addr");
    *addr = nullptr;
    return ACL_SUCCESS;
}
aclError aclrtGetMemInfo(aclrtMemAttr, size_t* free, size_t* total) {
    if (!free || !total) return AclCall("aclrtGetMemInfo").RefuseNull(free ? "total" : "free");
    *free = sfumato::system::FreeMemory();
    *total = sfumato::system::TotalMemory();
    return ACL_SUCCESS;
}
aclError aclrtSynchronizeDevice() {
    if (const aclError error = CheckAllowed("aclrtSynchronizeDevice", Act::kWaitForDevice)) return error;
    Ranks::The().WaitForDevice("aclrtSynchronizeDevice", Device::Current());
    StreamOrder::The().SynchronizedWithAll();
    return Device::Current().Collect();
}

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
    for (const auto& [acl, overflow] : kModes) {
        if (acl != mode) continue;
        Device::Current().overflow = overflow;
        return ACL_SUCCESS;
    }
    return AclCall("aclrtSetDeviceSatMode")
        .Refuse({Rule::kAclArgument, "mode", "there is no such mode", fmt::format("{}", static_cast<int>(mode)),
                 "ACL_RT_OVERFLOW_MODE_SATURATION (0), _INFNAN (1), _UNDEF (2)", ""});
}
aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
    if (!mode) return AclCall("aclrtGetDeviceSatMode").RefuseNull("mode");
    try {
        const sfumato::Overflow now = Device::Current().overflow ? *Device::Current().overflow : ModeNobodySet();
        for (const auto& [acl, overflow] : kModes) {
            if (now == overflow) *mode = acl;
        }
        return ACL_SUCCESS;
    } catch (const std::exception& error) {
        EndProcess(sfumato::kUsage, error.what());
    }
}

aclError aclrtCreateContext(aclrtContext* context, int32_t device) {
    const AclCall call("aclrtCreateContext");
    if (!context) return call.RefuseNull("context");
    if (const aclError error = call.CheckDevice(device)) return error;
    Caller().context = *context = NewContext(device);
    if (Ranks::The().count() > 1) SetDevice(device);
    return ACL_SUCCESS;
}
aclError aclrtDestroyContext(aclrtContext context) {
    if (const aclError error = AclCall("aclrtDestroyContext").CheckHandle(Handle::kContext, context)) return error;
    RemoveHandle(Handle::kContext, context);
    if (Caller().context == context) Caller().context = nullptr;
    return ACL_SUCCESS;
}
aclError aclrtSetCurrentContext(aclrtContext context) {
    if (const aclError error = AclCall("aclrtSetCurrentContext").CheckHandle(Handle::kContext, context)) return error;
    Caller().context = context;
    if (Ranks::The().count() > 1) SetDevice(static_cast<int32_t>(*RankOf(Handle::kContext, context)));
    return ACL_SUCCESS;
}
aclError aclrtGetCurrentContext(aclrtContext* context) {
    if (!context) return AclCall("aclrtGetCurrentContext").RefuseNull("context");
    // A device has a context of its own, which the first one asked for stands for.
    if (!Caller().context) Caller().context = NewContext(Caller().device);
    *context = Caller().context;
    return ACL_SUCCESS;
}

const char* aclGetRecentErrMsg() { return Device::TakeMessage(); }
