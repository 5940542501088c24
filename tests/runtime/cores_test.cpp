// SPDX-License-Identifier: Apache-2.0
// Cores as fibres on pooled threads: who waits for what, standstills, what a switch keeps, fork, concurrent launches.
#include "runtime/cores/cores.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <cstring>
#include <exception>
#include <set>
#include <thread>
#include <vector>

#include "kernel_operator.h"
#include "runtime/cores/core.h"
#include "runtime/cores/workers.h"
#include "runtime/launch/launch.h"
#include "sfumato/launch.h"

namespace sfumato {
namespace {

using runtime::Cores;
using State = Cores::State;
using Woken = Cores::Woken;

void RunCores(Cores& cores, uint32_t workers, const std::function<void(uint64_t)>& body) {
    const soc::Chip chip = soc::FindChip("Ascend910B1");
    runtime::RunOnWorkers(workers,
                          [&] { cores.Work(chip, [&](uint64_t order, runtime::CoreMemory&) { body(order); }); });
}

TEST(Cores, EveryStateIsKnownAndTheLowestThatCanGoOnRuns) {
    Cores cores(3, 1, 3);
    std::vector<uint64_t> order;
    bool open = false;
    RunCores(cores, 1, [&](uint64_t core) {
        order.push_back(core);
        if (core < 2) {
            EXPECT_EQ(cores.WaitFor(core, {"the door", [&] { return open; }}), Woken::kDone);
        }
        if (core == 1) {
            EXPECT_EQ(cores.status(0), (Cores::Status{State::kEnded, nullptr}));
        }
        if (core == 2) {
            EXPECT_EQ(cores.status(0), (Cores::Status{State::kWaiting, "the door"}));
            EXPECT_EQ(cores.status(2), (Cores::Status{State::kRunning, nullptr}));
            cores.Update([&] { open = true; });
        }
        if (core == 0) {
            EXPECT_EQ(cores.status(2), (Cores::Status{State::kEnded, nullptr}));
        }
        order.push_back(core);
    });
    EXPECT_EQ(order, (std::vector<uint64_t>{0, 1, 2, 2, 0, 1}));
}

TEST(Cores, APollOfMemoryGetsTheCoresItWaitsForStarted) {
    GlobalMemory memory;
    constexpr uint32_t kBlocks = 12;
    std::atomic<uint32_t> arrived{0};
    LaunchOptions options;
    options.chip = "Ascend910B1";
    const LaunchResult result = Launch(options, kBlocks, memory, [&] {
        ++arrived;
        while (arrived != kBlocks) std::this_thread::yield();
    });
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(arrived, kBlocks);
}

TEST(Cores, AStandstillIsToldToTheLowestThatWaits) {
    for (const uint32_t workers : {1u, 2u, 4u}) {
        Cores cores(6, 1, 4);
        std::vector<uint64_t> told;
        RunCores(cores, workers, [&](uint64_t core) {
            if (core % 2 == 0) return;
            EXPECT_EQ(cores.WaitFor(core, {"nothing", [] { return false; }}), Woken::kNever);
            told.push_back(core);  // one at a time: the others wait
        });
        EXPECT_EQ(told, (std::vector<uint64_t>{1, 3, 5})) << workers;
    }
}

// Core 2 faults; core 0 still gets what it waits for from core 3, and only then do those above stop.
TEST(Cores, ThoseBelowAFaultStillGetWhatTheyWaitForFromThoseAbove) {
    for (const uint32_t workers : {1u, 2u, 4u}) {
        Cores cores(5, 1, 5);
        bool open = false;
        std::set<uint64_t> done;
        RunCores(cores, workers, [&](uint64_t core) {
            Woken woken = Woken::kDone;
            if (core == 0) woken = cores.WaitFor(core, {"the door", [&] { return open; }});
            if (core == 2) cores.StopAbove(2);
            if (core == 3) cores.Update([&] { open = true; });
            if (core == 4) woken = cores.WaitFor(core, {"nothing that comes", [] { return false; }});
            cores.Update([&] {
                if (woken == Woken::kDone) done.insert(core);
            });
        });
        EXPECT_EQ(done, (std::set<uint64_t>{0, 1, 2, 3})) << workers;
        EXPECT_TRUE(cores.Stopped(3));
        EXPECT_FALSE(cores.Stopped(2));
        EXPECT_TRUE(cores.StopsEarly());
    }
}

// Core 0 waits for a core that has faulted: the report is that core's.
TEST(Cores, AWaitForACoreThatFaultedIsNoDeadlock) {
    for (const char* schedule : {"eager", "serial", "late", "seed:1"}) {
        LaunchOptions options;
        options.chip = "Ascend910B1";
        options.schedule = schedule;
        GlobalMemory memory;
        const LaunchResult result = Launch(options, 8, memory, std::function<void()>([] {
                                               if (AscendC::GetBlockIdx() == 5) {
                                                   AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(99);
                                               }
                                               AscendC::SyncAll();
                                           }));
        ASSERT_EQ(result.findings.size(), 1u) << schedule;
        EXPECT_EQ(result.findings[0].rule, "event-id-range") << schedule;
        EXPECT_EQ(result.findings[0].core, "aiv5") << schedule;
    }
}

TEST(Cores, AFreeBlockTakesTheNext) {
    Cores cores(12, 3, 2);  // blocks of three cores, two at once
    EXPECT_FALSE(cores.AllAtOnce());
    std::atomic<int> running = 0, most = 0;
    std::vector<int> ran(12);
    RunCores(cores, 4, [&](uint64_t core) {
        const int now = ++running;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        ++ran[core];
        --running;
    });
    EXPECT_LE(most, 6);
    EXPECT_EQ(ran, std::vector<int>(12, 1));
}

// A barrier of all cores through the launch's own objects, in the middle of `kernel`.
void Meet() { EXPECT_EQ(runtime::CurrentCore()->waits().MeetOthers(), nullptr); }

LaunchOptions On(const char* chip, uint32_t workers = 0) {
    LaunchOptions options;
    options.chip = chip;
    options.workers = workers;
    return options;
}

TEST(Cores, ASwitchKeepsExceptionsRoundingAndName) {
    for (const uint32_t workers : {1u, 2u}) {
        GlobalMemory memory;
        const LaunchResult result = Launch(On("Ascend910B1", workers), 8, memory, [] {
            const int64_t block = AscendC::GetBlockIdx();
            std::fesetround(block % 2 ? FE_UPWARD : FE_DOWNWARD);
            struct Unwound {
                int64_t block;
                ~Unwound() {
                    const int before = std::uncaught_exceptions();
                    Meet();
                    EXPECT_EQ(std::uncaught_exceptions(), before);
                    EXPECT_EQ(before, block % 3 == 0 ? 1 : 0);
                }
            };
            try {
                const Unwound unwound{block};
                if (block % 3 == 0) throw block;
            } catch (const int64_t& thrown) {
                Meet();
                EXPECT_EQ(thrown, block);
                try {
                    throw;
                } catch (const int64_t& again) {
                    Meet();
                    EXPECT_EQ(again, block);
                }
            }
            for (int i = 0; block % 3 != 0 && i < 2; ++i) Meet();
            EXPECT_EQ(std::fegetround(), block % 2 ? FE_UPWARD : FE_DOWNWARD);
            std::fesetround(FE_TONEAREST);
            EXPECT_EQ(RunningCore(), "aiv" + std::to_string(block));
            char name[16] = {};
            pthread_getname_np(pthread_self(), name, sizeof name);
            EXPECT_EQ(name, RunningCore());
        });
        EXPECT_TRUE(result.findings.empty()) << result.findings[0].Text();
    }
    EXPECT_EQ(RunningCore(), "");
}

TEST(Cores, AnyNumberOfBlocksRunsOnFewThreads) {
#ifdef __SANITIZE_THREAD__
    constexpr uint32_t kMany = 1025;  // each takes a millisecond there
#else
    constexpr uint32_t kMany = 65535;
#endif
    for (const uint32_t blocks : {1u, 40u, 41u, kMany}) {
        std::atomic<uint64_t> sum = 0;
        std::mutex mutex;
        std::set<std::thread::id> threads;
        GlobalMemory memory;
        const LaunchResult result = Launch(On("Ascend910B4", 2), blocks, memory, [&] {
            sum += static_cast<uint64_t>(AscendC::GetBlockIdx()) + 1;
            std::lock_guard lock(mutex);
            threads.insert(std::this_thread::get_id());
        });
        EXPECT_TRUE(result.ok());
        EXPECT_EQ(sum, uint64_t{blocks} * (blocks + 1) / 2);
        EXPECT_LE(threads.size(), std::min(blocks, 64u));  // two, and others while these two make no progress
    }
}

// Launches a kernel that uses UB and meets the other blocks; true when all bytes are right.
bool RightLaunch(uint32_t blocks) {
    GlobalMemory memory;
    auto* out = memory.Allocate(blocks * 64, "out");
    const LaunchResult result = Launch(On("Ascend910B1"), blocks, memory, [out] {
        AscendC::TPipe pipe;
        AscendC::TBuf<> buffer;
        pipe.InitBuffer(buffer, 64);
        AscendC::LocalTensor<int32_t> tile = buffer.Get<int32_t>();
        const int32_t before = tile.GetValue(0);
        Meet();
        AscendC::Duplicate(tile, before + 1, 16);
        AscendC::GlobalTensor<int32_t> gm;
        gm.SetGlobalBuffer(reinterpret_cast<int32_t*>(out) + 16 * AscendC::GetBlockIdx(), 16);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::DataCopy(gm, tile, 16);
    });
    bool right = result.findings.empty();
    for (uint32_t i = 0; i < blocks * 16; ++i) right = right && reinterpret_cast<uint32_t*>(out)[i] == 0xFEFEFEFF;
    return right;
}

TEST(Cores, AForkedProcessLaunchesOnThreadsOfItsOwn) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "ThreadSanitizer ends a child that starts threads";
#endif
    ASSERT_TRUE(RightLaunch(4));
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(RightLaunch(4) && RightLaunch(48) ? 0 : 1);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(RightLaunch(4));
}

TEST(Cores, ManyLaunchesAtOnceEachSeeFreshMemory) {
    std::vector<std::thread> hosts;
    std::atomic<int> right = 0;
    for (int host = 0; host < 24; ++host) {
        hosts.emplace_back([&] {
            for (int i = 0; i < 5; ++i) right += RightLaunch(7);
        });
    }
    for (std::thread& host : hosts) host.join();
    EXPECT_EQ(right, 24 * 5);
}

thread_local int t_counter = 0;
thread_local std::vector<int> t_list = {7};

void CountsInThreadLocals(int32_t* out) {
    ++t_counter;
    t_list.push_back(1);
    Meet();
    out[AscendC::GetBlockIdx()] = t_counter * 100 + static_cast<int32_t>(t_list.size());
}

TEST(Cores, ThreadLocalsStartFreshOnEveryCore) {
    for (int launch = 0; launch < 3; ++launch) {
        GlobalMemory memory;
        auto* out = reinterpret_cast<int32_t*>(memory.Allocate(8 * 4, "out"));
        const LaunchResult result = Launch(On("Ascend910B1"), 8, memory, CountsInThreadLocals, out);
        EXPECT_TRUE(result.findings.empty()) << result.findings[0].Text();
        for (int i = 0; i < 8; ++i) EXPECT_EQ(out[i], 102);
    }
}

TEST(Cores, ADeepStackIsThere) {
    GlobalMemory memory;
    const LaunchResult result = Launch(On("Ascend910B1"), 3, memory, [] {
        volatile char large[1 << 20];
        large[0] = 1;
        large[sizeof(large) - 1] = 2;
        EXPECT_FALSE(IsStackOverflow(const_cast<char*>(large)));
        EXPECT_FALSE(IsStackOverflow(nullptr));
    });
    EXPECT_TRUE(result.ok());
}

}  // namespace
}  // namespace sfumato
