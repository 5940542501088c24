// SPDX-License-Identifier: Apache-2.0
// A launch: which cores run, on which threads, what stops them, and that nothing depends on the run.
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "runtime/on_chip.h"

namespace sfumato {
namespace {

using namespace AscendC;

// What each core of a launch saw, by thread name.
struct Seen {
    int64_t block, sub_block, index, count, ratio;
    bool vector, cube;
    bool operator==(const Seen&) const = default;
};
std::map<std::string, Seen>* g_cores;
void See() {
    static std::mutex mutex;
    char name[16] = {};
    pthread_getname_np(pthread_self(), name, sizeof name);
    const Seen seen = {block_idx,       sub_block_idx,       GetBlockIdx(),      GetBlockNum(),
                       GetTaskRation(), bool(ASCEND_IS_AIV), bool(ASCEND_IS_AIC)};
    std::lock_guard lock(mutex);
    EXPECT_TRUE(g_cores->emplace(name, seen).second) << "two cores called " << name;
}
std::map<std::string, Seen> Cores(const LaunchOptions& options, uint32_t blocks, void (*kernel)() = See) {
    std::map<std::string, Seen> cores;
    g_cores = &cores;
    GlobalMemory memory;
    const LaunchResult result = Launch(options, blocks, memory, kernel);
    EXPECT_TRUE(result.findings.empty()) << result.findings.front().Text();
    return cores;
}

TEST(Launch, CoresAreNamedThreadsOfOneProcess) {
    EXPECT_EQ(Cores(On("Ascend910B1"), 2), (std::map<std::string, Seen>{{"aiv0", {0, 0, 0, 2, 1, true, false}},
                                                                        {"aiv1", {1, 0, 1, 2, 1, true, false}}}));
    EXPECT_EQ(Cores(On("Ascend910A"), 2), (std::map<std::string, Seen>{{"core0", {0, 0, 0, 2, 1, true, true}},
                                                                       {"core1", {1, 0, 1, 2, 1, true, true}}}));
    LaunchOptions cube = On("Ascend910B1");
    cube.core = CoreChoice::kCube;
    EXPECT_EQ(Cores(cube, 1), (std::map<std::string, Seen>{{"aic0", {0, 0, 0, 1, 1, false, true}}}));
}

void MixKernel() {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    See();
}

TEST(Launch, MixStartsACubeCoreAndTwoVectorCoresABlock) {
    LaunchOptions mix = On("Ascend910B1");
    mix.core = CoreChoice::kMix;
    const std::map<std::string, Seen> want = {
        {"aic0", {0, 0, 0, 2, 1, false, true}},   {"aiv0.0", {0, 0, 0, 2, 2, true, false}},
        {"aiv0.1", {0, 1, 1, 2, 2, true, false}}, {"aic1", {1, 0, 1, 2, 1, false, true}},
        {"aiv1.0", {1, 0, 2, 2, 2, true, false}}, {"aiv1.1", {1, 1, 3, 2, 2, true, false}}};
    EXPECT_EQ(Cores(mix, 2), want);
    // The kernel's own declaration gives the same, whatever the host chose.
    for (const CoreChoice choice : {CoreChoice::kDefault, CoreChoice::kVector, CoreChoice::kCube, CoreChoice::kMix}) {
        LaunchOptions options = On("Ascend910B1");
        options.core = choice;
        options.kernel = "MixKernel";
        EXPECT_EQ(Cores(options, 2, MixKernel), want);
    }
}

void KernelOfKeys() {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    KERNEL_TASK_TYPE(1, KERNEL_TYPE_AIC_ONLY);
    KERNEL_TASK_TYPE(2, KERNEL_TYPE_MIX_AIC_1_1);
    See();
}

TEST(Launch, KernelTaskTypeOfTheTilingKey) {
    const auto names = [&](uint64_t key) {
        LaunchOptions options = On("Ascend910B1");
        options.kernel = "KernelOfKeys";
        options.tiling_key = key;
        std::string text;
        for (const auto& [name, seen] : Cores(options, 1, KernelOfKeys)) text += name + " ";
        return text;
    };
    EXPECT_EQ(names(0), "aiv0 ");
    EXPECT_EQ(names(1), "aic0 ");
    EXPECT_EQ(names(2), "aic0 aiv0 ");
    EXPECT_EQ(Cores(On("Ascend310P3"), 1, MixKernel).size(), 1u);
}

TEST(Launch, MoreBlocksThanCoresRunInWaves) {
    for (const auto& [chip, cores] :
         {std::pair("Ascend310B1", 1), std::pair("Ascend310P3", 8), std::pair("Ascend910B4", 40)}) {
        constexpr uint32_t kBlocks = 100;
        std::atomic<int> running = 0, most = 0;
        std::vector<std::atomic<int>> ran(kBlocks);
        GlobalMemory memory;
        const LaunchResult result = Launch(On(chip), kBlocks, memory, [&] {
            const int now = ++running;
            for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
            }
            ++ran[static_cast<size_t>(GetBlockIdx())];
            --running;
        });
        EXPECT_TRUE(result.ok());
        EXPECT_LE(most, cores) << chip;
        EXPECT_TRUE(std::all_of(ran.begin(), ran.end(), [](const auto& n) { return n == 1; })) << chip;
    }
}

TEST(Launch, EveryBlockStartsWithFilledMemory) {
    GlobalMemory memory;
    auto* out = memory.Allocate(8 * 64, "out");
    LaunchOptions options = On("Ascend310B1");  // one core runs all blocks
    options.fill = 0x3C;
    const LaunchResult result = Launch(options, 8, memory, [out] {
        TPipe pipe;
        TBuf<> buffer;
        pipe.InitBuffer(buffer, 64);
        LocalTensor<int16_t> tile = buffer.Get<int16_t>();
        const int16_t before = tile.GetValue(5);
        Duplicate(tile, static_cast<int16_t>(before + 1), 32);
        GlobalTensor<int16_t> gm;
        gm.SetGlobalBuffer(reinterpret_cast<int16_t*>(out) + 32 * GetBlockIdx(), 32);
        PipeBarrier<PIPE_ALL>();
        DataCopy(gm, tile, 32);
    });
    EXPECT_TRUE(result.findings.empty());
    for (int i = 0; i < 256; ++i) ASSERT_EQ(reinterpret_cast<int16_t*>(out)[i], 0x3C3D) << i;
}

// y = x + where the tile stands in its block, with queues.
void AddBlock(int32_t* x, int32_t* y, uint32_t total) {
    const uint32_t length = total / static_cast<uint32_t>(GetBlockNum());
    GlobalTensor<int32_t> xg, yg;
    xg.SetGlobalBuffer(x + length * GetBlockIdx(), length);
    yg.SetGlobalBuffer(y + length * GetBlockIdx(), length);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, 256);
    pipe.InitBuffer(out, 2, 256);
    for (uint32_t at = 0; at < length; at += 64) {
        auto a = in.AllocTensor<int32_t>();
        DataCopy(a, xg[at], 64);
        in.EnQue(a);
        a = in.DeQue<int32_t>();
        auto b = out.AllocTensor<int32_t>();
        Adds(b, a, static_cast<int32_t>(at), 64);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<int32_t>();
        DataCopy(yg[at], b, 64);
        out.FreeTensor(b);
    }
}

