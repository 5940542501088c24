// SPDX-License-Identifier: Apache-2.0
// What launches of every style have in common.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/device.h"
#define SFUMATO_CHIP ""  // programs choose it, not the library
#include "sfumato/host/launch.h"

namespace sfumato::host {

// A kernel's pointers lie in live blocks of the device, or are null. Throws KernelError. Under strict, notes on blocks
// that were given back to the caching allocator.
std::vector<Report> CheckPointers(const Site& site, const LaunchOptions& options, const void* const* pointers,
                                  size_t count);
// Throws KernelError with the launch's place.
[[noreturn]] void RefuseLaunch(const Site& site, const LaunchOptions& options, Finding finding);
// What the function's code tells without running: which kinds of core it needs (none: its file tells nothing), and
// variables that are no kernel's own.
struct FunctionCode {
    std::optional<CodeUse> use;
    bool system_workspace = true;      // it may ask for one
    std::vector<Report> findings;      // at the first launch of a function, whose place is `where`
    std::vector<Report> use_findings;  // the same, where `use` chooses its cores
};
FunctionCode CodeOf(const void* function, Where where);
// Warnings and notes go to stderr. The faults, as one text; empty when there is none.
std::string Faults(const LaunchResult& result);

}  // namespace sfumato::host
