// SPDX-License-Identifier: Apache-2.0
// What acl calls may name: devices, and streams and events of the device they work on.
#include "host/acl_call.h"

#include "host/ranks.h"

namespace sfumato::host {

aclError AclCall::CheckDevice(int32_t device, const char* operand) const {
    const uint32_t count = Ranks::The().count();
    const int32_t last = count == 1 ? kLastDevice : static_cast<int32_t>(count) - 1;
    if (device >= 0 && device <= last) return ACL_SUCCESS;
    return Refuse({Rule::kAclArgument, operand, "there is no such device", fmt::format("{}", device),
                   fmt::format("0 to {}{}", last, count == 1 ? ", which are one device here" : ""),
                   count == 1 ? "" : "SFUMATO_DEVICES says how many there are"});
}

aclError AclCall::CheckOwn(Handle kind, const void* p) const {
    if (const aclError error = CheckHandle(kind, p)) return error;
    const uint32_t current = Device::Current().rank(), rank = RankOf(kind, p).value_or(current);
    if (rank == current) return ACL_SUCCESS;
    return Refuse(MismatchOf(kind, rank, current));
}

Finding MismatchOf(Handle kind, uint32_t rank, uint32_t current) {
    return {Rule::kDeviceMismatch,
            Name(kind),
            fmt::format("the {} belongs to another device than the calling thread works for", Name(kind)),
            fmt::format("{} {} of device {}, current device {}", kind == Handle::kEvent ? "an" : "a", Name(kind), rank,
                        current),
            fmt::format("{} {} made on the current device", kind == Handle::kEvent ? "an" : "a", Name(kind)),
            fmt::format("call aclrtSetDevice({}) before", rank)};
}

}  // namespace sfumato::host
