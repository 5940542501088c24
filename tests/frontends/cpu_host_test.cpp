// SPDX-License-Identifier: Apache-2.0
// Which cores a program of the CPU mode gets (compat.md, "Host side"). SIDES: the program uses cube (1) and vector (2)
// instructions of the library, which it imports.
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "tikicpulib.h"

namespace {

std::atomic<int> g_cube, g_vector;

extern "C" __global__ __aicore__ void which_cores(GM_ADDR) {
    ++(g_coreType == AscendC::AIC ? g_cube : g_vector);
#if SIDES & 1
    if ASCEND_IS_AIC { AscendC::SetHF32Mode(true); }
#endif
#if SIDES & 2
    if ASCEND_IS_AIV { AscendC::SetDeqScale(half(1)); }
#endif
}

std::string CoresOfABlock() {
    g_cube = g_vector = 0;
    ICPU_RUN_KF(which_cores, 1, nullptr);
    return std::to_string(g_cube) + " cube, " + std::to_string(g_vector) + " vector";
}

TEST(CpuHost, CoresWithoutAndWithSetKernelMode) {
    EXPECT_EQ(CoresOfABlock(), SIDES == 1   ? "1 cube, 0 vector"
                               : SIDES == 3 ? "1 cube, 2 vector"
                                            : "0 cube, 1 vector");
    const int most = SIDES & 1 ? 25 : 50;
    std::string said;
    try {
        ICPU_RUN_KF(which_cores, static_cast<uint32_t>(most + 1), nullptr);
    } catch (const std::exception& error) {  // within a test of GoogleTest
        said = error.what();
    }
    EXPECT_NE(said.find("legal:  1 to " + std::to_string(most) + " on Ascend910B in this kernel mode"), said.npos) << said;
    AscendC::SetKernelMode(KernelMode::MIX_MODE);
    EXPECT_EQ(CoresOfABlock(), "1 cube, 2 vector");
    AscendC::SetKernelMode(KernelMode::AIC_MODE);
    EXPECT_EQ(CoresOfABlock(), "1 cube, 0 vector");
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    EXPECT_EQ(CoresOfABlock(), "0 cube, 1 vector");
    AscendC::SetKernelMode(KernelMode::MIX_AIC_1_1);
    EXPECT_EQ(CoresOfABlock(), "1 cube, 1 vector");
}

}  // namespace
