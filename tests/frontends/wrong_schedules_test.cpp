// SPDX-License-Identifier: Apache-2.0
// The schedule "all": programs whose bytes depend on the order, with both lines named, and right ones without a finding.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "support/raised.h"
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr uint32_t kCount = 64;  // floats

// The lines of the last program: marked by the kernel, wherever it runs.
uint32_t first_line, second_line, wait_line;
uint32_t Line(uint32_t line = __builtin_LINE()) {
    return line;
}

struct Kernel {
    std::vector<float> src = std::vector<float>(kCount), dst;
    LaunchResult result;
    LaunchOptions options;
    uint32_t blocks = 1;

    Kernel() {
        std::iota(src.begin(), src.end(), 0.0F);
        options.chip = "Ascend910B1";
        options.kernel = "k";
        options.schedule = "all";
        options.check = "none";
    }
    void Run(const std::function<void(GM_ADDR src, GM_ADDR dst)>& body) {
        GlobalMemory memory;
        uint8_t* in = memory.Allocate(kCount * 4, "src", src.data());
        uint8_t* out = memory.Allocate(kCount * 4, "dst");
        result = Launch(options, blocks, memory, std::function<void()>([&] { body(in, out); }));
        dst.resize(kCount);
        std::memcpy(dst.data(), out, kCount * 4);
    }
    std::string Text() const {
        std::string text;
        for (const Report& r : result.findings) text += r.Text() + "\n", Raised(r.rule);
        return text;
    }
};

template <HardEvent event>
void Order() {
    SetFlag<event>(0);
    WaitFlag<event>(0);
}

void MissingFlag(GM_ADDR src, GM_ADDR dst) {
    const LocalTensor<float> x = Ub<float>(0, kCount);
    DataCopy(x, Gm<float>(src, kCount), kCount);
    Order<HardEvent::MTE2_V>();
    first_line = Line(), Adds(x, x, 1.0F, kCount);
    second_line = Line(), DataCopy(Gm<float>(dst, kCount), x, kCount);
}

TEST(AllSchedules, NameTheTwoStepsWithoutAFlag) {
    Kernel kernel;
    kernel.Run(MissingFlag);
    EXPECT_EQ(kernel.Text(),
              fmt::format("warning [schedule-dependent] DataCopy: the bytes of 'dst' depend on the order in which pipes run\n"
                          "  where:  {0}:{2}, kernel k, core aiv0, instruction 4 (Ascend910B)\n"
                          "  other:  {0}:{1}, Adds writes bytes 0 to 255 of UB, on PIPE_V of aiv0: before it under eager, "
                          "after it under late\n"
                          "  found:  dst: byte 0, in element 0 of float, is 0x3f800000 (1) under eager and 0xfefefefe "
                          "(-1.6947395e+38) under late; DataCopy at {0}:{2} on aiv0 wrote it both times; 2 of 10 schedules "
                          "differ there first: late, ahead\n"
                          "  legal:  the same bytes in every order that flags, barriers and the waits of cores allow\n"
                          "  do:     put SetFlag<HardEvent::V_MTE3> and WaitFlag<HardEvent::V_MTE3> between them\n",
                          __FILE__, first_line, second_line));
    EXPECT_EQ(kernel.dst[63], 64.0F);  // eager's
    EXPECT_EQ(kernel.result.records, 5u);
}

TEST(AllSchedules, NameTheReadBeforeABufferIsFilledAgain) {
    Kernel kernel;
    kernel.Run([](GM_ADDR src, GM_ADDR dst) {
        const LocalTensor<float> x = Ub<float>(0, kCount);
        DataCopy(x, Gm<float>(src, kCount), kCount);
        Order<HardEvent::MTE2_MTE3>();
        first_line = Line(), DataCopy(Gm<float>(dst, kCount), x, kCount);
        second_line = Line(), DataCopy(x, Gm<float>(src, kCount)[kCount / 2], kCount / 2);
    });
    ASSERT_EQ(kernel.result.findings.size(), 1u) << kernel.Text();
    const Report& report = kernel.result.findings[0];
    EXPECT_EQ(report.line, second_line);
    ASSERT_EQ(report.related.size(), 1u);
    EXPECT_EQ(report.related[0].line, first_line);
    EXPECT_EQ(report.related[0].note,
              "DataCopy reads bytes 0 to 127 of UB, on PIPE_MTE3 of aiv0: before it under eager, after it under ahead");
    EXPECT_EQ(report.hint, "put SetFlag<HardEvent::MTE3_MTE2> and WaitFlag<HardEvent::MTE3_MTE2> between them");
}

