// SPDX-License-Identifier: Apache-2.0
// Matmul in kernels of both kinds of core: vector cores ask, the cube core serves them.
#include "matmul_support.h"

namespace sfumato::matmul_test {
namespace {

using HalfGm = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using FloatGm = MatmulType<TPosition::GM, CubeFormat::ND, float>;

LaunchResult LaunchMix(GlobalMemory& memory, uint32_t blocks, const std::string& schedule, CoreChoice core,
                       const std::function<void()>& kernel, uint32_t workers = 2) {
    LaunchOptions options = Options(schedule, core);
    options.workers = workers;
    return Launch(options, blocks, memory, kernel);
}

// C split by rows over the vector cores of 3 blocks, the last piece a tail, and one core without work.
template <class Body>
void SplitRows(CoreChoice core, uint32_t ratio, const Body& body) {
    const Shape s{100, 70, 130};
    const auto a = RandomMatrix<half>(s.m, s.k, false, 1), b = RandomMatrix<half>(s.k, s.n, false, 2);
    const auto bias = Random<float>(static_cast<size_t>(s.n), 3);
    constexpr uint32_t kBlocks = 3;
    const int32_t cores = static_cast<int32_t>(kBlocks * ratio) - (ratio == 2 ? 1 : 0);
    TCubeTiling tiling = Tiling(s);
    tiling.usedCoreNum = cores;
    tiling.singleCoreM = (s.m + cores - 1) / cores;
    tiling.isBias = 1;
    for (const std::string& schedule : Schedules()) {
        GlobalMemory memory;
        uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b");
        uint8_t* gm_bias = Put(memory, bias, "bias");
        const auto count = static_cast<size_t>(s.m) * static_cast<size_t>(s.n);
        uint8_t* gm_c = memory.Allocate(count * sizeof(float), "c");
        const LaunchResult result = LaunchMix(memory, kBlocks, schedule, core, [&] {
            TPipe pipe;
            Matmul<HalfGm, HalfGm, FloatGm, FloatGm> mm;
            REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
            const auto index = static_cast<int32_t>(GetBlockIdx());
            if (index >= cores) return;
            const int32_t first = index * tiling.singleCoreM;
            if (s.m - first < tiling.singleCoreM) mm.SetTail(s.m - first);
            mm.SetTensorA(Gm<half>(gm_a)[first * s.k]);
            mm.SetTensorB(Gm<half>(gm_b));
            mm.SetBias(Gm<float>(gm_bias));
            body(pipe, mm, Gm<float>(gm_c)[first * s.n]);
            mm.End();
        });
        ASSERT_EQ(Told(result), "") << schedule;
        std::vector<float> want;
        for (int32_t m = 0; m < s.m; ++m) {
            for (int32_t n = 0; n < s.n; ++n) want.push_back(Sum<float>(a, b, m, n, bias[static_cast<size_t>(n)]));
        }
        ASSERT_TRUE(SameBytes(Get<float>(gm_c, count), want, s.n)) << schedule;
    }
}

const auto kAll = [](TPipe&, auto& mm, const GlobalTensor<float>& c) { mm.IterateAll(c); };
const auto kLoop = [](TPipe&, auto& mm, const GlobalTensor<float>& c) {
    while (mm.Iterate()) mm.GetTensorC(c);
};
const auto kAsync = [](TPipe&, auto& mm, const GlobalTensor<float>& c) {
    mm.template IterateAll<false>(c, 0, false, true);
    mm.WaitIterateAll();
};

TEST(MatmulMix, IterateAllOneToTwo) { SplitRows(CoreChoice::kMix, 2, kAll); }
TEST(MatmulMix, IterateAllOneToOne) { SplitRows(CoreChoice::kMixOneToOne, 1, kAll); }
TEST(MatmulMix, LoopOneToTwo) { SplitRows(CoreChoice::kMix, 2, kLoop); }
TEST(MatmulMix, LoopOneToOne) { SplitRows(CoreChoice::kMixOneToOne, 1, kLoop); }
TEST(MatmulMix, Asynchronous) { SplitRows(CoreChoice::kMix, 2, kAsync); }

// Two objects of one kernel with tilings of their own, in turn: D = A x B, then C = D x B2.
TEST(MatmulMix, TwoObjectsInTurn) {
    const Shape first{40, 64, 96}, second{40, 56, 64};
    const auto a = RandomMatrix<half>(first.m, first.k, false, 1), b = RandomMatrix<half>(first.k, first.n, false, 2);
    const auto b2 = RandomMatrix<half>(second.k, second.n, true, 3);
    Matrix<half> d{first.m, first.n, false, {}};
    for (int32_t m = 0; m < first.m; ++m) {
        for (int32_t n = 0; n < first.n; ++n) d.stored.push_back(half(Sum<float>(a, b, m, n)));
    }
    std::vector<float> want;
    for (int32_t m = 0; m < second.m; ++m) {
        for (int32_t n = 0; n < second.n; ++n) want.push_back(Sum<float>(d, b2, m, n));
    }
    for (const std::string& schedule : Schedules()) {
        GlobalMemory memory;
        uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b");
        uint8_t* gm_b2 = Put(memory, b2.stored, "b2");
        uint8_t *gm_d = memory.Allocate(2 * 40 * 64 * 2, "d"), *gm_c = memory.Allocate(2 * want.size() * 4, "c");
        const LaunchResult result = LaunchMix(memory, 1, schedule, CoreChoice::kMix, [&] {
            TPipe pipe;
            TCubeTiling t1 = Tiling(first), t2 = Tiling(second, 16, 64, 32);
            Matmul<HalfGm, HalfGm, HalfGm, FloatGm> one;
            Matmul<HalfGm, MatmulType<TPosition::GM, CubeFormat::ND, half, true>, FloatGm, FloatGm, CFG_MDL> two;
            REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), one, &t1, two, &t2);
            const auto D = Gm<half>(gm_d)[GetBlockIdx() * 40 * 64];
            const auto C = Gm<float>(gm_c)[static_cast<uint64_t>(GetBlockIdx()) * want.size()];
            one.SetTensorA(Gm<half>(gm_a));
            one.SetTensorB(Gm<half>(gm_b));
            while (one.template Iterate<true>()) one.template GetTensorC<true>(D);
            one.End();
            two.SetTensorA(D);
            two.SetTensorB(Gm<half>(gm_b2), true);
            two.IterateAll(C);
            two.End();
        });
        ASSERT_EQ(Told(result), "") << schedule;
        for (uint64_t core = 0; core < 2; ++core)
            ASSERT_TRUE(SameBytes(Get<float>(gm_c + core * want.size() * 4, want.size()), want, second.n)) << schedule;
    }
}

