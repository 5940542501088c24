// SPDX-License-Identifier: Apache-2.0
// LaunchOptions::flags: programs that both readings of a flag run alike, and those that only one of them does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato {
namespace {

using namespace AscendC;

constexpr uint32_t kTile = 64;
constexpr int kApart = 1, kShared = 0;  // the id of the second flag of MTE2; that of the first is 0

struct Tiles {
    explicit Tiles(GM_ADDR* gm) {
        pipe.InitBuffer(buffers[0], kTile * sizeof(float));
        pipe.InitBuffer(buffers[1], kTile * sizeof(float));
        a = buffers[0].Get<float>(), b = buffers[1].Get<float>();
        x.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(gm[0]), kTile);
        z.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(gm[1]), kTile);
    }
    TPipe pipe;
    TBuf<> buffers[2];
    LocalTensor<float> a, b;
    GlobalTensor<float> x, z;
};

// MTE3 waits for the second load; one flag of MTE2 more is on its way to V.
void StoreOfTheSecondLoad(GM_ADDR* gm, int id) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_MTE3>(id);
    DataCopy(t.z, t.b, kTile);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(t.a, t.a, 1.0f, kTile);
    DataCopy(t.b, t.x, kTile);
    SetFlag<HardEvent::MTE2_MTE3>(id);
}

constexpr uint32_t kTakes = __LINE__ + 7, kHangs = kTakes + 2;
// The same, and the second load waits for V.
void SecondLoadBehindTheFirstResult(GM_ADDR* gm, int id) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    // One reading gives this flag to V, the other to whoever waits first.
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_MTE3>(id);
    DataCopy(t.z, t.b, kTile);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(t.a, t.a, 1.0f, kTile);
    SetFlag<HardEvent::V_MTE2>(0);
    WaitFlag<HardEvent::V_MTE2>(0);
    DataCopy(t.b, t.x, kTile);
    SetFlag<HardEvent::MTE2_MTE3>(id);
}

void BothAtOnce(GM_ADDR* gm, int id) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    SetFlag<HardEvent::MTE2_MTE3>(id);
    WaitFlag<HardEvent::MTE2_MTE3>(id);
    DataCopy(t.z, t.a, kTile);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(t.b, t.a, 1.0f, kTile);
}

template <HardEvent kSet>
void StoreOfTheLoad(GM_ADDR* gm, int id) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    SetFlag<kSet>(id);
    WaitFlag<HardEvent::MTE2_MTE3>(id);
    DataCopy(t.z, t.a, kTile);
}
constexpr auto SetForTheStore = StoreOfTheLoad<HardEvent::MTE2_MTE3>;
constexpr auto SetForTheVectorUnit = StoreOfTheLoad<HardEvent::MTE2_V>;

struct Outcome {
    LaunchResult result;
    bool right;  // z holds what was loaded
};

Outcome RunWith(void (*program)(GM_ADDR*, int), int id, FlagIdentity flags, const std::string& schedule = "eager",
            const char* check = "none", bool time = false) {
    GlobalMemory memory;
    std::vector<float> x(kTile);
    for (uint32_t i = 0; i < kTile; ++i) x[i] = static_cast<float>(i);
    GM_ADDR gm[] = {memory.Allocate(kTile * sizeof(float), "x", x.data()),
                    memory.Allocate(kTile * sizeof(float), "z")};
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.flags = flags;
    options.schedule = schedule;
    options.check = check;
    if (time) options.time.emplace();
    Outcome run{Launch(options, 1, memory, std::function<void()>([&] { program(gm, id); })), false};
    run.right = std::memcmp(gm[1], x.data(), kTile * sizeof(float)) == 0;
    return run;
}

const Report* Find(const LaunchResult& result, const char* rule) {
    const auto found = std::find_if(result.findings.begin(), result.findings.end(),
                                    [&](const Report& report) { return report.rule == rule; });
    return found == result.findings.end() ? nullptr : &*found;
}

