// SPDX-License-Identifier: Apache-2.0
// What runs rest on: which readings, of which lines, how often; and nothing where pages say all of it.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato {
namespace {

using namespace AscendC;

// Call, the first words of the reading, tag, lines below the kernel's own first line, count.
using Line = std::tuple<std::string, std::string, std::string, uint32_t, uint64_t>;
using Lines = std::vector<Line>;

constexpr uint32_t kElements = 64;

struct Watched {
    LaunchOptions options;
    uint32_t blocks = 1;
    uint32_t first_line = 0;

    Watched() {
        options.chip = "Ascend910B1";
        options.kernel = "kernel";
        options.rests_on = true;
    }

    LaunchResult Result(const std::function<void(uint8_t* gm)>& kernel, const std::vector<float>& data = {}) const {
        GlobalMemory memory;
        uint8_t* gm = memory.Allocate(8192, "gm");
        std::memset(gm, 0, 8192);
        if (!data.empty()) std::memcpy(gm, data.data(), data.size() * sizeof(float));
        return Launch(options, blocks, memory, [&] { kernel(gm); });
    }

    Lines Of(const std::function<void(uint8_t* gm)>& kernel, const std::vector<float>& data = {}) const {
        constexpr size_t kWords = 24;
        const LaunchResult result = Result(kernel, data);
        EXPECT_TRUE(result.ok()) << (result.findings.empty() ? "" : result.findings[0].Text());
        Lines lines;
        for (const Reading& r : result.rests_on) {
            EXPECT_STREQ(r.file.c_str(), __FILE__);
            EXPECT_FALSE(r.source.empty());
            lines.emplace_back(r.call, r.reading.substr(0, kWords), r.tag, r.line - first_line, r.count);
        }
        return lines;
    }
};

// Numbers from GM to UB, `compute` there, and back: moves and flags alone are documented.
template <class T, class Compute>
void Vector(uint8_t* gm, const Compute& compute) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 4096);
    LocalTensor<T> all = buffer.Get<T>();
    GlobalTensor<T> global;
    global.SetGlobalBuffer(reinterpret_cast<T*>(gm), kElements);
    DataCopy(all, global, kElements);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    compute(all);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(global, all, kElements);
}

std::vector<float> Ones() { return std::vector<float>(kElements, 1.0f); }

TEST(RestsOn, NothingWhereThePagesSayAllOfIt) {
    const auto kernel = [](uint8_t* gm) { Vector<float>(gm, [](auto& x) { Adds(x, x, 2.0f, kElements); }); };
    EXPECT_EQ(Watched().Of(kernel, Ones()), Lines());
}

TEST(RestsOn, IsEmptyUnlessAskedFor) {
    Watched run;
    run.options.rests_on = false;
    EXPECT_TRUE(run.Result([](uint8_t* gm) { Vector<float>(gm, [](auto& x) { Exp(x, x, kElements); }); }).rests_on.empty());
}

// The first line is that of program order, and every use of every core counts.
TEST(RestsOn, CorrectlyRoundedFunctionsWithLineAndCount) {
    Watched run;
    run.blocks = 3;
    run.first_line = __LINE__;
    const auto kernel = [](uint8_t* gm) {
        Vector<float>(gm + 256 * GetBlockIdx(), [](auto& x) {
            Exp(x, x, kElements);
            PipeBarrier<PIPE_V>();
            for (int i = 0; i < 4; ++i) Exp(x[8], x[16], 8);
        });
    };
    const Lines want = {{"Exp", "Ascend910B has Exp for f", "decided", 3, 15},
                        {"Exp", "There is no public defin", "assumed", 3, 15}};
    EXPECT_EQ(run.Of(kernel), (Lines{want[1], want[0]}));
}

TEST(RestsOn, AHighLevelCallAndItsStep) {
    Watched run;
    run.first_line = __LINE__;
    const auto kernel = [](uint8_t* gm) { Vector<float>(gm, [](auto& x) { Tanh(x[kElements], x, kElements); }); };
    EXPECT_EQ(run.Of(kernel, Ones()), (Lines{{"Tanh: Tanh", "The result is the mathem", "decided", 1, 1}}));
}

// What the data hold decides: the canonical NaN, and the policy of results that overflow.
TEST(RestsOn, WhatTheDataHold) {
    Watched run;
    run.first_line = __LINE__;
    const auto add = [](uint8_t* gm) {
        Vector<float>(gm, [](auto& x) { Adds(x, x, 1.0f, kElements); });
    };
    std::vector<float> data = Ones();
    EXPECT_EQ(run.Of(add, data), Lines());
    data[7] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(run.Of(add, data), (Lines{{"Adds", "A NaN result is the cano", "decided", 2, 1}}));

    run.first_line = __LINE__;
    const auto overflow = [](uint8_t* gm) {
        Vector<half>(gm, [](auto& x) { Adds(x, x, half(65504), kElements); });
    };
    EXPECT_EQ(run.Of(overflow), (Lines{{"Adds", "The default policy goes ", "decided", 2, 1}}));
}

