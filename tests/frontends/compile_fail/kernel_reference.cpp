// SPDX-License-Identifier: Apache-2.0
// A kernel takes its parameters by value.
// expect: a kernel's parameters are passed by value: a reference cannot be one
#include "kernel_operator.h"
#include "sfumato/kernel_entry.h"

using namespace AscendC;

void ByReference(GM_ADDR, int&) {}
void ByValue(GM_ADDR, int) {}

__aicore__ void Kernel() {
#ifdef WRONG
    [[maybe_unused]] constexpr auto entry = sfumato::entry::Export<&ByReference>("kernel", "", "kernel");
#else
    [[maybe_unused]] constexpr auto entry = sfumato::entry::Export<&ByValue>("kernel", "", "kernel");
#endif
}
