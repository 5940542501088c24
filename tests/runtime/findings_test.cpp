// SPDX-License-Identifier: Apache-2.0
// What a launch reports: the order of findings, where they end, and how a fault stops the other cores.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "runtime/on_chip.h"

namespace sfumato {
namespace {

using namespace AscendC;

// Warns on all cores (a tail that is rounded down) and faults twice on those with an odd number (masks too long).
void Faulty(uint8_t* x) {
    GlobalTensor<half> xg;
    xg.SetGlobalBuffer(reinterpret_cast<half*>(x), 512);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 1024);
    LocalTensor<half> tile = buffer.Get<half>();
    DataCopy(tile, xg, 17);
    PipeBarrier<PIPE_ALL>();
    if (GetBlockIdx() % 2) Adds(tile, tile, static_cast<half>(1), 200, 1, {1, 1, 8, 8});
    if (GetBlockIdx() % 2) Adds(tile, tile, static_cast<half>(1), 129, 1, {1, 1, 8, 8});
}

TEST(Findings, FindingsAreInOrderOfCoreAndEndAtTheFirstFault) {
    for (int run = 0; run < 50; ++run) {
        GlobalMemory memory;
        auto* x = memory.Allocate(1024, "x");
        const LaunchResult result = Launch(On("Ascend910B1"), 16, memory, Faulty, x);
        EXPECT_FALSE(result.ok());
        ASSERT_EQ(result.findings.size(), 2u) << run;
        EXPECT_EQ(result.findings[0].rule, "copy-tail");
        EXPECT_EQ(result.findings[0].core, "aiv0");
        EXPECT_EQ(result.findings[1].rule, "mask-range");
        EXPECT_EQ(result.findings[1].core, "aiv1");
        EXPECT_EQ(result.findings[1].index, 2u);
        EXPECT_EQ(result.findings[1].kernel, "kernel");
        EXPECT_EQ(result.findings[1].chip, "Ascend910B");
    }
}

TEST(Findings, CollectingReportsEveryFaultOfEveryCoreInOrder) {
    for (int run = 0; run < 20; ++run) {
        GlobalMemory memory;
        auto* x = memory.Allocate(1024, "x");
        LaunchOptions options = On("Ascend910B1");
        options.collect = true;
        const LaunchResult result = Launch(options, 4, memory, Faulty, x);
        std::string cores;
        for (const Report& report : result.findings) cores += report.core + ":" + Name(report.rule) + " ";
        EXPECT_EQ(cores, "aiv0:copy-tail aiv1:mask-range aiv1:mask-range aiv3:mask-range aiv3:mask-range ");
    }
}

// Block 0 faults while the others issue instructions without end: they stop, and what they found is not reported.
TEST(Findings, AFaultCancelsTheOtherCores) {
    GlobalMemory memory;
    std::atomic<int> gave_up = 0;
    const LaunchResult result = Launch(On("Ascend910B1"), 8, memory, [&] {
        TPipe pipe;
        if (GetBlockIdx() == 0) Trap();
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (std::chrono::steady_clock::now() < deadline) PipeBarrier<PIPE_V>();
        ++gave_up;
    });
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].rule, "trap");
    EXPECT_EQ(gave_up, 0);
}

// What a lower core finds does not depend on a fault of a higher one.
TEST(Findings, AFaultLetsLowerCoresEnd) {
    for (int run = 0; run < 20; ++run) {
        GlobalMemory memory;
        std::atomic<bool> faulted = false;
        std::atomic<int> ended = 0;
        LaunchOptions options = On("Ascend910B1");
        options.workers = 3;  // they look at each other in a way that no launch can know
        const LaunchResult result = Launch(options, 3, memory, [&] {
            if (GetBlockIdx() == 2) {
                faulted = true;
                Trap();
            }
            while (!faulted) std::this_thread::yield();
            for (int i = 0; i < 1000; ++i) PipeBarrier<PIPE_V>();
            ++ended;
        });
        EXPECT_EQ(ended, 2);
        ASSERT_EQ(result.findings.size(), 1u);
        EXPECT_EQ(result.findings[0].core, "aiv2");
    }
}

TEST(Findings, AForeignExceptionIsAFaultOfTheKernel) {
    GlobalMemory memory;
    const LaunchResult result = Launch(On("Ascend910B1"), 2, memory, [] {
        TPipe pipe;
        if (GetBlockIdx() == 1) throw std::runtime_error("thrown by the program");
    });
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].rule, "exception");
    EXPECT_EQ(result.findings[0].core, "aiv1");
    EXPECT_EQ(result.findings[0].found, "thrown by the program");
}

}  // namespace
}  // namespace sfumato
