// SPDX-License-Identifier: Apache-2.0
// Keeps where kernel code throws.
#include <cxxabi.h>

#include <typeinfo>

#include "runtime/core.h"
#include "sfumato/code_calls.h"

void SfumatoThrow(void* object, void* type, void (*destroy)(void*), const void* at) {
    if (sfumato::runtime::Core* core = sfumato::runtime::CurrentCore()) core->thrown_at = at, core->thrown = object;
    abi::__cxa_throw(object, static_cast<std::type_info*>(type), destroy);
}
