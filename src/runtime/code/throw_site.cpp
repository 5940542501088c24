// SPDX-License-Identifier: Apache-2.0
// Keeps where users' code throws.
#include "runtime/code/throw_site.h"

#include <cxxabi.h>

#include <typeinfo>

#include "runtime/cores/core.h"
#include "runtime/cores/of_thread.h"
#include "sfumato/code_calls.h"

namespace sfumato::runtime {

const Thrown& LastThrown() { return OfThread<Thrown>(); }

}  // namespace sfumato::runtime

void SfumatoThrow(void* object, void* type, void (*destroy)(void*), const void* at) {
    if (sfumato::runtime::Core* core = sfumato::runtime::CurrentCore()) {
        core->thrown_at = at, core->thrown = object;
    } else {
        sfumato::runtime::OfThread<sfumato::runtime::Thrown>() = {object, at};
    }
    abi::__cxa_throw(object, static_cast<std::type_info*>(type), destroy);
}
