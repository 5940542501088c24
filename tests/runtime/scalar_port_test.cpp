// SPDX-License-Identifier: Apache-2.0
// Loads and stores of the scalar unit: what the short way of the header must not change.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato {
namespace {

LaunchOptions On(const char* chip) {
    LaunchOptions options;
    options.chip = chip;
    return options;
}

// Three stores, a load and a store of what it saw.
void StoresAndLoads() {
    AscendC::TPipe pipe;
    AscendC::TBuf<> buffer;
    pipe.InitBuffer(buffer, 256);
    const auto data = buffer.Get<int32_t>();
    for (uint32_t i = 0; i < 3; ++i) data.SetValue(i, static_cast<int32_t>(i) + 1);
    AscendC::Adds(data, data, 10, 3);
    data.SetValue(3, data.GetValue(2));
    if (data.GetValue(3) != 13) AscendC::Trap();
}

TEST(ScalarPort, EveryScheduleSeesTheSameAndCountsTheStores) {
    for (const char* schedule : {"eager", "late", "ahead", "seed:3"}) {
        GlobalMemory memory;
        LaunchOptions options = On("Ascend910B1");
        options.schedule = schedule;
        const LaunchResult result = Launch(options, 1, memory, [] { StoresAndLoads(); });
        EXPECT_TRUE(result.ok()) << schedule << result.findings[0].Text();
        EXPECT_EQ(result.records, 5u) << schedule;
    }
}

TEST(ScalarPort, TheLogHasEveryStore) {
    GlobalMemory memory;
    std::vector<std::string> lines;
    LaunchOptions options = On("Ascend910B1");
    options.log = [&](std::string_view line) { lines.emplace_back(line); };
    const LaunchResult result = Launch(options, 1, memory, [] { StoresAndLoads(); });
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.records, 5u);
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                            [](const std::string& l) { return l.find(" SetValue ") != std::string::npos; }),
              4);
}

TEST(ScalarPort, ACoreThatPollsItsOwnMemoryStopsWithTheOthers) {
    GlobalMemory memory;
    LaunchOptions options = On("Ascend910B1");
    options.workers = 2;
    const LaunchResult result = Launch(options, 2, memory, [] {
        AscendC::TPipe pipe;
        AscendC::TBuf<> buffer;
        pipe.InitBuffer(buffer, 32);
        const auto data = buffer.Get<int32_t>();
        data.SetValue(0, 0);
        if (AscendC::GetBlockIdx() == 0) data.SetValue(8, 1);
        while (data.GetValue(0) == 0) {
        }
    });
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].rule, "scalar-index");
}

TEST(ScalarPort, TypesTheChipDoesNotStoreAreRefused) {
    GlobalMemory memory;
    const LaunchResult result = Launch(On("Ascend910A"), 1, memory, [] {
        AscendC::TPipe pipe;
        AscendC::TBuf<> buffer;
        pipe.InitBuffer(buffer, 32);
        buffer.Get<int32_t>().SetValue(0, 1);
        buffer.Get<int64_t>().SetValue(0, 1);
    });
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].rule, "type-unsupported");
}

}  // namespace
}  // namespace sfumato
