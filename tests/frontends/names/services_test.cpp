// SPDX-License-Identifier: Apache-2.0
// Calls about the core itself, its caches and its debugging (framework.md 2.8, 3.10, 4.1, 4.4).
#include <gtest/gtest.h>

#include <map>

#include "../on_chip.h"
#include "utils/log/asc_cpu_log.h"

namespace sfumato::names_test {
namespace {

using namespace AscendC;

const char* const kChips[] = {"Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1"};

// The rules a call breaks on each chip that does not have it: none elsewhere.
void ExpectOn(const char* call, const std::string& chips, const std::function<void()>& kernel) {
    for (const char* chip : kChips) {
        const LaunchResult result = OnChip(chip, kernel);
        const bool has = chips.find(chip) != std::string::npos;
        EXPECT_EQ(result.ok(), has) << call << " on " << chip;
        if (has || result.findings.empty()) continue;
        EXPECT_EQ(result.findings[0].rule, "call-unsupported") << call << " on " << chip;
        EXPECT_NE(result.findings[0].Text().find(call), std::string::npos) << result.findings[0].Text();
    }
}

// TRACE_START and TRACE_STOP, which are nothing without ASCENDC_TRACE_ON.
void Range(uint32_t id, bool begins) { sfumato_::TraceRange(id, begins, Where::Here()); }

TEST(Services, OnTheChipsThatHaveThem) {
    ExpectOn("GetArchVersion", "Ascend310P3 Ascend910B1", [] {
        uint32_t version = 0;
        GetArchVersion(version);
    });
    ExpectOn("GetProgramCounter", "Ascend310P3 Ascend910B1", [] { static_cast<void>(GetProgramCounter()); });
    ExpectOn("GetICachePreloadStatus", "Ascend910B1", [] { EXPECT_EQ(GetICachePreloadStatus(), 0); });
    ExpectOn("DataCachePreload", "Ascend310P3 Ascend910B1 Ascend310B1", [] {
        DataCachePreload(GlobalTensor<uint64_t>(), int16_t{64});
        DataCachePreload(GlobalTensor<uint64_t>(), int64_t{128});
    });
    ExpectOn("SetStoreAtomicConfig", "Ascend910B1 Ascend310B1", [] {
        SetStoreAtomicConfig<AtomicDtype::ATOMIC_F32, AtomicOp::ATOMIC_SUM>();
        SetStoreAtomicConfig<AtomicDtype::ATOMIC_NONE, AtomicOp::ATOMIC_SUM>();
    });
    ExpectOn("SetHcclContext", "Ascend310P3 Ascend910B1", [] { SetHcclContext<0>(nullptr); });
    ExpectOn("PrintTimeStamp", "Ascend910B1 Ascend310B1", [] { sfumato_::PrintTime(1, Where::Here()); });
    ExpectOn("TRACE_START", "Ascend910A Ascend310P3 Ascend910B1 Ascend310B1", [] {
        Range(0, true);
        Range(0, false);
    });
}

TEST(Services, NumbersOfTheCore) {
    for (const auto& [chip, number] :
         std::map<std::string, uint32_t>{{"Ascend910B1", 0x2201}, {"Ascend310P3", 0x2002}}) {
        EXPECT_TRUE(OnChip(chip.c_str(), [number = number] {
                        uint32_t version = 0;
                        GetArchVersion(version);
                        EXPECT_EQ(version, number);
                    }).ok());
    }
    EXPECT_TRUE(OnChip("Ascend910B1", [] {
                    const int64_t before = GetProgramCounter();
                    Duplicate(Ub<float>(0, 64), 1.0f, 64);
                    EXPECT_GT(GetProgramCounter(), before);
                    MetricsProfStart();
                    MetricsProfStop();
                    asc_prof_start();
                    asc_prof_stop();
                }).ok());
}

// Each type of the page: what a store does then, and what the configuration reads as.
TEST(Services, StoreAtomicConfig) {
    GlobalMemory memory;
    auto* out = memory.Allocate(32, "out");
    LaunchOptions options;
    options.chip = "Ascend910B1";
    const float ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    std::memcpy(out, ones, 32);
    const LaunchResult result = Launch(options, 1, memory, [out] {
        uint16_t type = 9, op = 9;
        GetStoreAtomicConfig(type, op);
        EXPECT_EQ(type, 0);
        EXPECT_EQ(op, 0);
        GlobalTensor<float> gm;
        gm.SetGlobalBuffer(reinterpret_cast<float*>(out), 8);
        const auto twos = Ub<float>(0, 8);
        Duplicate(twos, 2.0f, 8);
        SetStoreAtomicConfig<AtomicDtype::ATOMIC_F32, AtomicOp::ATOMIC_SUM>();
        GetStoreAtomicConfig(type, op);
        EXPECT_EQ(type, 1);
        PipeBarrier<PIPE_ALL>();
        DataCopy(gm, twos, 8);
        SetStoreAtomicConfig<AtomicDtype::ATOMIC_NONE, AtomicOp::ATOMIC_SUM>();
        SetAtomicAdd<int8_t>();
        GetStoreAtomicConfig(type, op);
        EXPECT_EQ(type, 5) << "one register, which SetAtomicAdd writes too";
        SetAtomicNone();
    });
    EXPECT_TRUE(result.ok());
    float sum = 0;
    std::memcpy(&sum, out, 4);
    EXPECT_EQ(sum, 3.0f);
    EXPECT_TRUE(OnChip("Ascend910B1", [] {
                    uint16_t type = 0, op = 0;
                    const auto holds = [&](uint16_t number) {
                        GetStoreAtomicConfig(type, op);
                        EXPECT_EQ(type, number);
                    };
                    SetStoreAtomicConfig<AtomicDtype::ATOMIC_F16, AtomicOp::ATOMIC_SUM>(), holds(2);
                    SetStoreAtomicConfig<AtomicDtype::ATOMIC_S16, AtomicOp::ATOMIC_SUM>(), holds(3);
                    SetStoreAtomicConfig<AtomicDtype::ATOMIC_S32, AtomicOp::ATOMIC_SUM>(), holds(4);
                    SetStoreAtomicConfig<AtomicDtype::ATOMIC_S8, AtomicOp::ATOMIC_SUM>(), holds(5);
                    SetStoreAtomicConfig<AtomicDtype::ATOMIC_BF16, AtomicOp::ATOMIC_SUM>(), holds(6);
                    SetStoreAtomicConfig<AtomicDtype::ATOMIC_NONE, AtomicOp::ATOMIC_SUM>(), holds(0);
                }).ok());
}

void Count(int& n, int by) { n += by; }

TEST(Services, AsyncOnItsKindOfCore) {
    for (const CoreChoice core : {CoreChoice::kVector, CoreChoice::kCube}) {
        LaunchOptions options;
        options.core = core;
        int vector = 0, cube = 0;
        EXPECT_TRUE(OnChip(
                        "Ascend910B1",
                        [&] {
                            Async<EngineType::AIV, Count>(vector, 2);
                            Async<EngineType::AIC, Count>(cube, 3);
                        },
                        options)
                        .ok());
        EXPECT_EQ(vector, core == CoreChoice::kVector ? 2 : 0);
        EXPECT_EQ(cube, core == CoreChoice::kCube ? 3 : 0);
    }
}

TEST(Services, ContextOfADomain) {
    GlobalMemory memory;
    auto* own = memory.Allocate(64, "context");
    LaunchOptions options;
    options.chip = "Ascend910B1";
    EXPECT_TRUE(Launch(options, 1, memory, [own] {
                    const auto* first = GetHcclContext<0>();
                    for (int i = 0; i < 8192; ++i) EXPECT_EQ(reinterpret_cast<const uint64_t*>(first)[i], 0u);
                    SetHcclContext<1>(own);
                    EXPECT_EQ(GetHcclContext<1>(), own);
                    EXPECT_EQ(GetHcclContext<0>(), first);
                    Hccl<> client;
                    client.Init(GetHcclContext<1>());
                    client.Finalize();
                }).ok());
}

// tensor(i) of global memory: read, and written where the element differs at the core's next call.
TEST(Services, ReferencesToGlobalMemory) {
    for (const char* chip : {"Ascend910B1", "Ascend310P3", "Ascend310B1"}) {
        GlobalMemory memory;
        LaunchOptions options;
        options.chip = chip;
        const int32_t numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        auto* gm = memory.Allocate(32, "gm", numbers);
        const LaunchResult result = Launch(options, 1, memory, [gm] {
            GlobalTensor<int32_t> tensor;
            tensor.SetGlobalBuffer(reinterpret_cast<int32_t*>(gm), 8);
            EXPECT_EQ(tensor(2), 3);
            tensor(5) = 40 + tensor(1);
        });
        EXPECT_TRUE(result.findings.empty()) << chip;
        int32_t written = 0;
        std::memcpy(&written, gm + 20, 4);
        EXPECT_EQ(written, 42) << chip;
    }
}

std::string Printed(const std::function<void()>& kernel) {
    std::string text;
    LaunchOptions options;
    options.print = [&text](std::string_view part) { text += part; };
    EXPECT_TRUE(OnChip("Ascend910B1", kernel, options).ok());
    return text;
}

TEST(Services, DumpsAndStamps) {
    const auto numbers = [] {
        const auto t = Ub<int32_t>(0, 16);
        CreateVecIndex(t, 3, 16);
        PipeBarrier<PIPE_ALL>();
        return t;
    };
    EXPECT_EQ(Printed([&] { DumpAccChkPoint(numbers(), 7, 8, 2); }),
              "DumpTensor: desc=7, addr=0x20, data_type=int32, position=UB, dump_size=2\n[11, 12]\n");
    const std::string pointer = "DumpTensor: desc=5, addr=0x0, data_type=int32, position=UB, dump_size=3\n[3, 4, 5]\n";
    EXPECT_EQ(Printed([&] { asc_dump(reinterpret_cast<const int32_t*>(numbers().GetPhyAddr()), 5, 3); }), pointer);
    EXPECT_EQ(Printed([&] { asc_dump_ubuf(reinterpret_cast<const int32_t*>(numbers().GetPhyAddr()), 5, 3); }), pointer);
    const std::string stamp =
        Printed([] { sfumato_::PrintTime(65577, Where::Here()), sfumato_::PrintTime(3, Where::Here()); });
    EXPECT_EQ(stamp.find("descId is 65577, rsv is 0, timeStamp is "), 0u) << stamp;
    EXPECT_NE(stamp.find(", entry is 0.\ndescId is 3, rsv is 0, timeStamp is "), std::string::npos) << stamp;
    GlobalMemory memory;
    auto* gm = memory.Allocate(32, "gm");
    std::memset(gm, 0, 32);
    LaunchOptions options;
    options.chip = "Ascend910B1";
    std::string text;
    options.print = [&text](std::string_view part) { text += part; };
    EXPECT_TRUE(Launch(options, 1, memory, [gm] { asc_dump_gm(gm, 1, 4); }).ok());
    EXPECT_EQ(text, "DumpTensor: desc=1, addr=0x0, data_type=uint8, position=GM, dump_size=4\n[0, 0, 0, 0]\n");
}

// Ranges of the timeline: nested, and cut where they only overlap.
TEST(Services, RangesOfTheTimeline) {
    const std::string path = testing::TempDir() + "/ranges.json";
    LaunchOptions options;
    options.trace = path;
    const LaunchResult result = OnChip(
        "Ascend910B1",
        [] {
            const auto t = Ub<float>(0, 64);
            Range(1, true);
            Duplicate(t, 1.0f, 64);
            Range(2, true);
            Muls(t, t, 2.0f, 64);
            Range(1, false);
            Adds(t, t, 2.0f, 64);
            Range(2, false);
        },
        options);
    ASSERT_TRUE(result.ok());
    std::string text;
    if (std::FILE* file = std::fopen(path.c_str(), "r")) {
        for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
        std::fclose(file);
    }
    const auto count = [&](const std::string& word) {
        int n = 0;
        for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++n;
        return n;
    };
    EXPECT_EQ(count("\"TRACE 1\""), 1) << text;
    EXPECT_EQ(count("\"TRACE 2\""), 2) << "inside range 1, and behind it";
}

TEST(Services, LogOfHostCode) {
    const auto logged = [](const char* level) {
        level ? setenv("ASCEND_GLOBAL_LOG_LEVEL", level, 1) : unsetenv("ASCEND_GLOBAL_LOG_LEVEL");
        testing::internal::CaptureStderr();
        ASC_CPU_LOG_DEBUG("d");
        ASC_CPU_LOG_INFO("i %d", 1);
        ASC_CPU_LOG_WARNING("w");
        ASC_CPU_LOG_ERROR("e %s", "x");
        std::string words;
        for (const char c : testing::internal::GetCapturedStderr()) words += c == '\n' ? "," : "";
        return words.size();
    };
    EXPECT_EQ(logged(nullptr), 1u);
    EXPECT_EQ(logged("0"), 4u);
    EXPECT_EQ(logged("2"), 2u);
    EXPECT_EQ(logged("4"), 0u);
    unsetenv("ASCEND_GLOBAL_LOG_LEVEL");
}

}  // namespace
}  // namespace sfumato::names_test
