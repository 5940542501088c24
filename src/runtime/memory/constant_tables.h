// SPDX-License-Identifier: Apache-2.0
// Constant tables that a kernel's source declares with __gm__: global memory that is only read (framework.md 3.1).
#pragma once

#include <string>

#include "sfumato/launch.h"

namespace sfumato::runtime {

// The module that holds `in_module` has a table of this name, outside functions or static in one.
void NoteConstantTable(const void* in_module, std::string name);
// The tables of the module of `function` are allocations from here on.
void AdoptConstantTables(GlobalMemory& memory, const void* function);

}  // namespace sfumato::runtime
