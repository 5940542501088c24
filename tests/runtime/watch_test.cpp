// SPDX-License-Identifier: Apache-2.0
// A launch that takes too long, that somebody interrupts, that cannot be stopped, and how far one is.
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "runtime/on_chip.h"

namespace sfumato {
namespace {

using namespace AscendC;

LocalTensor<int32_t> Tensor(TPipe& pipe, TBuf<>& buffer) {
    pipe.InitBuffer(buffer, 256);
    LocalTensor<int32_t> tensor = buffer.Get<int32_t>();
    Duplicate(tensor, 0, 64);
    return tensor;
}

std::atomic<uint64_t> g_rounds;
uint32_t g_line;

void Forever() {
    TPipe pipe;
    TBuf<> buffer;
    LocalTensor<int32_t> tensor = Tensor(pipe, buffer);
    g_line = __LINE__ + 1;
    for (;; ++g_rounds) Adds(tensor, tensor, 1, 64);
}

// Loads and stores of the scalar unit with nothing else between.
void ForeverByElements() {
    TPipe pipe;
    TBuf<> buffer;
    LocalTensor<int32_t> tensor = Tensor(pipe, buffer);
    for (;; ++g_rounds) tensor.SetValue(0, tensor.GetValue(1));
}

// aiv0 loops; the others wait for it.
void OthersWait() {
    if (GetBlockIdx() == 0) Forever();
    SyncAll();
}

std::atomic<bool> g_stay;
void WithoutInstructions() {
    TPipe pipe;
    TBuf<> buffer;
    Tensor(pipe, buffer);
    while (g_stay) std::this_thread::yield();
    PipeBarrier<PIPE_ALL>();
}

// Everything but the number of instructions, which time decides.
std::string Text(Report report) {
    EXPECT_GT(report.index, 0u);
    report.index = 7;
    return report.Text();
}

TEST(Watch, ATimeoutEndsALaunchAndSaysWhereItStood) {
    LaunchOptions options = On("Ascend910B1");
    options.timeout = 0.05;
    GlobalMemory memory;
    const LaunchResult result = Launch(options, 1, memory, Forever);
    ASSERT_EQ(result.findings.size(), 1u);
    const std::string line = std::string(__FILE__) + ":" + std::to_string(g_line);
    EXPECT_EQ(Text(result.findings[0]),
              "fault [timeout] the launch took longer than its timeout of 0.05 s\n"
              "  where:  " +
                  line +
                  ", kernel kernel, core aiv0, instruction 7 (Ascend910B)\n"
                  "  found:  aiv0: at Adds, " +
                  line +
                  "\n"
                  "  legal:  an end within 0.05 s\n"
                  "  do:     look for a loop or a wait that never ends where the cores stood; a launch that only needs "
                  "longer gets a higher timeout");
    // The next one is none the worse.
    EXPECT_TRUE(Launch(
                    On("Ascend910B1"), 3, memory, +[] { PipeBarrier<PIPE_ALL>(); })
                    .ok());
}

TEST(Watch, AnInterruptionEndsCoresThatRunAndThatWait) {
    std::atomic<bool> interrupt = false;
    LaunchOptions options = On("Ascend910B1");
    options.interrupt = &interrupt;
    g_rounds = 0;
    std::thread other([&] {
        while (g_rounds < 1000) std::this_thread::yield();
        interrupt = true;
    });
    GlobalMemory memory;
    const LaunchResult result = Launch(options, 4, memory, OthersWait);
    other.join();
    ASSERT_EQ(result.findings.size(), 1u);
    const Report& report = result.findings[0];
    EXPECT_EQ(report.rule, "interrupted");
    EXPECT_EQ(report.message, "the launch was interrupted");
    EXPECT_EQ(report.line, g_line);
    EXPECT_TRUE(report.found.starts_with("aiv0: at Adds, ")) << report.found;
}

TEST(Watch, ElementAccessesEndToo) {
    for (const char* schedule : {"eager", "late", "seed:1", "all"}) {
        LaunchOptions options = On("Ascend910B1");
        options.timeout = 0.03;
        options.schedule = schedule;
        GlobalMemory memory;
        const LaunchResult result = Launch(options, 2, memory, ForeverByElements);
        ASSERT_EQ(result.findings.size(), 1u) << schedule;
        EXPECT_EQ(result.findings[0].rule, "timeout");
    }
}

TEST(Watch, WhatEndedInTimeHasNoReport) {
    std::atomic<bool> interrupt = false;
    LaunchOptions options = On("Ascend910B1");
    options.timeout = 1000;
    options.interrupt = &interrupt;
    GlobalMemory memory;
    EXPECT_TRUE(Launch(
                    options, 4, memory, +[] { PipeBarrier<PIPE_ALL>(); })
                    .findings.empty());
    options.timeout = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(Launch(
                    options, 4, memory, +[] { PipeBarrier<PIPE_ALL>(); })
                    .findings.empty());
}

TEST(Watch, CodeWithoutInstructionsIsToldOnceAndGoesOn) {
    LaunchOptions options = On("Ascend910B1");
    options.timeout = 0.01;
    std::vector<Report> told;
    g_stay = true;
    options.stuck = [&](const Report& report) {
        told.push_back(report);
        g_stay = false;
    };
    GlobalMemory memory;
    const LaunchResult result = Launch(options, 1, memory, WithoutInstructions);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].rule, "timeout");
    EXPECT_EQ(told[0].found, "aiv0: in code without instructions, after 1 of them");
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].found.substr(0, 23), "aiv0: at PipeBarrier, " + std::string(1, __FILE__[0]));
}

TEST(Watch, ProgressCountsCoresAndInstructions) {
    std::vector<LaunchProgress> told;
    std::atomic<bool> interrupt = false;
    LaunchOptions options = On("Ascend910B1");
    options.interrupt = &interrupt;
    options.workers = 2;
    options.progress = [&](const LaunchProgress& progress) {
        told.push_back(progress);
        interrupt = progress.cores_ended == 1;
    };
    GlobalMemory memory;
    const LaunchResult result = Launch(
        options, 2, memory, +[] {
            if (GetBlockIdx() == 1) Forever();
        });
    EXPECT_FALSE(result.ok());
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.back().cores, 2u);
    EXPECT_EQ(told.back().cores_ended, 1u);
    EXPECT_GT(told.back().records, 0u);
    EXPECT_LE(told.back().records, result.records);
}

TEST(Watch, NoTimeAtAllIsRefused) {
    for (const double seconds : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
        LaunchOptions options = On("Ascend910B1");
        options.timeout = seconds;
        GlobalMemory memory;
        EXPECT_THROW(Launch(options, 1, memory, Forever), Error);
    }
}

}  // namespace
}  // namespace sfumato
