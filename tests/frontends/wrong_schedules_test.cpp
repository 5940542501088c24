// SPDX-License-Identifier: Apache-2.0
// The schedule "all": programs whose bytes depend on the order, with both lines named, and right ones without a finding.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "support/golden.h"
#include "support/raised.h"
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

constexpr uint32_t kCount = 64;  // floats

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
        for (const Report& r : result.findings) text += r.Text() + "\n";
        return text;
    }
    void ExpectPinned() const {
        for (const Report& r : result.findings) Raised(r.rule);
        ExpectReports(__FILE__, NameOfTest(), result.findings);
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
    Adds(x, x, 1.0F, kCount);
    DataCopy(Gm<float>(dst, kCount), x, kCount);
}

TEST(AllSchedules, NameTheTwoStepsWithoutAFlag) {
    Kernel kernel;
    kernel.Run(MissingFlag);
    kernel.ExpectPinned();
    EXPECT_EQ(kernel.dst[63], 64.0F);  // eager's
    EXPECT_EQ(kernel.result.records, 5u);
}

// The load overtakes the store, too, but what it wrote is gone by then: what reads it is the sum.
TEST(AllSchedules, NameTheStepThatReadsWhatWasOvertaken) {
    Kernel kernel;
    kernel.options.schedule = "all:0";
    kernel.Run([](GM_ADDR src, GM_ADDR dst) {
        const LocalTensor<float> x = Ub<float>(0, kCount);
        DataCopy(x, Gm<float>(src, kCount), kCount);
        Adds(x, x, 1.0F, kCount);
        Order<HardEvent::V_MTE3>();
        DataCopy(Gm<float>(dst, kCount), x, kCount);
    });
    kernel.ExpectPinned();
}

TEST(AllSchedules, NameTheReadBeforeABufferIsFilledAgain) {
    Kernel kernel;
    kernel.Run([](GM_ADDR src, GM_ADDR dst) {
        const LocalTensor<float> x = Ub<float>(0, kCount);
        DataCopy(x, Gm<float>(src, kCount), kCount);
        Order<HardEvent::MTE2_MTE3>();
        DataCopy(Gm<float>(dst, kCount), x, kCount);
        DataCopy(x, Gm<float>(src, kCount)[kCount / 2], kCount / 2);
    });
    kernel.ExpectPinned();
}

TEST(AllSchedules, NameThemAtTheEndOfALongLaunch) {
    Kernel kernel;
    kernel.options.schedule = "all:0";
    kernel.Run([](GM_ADDR src, GM_ADDR dst) {
        for (uint32_t i = 0; i < 70000; ++i) Adds(Ub<float>(512, 8), Ub<float>(512, 8), 0.0F, 8);
        MissingFlag(src, dst);
    });
    kernel.ExpectPinned();
}

TEST(AllSchedules, NameTwoCoresThatWriteTheSameBytes) {
    Kernel kernel;
    kernel.blocks = 2;
    kernel.Run([](GM_ADDR, GM_ADDR dst) {
        const LocalTensor<float> x = Ub<float>(0, kCount);
        Duplicate(x, static_cast<float>(GetBlockIdx()), kCount);
        Order<HardEvent::V_MTE3>();
        DataCopy(Gm<float>(dst, kCount), x, kCount);
    });
    kernel.ExpectPinned();
    EXPECT_EQ(kernel.dst[0], 1.0F);
}

// The wait is there: what is missing is the flag by which the setting pipe waits for it.
TEST(AllSchedules, AFlagSetTwiceAheadAsksForTheWayBack) {
    Kernel kernel;
    const auto body = [](GM_ADDR src, GM_ADDR dst) {
        for (uint32_t i = 0; i < 2; ++i) {
            const LocalTensor<float> x = Ub<float>(i * 256, kCount);
            DataCopy(x, Gm<float>(src, kCount), kCount);
            SetFlag<HardEvent::MTE2_V>(0);
            WaitFlag<HardEvent::MTE2_V>(0);
            Adds(x, x, 1.0F, kCount);
            Order<HardEvent::V_MTE3>();
            DataCopy(Gm<float>(dst, kCount), x, kCount);
        }
    };
    kernel.options.schedule = "all:0";
    kernel.Run(body);
    kernel.ExpectPinned();
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
    kernel.ExpectPinned();
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
