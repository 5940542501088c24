// SPDX-License-Identifier: Apache-2.0
// A kernel returns nothing.
// expect: a kernel is a function that returns void
#include "kernel_operator.h"
#include "sfumato/kernel_entry.h"

using namespace AscendC;

int Returns(GM_ADDR) { return 0; }
void Nothing(GM_ADDR) {}

__aicore__ void Kernel() {
#ifdef WRONG
    [[maybe_unused]] constexpr auto entry = sfumato::entry::Export<&Returns>("kernel", "", "kernel");
#else
    [[maybe_unused]] constexpr auto entry = sfumato::entry::Export<&Nothing>("kernel", "", "kernel");
#endif
}