TEST(AllSchedules, NameThemAtTheEndOfALongLaunch) {
    Kernel kernel;
    kernel.options.schedule = "all:0";
    kernel.Run([](GM_ADDR src, GM_ADDR dst) {
        for (uint32_t i = 0; i < 70000; ++i) Adds(Ub<float>(512, 8), Ub<float>(512, 8), 0.0F, 8);
        MissingFlag(src, dst);
    });
    ASSERT_EQ(kernel.result.findings.size(), 1u) << kernel.Text();
    EXPECT_EQ(kernel.result.findings[0].line, second_line);
    ASSERT_EQ(kernel.result.findings[0].related.size(), 1u);
    EXPECT_EQ(kernel.result.findings[0].related[0].line, first_line);
}

TEST(AllSchedules, NameTwoCoresThatWriteTheSameBytes) {
    Kernel kernel;
    kernel.blocks = 2;
    kernel.Run([](GM_ADDR, GM_ADDR dst) {
        const LocalTensor<float> x = Ub<float>(0, kCount);
        Duplicate(x, static_cast<float>(GetBlockIdx()), kCount);
        Order<HardEvent::V_MTE3>();
        first_line = Line(), DataCopy(Gm<float>(dst, kCount), x, kCount);
    });
    EXPECT_EQ(kernel.Text(),
              fmt::format("warning [schedule-dependent] DataCopy: the bytes of 'dst' depend on the order in which cores run\n"
                          "  where:  {0}:{1}, kernel k, core aiv1, instruction 3 (Ascend910B)\n"
                          "  other:  {0}:{1}, DataCopy writes bytes 0 to 255 of 'dst', on PIPE_MTE3 of aiv0: before it under "
                          "eager, after it under late\n"
                          "  found:  dst: byte 2, in element 0 of float, is 0x3f800000 (1) under eager (DataCopy at {0}:{1} on "
                          "aiv1 wrote it) and 0x00000000 (0) under late (DataCopy at {0}:{1} on aiv0 wrote it); 6 of 10 "
                          "schedules differ there first: late, seed:1, seed:3, seed:5, seed:6, seed:8\n"
                          "  legal:  the same bytes in every order that flags, barriers and the waits of cores allow\n"
                          "  do:     let one core wait for the other (SyncAll, CrossCoreSetFlag and CrossCoreWaitFlag), or "
                          "give each its own bytes\n",
                          __FILE__, first_line));
    EXPECT_EQ(kernel.dst[0], 1.0F);
}

// The wait is there: what is missing is the flag by which the setting pipe waits for it.
TEST(AllSchedules, AFlagSetTwiceAheadAsksForTheWayBack) {
    Kernel kernel;
    const auto body = [](GM_ADDR src, GM_ADDR dst) {
        for (uint32_t i = 0; i < 2; ++i) {
            const LocalTensor<float> x = Ub<float>(i * 256, kCount);
            DataCopy(x, Gm<float>(src, kCount), kCount);
            first_line = Line(), SetFlag<HardEvent::MTE2_V>(0);
            wait_line = Line(), WaitFlag<HardEvent::MTE2_V>(0);
            Adds(x, x, 1.0F, kCount);
            Order<HardEvent::V_MTE3>();
            DataCopy(Gm<float>(dst, kCount), x, kCount);
        }
    };
    kernel.options.schedule = "all:0";
    kernel.Run(body);
    EXPECT_EQ(kernel.Text(),
              fmt::format("fault [flag-set-twice] SetFlag: the flag is already set\n"
                          "  where:  {0}:{1}, kernel k, core aiv0, instruction 8 (Ascend910B)\n"
                          "  found:  MTE2_V id 0: set at {0}:{1}; PIPE_V has not come to the WaitFlag at {0}:{2}; under the "
                          "schedule ahead, not under eager\n"
                          "  legal:  one WaitFlag between two SetFlag of the same event and id: a flag is binary\n"
                          "  do:     let PIPE_MTE2 wait for PIPE_V before it sets the flag again: SetFlag<HardEvent::V_MTE2> "
                          "after that WaitFlag, and its WaitFlag before this SetFlag; or alternate between two event ids\n",
                          __FILE__, first_line, wait_line));
    EXPECT_FALSE(kernel.result.ok());
    EXPECT_EQ(kernel.dst[1], 2.0F);  // eager's all the same
}

