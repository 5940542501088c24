// SPDX-License-Identifier: Apache-2.0
// IterateBatch in its layouts, with batches of A and B that pair, and a bias for each or for all (adv.md 2.8).
#include "matmul_support.h"

namespace sfumato::matmul_test {
namespace {

// B, S, N, G, D of a tensor in one of the layouts: where an element lies.
struct Axes {
    LayoutMode layout;
    int32_t b, s, n, g, d;
    size_t size() const { return static_cast<size_t>(b * s * n * g * d); }
    size_t At(int32_t ib, int32_t is, int32_t in, int32_t ig, int32_t id) const {
        int64_t at = 0;
        switch (layout) {
            case LayoutMode::BSNGD: at = (((int64_t{ib} * s + is) * n + in) * g + ig) * d + id; break;
            case LayoutMode::SBNGD: at = (((int64_t{is} * b + ib) * n + in) * g + ig) * d + id; break;
            default: at = (((int64_t{ib} * n + in) * g + ig) * s + is) * d + id; break;
        }
        return static_cast<size_t>(at);
    }
};

// C[b, n, g] = A[b, n, g] x B[b, n, gb], gb 0 where B has one group; summed over g where C has one.
template <LayoutMode layout>
void CheckLayout(int32_t groups_b, int32_t groups_c) {
    constexpr int32_t kB = 2, kN = 2, kG = 3, kM = 20, kK = 24, kColumns = 40;
    const Axes a{layout, kB, kM, kN, kG, kK}, b{layout, kB, kColumns, kN, groups_b, kK}, c{layout, kB, kM, kN, groups_c, kColumns};
    const auto va = Random<half>(a.size(), 31), vb = Random<half>(b.size(), 32);
    std::vector<float> want(c.size(), 0.0f);
    for (int32_t ib = 0; ib < kB; ++ib) {
        for (int32_t in = 0; in < kN; ++in) {
            for (int32_t ig = 0; ig < kG; ++ig) {
                for (int32_t m = 0; m < kM; ++m) {
                    for (int32_t n = 0; n < kColumns; ++n) {
                        float& sum = want[c.At(ib, m, in, groups_c == 1 ? 0 : ig, n)];
                        for (int32_t k = 0; k < kK; ++k) {
                            const volatile float product = ToFloat(va[a.At(ib, m, in, ig, k)]) *
                                                           ToFloat(vb[b.At(ib, n, in, groups_b == 1 ? 0 : ig, k)]);
                            const volatile float next = sum + product;
                            sum = next;
                        }
                    }
                }
            }
        }
    }
    using A = MatmulType<TPosition::GM, CubeFormat::ND, half, false, layout>;
    using B = MatmulType<TPosition::GM, CubeFormat::ND, half, true, layout>;
    using C = MatmulType<TPosition::GM, CubeFormat::ND, float, false, layout>;
    for (const std::string& schedule : Schedules()) {
        GlobalMemory memory;
        uint8_t *gm_a = Put(memory, va, "a"), *gm_b = Put(memory, vb, "b"), *gm_c = memory.Allocate(want.size() * 4, "c");
        const LaunchResult result = Launch(Options(schedule, CoreChoice::kMixOneToOne), 1, memory, [&] {
            TPipe pipe;
            TCubeTiling t = Tiling({kM, kColumns, kK}, 16, 32, 16);
            t.ALayoutInfoB = t.BLayoutInfoB = t.CLayoutInfoB = kB;
            t.ALayoutInfoN = t.BLayoutInfoN = t.CLayoutInfoN = kN;
            t.ALayoutInfoG = kG, t.BLayoutInfoG = groups_b, t.CLayoutInfoG = groups_c;
            t.ALayoutInfoS = t.CLayoutInfoS1 = kM, t.BLayoutInfoS = t.CLayoutInfoS2 = kColumns;
            t.ALayoutInfoD = t.BLayoutInfoD = kK;
            Matmul<A, B, C> mm;
            REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
            for (int32_t ib = 0; ib < kB; ++ib) {
                mm.SetTensorA(Gm<half>(gm_a)[a.At(ib, 0, 0, 0, 0)]);
                mm.SetTensorB(Gm<half>(gm_b)[b.At(ib, 0, 0, 0, 0)], true);
                mm.IterateBatch(Gm<float>(gm_c)[c.At(ib, 0, 0, 0, 0)], kN * kG, static_cast<uint32_t>(kN * groups_b), false);
            }
            mm.End();
        });
        ASSERT_EQ(Told(result), "") << schedule;
        ASSERT_TRUE(SameBytes(Get<float>(gm_c, want.size()), want, kColumns)) << schedule;
    }
}

template <LayoutMode layout>
void CheckGroups() {
    CheckLayout<layout>(3, 3);
    CheckLayout<layout>(1, 3);
    CheckLayout<layout>(1, 1);
}
TEST(MatmulBatches, Bsngd) { CheckGroups<LayoutMode::BSNGD>(); }
TEST(MatmulBatches, Sbngd) { CheckGroups<LayoutMode::SBNGD>(); }
TEST(MatmulBatches, Bngs1s2) { CheckGroups<LayoutMode::BNGS1S2>(); }

constexpr MatmulConfig OneBias() {
    MatmulConfig config = GetNormalConfig();
    config.isBiasBatch = false;
    return config;
}
constexpr MatmulConfig kOneBias = OneBias();

template <const auto& config>
void CheckNormal(uint32_t batch_a, uint32_t batch_b) {
    const Shape s{20, 40, 30};
    const uint32_t batches = std::max(batch_a, batch_b);
    std::vector<Matrix<half>> a, b;
    std::vector<half> all_a, all_b;
    for (uint32_t i = 0; i < batch_a; ++i) a.push_back(RandomMatrix<half>(s.m, s.k, false, 41 + i));
    for (uint32_t i = 0; i < batch_b; ++i) b.push_back(RandomMatrix<half>(s.k, s.n, false, 61 + i));
    for (const auto& m : a) all_a.insert(all_a.end(), m.stored.begin(), m.stored.end());
    for (const auto& m : b) all_b.insert(all_b.end(), m.stored.begin(), m.stored.end());
    const auto bias = Random<float>(batches * static_cast<size_t>(s.n), 81);
    std::vector<float> want;
    for (uint32_t i = 0; i < batches; ++i) {
        for (int32_t m = 0; m < s.m; ++m) {
            for (int32_t n = 0; n < s.n; ++n) {
                const size_t row = config.isBiasBatch ? i : 0;
                want.push_back(Sum<float>(a[i * batch_a / batches], b[i * batch_b / batches], m, n,
                                          bias[row * static_cast<size_t>(s.n) + static_cast<size_t>(n)]));
            }
        }
    }
    using In = MatmulType<TPosition::GM, CubeFormat::ND, half, false, LayoutMode::NORMAL>;
    using Out = MatmulType<TPosition::GM, CubeFormat::ND, float, false, LayoutMode::NORMAL>;
    for (const std::string& schedule : Schedules()) {
        GlobalMemory memory;
        uint8_t *gm_a = Put(memory, all_a, "a"), *gm_b = Put(memory, all_b, "b"), *gm_bias = Put(memory, bias, "bias");
        uint8_t* gm_c = memory.Allocate(want.size() * 4, "c");
        const LaunchResult result = Launch(Options(schedule, CoreChoice::kMixOneToOne), 1, memory, [&] {
            TPipe pipe;
            TCubeTiling t = Tiling(s, 16, 32, 16);
            t.isBias = 1;
            Matmul<In, In, Out, Out, config> mm;
            REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
            mm.SetTensorA(Gm<half>(gm_a));
            mm.SetTensorB(Gm<half>(gm_b));
            mm.SetBias(Gm<float>(gm_bias));
            mm.template IterateBatch<false, true>(Gm<float>(gm_c, want.size()), batch_a, batch_b, false);
            mm.WaitIterateBatch();
            mm.End();
        });
        ASSERT_EQ(Told(result), "") << schedule;
        ASSERT_TRUE(SameBytes(Get<float>(gm_c, want.size()), want, s.n)) << schedule;
    }
}
TEST(MatmulBatches, Normal) {
    CheckNormal<CFG_NORM>(4, 4);
    CheckNormal<CFG_NORM>(2, 4);
    CheckNormal<kOneBias>(4, 1);
}

// Results in UB: whole matrices, one behind the other, whatever the layout of A and B.
template <LayoutMode layout, CubeFormat format>
void CheckInUb() {
    const Shape s{32, 48, 64};
    constexpr int32_t kHeads = 3;
    std::vector<half> all_a, all_b;
    std::vector<float> want;
    const bool heads = layout == LayoutMode::BSNGD;
    all_a.resize(static_cast<size_t>(kHeads * s.m * s.k)), all_b.resize(static_cast<size_t>(kHeads * s.k * s.n));
    for (int32_t i = 0; i < kHeads; ++i) {
        const auto a = RandomMatrix<half>(s.m, s.k, false, 41 + static_cast<uint64_t>(i));
        const auto b = RandomMatrix<half>(s.k, s.n, false, 61 + static_cast<uint64_t>(i));
        const auto place = [&](std::vector<half>& all, const Matrix<half>& m) {
            for (int32_t r = 0; r < m.rows; ++r) {
                for (int32_t c = 0; c < m.columns; ++c)
                    all[static_cast<size_t>(heads ? (r * kHeads + i) * m.columns + c
                                                  : (i * m.rows + r) * m.columns + c)] = m.At(r, c);
            }
        };
        place(all_a, a), place(all_b, b);
        std::vector<float> one(static_cast<size_t>(s.m * s.n));
        for (int32_t m = 0; m < s.m; ++m) {
            for (int32_t n = 0; n < s.n; ++n)
                one[static_cast<size_t>(format == CubeFormat::NZ ? n / 16 * s.m * 16 + m * 16 + n % 16 : m * s.n + n)] =
                    Sum<float>(a, b, m, n);
        }
        want.insert(want.end(), one.begin(), one.end());
    }
    using In = MatmulType<TPosition::GM, CubeFormat::ND, half, false, layout>;
    using Out = MatmulType<TPosition::VECIN, format, float, false, layout>;
    for (const std::string& schedule : Schedules()) {
        GlobalMemory memory;
        uint8_t *gm_a = Put(memory, all_a, "a"), *gm_b = Put(memory, all_b, "b");
        uint8_t* gm_c = memory.Allocate(want.size() * 4, "c");
        const LaunchResult result = Launch(Options(schedule, CoreChoice::kMixOneToOne), 1, memory, [&] {
            TPipe pipe;
            TCubeTiling t = Tiling(s, 16, 32, 32);
            t.ALayoutInfoB = t.BLayoutInfoB = t.CLayoutInfoB = t.ALayoutInfoG = t.BLayoutInfoG = t.CLayoutInfoG = 1;
            t.ALayoutInfoN = t.BLayoutInfoN = t.CLayoutInfoN = kHeads;
            t.ALayoutInfoS = s.m, t.ALayoutInfoD = s.k, t.BLayoutInfoS = s.k, t.BLayoutInfoD = s.n;
            t.CLayoutInfoS1 = s.m, t.CLayoutInfoS2 = s.n;
            Matmul<In, In, Out> mm;
            REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
            TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
            pipe.InitBuffer(queue, 1, static_cast<uint32_t>(want.size() * 4));
            auto c = queue.AllocTensor<float>();
            mm.SetTensorA(Gm<half>(gm_a));
            mm.SetTensorB(Gm<half>(gm_b));
            mm.IterateBatch(c, kHeads, kHeads, true);
            mm.End();
            queue.EnQue(c);
            c = queue.DeQue<float>();
            DataCopy(Gm<float>(gm_c), c, static_cast<uint32_t>(want.size()));
            queue.FreeTensor(c);
        });
        ASSERT_EQ(Told(result), "") << schedule;
        ASSERT_TRUE(SameBytes(Get<float>(gm_c, want.size()), want, s.n)) << schedule;
    }
}
TEST(MatmulBatches, InUb) {
    CheckInUb<LayoutMode::NORMAL, CubeFormat::ND>();
    CheckInUb<LayoutMode::NORMAL, CubeFormat::NZ>();
    CheckInUb<LayoutMode::BSNGD, CubeFormat::ND>();
}

}  // namespace
}  // namespace sfumato::matmul_test
