// SPDX-License-Identifier: Apache-2.0
// Writes the stubs from the parameters as the source has them: pointers are void* to the host.
#include "jit/launch_stubs.h"

#include <fmt/format.h>

#include <algorithm>

namespace sfumato::jit {
namespace {

bool IsPointer(const std::string& type) {
    return type.find('*') != std::string::npos || type.find("GM_ADDR") != std::string::npos;
}

LaunchStub Write(const FoundKernel& kernel, bool workspace, bool tiling, const TakenNames& taken) {
    const size_t count = kernel.params.size(), behind = tiling ? 2 : 1;
    const size_t workspace_at = workspace && count >= behind ? count - behind : count;
    std::string parameters, arguments;
    for (size_t i = 0; i < count; ++i) {
        const FoundParam& p = kernel.params[i];
        const std::string name = p.name.empty() ? fmt::format("argument{}", i) : p.name;
        parameters += fmt::format(", {} {}", IsPointer(p.type) ? "void*" : p.type, name);
        arguments += i ? ", " : "";
        arguments += i == workspace_at ? fmt::format("::sfumato::host::UserWorkspace({})", name) : name;
    }
    const std::string function =
        fmt::format("uint32_t aclrtlaunch_{}(uint32_t blockDim, void* stream{})", kernel.name, parameters);
    LaunchStub stub{kernel.name, {}, {}};
    stub.header = fmt::format(
        "// Written by sfumato build from the kernel {0}: the call behind ACLRT_LAUNCH_KERNEL({0}).\n"
        "#pragma once\n\n#include <stdint.h>\n\n"
        "#ifndef ACLRT_LAUNCH_KERNEL\n#define ACLRT_LAUNCH_KERNEL(kernel) aclrtlaunch_##kernel\n#endif\n\n"
        "// 0, or an error code when the launch was refused.\n"
        "#ifdef __cplusplus\nextern \"C\"\n#endif\n{1};\n",
        kernel.name, function);
    stub.definition = fmt::format(
        "extern \"C\" __attribute__((visibility(\"default\"))) {} {{\n"
        "    return SFUMATO_LAUNCH(::{}).On(blockDim, nullptr, stream)({}) ? 0 : 100000;\n}}\n",
        function, CodeName(taken, kernel), arguments);
    return stub;
}

}  // namespace

std::vector<LaunchStub> WriteLaunchStubs(std::string_view source, bool workspace, bool tiling,
                                         const TakenNames& taken) {
    std::vector<LaunchStub> stubs;
    for (const FoundKernel& kernel : FindKernels(source)) {
        const auto same = [&](const LaunchStub& stub) { return stub.kernel == kernel.name; };
        if (kernel.is_template || std::ranges::any_of(stubs, same)) continue;
        stubs.push_back(Write(kernel, workspace, tiling, taken));
    }
    return stubs;
}

}  // namespace sfumato::jit
