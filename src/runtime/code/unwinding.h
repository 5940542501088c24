// SPDX-License-Identifier: Apache-2.0
// Whether an exception can leave a kernel: on its way may be functions that are noexcept, code of C without tables, and
// a library whose tables the unwinder does not know.
#pragma once

#include <typeinfo>

namespace sfumato::runtime {

// Whether an exception of this type that is thrown now is caught. Otherwise the C++ runtime would end the process.
bool IsCaught(const std::type_info& thrown);

}  // namespace sfumato::runtime
