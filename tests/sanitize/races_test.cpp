// SPDX-License-Identifier: Apache-2.0
// Races of whole programs.
#include <gtest/gtest.h>
#include <kernel_operator.h>
#include <sfumato/launch.h>

#include <functional>
#include <string>
#include <vector>

namespace sfumato {
namespace {

using namespace AscendC;

LaunchResult RunWith(const std::string& check, uint32_t blocks, bool auto_sync,
                     const std::function<void(uint8_t*)>& kernel, const char* schedule = "eager") {
    GlobalMemory memory;
    uint8_t* gm = memory.Allocate(65536, "gm");
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.check = check;
    options.auto_sync = auto_sync;
    options.schedule = schedule;
    return Launch(options, blocks, memory, [&] { kernel(gm); });
}

std::vector<std::string> Rules(const LaunchResult& result) {
    std::vector<std::string> rules;
    for (const Report& report : result.findings) rules.push_back(Name(report.rule));
    return rules;
}

using Names = std::vector<std::string>;

// What runs first, the schedule decides; what is missing, the program.
TEST(Races, AScheduleTurnsNoReportRound) {
    const auto kernel = [](uint8_t* gm) {
        TPipe pipe;
        TBuf<TPosition::VECCALC> buffer;
        pipe.InitBuffer(buffer, 512);
        LocalTensor<float> x = buffer.Get<float>();
        GlobalTensor<float> from;
        from.SetGlobalBuffer(reinterpret_cast<float*>(gm), 64);
        DataCopy(x, from, 64);
        Adds(x[64], x, 1.0f, 64);
    };
    const LaunchResult eager = RunWith("races", 1, true, kernel);
    ASSERT_EQ(Rules(eager), Names{"race"});
    EXPECT_EQ(eager.findings[0].found, "read after write, bytes 0 to 255");
    for (const char* schedule : {"late", "ahead", "seed:1", "all"}) {
        const LaunchResult other = RunWith("races", 1, true, kernel, schedule);
        ASSERT_EQ(Rules(other)[0], "race") << schedule;
        EXPECT_EQ(other.findings[0].Text(), eager.findings[0].Text()) << schedule;
    }
}

// The record reads the bytes, too, before it writes them.
TEST(Races, ReadBeforeAnInstructionInPlace) {
    const auto kernel = [](bool barrier) {
        return [barrier](uint8_t*) {
            TPipe pipe;
            TBuf<TPosition::VECCALC> buffer;
            pipe.InitBuffer(buffer, 512);
            LocalTensor<float> x = buffer.Get<float>();
            Duplicate(x, 1.0f, 64);
            PipeBarrier<PIPE_ALL>();
            Adds(x[64], x, 1.0f, 64);
            if (barrier) PipeBarrier<PIPE_V>();
            Adds(x, x, 1.0f, 64);
        };
    };
    EXPECT_EQ(Rules(RunWith("races", 1, false, kernel(true))), Names{});
    EXPECT_EQ(Rules(RunWith("races", 1, false, kernel(false))), Names{"race"});
}

// No record lies between the meeting and the store.
TEST(Races, ScalarStoreBehindSyncAll) {
    const auto kernel = [](bool before) {
        return [before](uint8_t* gm) {
            TPipe pipe;
            TBuf<TPosition::VECCALC> buffer;
            pipe.InitBuffer(buffer, 512);
            LocalTensor<float> x = buffer.Get<float>();
            GlobalTensor<float> global;
            global.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(gm), 64);
            const auto store = [&] {
                for (uint32_t i = 0; GetBlockIdx() == 0 && i < 64; ++i) global.SetValue(i, 2.0f);
                DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(global);
            };
            if (before) store();
            SyncAll();
            if (!before) store();
            if (GetBlockIdx() == 1) DataCopy(x, global, 64);
        };
    };
    EXPECT_EQ(Rules(RunWith("races", 2, true, kernel(true))), Names{});
    EXPECT_EQ(Rules(RunWith("races", 2, true, kernel(false))), Names{"race-cores"});
}

// A core's own data, behind SyncAll: everything issued before is done.
TEST(Races, LoadBehindSyncAllOfWhatTheCoreStored) {
    EXPECT_EQ(
        Rules(RunWith("races", 2, true,
                      [](uint8_t* gm) {
                          TPipe pipe;
                          TBuf<TPosition::VECCALC> buffer;
                          pipe.InitBuffer(buffer, 512);
                          LocalTensor<float> x = buffer.Get<float>();
                          GlobalTensor<float> global;
                          global.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(gm) + GetBlockIdx() * 64, 64);
                          for (uint32_t i = 0; i < 64; ++i) global.SetValue(i, 2.0f);
                          DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(global);
                          SyncAll();
                          DataCopy(x, global, 64);
                      })),
        Names{});
}

}  // namespace
}  // namespace sfumato