// Masks the registers hold are none of the record.
TEST(RestsOn, MaskOfTheRegister) {
    Watched run;
    run.first_line = __LINE__;
    const auto kernel = [](uint8_t* gm) {
        Vector<float>(gm, [](auto& x) {
            SetVectorMask<float, MaskMode::NORMAL>(kElements);
            Adds<float, false>(x, x, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
            ResetMask();
        });
    };
    EXPECT_EQ(run.Of(kernel), (Lines{{"isSetMask = false", "isSetMask = false uses w", "decided", 4, 1}}));
}

// Calls between cores that are no instructions.
TEST(RestsOn, CallsThroughMemory) {
    Watched run;
    run.blocks = 2;
    run.first_line = __LINE__;
    const auto kernel = [](uint8_t* gm) {
        TPipe pipe;
        TBuf<> buffer;
        pipe.InitBuffer(buffer, 4096);
        LocalTensor<int32_t> work = buffer.Get<int32_t>();
        GlobalTensor<int32_t> slots;
        slots.SetGlobalBuffer(reinterpret_cast<int32_t*>(gm), 1024);
        SyncAll(slots, work);
        if (GetBlockIdx() == 0) IBSet(slots[512], work, 0, 0);
        if (GetBlockIdx() == 1) IBWait(slots[512], work, 0, 0);
    };
    EXPECT_EQ(run.Of(kernel), (Lines{{"IBSet", "IBSet writes 1 into the ", "decided", 9, 1},
                                     {"IBWait", "IBSet writes 1 into the ", "decided", 10, 1},
                                     {"SyncAll with a workspace", "SyncAll with a workspace", "decided", 8, 2}}));
}

// Sums of floats have the order of the canonical run; of whole numbers every order gives the same.
TEST(RestsOn, AtomicSumsOfFloats) {
    Watched run;
    run.blocks = 4;
    const auto add = [](auto one) {
        return [one](uint8_t* gm) {
            using T = decltype(one);
            TPipe pipe;
            TBuf<> buffer;
            pipe.InitBuffer(buffer, 256);
            LocalTensor<T> x = buffer.Get<T>();
            GlobalTensor<T> global;
            global.SetGlobalBuffer(reinterpret_cast<T*>(gm), kElements);
            Duplicate(x, one, kElements);
            PipeBarrier<PIPE_ALL>();
            SetAtomicAdd<T>();
            DataCopy(global, x, kElements);
            SetAtomicNone();
        };
    };
    run.first_line = __LINE__ - 4;
    EXPECT_EQ(run.Of(add(1.0f)), (Lines{{"DataCopy", "Each element is rounded ", "decided", 0, 4}}));
    EXPECT_EQ(run.Of(add(int32_t{1})), Lines());
}

// A finding shows it: the reading stands beside the report, which is told once a line.
TEST(RestsOn, ReadingsThatAReportTells) {
    Watched run;
    run.first_line = __LINE__;
    const auto twice = [](uint8_t* gm) {
        Vector<half>(gm, [](auto& x) {
            for (int i = 0; i < 2; ++i) Brcb(x[512], x, 1, {0, 8});
            PipeBarrier<PIPE_V>();
        });
    };
    EXPECT_EQ(run.Of(twice), (Lines{{"Brcb", "A block stride of 0 of t", "decided", 3, 2}}));
}

// past-tensor shows a reading of image loads alone.
TEST(RestsOn, AReportOfAnotherInstructionTellsNothing) {
    const auto past = [](uint8_t* gm) {
        Vector<float>(gm, [](auto& x) {
            LocalTensor<float> part = x;
            part.SetSize(kElements / 2);
            Adds(part, x, 1.0f, uint64_t{kElements}, 1, {1, 1, 8, 8});
        });
    };
    const LaunchResult result = Watched().Result(past, Ones());
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].rule, "past-tensor");
    EXPECT_TRUE(result.rests_on.empty());
}

// The same list whatever the schedule and however many threads.
TEST(RestsOn, IsTheSameInEveryRun) {
    const auto kernel = [](uint8_t* gm) {
        Vector<float>(gm + 256 * GetBlockIdx(), [](auto& x) {
            Ln(x, x, kElements);
            Div(x, x, x, kElements);
            x.SetValue(0, 1.0f);
        });
    };
    std::set<std::string> lists;
    for (const char* schedule : {"eager", "serial", "late", "ahead", "seed:1", "seed:2"}) {
        for (const uint32_t workers : {1u, 8u}) {
            Watched run;
            run.blocks = 8;
            run.options.schedule = schedule;
            run.options.workers = workers;
            std::string list;
            for (const Reading& r : run.Result(kernel, Ones()).rests_on) list += r.Text() + "\n";
            lists.insert(list);
        }
    }
    ASSERT_EQ(lists.size(), 1u) << *lists.begin() << *lists.rbegin();
    for (const char* call : {"[Div]", "[Ln]", "[SetValue]"}) EXPECT_NE(lists.begin()->find(call), std::string::npos) << call;
}

// A checked run and a watched one give the same bytes.
TEST(RestsOn, ChangesNothing) {
    std::string bytes[2];
    for (const bool on : {false, true}) {
        Watched run;
        run.options.rests_on = on;
        GlobalMemory memory;
        uint8_t* gm = memory.Allocate(256, "gm", Ones().data());
        const LaunchResult result = Launch(run.options, 1, memory, [gm] {
            Vector<float>(gm, [](auto& x) {
                Exp(x, x, kElements);
                PipeBarrier<PIPE_ALL>();
                x.SetValue(3, x.GetValue(2) + 1);
            });
        });
        ASSERT_TRUE(result.ok());
        bytes[on].assign(reinterpret_cast<const char*>(gm), 256);
    }
    EXPECT_EQ(bytes[0], bytes[1]);
}

}  // namespace
}  // namespace sfumato
