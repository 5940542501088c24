// SPDX-License-Identifier: Apache-2.0
// Groups of calls of operators, found in the world of the devices.
#include "aclnn/groups.h"

#include <fmt/format.h>

#include "host/acl_call.h"
#include "host/ranks.h"
#include "runtime/world/group.h"

namespace sfumato::aclnn {
namespace {

// visit(attribute, name, the group or null) for each group that the call names.
template <class Visit>
void ForEachGroup(const aclOpExecutor& e, const Visit& visit) {
    const runtime::World* world = host::Ranks::The().world();
    if (!e.op || !world) return;
    const std::vector<std::string> names = e.op->GroupsOf(e.call);
    for (size_t i = 0; i < names.size(); ++i)
        visit(e.op->definition().groups[i], names[i], runtime::GroupNamed(*world, names[i]));
}

}  // namespace

void CheckGroups(const aclOpExecutor& e) {
    ForEachGroup(e, [&](const std::string& attr, const std::string& name, const runtime::Group* group) {
        const uint32_t rank = host::Device::Current().rank();
        if (group && group->PlaceOf(rank) >= 0) return;
        throw KernelError(ToReport(
            {Rule::kOpAttr, attr, "the device is in no group of this name",
             fmt::format("'{}' on device {}", name, rank), runtime::GroupNames(*host::Ranks::The().world(), rank),
             "pass the name that HcclGetCommName gave for a communicator of the device"},
            e.op->definition().name, {}));
    });
}

std::vector<const void*> ContextsOf(const aclOpExecutor& e) {
    std::vector<const void*> contexts;
    ForEachGroup(e, [&](const std::string&, const std::string&, const runtime::Group* group) {
        const int place = group ? group->PlaceOf(host::Device::Current().rank()) : -1;
        if (place >= 0) contexts.push_back(group->Context(static_cast<uint32_t>(place)));
    });
    return contexts;
}

}  // namespace sfumato::aclnn

// Which server of a board moves the data of the call: 0 AICPU, 1 MTE. Nothing here depends on it.
extern "C" SFUMATO_API void NnopbaseSetHcclServerType(void* executor, int32_t type) {
    const sfumato::host::AclCall call("NnopbaseSetHcclServerType");
    if (!executor) {
        call.RefuseNull("executor");
    } else if (type != 0 && type != 1) {
        call.Refuse({sfumato::Rule::kAclArgument, "sType", "there is no such server", fmt::format("{}", type),
                     "0 (AICPU) or 1 (MTE)", ""});
    }
}
