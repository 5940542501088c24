// SPDX-License-Identifier: Apache-2.0
// Atomic stores in the order of the cores: whose turn it is, and the same bytes in every run.
#include "runtime/cores/turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "runtime/cores/cross_core.h"
#include "runtime/cores/workers.h"
#include "runtime/on_chip.h"

namespace sfumato {
namespace {

using namespace AscendC;
using Woken = runtime::Cores::Woken;

constexpr runtime::Shape kVectorOnly{0, 1};
std::string NameOf(uint64_t core) { return "aiv" + std::to_string(core); }

// Runs `cores` cores, `at_once` of them together, on `workers` threads.
void RunCores(runtime::Cores& cores, uint32_t workers, const std::function<void(uint64_t)>& body) {
    const soc::Chip chip = soc::FindChip("Ascend910B1");
    runtime::RunOnWorkers(workers,
                          [&] { cores.Work(chip, [&](uint64_t order, runtime::CoreMemory&) { body(order); }); });
}

TEST(Turns, ComeInOrderWhateverEndsFirst) {
    constexpr uint64_t kCores = 16;
    for (const uint32_t workers : {1u, 2u, 5u}) {
        runtime::Cores cores(kCores, 1, kCores);
        runtime::CrossCore cross_core(&cores, kVectorOnly, kCores, NameOf);
        std::vector<uint64_t> came;
        RunCores(cores, workers, [&](uint64_t order) {
            // Every third core has no atomic store.
            std::this_thread::sleep_for(std::chrono::microseconds((kCores - order) * 50));
            if (order % 3 != 0) {
                EXPECT_EQ(cross_core.AwaitTurn(order), Woken::kDone);
                came.push_back(order);
            }
            cross_core.End(order);
        });
        ASSERT_EQ(came.size(), kCores - 6);
        EXPECT_TRUE(std::is_sorted(came.begin(), came.end()));
    }
}

TEST(Turns, AStoppedCoreDoesNotWait) {
    for (const uint32_t workers : {1u, 2u}) {
        runtime::Cores cores(2, 1, 2);
        runtime::CrossCore cross_core(&cores, kVectorOnly, 2, NameOf);
        std::atomic<bool> ended = false;
        RunCores(cores, workers, [&](uint64_t order) {
            if (order == 1) {
                EXPECT_EQ(cross_core.AwaitTurn(1), Woken::kStopped);
                ended = true;
                return;
            }
            // On one thread the other has not started, and need not.
            if (workers == 2) {
                while (cores.status(1).state != runtime::Cores::State::kWaiting) std::this_thread::yield();
            }
            cores.StopAbove(0);
            if (workers == 2) {
                while (!ended) std::this_thread::yield();
            }
        });
        EXPECT_EQ(ended, workers == 2);
    }
}

constexpr uint32_t kCount = 512;

// Block b adds its row of src to dst, after work that ends later the lower the block is.
void AddRows(float* src, float* dst) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    pipe.InitBuffer(in, 2, kCount * sizeof(float));
    GlobalTensor<float> row, sum;
    row.SetGlobalBuffer(src + static_cast<size_t>(GetBlockIdx()) * kCount, kCount);
    sum.SetGlobalBuffer(dst, kCount);
    if (GetBlockIdx() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    SetAtomicAdd<float>();
    for (int half = 0; half < 2; ++half) {
        auto tensor = in.AllocTensor<float>();
        DataCopy(tensor, row[half * (kCount / 2)], kCount / 2);
        in.EnQue(tensor);
        tensor = in.DeQue<float>();
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        DataCopy(sum[half * (kCount / 2)], tensor, kCount / 2);
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        in.FreeTensor(tensor);
    }
    SetAtomicNone();
}

TEST(Atomic, SumsAreTakenInBlockOrderInEveryRun) {
    for (const uint32_t blocks : {8u, 100u}) {
        std::vector<float> rows(blocks * kCount), want(kCount, 0.5f);
        std::mt19937_64 random(blocks);
        for (float& x : rows) {
            x = std::ldexp(static_cast<float>(random() % 2000) - 1000.0f, static_cast<int>(random() % 60) - 30);
        }
        for (uint32_t b = 0; b < blocks; ++b) {
            for (uint32_t i = 0; i < kCount; ++i) want[i] += rows[b * kCount + i];
        }
        for (int run = 0; run < 20; ++run) {
            for (const char* schedule : {"eager", "late", "ahead", "seed:3"}) {
                for (const char* chip : {"Ascend910B1", "Ascend910A"}) {
                    GlobalMemory memory;
                    auto* src = memory.Allocate(rows.size() * sizeof(float), "src");
                    auto* dst = memory.Allocate(kCount * sizeof(float), "dst");
                    std::memcpy(src, rows.data(), rows.size() * sizeof(float));
                    const std::vector<float> start(kCount, 0.5f);
                    std::memcpy(dst, start.data(), kCount * sizeof(float));
                    LaunchOptions options = On(chip);
                    options.schedule = schedule;
                    const LaunchResult result = Launch(options, blocks, memory, AddRows, reinterpret_cast<float*>(src),
                                                       reinterpret_cast<float*>(dst));
                    ASSERT_TRUE(result.findings.empty()) << result.findings.front().Text();
                    ASSERT_EQ(std::memcmp(dst, want.data(), kCount * sizeof(float)), 0) << chip << ' ' << schedule;
                }
            }
        }
    }
}

// A fault of a lower core ends the wait of the cores above.
TEST(Atomic, AFaultBelowEndsTheWait) {
    for (const uint32_t faulty : {0u, 3u}) {
        GlobalMemory memory;
        auto* dst = memory.Allocate(64, "dst");
        const LaunchResult result = Launch(On("Ascend910B1"), 8, memory, [&] {
            TPipe pipe;
            TBuf<> buffer;
            pipe.InitBuffer(buffer, 64);
            LocalTensor<float> tensor = buffer.Get<float>();
            GlobalTensor<float> out;
            out.SetGlobalBuffer(reinterpret_cast<float*>(dst), 16);
            if (GetBlockIdx() == faulty) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                DataCopy(out, LocalTensor<float>(), 16);
            }
            SetAtomicAdd<float>();
            DataCopy(out, tensor, 16);
            SetAtomicNone();
        });
        EXPECT_FALSE(result.ok());
        EXPECT_EQ(result.findings.back().rule, "tensor-uninitialised");
    }
}

// The set of a flag and the store before it are told before the wait, however late they run.
TEST(Atomic, StoresAndSetsComeBeforeAWaitBehindThem) {
    constexpr float kBig = 16777216.0f;
    for (const char* schedule : {"eager", "serial", "late", "ahead", "seed:1", "seed:2", "seed:3"}) {
        GlobalMemory memory({.fill = 0});
        uint8_t* gm = memory.Allocate(64, "gm");
        LaunchOptions options = On("Ascend910B1");
        options.schedule = schedule;
        const LaunchResult result = Launch(options, 3, memory, std::function<void()>([gm] {
                                               constexpr float kAdds[] = {1, kBig, -kBig};
                                               GlobalTensor<float> sum;
                                               sum.SetGlobalBuffer(reinterpret_cast<float*>(gm), 8);
                                               TPipe pipe;
                                               TBuf<> buffer;
                                               pipe.InitBuffer(buffer, 64);
                                               LocalTensor<float> tile = buffer.Get<float>();
                                               for (int round = 0; round < 2; ++round) {
                                                   Duplicate(tile, kAdds[(GetBlockIdx() + round) % 3], 8);
                                                   SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
                                                   WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
                                                   SetAtomicAdd<float>();
                                                   DataCopy(sum, tile, 8);
                                                   SetAtomicNone();
                                                   SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
                                                   WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
                                                   CrossCoreSetFlag<0, PIPE_MTE3>(1);
                                                   CrossCoreWaitFlag(1);
                                               }
                                           }));
        ASSERT_TRUE(result.findings.empty()) << schedule << ' ' << result.findings[0].Text();
        float got = 0;
        std::memcpy(&got, gm, sizeof(got));
        EXPECT_EQ(got, 0.0f) << schedule;  // the second time core 2, which came last, goes on first
    }
}

TEST(Atomic, AModeLeftOnIsAWarning) {
    GlobalMemory memory;
    const LaunchResult result = Launch(On("Ascend910B1"), 2, memory, [] {
        SetAtomicMax<half>();
        SetAtomicNone();
        SetAtomicAdd<float>();
    });
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].rule, "atomic-left-on");
    EXPECT_EQ(result.findings[0].severity, Severity::kWarning);
    EXPECT_EQ(result.findings[0].core, "aiv0");
}

