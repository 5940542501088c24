// SPDX-License-Identifier: Apache-2.0
// Worlds from their beginning to their end: hosts that come late or never, ranks that fail, what is left behind.
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "runtime/world/programs.h"

namespace sfumato::world_test {
namespace {

using std::chrono::milliseconds;

// Every rank tells all others, and waits for them.
void Meet(Ranks& on, uint32_t rank) {
    on.Submit(rank, 1, [&on, rank] {
        Device d(on, rank, nullptr);
        d.Barrier(0, 1);
    });
}

uint64_t LinesOf(const char* file, const std::string& beginning) {
    std::ifstream lines(file);
    uint64_t count = 0;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(beginning)) continue;
        count += beginning.empty() ? 1 : std::stoull(line.substr(beginning.size()));
    }
    return count;
}

TEST(WorldLife, AThousandWorldsLeaveNothing) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    constexpr int kWorlds = 100;
#else
    constexpr int kWorlds = 1000;
#endif
    uint64_t threads = 0, maps = 0;
    for (int i = 0; i < kWorlds; ++i) {
        Ranks on(3, {}, kWindowBytes);
        for (uint32_t r = 0; r < 3; ++r) Meet(on, r);
        on.Wait();
        ASSERT_EQ(on.Told(), "");
        if (i != kWorlds / 10) continue;
        threads = LinesOf("/proc/self/status", "Threads:");
        maps = LinesOf("/proc/self/maps", "");
    }
    EXPECT_LE(LinesOf("/proc/self/status", "Threads:"), threads);
    EXPECT_LE(LinesOf("/proc/self/maps", ""), maps + 20);
}

TEST(WorldLife, AWorldEndsWithWhatNobodyWaitsFor) {
    Ranks on(3);
    for (uint32_t r = 0; r < 3; ++r) Meet(on, r);
    // Its destructor lets the launches end.
}

TEST(WorldLife, HostsThatSleepForAWhileAreWaitedFor) {
    for (const bool sleeps : {true, false}) {
        Ranks on(2);
        std::thread other([&] {
            on.world.Serve(1);
            if (sleeps) std::this_thread::sleep_for(milliseconds(300));
            Meet(on, 1);
            on.Wait();
        });
        on.world.Serve(0);
        if (!sleeps) std::this_thread::sleep_for(milliseconds(300));
        Meet(on, 0);
        on.Wait();
        other.join();
        EXPECT_EQ(on.Told(), "");
    }
}

TEST(WorldLife, ARankThatFaultsIsTheCauseOfOthers) {
    for (const char* schedule : {"eager", "late", "skew:2", "torn", "seed:1"}) {
        Ranks on(3, runtime::RankOrder::Parse(schedule, 3));
        for (uint32_t r = 0; r < 3; ++r) {
            const auto kernel = [&on, r] {
                Device d(on, r, nullptr);
                if (r == 1) Device::Drain(), d.Load(0, reinterpret_cast<uint8_t*>(0x1000), 8);
                d.Barrier(0, 1);
            };
            on.Submit(r, 1, kernel, true, schedule);
        }
        on.Wait();
        for (uint32_t r = 0; r < 3; ++r) {
            ASSERT_EQ(on.results[r][0].findings.size(), 1u) << schedule;
            const Report& report = on.results[r][0].findings[0];
            EXPECT_EQ(report.rank, r);
            if (r == 1) {
                EXPECT_STREQ(Name(report.rule), "gm-pointer") << schedule;
            } else {
                EXPECT_STREQ(Name(report.rule), "rank-exited") << schedule;
                EXPECT_NE(report.found.find("rank 1 has ended with gm-pointer"), std::string::npos) << report.found;
            }
        }
    }
}

// Rank 0 waits for rank 1, whose host computes all the time; `for_` so long. What rank 0 is told.
std::vector<Report> WithAHostThatComputes(milliseconds for_, runtime::Patience patience) {
    Ranks on(2, {}, 64 << 10, patience);
    std::atomic<bool> serves = false;
    std::thread other([&] {
        on.world.Serve(1);
        serves = true;
        const auto end = std::chrono::steady_clock::now() + for_;
        while (std::chrono::steady_clock::now() < end) {
        }
        Meet(on, 1);
        on.Wait();
    });
    while (!serves) std::this_thread::yield();
    Meet(on, 0);
    on.Wait();
    other.join();
    return on.results[0][0].findings;
}