TEST(Launch, FiftyRunsAndAnyNumberOfBlocksGiveTheSame) {
    constexpr uint32_t kTotal = 64 * 64;
    for (const uint32_t blocks : {1u, 2u, 16u, 64u}) {
        for (int run = 0; run < 50; ++run) {
            GlobalMemory memory;
            auto* x = reinterpret_cast<int32_t*>(memory.Allocate(kTotal * 4, "x"));
            auto* y = reinterpret_cast<int32_t*>(memory.Allocate(kTotal * 4, "y"));
            for (uint32_t i = 0; i < kTotal; ++i) x[i] = static_cast<int32_t>(i * i);
            LaunchOptions options = On("Ascend910B1");
            options.schedule = run % 2 ? "seed:" + std::to_string(run) : "eager";
            const LaunchResult result = Launch(options, blocks, memory, AddBlock, x, y, kTotal);
            ASSERT_TRUE(result.findings.empty()) << result.findings.front().Text();
            EXPECT_EQ(result.records, Launch(options, blocks, memory, AddBlock, x, y, kTotal).records);
            const uint32_t length = kTotal / blocks;
            for (uint32_t i = 0; i < kTotal; ++i)
                ASSERT_EQ(y[i], x[i] + static_cast<int32_t>(i % length / 64 * 64)) << i;
        }
    }
}

// Far more instructions than a pipe may hold, each depending on the one before.
TEST(Launch, ALongKernelIsRightUnderEverySchedule) {
    constexpr int kSteps = 20000;
    for (const char* schedule : {"eager", "late", "ahead", "seed:4"}) {
        GlobalMemory memory;
        auto* y = reinterpret_cast<int32_t*>(memory.Allocate(32, "y"));
        LaunchOptions options = On("Ascend910B1");
        options.schedule = schedule;
        const LaunchResult result = Launch(options, 1, memory, [y] {
            TPipe pipe;
            TBuf<> buffer;
            pipe.InitBuffer(buffer, 32);
            LocalTensor<int32_t> tile = buffer.Get<int32_t>();
            Duplicate(tile, 0, 8);
            for (int i = 0; i < kSteps; ++i) Adds(tile, tile, 1, 8);
            SetFlag<HardEvent::V_MTE3>(0);
            WaitFlag<HardEvent::V_MTE3>(0);
            GlobalTensor<int32_t> gm;
            gm.SetGlobalBuffer(y, 8);
            DataCopy(gm, tile, 8);
        });
        EXPECT_TRUE(result.findings.empty()) << result.findings.front().Text();
        for (int i = 0; i < 8; ++i) EXPECT_EQ(y[i], kSteps) << schedule;
    }
}

TEST(Launch, SeveralHostThreadsMayLaunchAtOnce) {
    std::vector<std::thread> hosts;
    std::atomic<int> right = 0;
    for (int host = 0; host < 4; ++host) {
        hosts.emplace_back([&, host] {
            GlobalMemory memory;
            constexpr uint32_t kTotal = 1024;
            auto* x = reinterpret_cast<int32_t*>(memory.Allocate(kTotal * 4, "x"));
            auto* y = reinterpret_cast<int32_t*>(memory.Allocate(kTotal * 4, "y"));
            for (uint32_t i = 0; i < kTotal; ++i) x[i] = static_cast<int32_t>(i) * host;
            const LaunchResult result =
                Launch(On(host % 2 ? "Ascend910B1" : "Ascend310P3"), 4, memory, AddBlock, x, y, kTotal);
            bool same = result.findings.empty();
            for (uint32_t i = 0; i < kTotal; ++i) same = same && y[i] == x[i] + static_cast<int32_t>(i % 256 / 64 * 64);
            right += same;
        });
    }
    for (std::thread& host : hosts) host.join();
    EXPECT_EQ(right, 4);
}

}  // namespace
}  // namespace sfumato
