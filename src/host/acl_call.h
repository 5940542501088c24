// SPDX-License-Identifier: Apache-2.0
// How an acl call refuses: a report for aclGetRecentErrMsg, and a code.
#pragma once

#include <fmt/format.h>

#include "acl/acl_base.h"
#include "host/device.h"
#include "host/told.h"

namespace sfumato::host {

// Streams, events and contexts: tokens that are never used again, so that a destroyed one is known.
enum class Handle : unsigned char { kStream, kEvent, kContext };

constexpr const char* Name(Handle handle) {
    constexpr const char* kNames[] = {"stream", "event", "context"};
    return kNames[static_cast<int>(handle)];
}

void* NewHandle(Handle kind);
// False when p is none.
bool RemoveHandle(Handle kind, void* p);
// nullptr is the default stream, and no other handle.
bool IsLive(Handle kind, const void* p);

constexpr int32_t kLastDevice = 7;  // of a server with eight cards

class AclCall {
public:
    AclCall(const char* name) : name_(name) {}

    const char* name() const { return name_; }

    aclError Refuse(Finding finding, aclError code = ACL_ERROR_INVALID_PARAM) const {
        const Report report = ToReport(std::move(finding), name_, {});
        Told::The().AddCall(report);
        Device::The().Say(report.Text());
        return code;
    }
    aclError RefuseNull(const char* operand) const {
        return Refuse({Rule::kAclArgument, operand, "there is no place for the result", "nullptr", "an address", ""});
    }
    // 0 for one that is alive.
    aclError CheckHandle(Handle kind, const void* p) const {
        if (IsLive(kind, p)) return ACL_SUCCESS;
        return Refuse(
            {Rule::kAclHandle, Name(kind), fmt::format("the {} does not exist", Name(kind)), fmt::format("{}", p),
             fmt::format("one that was created and not destroyed{}", kind == Handle::kStream ? ", or nullptr" : ""),
             ""});
    }
    // 0 for a name of the only device: programs of servers have the number of the card that was free.
    aclError CheckDevice(int32_t device) const {
        if (device >= 0 && device <= kLastDevice) return ACL_SUCCESS;
        return Refuse({Rule::kAclArgument, "deviceId", "there is no such device", fmt::format("{}", device),
                       fmt::format("0 to {}, which are one device here", kLastDevice), ""});
    }

private:
    const char* name_;
};

}  // namespace sfumato::host