TEST(WorldLife, AHostThatComputesIsNotedAndThenAbsent) {
    const milliseconds minute(60'000);
    EXPECT_TRUE(WithAHostThatComputes(milliseconds(100), {minute, minute}).empty());

    const auto noted = WithAHostThatComputes(milliseconds(1'500), {milliseconds(50), minute});
    ASSERT_EQ(noted.size(), 1u);
    EXPECT_STREQ(Name(noted[0].rule), "rank-absent");
    EXPECT_EQ(noted[0].severity, Severity::kNote);
    EXPECT_EQ(noted[0].rank, 0u);

    const auto absent = WithAHostThatComputes(milliseconds(1'500), {milliseconds(50), milliseconds(200)});
    ASSERT_EQ(absent.size(), 1u);
    EXPECT_STREQ(Name(absent[0].rule), "rank-absent");
    EXPECT_EQ(absent[0].severity, Severity::kFault);
    EXPECT_EQ(absent[0].instruction, "kernel<<<>>>");
    EXPECT_EQ(absent[0].message, "kernel<<<>>>: other ranks wait for a host that makes no call");
    EXPECT_NE(absent[0].found.find(" s in which nothing could go on; the host of rank 1 has made no call that waits"),
              std::string::npos)
        << absent[0].found;
}

TEST(WorldLife, PatienceComesFromTheEnvironment) {
    ::setenv("HCCL_EXEC_TIMEOUT", "77", 1);
    EXPECT_EQ(runtime::Patience::FromEnvironment().absent, std::chrono::seconds(77));
    ::setenv("SFUMATO_RANK_TIMEOUT", "5", 1);
    EXPECT_EQ(runtime::Patience::FromEnvironment().absent, std::chrono::seconds(5));
    ::setenv("SFUMATO_RANK_TIMEOUT", "soon", 1);
    EXPECT_THROW(runtime::Patience::FromEnvironment(), Error);
    ::unsetenv("SFUMATO_RANK_TIMEOUT");
    ::unsetenv("HCCL_EXEC_TIMEOUT");
    EXPECT_EQ(runtime::Patience::FromEnvironment().absent, std::chrono::seconds(1836));
}

// Rank 0 waits for rank 1 while its host is outside: an interrupt waits for nobody.
TEST(WorldLife, AnInterruptEndsALaunchThatWaitsForOthers) {
    for (const bool named : {true, false}) {
        Ranks on(2);
        std::atomic<bool> interrupt = false;
        on.adjust = [&](uint32_t, LaunchOptions& options) { options.interrupt = &interrupt; };
        on.world.Serve(1);
        on.Submit(
            0, 1,
            [&on] {
                Device d(on, 0, nullptr);
                d.Barrier(0, 1);
            },
            named);
        interrupt = true;
        while (!on.world.Idle(0)) std::this_thread::sleep_for(milliseconds(1));
        ASSERT_EQ(on.results[0][0].findings.size(), 1u);
        EXPECT_STREQ(Name(on.results[0][0].findings[0].rule), "interrupted");
    }
}

// The timeout counts the time in which the launch's own cores run.
TEST(WorldLife, ATimeoutCountsNoTimeOfOthers) {
    // The looks that a poll makes before it rests count; and a host that sleeps for a second counts as blocked.
    static constexpr double kTimeout = 0.5;
    Ranks on(2);
    on.adjust = [](uint32_t, LaunchOptions& options) { options.timeout = kTimeout; };
    std::thread other([&] {
        on.world.Serve(1);
        std::this_thread::sleep_for(milliseconds(900));
        Meet(on, 1);
        on.Wait();
    });
    on.world.Serve(0);
    Meet(on, 0);
    on.Wait();
    other.join();
    EXPECT_EQ(on.Told(), "");
}

TEST(WorldLife, ATimeoutEndsALoopAndNamesTheRank) {
    Ranks on(2);
    on.adjust = [](uint32_t rank, LaunchOptions& options) {
        if (rank == 1) options.timeout = 0.3;
    };
    for (uint32_t r = 0; r < 2; ++r) {
        on.Submit(r, 1, [&on, r] {
            Device d(on, r, nullptr);
            for (bool for_ever = r == 1; for_ever;) d.Filled(0, 8, [](uint32_t) { return 0; });
            d.Barrier(0, 1);
        });
    }
    on.Wait();
    ASSERT_EQ(on.results[1][0].findings.size(), 1u);
    EXPECT_STREQ(Name(on.results[1][0].findings[0].rule), "timeout");
    EXPECT_EQ(on.results[1][0].findings[0].rank, 1u);
    ASSERT_EQ(on.results[0][0].findings.size(), 1u);
    EXPECT_STREQ(Name(on.results[0][0].findings[0].rule), "rank-exited");
}

}  // namespace
}  // namespace sfumato::world_test
