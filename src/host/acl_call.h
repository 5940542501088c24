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

// Of the device, or of the calling thread's.
void* NewHandle(Handle kind, std::optional<uint32_t> rank = {});
// False when p is none.
bool RemoveHandle(Handle kind, void* p);
// nullptr is the default stream, and no other handle.
bool IsLive(Handle kind, const void* p);
// The device on which it was made; none of the default stream.
std::optional<uint32_t> RankOf(Handle kind, const void* p);

constexpr int32_t kLastDevice = 7;  // of a server with eight cards

// What is said of one of another device.
Finding MismatchOf(Handle kind, uint32_t rank, uint32_t current);

class AclCall {
public:
    AclCall(const char* name) : name_(name) {}

    const char* name() const { return name_; }

    aclError Refuse(Finding finding, aclError code = ACL_ERROR_INVALID_PARAM) const {
        const Report report = ToReport(std::move(finding), name_, {});
        Told::The().AddCall(report);
        Device::Say(report.Text());
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
    // 0 for one that is alive and of the calling thread's device: work is submitted to no other.
    aclError CheckOwn(Handle kind, const void* p) const;
    // 0 for one of several devices, or a name of the only one: programs of servers have the number of the card that was
    // free.
    aclError CheckDevice(int32_t device, const char* operand = "deviceId") const;

private:
    const char* name_;
};

}  // namespace sfumato::host
