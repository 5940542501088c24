// SPDX-License-Identifier: Apache-2.0
// The registrations of libraries of host code.
#include "op/registry.h"

#include <algorithm>
#include <mutex>

#include "sfumato/tiling_data.h"

namespace sfumato::op {
namespace {

thread_local Registry* loading = nullptr;
std::mutex registry_mutex;  // of the program's own registry

}  // namespace

Registry& CurrentRegistry() {
    static auto* own = new Registry;  // never destroyed: registrations may outlive it
    return loading ? *loading : *own;
}

LoadInto::LoadInto(Registry& registry) : before_(loading) { loading = &registry; }
LoadInto::~LoadInto() { loading = before_; }

HostFunctions& FunctionsOf(const char* op) {
    std::lock_guard lock(registry_mutex);
    return CurrentRegistry().functions[op];
}

bool AddDefinition(const char* name, std::shared_ptr<ops::OpDef> (*make)(const char*), InfoMaker info, Where where) {
    std::lock_guard lock(registry_mutex);
    CurrentRegistry().definitions.push_back({name, make, info, where});
    return true;
}

// A header registers its classes in every source that includes it.
bool AddTilingClass(const char* op, const char* name, size_t bytes) {
    std::lock_guard lock(registry_mutex);
    auto& classes = CurrentRegistry().classes;
    const bool known = std::ranges::any_of(
        classes, [&](const Registry::TilingClass& c) { return c.op == op && c.name == name && c.bytes == bytes; });
    if (!known) classes.push_back({op, name, bytes});
    return true;
}

}  // namespace sfumato::op
