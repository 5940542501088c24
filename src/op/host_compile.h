// SPDX-License-Identifier: Apache-2.0
// Compiles the host code of a project to one shared object, or takes it from the cache.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jit/cache.h"
#include "op/project.h"

namespace sfumato::op {

struct HostObject {
    std::string path;
    bool from_cache = false;
    std::vector<std::string> warnings;
    std::shared_ptr<jit::Cache> cache;  // keeps a temporary one alive
    ~HostObject();                      // removes an object that is in no cache
    bool is_private = false;
    std::vector<LeftOut> left_out;
};

// Sources are compiled on their own, several at once. One that does not compile is left out where the operator that is
// asked for is not mentioned in it. Sources beside headers that the folders above share come in when the linker lacks
// something. Throws CompileError with the compiler's messages, KernelError where it cannot be loaded (load_probe.h).
std::unique_ptr<HostObject> CompileHost(const Project& project, const LoadOptions& options);

}  // namespace sfumato::op
