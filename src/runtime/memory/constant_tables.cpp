// SPDX-License-Identifier: Apache-2.0
// Finds the tables among the symbols of their module.
#include "runtime/memory/constant_tables.h"

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "runtime/code/code_graph.h"
#include "runtime/memory/global_memory.h"
#include "system/modules.h"

namespace sfumato::runtime {
namespace {

struct OfModule {
    std::set<std::string> names;
    bool read = false;
    std::vector<CodeGraph::Constant> found;
};
struct Tables {
    std::mutex mutex;
    std::map<uintptr_t, OfModule> modules;  // by the first address
    std::atomic<bool> any = false;
};
Tables& TheTables() {
    static auto* all = new Tables;
    return *all;
}

}  // namespace

void NoteConstantTable(const void* in_module, std::string name) {
    Tables& all = TheTables();
    std::lock_guard lock(all.mutex);
    OfModule& module = all.modules[system::ModuleAt(in_module).first];
    module.names.insert(std::move(name));
    module.read = false;
    all.any = true;
}

void AdoptConstantTables(GlobalMemory& memory, const void* function) {
    Tables& all = TheTables();
    if (!all.any || !function) return;
    const system::ModuleFile module = system::ModuleAt(function);
    std::lock_guard lock(all.mutex);
    const auto known = all.modules.find(module.first);
    if (known == all.modules.end()) return;
    OfModule& tables = known->second;
    if (!tables.read) tables.found = CodeGraph::ConstantsIn(module.path, tables.names);
    tables.read = true;
    for (const CodeGraph::Constant& constant : tables.found) {
        memory.impl()->Adopt(reinterpret_cast<uint8_t*>(module.base + constant.address), constant.bytes, constant.name);
    }
}

}  // namespace sfumato::runtime
