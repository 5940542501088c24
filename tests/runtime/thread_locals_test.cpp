// SPDX-License-Identifier: Apache-2.0
// Whether kernels of a program that the engine is linked into have thread_local variables. Compiled twice: for a
// program with one of its own, the smallest there is, and for one with none.
#include <gtest/gtest.h>

#include "kernel_operator.h"
#include "runtime/cores/workers.h"
#include "sfumato/launch.h"

namespace sfumato {
namespace {

#ifdef SFUMATO_TEST_THREAD_LOCAL
constexpr bool kHasOne = true;
thread_local char t_own = 0;
char Counted() { return ++t_own; }
#else
constexpr bool kHasOne = false;
char Counted() { return 1; }
#endif

void Counts(char* out) { out[AscendC::GetBlockIdx()] = Counted(); }

TEST(ThreadLocals, ThoseOfTheEngineDoNotCount) {
    EXPECT_EQ(runtime::HasThreadLocals(reinterpret_cast<const void*>(&Counts)), kHasOne);
}

TEST(ThreadLocals, WhatIsNoCodeHasNone) { EXPECT_FALSE(runtime::HasThreadLocals(nullptr)); }

TEST(ThreadLocals, StartFreshOnEveryCore) {
    LaunchOptions options;
    options.chip = "Ascend910B1";
    for (int launch = 0; launch < 3; ++launch) {
        GlobalMemory memory;
        auto* out = reinterpret_cast<char*>(memory.Allocate(48, "out"));
        EXPECT_TRUE(Launch(options, 48, memory, Counts, out).ok());
        EXPECT_EQ(std::string(out, 48), std::string(48, 1));
    }
}

}  // namespace
}  // namespace sfumato
