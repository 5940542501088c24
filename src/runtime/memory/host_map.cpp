// SPDX-License-Identifier: Apache-2.0
// Asks the dynamic linker.
#include "runtime/memory/host_map.h"

namespace sfumato::runtime {

void ModuleMap::Read() {
    ranges_.clear();
    system::VisitModules([this](const system::Module& module) {
        for (size_t i = 0; i < module.parts(); ++i) {
            if (const system::Addresses part = module.part(i); part.bytes != 0)
                ranges_.push_back({part, module.base()});
        }
        return false;
    });
}

bool ModuleMap::Holds(uintptr_t address, uint64_t bytes, bool write, const void* code) {
    if (ranges_.empty()) Read();
    const auto module_of = [this](uintptr_t a, uint64_t n) -> const Range* {
        for (const Range& r : ranges_) {
            if (r.addresses.Hold(a, n)) return &r;
        }
        return nullptr;
    };
    const Range* own = module_of(reinterpret_cast<uintptr_t>(code), 1);
    if (const Range* held = module_of(address, bytes)) return !write || (own && own->module == held->module);
    // A thread's variables move with the thread.
    return system::VisitModules([&](const system::Module& module) {
        if (write && module.base() != (own ? own->module : 0)) return false;
        const system::Addresses variables = module.variables();
        return variables.begin != 0 && variables.Hold(address, bytes);
    });
}

}  // namespace sfumato::runtime