TEST(AllSchedules, FindNothingInARightProgram) {
    Kernel kernel;
    std::string said;
    uint32_t lines = 0;
    kernel.options.print = [&](std::string_view text) { said += text; };
    kernel.options.log = [&](std::string_view) { ++lines; };
    kernel.Run([](GM_ADDR src, GM_ADDR dst) {
        const LocalTensor<float> x = Ub<float>(0, kCount);
        DataCopy(x, Gm<float>(src, kCount), kCount);
        Order<HardEvent::MTE2_V>();
        Adds(x, x, 1.0F, kCount);
        Order<HardEvent::V_MTE3>();
        DataCopy(Gm<float>(dst, kCount), x, kCount);
        AscendC::printf("once %d\n", 1);
    });
    EXPECT_EQ(kernel.Text(), "");
    EXPECT_EQ(kernel.dst[63], 64.0F);
    EXPECT_EQ(said, "[AIV Block 0/1] once 1\n");
    EXPECT_EQ(lines, 7u);
}

TEST(AllSchedules, EveryRunBeginsWithTheSameInputs) {
    Kernel kernel;
    kernel.Run([](GM_ADDR src, GM_ADDR) {
        const LocalTensor<float> x = Ub<float>(0, kCount);
        DataCopy(x, Gm<float>(src, kCount), kCount);
        Order<HardEvent::MTE2_V>();
        Adds(x, x, 1.0F, kCount);
        Order<HardEvent::V_MTE3>();
        DataCopy(Gm<float>(src, kCount), x, kCount);
    });
    EXPECT_EQ(kernel.Text(), "");
}

TEST(AllSchedules, StrictMakesItAFault) {
    Kernel kernel;
    kernel.options.strict = true;
    kernel.Run(MissingFlag);
    ASSERT_EQ(kernel.result.findings.size(), 1u);
    EXPECT_EQ(kernel.result.findings[0].severity, Severity::kFault);
}

TEST(AllSchedules, WhatAWorkspaceHoldsIsNoResult) {
    for (const bool workspace : {false, true}) {
        GlobalMemory memory;
        uint8_t* gm = memory.Allocate(256, "gm");
        if (workspace) memory.SetRole(gm, GlobalMemory::Role::kWorkspace);
        Kernel kernel;
        kernel.result = Launch(kernel.options, 1, memory, std::function<void()>([gm] {
            const LocalTensor<float> x = Ub<float>(0, kCount);
            Duplicate(x, 2.0F, kCount);
            DataCopy(Gm<float>(gm, kCount), x, kCount);
        }));
        EXPECT_EQ(kernel.result.findings.size(), workspace ? 0u : 1u) << kernel.Text();
    }
}

TEST(AllSchedules, AStoreThroughAPointerIsNobodysInstruction) {
    Kernel kernel;
    kernel.blocks = 2;
    kernel.options.schedule = "all:0";
    kernel.Run([](GM_ADDR, GM_ADDR dst) { dst[3] = static_cast<uint8_t>(GetBlockIdx()); });
    EXPECT_EQ(kernel.Text(),
              "warning [schedule-dependent] the bytes of 'dst' depend on the order in which pipes or cores run\n"
              "  where:  kernel k (Ascend910B)\n"
              "  found:  dst: byte 3 is 0x01 under eager (no instruction wrote it) and 0x00 under late (no instruction wrote "
              "it); 1 of 2 schedules differ there first: late\n"
              "  legal:  the same bytes in every order that flags, barriers and the waits of cores allow\n"
              "  do:     look for accesses that nothing orders; --schedule late shows it alone\n");
}

TEST(AllSchedules, TakeANumberOfSeeds) {
    for (const char* text : {"all:", "all:x", "all:-1", "all:65536"}) {
        Kernel kernel;
        kernel.options.schedule = text;
        try {
            kernel.Run([](GM_ADDR, GM_ADDR) {});
            FAIL() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.what(),
                      fmt::format("unknown schedule '{}': all:N takes a number of seeds, 0 to 65535", text));
        }
    }
}

}  // namespace
}  // namespace sfumato::wrong
