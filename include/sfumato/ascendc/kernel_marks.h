// SPDX-License-Identifier: Apache-2.0
// What the source of a kernel marks beside its code, as compiled sources tell it: src/jit writes the calls.
#pragma once

#include "sfumato/data_type.h"

namespace sfumato::entry {

// The argument of the running core's kernel that __kfc_workspace__ marks: what GetSysWorkSpacePtr gives.
SFUMATO_API void GiveWorkspace(const void* workspace);
// The module that holds `in_module` has a constant table of this name that its source declares with __gm__.
SFUMATO_API bool NoteConstantTable(const void* in_module, const char* name);

}  // namespace sfumato::entry
