// SPDX-License-Identifier: Apache-2.0
// What a kernel says and is told besides its data: log, printf, DumpTensor, assert, tiling.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato {
namespace {

using namespace AscendC;

struct Spoken {
    std::vector<std::string> log, print;
    LaunchResult result;
};
Spoken Speak(const char* chip, uint32_t blocks, const std::function<void()>& kernel, LaunchOptions options = {}) {
    Spoken spoken;
    options.chip = chip;
    options.kernel = "speaker";
    options.log = [&](std::string_view line) { spoken.log.emplace_back(line); };
    options.print = [&](std::string_view text) { spoken.print.emplace_back(text); };
    GlobalMemory memory;
    spoken.result = Launch(options, blocks, memory, kernel);
    return spoken;
}
using Lines = std::vector<std::string>;

TEST(KernelCalls, OneLogLineARecordInOrderOfIssue) {
    const auto kernel = [] {
        TPipe pipe;
        TBuf<> buffer;
        pipe.InitBuffer(buffer, 256);
        LocalTensor<float> tile = buffer.Get<float>();
        Duplicate(tile, 1.0f, 64);
        Adds(tile, tile, 2.0f, 64);
        PipeBarrier<PIPE_ALL>();
    };
    LaunchOptions late;
    late.schedule = "late";
    const Spoken eager = Speak("Ascend910B1", 1, kernel), other = Speak("Ascend910B1", 1, kernel, late);
    ASSERT_EQ(eager.log.size(), 3u);
    EXPECT_EQ(eager.log, other.log);
    EXPECT_EQ(eager.result.records, 3u);
    const char* const calls[] = {"Duplicate", "Adds", "PipeBarrier"};
    for (size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(eager.log[i].rfind("aiv0 ", 0), 0u) << eager.log[i];
        EXPECT_NE(eager.log[i].find(calls[i]), std::string::npos) << eager.log[i];
        EXPECT_NE(eager.log[i].find("kernel_calls_test.cpp:"), std::string::npos) << eager.log[i];
    }
    EXPECT_EQ(Speak("Ascend910B1", 7, kernel).log.size(), 21u);
}

TEST(KernelCalls, PrintfExactText) {
    const Spoken spoken = Speak("Ascend910B1", 1, [] {
        AscendC::printf("%d %5d|%-4d|%04d %i %u\n", -3, 42, 7, 9, static_cast<int8_t>(-8), 4000000000u);
        PRINTF("%x %X %f %.2f %s %% %c\n", 255, 48879u, 1.5f, half(0.25), "text", 'z');
        AscendC::printf("%lld %ld %hd %zu\n", int64_t{-5000000000}, int64_t{6}, int16_t{7}, size_t{8});
        AscendC::printf("plain\n");
        AscendC::printf("%f %d\n", bfloat16_t(2.0f), RoundMode::CAST_CEIL);
        AscendC::printf("%d %d\n", 1);
    });
    EXPECT_EQ(spoken.print,
              (Lines{"[AIV Block 0/1] -3    42|7   |0009 -8 4000000000\n",
                     "[AIV Block 0/1] ff BEEF 1.500000 0.25 text % z\n", "[AIV Block 0/1] -5000000000 6 7 8\n",
                     "[AIV Block 0/1] plain\n", "[AIV Block 0/1] 2.000000 3\n", "[AIV Block 0/1] 1 %d\n"}));
}

TEST(KernelCalls, PrintfNegativeNumbersInHexadecimalShowTheirOwnWidth) {
    const Spoken spoken = Speak("Ascend910B1", 1, [] { AscendC::printf("%x %X %lx\n", -1, int16_t{-2}, int64_t{-1}); });
    EXPECT_EQ(spoken.print, (Lines{"[AIV Block 0/1] ffffffff FFFFFFFE ffffffffffffffff\n"}));
}

TEST(KernelCalls, PrintfNamesTheCore) {
    LaunchOptions mix;
    mix.core = CoreChoice::kMix;
    Spoken spoken = Speak(
        "Ascend910B1", 2, [] { AscendC::printf("hi\n"); }, mix);
    std::sort(spoken.print.begin(), spoken.print.end());
    EXPECT_EQ(spoken.print, (Lines{"[AIC Block 0/2] hi\n", "[AIC Block 1/2] hi\n", "[AIV Block 0/2] hi\n",
                                   "[AIV Block 1/2] hi\n", "[AIV Block 2/2] hi\n", "[AIV Block 3/2] hi\n"}));
    EXPECT_EQ(Speak("Ascend910A", 1, [] { AscendC::printf("hi\n"); }).print, (Lines{"[AICORE Block 0/1] hi\n"}));
}

TEST(KernelCalls, DumpTensorExactTextAndFinishedData) {
    LaunchOptions late;
    late.schedule = "late";
    const Spoken spoken = Speak(
        "Ascend910B1", 1,
        [] {
            TPipe pipe;
            TBuf<> first, second;
            pipe.InitBuffer(first, 256);
            pipe.InitBuffer(second, 256);
            LocalTensor<half> halves = first.Get<half>();
            LocalTensor<int32_t> ints = second.Get<int32_t>();
            Duplicate(halves, static_cast<half>(1.5), 128);
            Duplicate(ints, -7, 64);
            ints.SetValue(1, 9);
            DumpTensor(halves, 5, 3);
            DumpTensor(ints, 6, 4);
            const uint32_t shape[] = {2, 3};
            DumpTensor(ints, 7, 6, ShapeInfo(2, shape));
            DumpTensor(ints, 8, 4, ShapeInfo(2, shape));
        },
        late);
    ASSERT_TRUE(spoken.result.findings.empty()) << spoken.result.findings.front().Text();
    EXPECT_EQ(
        spoken.print,
        (Lines{"DumpTensor: desc=5, addr=0x0, data_type=float16, position=UB, dump_size=3\n[1.500000, 1.500000, "
               "1.500000]\n",
               "DumpTensor: desc=6, addr=0x100, data_type=int32, position=UB, dump_size=4\n[-7, 9, -7, -7]\n",
               "DumpTensor: desc=7, addr=0x100, data_type=int32, position=UB, dump_size=6\n[[-7,9,-7],[-7,-7,-7]]\n",
               "DumpTensor: desc=8, addr=0x100, data_type=int32, position=UB, dump_size=4\n"
               "shape is [2, 3], dumpSize is 4, data is not enough.\n[[-7,9,-7],[-7,-,-]]\n"}));
}

TEST(KernelCalls, EachLineNamesItsCoreWhenSeveralRun) {
    LaunchOptions serial;
    serial.schedule = "serial";
    const Spoken spoken = Speak(
        "Ascend910B1", 2,
        [] {
            TPipe pipe;
            TBuf<> buffer;
            pipe.InitBuffer(buffer, 64);
            LocalTensor<int32_t> ints = buffer.Get<int32_t>();
            Duplicate(ints, static_cast<int32_t>(GetBlockIdx()), 16);
            DumpTensor(ints, 5, 2);
            ints.Print(9);
            AscendC::printf("a\nb\n");
        },
        serial);
    ASSERT_TRUE(spoken.result.findings.empty()) << spoken.result.findings.front().Text();
    EXPECT_EQ(spoken.print,
              (Lines{"[AIV Block 0/2] DumpTensor: desc=5, addr=0x0, data_type=int32, position=UB, dump_size=2\n"
                     "[AIV Block 0/2] [0, 0]\n",
                     "[AIV Block 0/2] 0000 : 0 0 0 0 0 0 0 0\n[AIV Block 0/2] 0008 : 0\n",
                     "[AIV Block 0/2] a\n[AIV Block 0/2] b\n",
                     "[AIV Block 1/2] DumpTensor: desc=5, addr=0x0, data_type=int32, position=UB, dump_size=2\n"
                     "[AIV Block 1/2] [1, 1]\n",
                     "[AIV Block 1/2] 0000 : 1 1 1 1 1 1 1 1\n[AIV Block 1/2] 0008 : 1\n",
                     "[AIV Block 1/2] a\n[AIV Block 1/2] b\n"}));
}

TEST(KernelCalls, DumpTensorPastTheBufferIsAFault) {
    const Spoken spoken = Speak("Ascend910B1", 1, [] {
        TPipe pipe;
        TBuf<> buffer;
        pipe.InitBuffer(buffer, 64);
        DumpTensor(buffer.Get<float>(), 1, 17);
    });
    ASSERT_EQ(spoken.result.findings.size(), 1u);
    EXPECT_EQ(spoken.result.findings[0].rule, "dump-size");
    EXPECT_TRUE(spoken.print.empty());
}

TEST(KernelCalls, AFailedAssertStopsTheLaunchWithItsText) {
    uint32_t line = 0;
    const Spoken spoken = Speak("Ascend910B1", 4, [&] {
        const int64_t block = GetBlockIdx();
        ASSERT(block >= 0);
        if (block == 2) line = __LINE__ + 1;
        assert(block != 2, "block %d of %d", block, GetBlockNum());
    });
    ASSERT_EQ(spoken.result.findings.size(), 1u);
    const Report& report = spoken.result.findings[0];
    EXPECT_EQ(report.rule, "assert");
    EXPECT_EQ(report.core, "aiv2");
    EXPECT_EQ(report.message, "assert: the assertion failed: block 2 of 4");
    EXPECT_EQ(report.found, "block != 2 is false");
    EXPECT_EQ(report.line, line);
    const Spoken trap = Speak("Ascend910B1", 1, [] { Trap(); });
    ASSERT_EQ(trap.result.findings.size(), 1u);
    EXPECT_EQ(trap.result.findings[0].rule, "trap");
}

struct Tiling {
    uint32_t length;
    float scale;
    uint16_t parts[3];
};

TEST(KernelCalls, TilingAccessorsReadTheArgument) {
    GlobalMemory memory;
    auto* tiling = memory.Allocate(sizeof(Tiling), "tiling");
    const Tiling host = {640, 0.5f, {1, 2, 3}};
    std::memcpy(tiling, &host, sizeof host);
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.tiling_key = 7;
    bool read = false;
    const LaunchResult result = Launch(options, 1, memory, [&] {
        REGISTER_TILING_DEFAULT(Tiling);
        GET_TILING_DATA(all, tiling);
        GET_TILING_DATA_WITH_STRUCT(Tiling, again, tiling);
        GET_TILING_DATA_MEMBER(Tiling, scale, scale, tiling);
        GET_TILING_DATA_PTR_WITH_STRUCT(Tiling, pointer, tiling);
        read = all.length == 640 && again.parts[2] == 3 && scale == 0.5f && pointer->parts[1] == 2 &&
               TILING_KEY_IS(7) && !TILING_KEY_IS(0) && g_tilingKey == 7;
    });
    EXPECT_TRUE(result.findings.empty());
    EXPECT_TRUE(read);
}

TEST(KernelCalls, ATilingArgumentThatIsTooSmallIsAFault) {
    GlobalMemory memory;
    auto* tiling = memory.Allocate(sizeof(Tiling) - 1, "tiling");
    LaunchOptions options;
    options.chip = "Ascend910B1";
    bool reached = false;
    const Tiling host = {};
    for (const void* argument :
         {static_cast<const void*>(tiling), static_cast<const void*>(&host), static_cast<const void*>(nullptr)}) {
        for (const bool collect : {false, true}) {
            options.collect = collect;
            const LaunchResult result = Launch(options, 1, memory, [&] {
                GET_TILING_DATA_WITH_STRUCT(Tiling, data, argument);
                reached = data.length == 0 || true;
            });
            ASSERT_EQ(result.findings.size(), 1u);
            EXPECT_EQ(result.findings[0].rule, "tiling-size");
            EXPECT_EQ(result.findings[0].operand, "sfumato::Tiling");
        }
    }
    EXPECT_FALSE(reached);
}

TEST(KernelCalls, OutsideALaunchACallSaysSo) {
    try {
        GetBlockIdx();
        FAIL();
    } catch (const Error& e) {
        EXPECT_STREQ(e.what(), "GetBlockIdx: called outside a kernel launch");
    }
}

}  // namespace
}  // namespace sfumato
