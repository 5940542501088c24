// SPDX-License-Identifier: Apache-2.0
// What the CMake files of an operator project say about its build (clients.md 2.4).
#pragma once

#include <string>
#include <vector>

namespace sfumato::toolkit {

struct ProjectSettings {
    std::vector<std::string> units;  // of ASCEND_COMPUTE_UNIT; empty: nothing is said
    std::string vendor = "customize";
};
// CMakePresets.json of the folder, then `defines` ("vendor_name=mine"). Throws Error.
ProjectSettings ReadSettings(const std::string& folder, const std::vector<std::string>& defines);

// A line of add_ops_compile_options or npu_op_kernel_options.
struct KernelOptions {
    std::string op;                    // "" for ALL
    std::vector<std::string> units;    // empty: all
    std::vector<std::string> options;  // as they stand
};
// op_kernel/CMakeLists.txt; none without the file. Throws Error, for one without add_kernels_compile(), too.
std::vector<KernelOptions> ReadKernelOptions(const std::string& folder);

// Those of an operator on a unit: the flags that its kernel is compiled with, and what else they say.
struct ChosenOptions {
    std::string flags;  // a space between
    bool auto_sync = true;
    std::vector<std::string> ignored;
};
ChosenOptions Choose(const std::vector<KernelOptions>& all, const std::string& op, const std::string& unit);

}  // namespace sfumato::toolkit