TEST(Atomic, TypesTheChipLacksAreRefused) {
    const auto refused = [](const char* chip, void (*set)(CallSite)) {
        GlobalMemory memory;
        const LaunchResult result = Launch(On(chip), 1, memory, [set] {
            set(Where::Here());
            SetAtomicNone();
        });
        if (result.ok()) return std::string();
        EXPECT_EQ(result.findings[0].rule, "atomic-unsupported");
        return result.findings[0].legal;
    };
    EXPECT_EQ(refused("Ascend910A", SetAtomicAdd<float>), "");
    EXPECT_EQ(refused("Ascend910A", SetAtomicAdd<half>), "float");
    EXPECT_EQ(refused("Ascend910A", SetAtomicMax<float>), "none");
    EXPECT_EQ(refused("Ascend310P3", SetAtomicAdd<half>), "");
    EXPECT_EQ(refused("Ascend310P3", SetAtomicAdd<int32_t>), "int16_t, half, float");
    EXPECT_EQ(refused("Ascend310B1", SetAtomicAdd<int32_t>), "");
    EXPECT_EQ(refused("Ascend910B1", SetAtomicMin<bfloat16_t>), "");
    EXPECT_EQ(refused("Ascend910B1", SetAtomicAdd<uint8_t>), "int8_t, int16_t, half, bfloat16_t, int32_t, float");
}

}  // namespace
}  // namespace sfumato
