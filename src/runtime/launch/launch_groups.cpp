// SPDX-License-Identifier: Apache-2.0
// The groups that a launch names become those of its world.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/finding.h"
#include "runtime/launch/launch_state.h"
#include "runtime/world/group.h"

namespace sfumato::runtime {

std::vector<Report> LaunchState::BindGroups() {
    std::vector<Report> wrong;
    if (!work) return wrong;
    const auto refuse = [&](const std::string& message, const std::string& found, const std::string& legal,
                            const std::string& hint) {
        wrong.push_back(ToReport({Rule::kHcclContext, "", message, found, legal, hint}, "", {}));
    };
    const std::string names = GroupNames(work->world(), work->rank());
    if (options.groups.size() > 2) {
        refuse("the launch names more groups than a kernel has contexts",
               fmt::format("{} groups", options.groups.size()), "up to 2", "");
        return wrong;
    }
    for (const std::string& name : options.groups) {
        const Group* group = GroupNamed(work->world(), name);
        if (!group) {
            refuse("the launch names a group that there is not", fmt::format("'{}'", name), names,
                   "make the group before, or give the operator's attribute the name of one");
        } else if (group->PlaceOf(work->rank()) < 0) {
            refuse(
                "the launch names a group that its rank is not in",
                fmt::format("'{}' of ranks {}; this is rank {}", name, fmt::join(group->ranks(), ", "), work->rank()),
                names, "launch it on the ranks of the group alone");
        } else if (chip.name != "Ascend910B" || LayoutOf(options.chip) != group->layout()) {
            const bool a3 = group->layout() == ContextLayout::kOperationResource;
            refuse("the launch is of another chip than the group's contexts", fmt::format("{}", chip.product),
                   fmt::format("{} for group '{}'",
                               a3 ? "Ascend910_9392 and its sisters (A3)" : "Ascend910B1 and its sisters (A2)", name),
                   "make the group for the chip that its kernels run on");
        } else {
            groups.push_back(group);
        }
    }
    return wrong;
}

}  // namespace sfumato::runtime