// K shared by the vector cores, their results added by atomic stores onto zeros, in the order of the blocks.
TEST(MatmulMix, SharesOfK) {
    const Shape s{40, 56, 120};
    const auto a = RandomMatrix<half>(s.m, s.k, false, 1), b = RandomMatrix<half>(s.k, s.n, false, 2);
    constexpr int32_t kCores = 4, kShare = 30;
    std::vector<float> want(40 * 56, 0.0f);
    for (int32_t core = 0; core < kCores; ++core) {
        for (int32_t m = 0; m < s.m; ++m) {
            for (int32_t n = 0; n < s.n; ++n) {
                float sum = 0;
                for (int32_t k = core * kShare; k < (core + 1) * kShare; ++k) {
                    const volatile float product = ToFloat(a.At(m, k)) * ToFloat(b.At(k, n));
                    const volatile float next = sum + product;
                    sum = next;
                }
                want[static_cast<size_t>(m * s.n + n)] += sum;
            }
        }
    }
    for (const char* schedule : {"eager", "serial", "late", "ahead"}) {
        GlobalMemory memory;
        uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b");
        uint8_t* gm_c = Put(memory, std::vector<float>(want.size(), 0.0f), "c");
        LaunchOptions options = Options(schedule, CoreChoice::kMixOneToOne);
        options.workers = 2;
        const LaunchResult result = Launch(options, kCores, memory, [&] {
            TPipe pipe;
            TCubeTiling tiling = Tiling(s);
            tiling.singleCoreK = kShare;
            Matmul<HalfGm, HalfGm, FloatGm> mm;
            REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
            const auto k = static_cast<uint64_t>(GetBlockIdx() * kShare);
            mm.SetTensorA(Gm<half>(gm_a)[k]);
            mm.SetTensorB(Gm<half>(gm_b)[k * 56]);
            mm.IterateAll(Gm<float>(gm_c), 1);
            mm.End();
        });
        ASSERT_EQ(Told(result), "") << schedule;
        ASSERT_TRUE(SameBytes(Get<float>(gm_c, want.size()), want, s.n)) << schedule;
    }
}

// C of an asynchronous IterateAll is read before its wait, and behind it.
LaunchResult ReadResult(bool before, const std::string& schedule) {
    const Shape s{32, 48, 64};
    const auto a = RandomMatrix<half>(s.m, s.k, false, 1), b = RandomMatrix<half>(s.k, s.n, false, 2);
    GlobalMemory memory;
    uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b");
    uint8_t *gm_c = memory.Allocate(32 * 48 * 4, "c"), *gm_d = memory.Allocate(32 * 48 * 4, "d");
    TCubeTiling tiling = Tiling(s);
    const auto kernel = [&] {
        TPipe pipe;
        Matmul<HalfGm, HalfGm, FloatGm> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
        pipe.InitBuffer(queue, 1, 32 * 48 * 4);
        mm.SetTensorA(Gm<half>(gm_a));
        mm.SetTensorB(Gm<half>(gm_b));
        mm.template IterateAll<false>(Gm<float>(gm_c), 0, false, true);
        if (!before) mm.WaitIterateAll();
        LocalTensor<float> c = queue.AllocTensor<float>();
        DataCopy(c, Gm<float>(gm_c), 32 * 48);
        queue.EnQue(c);
        c = queue.DeQue<float>();
        DataCopy(Gm<float>(gm_d), c, 32 * 48);
        queue.FreeTensor(c);
        if (before) mm.WaitIterateAll();
        mm.End();
    };
    // A race of the program is none of the threads that run it: the cores take turns.
    return LaunchMix(memory, 1, schedule, CoreChoice::kMixOneToOne, kernel, before ? 1 : 2);
}
TEST(MatmulMix, ResultsReadBeforeTheWaitAreARace) {
    for (const std::string& schedule : Schedules()) {
        EXPECT_EQ(Told(ReadResult(false, schedule)), "") << schedule;
        const std::string told = Told(ReadResult(true, schedule));
        EXPECT_NE(told.find("race-cores"), std::string::npos) << schedule << ' ' << told;
    }
}

}  // namespace
}  // namespace sfumato::matmul_test
