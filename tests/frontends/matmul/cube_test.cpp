// SPDX-License-Identifier: Apache-2.0
// Matmul on cube cores alone: types, transposes, tails, bias, the forms of iteration, under every schedule.
#define ASCENDC_CUBE_ONLY
#include "matmul_support.h"

namespace sfumato::matmul_test {
namespace {

enum class How { kAll, kLoop };

template <class T, class C, class Bias, bool trans_a, bool trans_b>
void Check(Shape s, TCubeTiling tiling, How how, const std::string& schedule, uint64_t seed) {
    using Acc = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, float>;
    constexpr bool kBias = !std::is_void_v<Bias>;
    using BiasType = std::conditional_t<kBias, Bias, Acc>;
    const auto a = RandomMatrix<T>(s.m, s.k, trans_a, seed), b = RandomMatrix<T>(s.k, s.n, trans_b, seed + 1);
    const auto bias = Random<BiasType>(static_cast<size_t>(s.n), seed + 2);
    tiling.isBias = kBias;
    GlobalMemory memory;
    uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b"), *gm_bias = Put(memory, bias, "bias");
    const auto count = static_cast<size_t>(s.m) * static_cast<size_t>(s.n);
    uint8_t* gm_c = memory.Allocate(count * sizeof(C), "c");
    const auto kernel = [&] {
        TPipe pipe;
        using A = MatmulType<TPosition::GM, CubeFormat::ND, T, trans_a>;
        using B = MatmulType<TPosition::GM, CubeFormat::ND, T, trans_b>;
        using Result = MatmulType<TPosition::GM, CubeFormat::ND, C>;
        using Row = MatmulType<TPosition::GM, CubeFormat::ND, BiasType>;
        matmul::MatmulImpl<A, B, Result, Row> mm;
        mm.SetSubBlockIdx(0);
        mm.Init(&tiling, &pipe);
        mm.SetTensorA(Gm<T>(gm_a, a.stored.size()), trans_a);
        mm.SetTensorB(Gm<T>(gm_b, b.stored.size()), trans_b);
        if constexpr (kBias) mm.SetBias(Gm<BiasType>(gm_bias, bias.size()));
        if (how == How::kAll) {
            mm.IterateAll(Gm<C>(gm_c, count));
        } else {
            while (mm.Iterate()) mm.GetTensorC(Gm<C>(gm_c, count));
        }
        mm.End();
    };
    const LaunchResult result = Launch(Options(schedule, CoreChoice::kCube), 1, memory, kernel);
    ASSERT_EQ(Told(result), "");
    std::vector<C> want;
    for (int32_t m = 0; m < s.m; ++m) {
        for (int32_t n = 0; n < s.n; ++n) {
            const Acc start = kBias ? static_cast<Acc>(ToFloat(bias[static_cast<size_t>(n)])) : Acc{};
            want.push_back(C(Sum<Acc>(a, b, m, n, start)));
        }
    }
    ASSERT_TRUE(SameBytes(Get<C>(gm_c, count), want, s.n))
        << s.m << 'x' << s.n << 'x' << s.k << " base " << tiling.baseM << ' ' << tiling.baseN << ' ' << tiling.baseK;
}

template <class T, class C, class Bias, bool trans_a, bool trans_b>
void CheckSizes(uint64_t seed, int rounds = 6) {
    std::mt19937_64 random(seed);
    for (int round = 0; round < rounds; ++round) {
        const auto below = [&](int32_t most) { return static_cast<int32_t>(random() % static_cast<uint64_t>(most)); };
        Shape s{1 + below(100), 1 + below(130), 1 + below(200)};
        if (round == 0) s = {1, 33, 150};
        if (round == 1) s.n = 1;
        TCubeTiling t = Tiling(s, 16 * (1 + below(4)), 16 * (1 + below(5)), 32 * (1 + below(3)));
        t.iterateOrder = below(2);
        t.dbL0C = 1 + below(2);
        t.depthA1 = 1 + below(2);
        t.depthB1 = 1 + below(2);
        const std::string& schedule = Schedules()[static_cast<size_t>(round) % Schedules().size()];
        Check<T, C, Bias, trans_a, trans_b>(s, t, round % 2 ? How::kLoop : How::kAll, schedule, seed + 10);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

template <class T, class C, class Bias>
void CheckTransposes(uint64_t seed) {
    CheckSizes<T, C, Bias, false, false>(seed);
    CheckSizes<T, C, Bias, true, false>(seed + 1);
    CheckSizes<T, C, Bias, false, true>(seed + 2);
    CheckSizes<T, C, Bias, true, true>(seed + 3);
}

TEST(MatmulOnCube, Half) { CheckTransposes<half, float, void>(100); }
TEST(MatmulOnCube, HalfToHalf) { CheckTransposes<half, half, float>(200); }
TEST(MatmulOnCube, HalfBias) { CheckTransposes<half, float, half>(300); }
TEST(MatmulOnCube, Bfloat16) { CheckTransposes<bfloat16_t, bfloat16_t, float>(400); }
TEST(MatmulOnCube, Float) { CheckTransposes<float, float, float>(500); }
TEST(MatmulOnCube, FloatToHalf) { CheckTransposes<float, half, void>(600); }
TEST(MatmulOnCube, Int8) { CheckTransposes<int8_t, int32_t, int32_t>(700); }

TEST(MatmulOnCube, EverySchedule) {
    for (const std::string& schedule : Schedules()) {
        Check<half, float, float, false, false>({70, 90, 150}, Tiling({70, 90, 150}), How::kAll, schedule, 7);
        Check<half, float, float, false, false>({70, 90, 150}, Tiling({70, 90, 150}), How::kLoop, schedule, 7);
    }
}

}  // namespace
}  // namespace sfumato::matmul_test
