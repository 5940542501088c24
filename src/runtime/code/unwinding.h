// SPDX-License-Identifier: Apache-2.0
// Whether an exception can leave a kernel: on its way may be functions that are noexcept, code of C without tables, and
// a library whose tables the unwinder does not know.
#pragma once

#include <typeinfo>

namespace sfumato::runtime {

// Whether an exception of this type that is thrown now is caught. Otherwise the C++ runtime would end the process.
bool IsCaught(const std::type_info& thrown);

// Where the code of users threw (sfumato/throw_site.h).
struct Thrown {
    const void* object = nullptr;
    const void* at = nullptr;  // the instruction behind the call
};

// The latest of this thread outside of launches: a launch keeps those of its cores.
const Thrown& LastThrown();

}  // namespace sfumato::runtime