TEST(Flags, OfTheirOwnIdsAreAlikeInBothReadings) {
    for (auto* program : {StoreOfTheSecondLoad, SecondLoadBehindTheFirstResult, BothAtOnce}) {
        for (const FlagIdentity flags : {FlagIdentity::kEvent, FlagIdentity::kSetter}) {
            for (const char* schedule : {"eager", "late", "ahead", "seed:1", "seed:2", "seed:3"}) {
                const Outcome run = RunWith(program, kApart, flags, schedule);
                EXPECT_TRUE(run.result.ok() && run.result.findings.empty() && run.right) << schedule;
            }
        }
    }
}

TEST(Flags, OfOneIdAreApartByTheirEvents) {
    for (auto* program : {StoreOfTheSecondLoad, SecondLoadBehindTheFirstResult, BothAtOnce}) {
        for (const char* schedule : {"eager", "late", "ahead", "seed:1"}) {
            const Outcome run = RunWith(program, kShared, FlagIdentity::kEvent, schedule);
            EXPECT_TRUE(run.result.ok() && run.result.findings.empty() && run.right) << schedule;
        }
    }
}

TEST(Flags, OfOneSetterLetAWaitPassEarly) {
    const Outcome run = RunWith(StoreOfTheSecondLoad, kShared, FlagIdentity::kSetter);
    EXPECT_TRUE(run.result.ok());
    EXPECT_FALSE(run.right);
    // What the flag orders is what it orders under this reading.
    EXPECT_TRUE(Find(RunWith(StoreOfTheSecondLoad, kShared, FlagIdentity::kSetter, "eager", "races").result, "race"));
    EXPECT_FALSE(Find(RunWith(StoreOfTheSecondLoad, kShared, FlagIdentity::kEvent, "eager", "races").result, "race"));
}

// What one reading alone lets end takes as long as the same with the event of its wait, and what both let end the same
// but where the wait of the store takes the first flag: V begins behind the second load then.
TEST(Flags, AreOneInTheEstimateOfTimeAsInTheRun) {
    const auto cycles = [](void (*program)(GM_ADDR*, int), int id, FlagIdentity flags) {
        const Outcome run = RunWith(program, id, flags, "eager", "none", true);
        return run.result.estimate ? run.result.estimate->cycles : 0;
    };
    const double whole = cycles(SetForTheStore, 0, FlagIdentity::kEvent);
    EXPECT_GT(whole, 0);
    EXPECT_EQ(cycles(SetForTheStore, 0, FlagIdentity::kSetter), whole);
    EXPECT_EQ(cycles(SetForTheVectorUnit, 0, FlagIdentity::kSetter), whole);
    const double apart = cycles(StoreOfTheSecondLoad, kApart, FlagIdentity::kSetter);
    EXPECT_EQ(cycles(StoreOfTheSecondLoad, kShared, FlagIdentity::kEvent), apart);
    EXPECT_GT(cycles(StoreOfTheSecondLoad, kShared, FlagIdentity::kSetter), apart);
}

TEST(Flags, OfOneSetterLetAWaitHang) {
    const Outcome run = RunWith(SecondLoadBehindTheFirstResult, kShared, FlagIdentity::kSetter);
    const Report* report = Find(run.result, "wait-never-satisfied");
    ASSERT_TRUE(report);
    EXPECT_EQ(report->line, kHangs);
    EXPECT_EQ(report->found, fmt::format("no SetFlag<HardEvent::MTE2_V>(0) that PIPE_MTE2 could still reach; the one "
                                         "before was taken by the WaitFlag of MTE2_MTE3 id 0 at {}:{}",
                                         report->file, kTakes));
    EXPECT_EQ(report->legal, "every WaitFlag has one SetFlag of the same setting pipe and id (--flags setter)");
}

TEST(Flags, OfOneSetterAreSetTwice) {
    const Outcome run = RunWith(BothAtOnce, kShared, FlagIdentity::kSetter);
    const Report* report = Find(run.result, "flag-set-twice");
    ASSERT_TRUE(report);
    EXPECT_EQ(report->legal,
              "one WaitFlag between two SetFlag of the same setting pipe and id (--flags setter): a flag is binary");
}

}  // namespace
}  // namespace sfumato
