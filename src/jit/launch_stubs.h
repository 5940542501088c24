// SPDX-License-Identifier: Apache-2.0
// aclrtlaunch_<kernel>: the function behind ACLRT_LAUNCH_KERNEL(kernel), and the header that declares it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jit/kernel_finder.h"
#include "jit/kernel_names.h"

namespace sfumato::jit {

struct LaunchStub {
    std::string kernel;      // unqualified
    std::string header;      // text of aclrtlaunch_<kernel>.h
    std::string definition;  // stands behind the source
};

// A stub for each kernel that is defined and no template. `text`: what the kernels were found in; it tells what their
// types stand for. With `workspace` the last parameter, the one before it with `tiling`, is the workspace, which the
// kernel gets behind the system's part (framework.md 5.5, HAVE_WORKSPACE).
std::vector<LaunchStub> WriteLaunchStubs(const std::vector<FoundKernel>& kernels, std::string_view text, bool workspace,
                                         bool tiling, const TakenNames& taken = {});

}  // namespace sfumato::jit
