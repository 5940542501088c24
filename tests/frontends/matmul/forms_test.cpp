// SPDX-License-Identifier: Apache-2.0
// Matmul on cube cores: forms of calling and writing, callbacks, policies.
#define ASCENDC_CUBE_ONLY

#include "cube_support.h"

namespace sfumato::matmul_test {
namespace {

constexpr MatmulConfig Relu() {
    MatmulConfig config = GetNormalConfig();
    config.enableRelu = true;
    return config;
}
constexpr MatmulConfig kRelu = Relu();

TEST(MatmulForms, Relu) {
    const Plain p;
    std::vector<float> want = p.sums;
    for (float& value : want) value = std::max(value, 0.0f);
    p.Run<kRelu>(want, Fives<float>(want.size()), [](auto& mm, auto c, auto, auto) { mm.IterateAll(c); });
}

TEST(MatmulForms, AtomicAdd) {
    const Plain p;
    std::vector<float> want = p.sums;
    for (float& value : want) value = 5.0f + value;
    p.Run(want, Fives<float>(want.size()), [](auto& mm, auto c, auto, auto) { mm.IterateAll(c, 1); });
    for (size_t i = 0; i < want.size(); ++i) want[i] = std::max(5.0f, p.sums[i]);
    p.Run(want, Fives<float>(want.size()), [](auto& mm, auto c, auto, auto) {
        while (mm.Iterate()) mm.GetTensorC(c, 2);
    });
}

// Block after block, each dense with a pitch of baseN; what lies between keeps its value.
TEST(MatmulForms, Sequential) {
    for (const int order : {0, 1}) {
        Plain p;
        p.tiling.iterateOrder = order;
        const int32_t base_m = p.tiling.baseM, base_n = p.tiling.baseN;
        const int32_t down = (p.s.m + base_m - 1) / base_m, across = (p.s.n + base_n - 1) / base_n;
        std::vector<float> want = Fives<float>(static_cast<size_t>(down * across * base_m * base_n));
        for (int32_t m = 0; m < p.s.m; ++m) {
            for (int32_t n = 0; n < p.s.n; ++n) {
                const int32_t i = m / base_m, j = n / base_n, block = order ? i * across + j : j * down + i;
                want[static_cast<size_t>((block * base_m + m % base_m) * base_n + n % base_n)] =
                    p.sums[static_cast<size_t>(m * p.s.n + n)];
            }
        }
        const auto before = Fives<float>(want.size());
        p.Run(want, before, [](auto& mm, auto c, auto, auto) { mm.IterateAll(c, 0, true); });
        p.Run(want, before, [size = base_m * base_n](auto& mm, auto c, auto, auto) {
            for (int i = 0; mm.Iterate(); ++i) mm.GetTensorC(c[i * size], 0, true);
        });
    }
}

// A loop over k by hand, with the whole piece one base block.
TEST(MatmulForms, PartialSum) {
    Plain p;
    p.s = {30, 40, 130};
    p.a = RandomMatrix<half>(p.s.m, p.s.k, false, 7), p.b = RandomMatrix<half>(p.s.k, p.s.n, false, 8);
    p.sums = Whole<float>(p.a, p.b);
    p.tiling = Tiling(p.s);
    p.Run(p.sums, Fives<float>(p.sums.size()), [&p](auto& mm, auto c, auto a, auto b) {
        for (int32_t k = 0; k < p.s.k; k += 50) {
            mm.SetTail(-1, -1, std::min(50, p.s.k - k));
            mm.SetTensorA(a[k]);
            mm.SetTensorB(b[k * p.s.n]);
            ASSERT_TRUE(mm.Iterate(k != 0));
        }
        mm.GetTensorC(c);
    });
}

TEST(MatmulForms, OrgShapeAndPieces) {
    // The right lower part of C alone, with a longer row of C.
    const Plain p;
    constexpr int32_t kRow = 100;
    std::vector<float> want = Fives<float>(static_cast<size_t>(p.s.m * kRow));
    const auto before = want;
    for (int32_t m = 20; m < p.s.m; ++m) {
        for (int32_t n = 48; n < p.s.n; ++n)
            want[static_cast<size_t>(m * kRow + n)] = p.sums[static_cast<size_t>(m * p.s.n + n)];
    }
    p.Run(want, before, [&p](auto& mm, auto c, auto a, auto b) {
        mm.End();
        mm.SetOrgShape(p.s.m, p.s.n, p.s.k, p.s.k, kRow);
        mm.SetSingleShape(p.s.m - 20, p.s.n - 48, p.s.k);
        mm.SetTensorA(a[20 * p.s.k]);
        mm.SetTensorB(b[48]);
        mm.IterateAll(c[20 * kRow + 48]);
    });
}

template <const auto& config, template <const auto&, typename...> class Policy>
void CheckTriangle(bool upper) {
    const Plain p;
    const int32_t base_m = p.tiling.baseM, base_n = p.tiling.baseN;
    std::vector<float> want = p.sums;
    for (int32_t m = 0; m < p.s.m; ++m) {
        for (int32_t n = 0; n < p.s.n; ++n) {
            const int32_t i = m / base_m, j = n / base_n;
            const bool skipped = upper ? (j + 1) * base_n <= i * base_m : j * base_n >= (i + 1) * base_m;
            if (skipped) want[static_cast<size_t>(m * p.s.n + n)] = 5;
        }
    }
    Same<float>(want, p.s.n, Fives<float>(want.size()), [&](GlobalMemory& memory) {
        uint8_t *gm_a = Put(memory, p.a.stored, "a"), *gm_b = Put(memory, p.b.stored, "b");
        return [=, &p](uint8_t* c) {
            TPipe pipe;
            TCubeTiling own = p.tiling;
            Matmul<InGm<half>, InGm<half>, InGm<float>, InGm<float>, config, MatmulCallBackFunc<>, Policy> mm;
            REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &own);
            mm.SetTensorA(Gm<half>(gm_a));
            mm.SetTensorB(Gm<half>(gm_b));
            mm.IterateAll(Gm<float>(c));
            mm.End();
        };
    });
}
TEST(MatmulForms, Triangles) {
    CheckTriangle<CFG_NORM, AscendC::Impl::Detail::TrianUpperMatmulPolicy>(true);
    CheckTriangle<CFG_MDL, AscendC::Impl::Detail::TrianLowerMatmulPolicy>(false);
}

// Callbacks that do what Matmul does by itself: they find the sizes, the block and their data.
struct Calls {
    int out = 0, a = 0, b = 0;
    int32_t k = 0, n = 0;
};
void MyCopyOut(const __gm__ void* gm, const LocalTensor<int8_t>& co1, const void* params, const uint64_t, const uint64_t data) {
    auto* calls = reinterpret_cast<Calls*>(data);
    ++calls->out;
    const auto* p = static_cast<const DataCopyOutParams*>(params);
    GlobalTensor<float> c;
    c.SetGlobalBuffer(static_cast<float*>(const_cast<void*>(gm)));
    FixpipeParamsV220 f;
    f.nSize = p->oriNSize;
    f.mSize = static_cast<uint16_t>(p->burstLen / 2);
    f.srcStride = static_cast<uint16_t>(Rounded(f.mSize, 16));
    f.dstStride = p->dstStride;
    Fixpipe<float, float>(c, co1.ReinterpretCast<float>(), f);
}
template <bool is_a>
void MyCopyIn(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int row, int col, int rows, int columns,
              const uint64_t info, const uint64_t data) {
    auto* calls = reinterpret_cast<Calls*>(data);
    ++(is_a ? calls->a : calls->b);
    const auto* t = reinterpret_cast<const TCubeTiling*>(info);
    const int32_t pitch = is_a ? calls->k : calls->n;
    // Rows and columns count what is moved at once: Tiling() has steps of 1.
    const int32_t down = is_a ? t->baseM * t->stepM : t->baseK * t->stepKb;
    const int32_t right = is_a ? t->baseK * t->stepKa : t->baseN * t->stepN;
    const int32_t first = row * down * pitch + col * right;
    GlobalTensor<half> m;
    m.SetGlobalBuffer(static_cast<half*>(const_cast<void*>(gm)));
    Nd2NzParams p;
    p.ndNum = 1;
    p.nValue = static_cast<uint16_t>(rows);
    p.dValue = static_cast<uint16_t>(columns);
    p.srcDValue = static_cast<uint16_t>(pitch);
    p.dstNzC0Stride = static_cast<uint16_t>(Rounded(rows, 16));
    p.dstNzNStride = 1;
    DataCopy(l1.ReinterpretCast<half>(), m[first], p);
}
// A product whose copies are the program's own, and how often each is called.
template <const auto& config, auto out>
void CheckCalls(const Plain& p, const Calls& want) {
    p.Run<config, MatmulCallBackFunc<out, MyCopyIn<true>, MyCopyIn<false>>>(
        p.sums, Fives<float>(p.sums.size()), [&](auto& mm, auto c, auto a, auto b) {
            Calls calls;
            calls.k = p.s.k, calls.n = p.s.n;
            mm.End();
            mm.SetUserDefInfo(reinterpret_cast<uint64_t>(&p.tiling));
            mm.SetSelfDefineData(reinterpret_cast<uint64_t>(&calls));
            mm.SetTensorA(a);
            mm.SetTensorB(b);
            mm.IterateAll(c);
            EXPECT_EQ(calls.out, want.out);
            EXPECT_EQ(calls.a, want.a);
            EXPECT_EQ(calls.b, want.b);
        });
}
TEST(MatmulForms, Callbacks) {
    CheckCalls<CFG_NORM, MyCopyOut>(Plain(), {6, 18, 18});  // two buffers: k has three steps, none stays
}

// MDL moves stepM x stepKa base blocks of A at once, and stepKb x stepN of B; L1 holds as many of these as depthA1 and depthB1 say.
void CheckLoads(int32_t step_m, int32_t step_k, int32_t a, int32_t b) {
    Plain p;
    p.tiling.stepM = step_m, p.tiling.stepKa = p.tiling.stepKb = step_k;
    p.tiling.depthA1 = 2 * step_m * step_k, p.tiling.depthB1 = 2 * step_k;
    CheckCalls<CFG_MDL, nullptr>(p, {0, a, b});
}
TEST(MatmulForms, Steps) {
    CheckLoads(1, 1, 18, 18);
    CheckLoads(1, 2, 12, 4);
    CheckLoads(1, 3, 6, 2);
    CheckLoads(3, 3, 1, 2);
}

// The program's own tensor in CO1.
TEST(MatmulForms, OwnCo1) {
    Plain p;
    p.s = {30, 40, 130};
    p.a = RandomMatrix<half>(p.s.m, p.s.k, false, 7), p.b = RandomMatrix<half>(p.s.k, p.s.n, false, 8);
    const auto sums = Whole<float>(p.a, p.b);
    const TCubeTiling tiling = Tiling(p.s);
    Same<float>(sums, p.s.n, Fives<float>(sums.size()), [&](GlobalMemory& memory) {
        uint8_t *gm_a = Put(memory, p.a.stored, "a"), *gm_b = Put(memory, p.b.stored, "b");
        return [=](uint8_t* c) {
            TPipe pipe;
            TCubeTiling own = tiling;
            Matmul<InGm<half>, InGm<half>, MatmulType<TPosition::CO1, CubeFormat::NZ, float>, InGm<float>> mm;
            REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &own);
            TQue<TPosition::CO1, 1> queue;
            pipe.InitBuffer(queue, 1, 32 * 48 * 4);
            LocalTensor<float> co1 = queue.AllocTensor<float>();
            mm.SetTensorA(Gm<half>(gm_a));
            mm.SetTensorB(Gm<half>(gm_b));
            mm.Iterate(false, co1);
            queue.EnQue(co1);
            co1 = queue.DeQue<float>();
            FixpipeParamsV220 f;
            f.mSize = static_cast<uint16_t>(own.M), f.nSize = static_cast<uint16_t>(own.N);
            f.srcStride = 32;
            f.dstStride = static_cast<uint32_t>(own.N);
            Fixpipe<float, float>(Gm<float>(c), co1, f);
            queue.FreeTensor(co1);
            mm.End();
        };
    });
}

// A in TSCM, the whole of it.
TEST(MatmulForms, ResidentA) {
    const Plain p;
    Same<float>(p.sums, p.s.n, Fives<float>(p.sums.size()), [&](GlobalMemory& memory) {
        uint8_t *gm_a = Put(memory, p.a.stored, "a"), *gm_b = Put(memory, p.b.stored, "b");
        return [=, &p](uint8_t* c) {
            TPipe pipe;
            TCubeTiling own = p.tiling;
            Matmul<MatmulType<TPosition::TSCM, CubeFormat::NZ, half>, InGm<half>, InGm<float>, InGm<float>> mm;
            REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &own);
            TSCM<TPosition::GM, 1> queue;
            const int32_t pitch = Rounded(p.s.m, 16);
            pipe.InitBuffer(queue, 1, static_cast<uint32_t>(pitch * Rounded(p.s.k, 16)) * 2);
            LocalTensor<half> a = queue.AllocTensor<half>();
            Nd2NzParams n(1, static_cast<uint16_t>(p.s.m), static_cast<uint16_t>(p.s.k), 0, static_cast<uint16_t>(p.s.k),
                          static_cast<uint16_t>(pitch), 1, 0);
            DataCopy(a, Gm<half>(gm_a), n);
            queue.EnQue(a);
            a = queue.DeQue<half>();
            mm.SetTensorA(a);
            mm.SetTensorB(Gm<half>(gm_b));
            mm.IterateAll(Gm<float>(c));
            mm.End();
            queue.FreeTensor(a);
        };
    });
}

constexpr MatmulConfig kShape = GetMMConfig<MatmulConfigMode::CONFIG_NORM>(MatmulShapeParams{70, 90, 130, 32, 48, 64});
constexpr auto kStatic = GetMatmulApiTiling<InGm<half>, InGm<half>, InGm<float>, InGm<float>>(kShape);
static_assert(kStatic.stepKa == 3 && kStatic.depthA1 == 6);

TEST(MatmulForms, StaticTiling) {
    const Plain p;
    Same<float>(p.sums, p.s.n, Fives<float>(p.sums.size()), [&](GlobalMemory& memory) {
        uint8_t *gm_a = Put(memory, p.a.stored, "a"), *gm_b = Put(memory, p.b.stored, "b");
        return [=](uint8_t* c) {
            TPipe pipe;
            Matmul<InGm<half>, InGm<half>, InGm<float>, InGm<float>, kStatic> mm;
            REGIST_MATMUL_OBJ(&pipe, nullptr, mm, static_cast<TCubeTiling*>(nullptr));
            mm.SetTensorA(Gm<half>(gm_a));
            mm.SetTensorB(Gm<half>(gm_b));
            mm.IterateAll(Gm<float>(c));
            mm.End();
        };
    });
}

// A vector, and a row of one value, times B.
TEST(MatmulForms, VectorAndScalar) {
    const Shape s{1, 70, 130};
    const auto a = RandomMatrix<half>(1, s.k, false, 5), b = RandomMatrix<half>(s.k, s.n, false, 6);
    for (const bool scalar : {false, true}) {
        Matrix<half> row = a;
        if (scalar) row.stored.assign(row.stored.size(), half(1.5f));
        const auto want = Whole<float>(row, b);
        Same<float>(want, s.n, Fives<float>(want.size()), [&](GlobalMemory& memory) {
            uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b");
            return [=](uint8_t* c) {
                TPipe pipe;
                TCubeTiling tiling = Tiling(s, 16, 48, 64);
                Matmul<InGm<half, CubeFormat::VECTOR>, InGm<half>, InGm<float>> mm;
                REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &tiling);
                if (scalar) mm.SetTensorA(half(1.5f));
                else mm.SetTensorA(Gm<half>(gm_a));
                mm.SetTensorB(Gm<half>(gm_b));
                mm.IterateAll(Gm<float>(c));
                mm.End();
            };
        });
    }
}

// A result for each step of baseK, added up by the stores: the same as the sums of the steps, in order.
constexpr MatmulConfig Partial() {
    MatmulConfig config = GetMDLConfig();
    config.isPartialOutput = true;
    return config;
}
constexpr MatmulConfig kPartial = Partial();
TEST(MatmulForms, PartialOutput) {
    const Plain p;
    std::vector<float> want(p.sums.size(), 0.0f);
    for (int32_t k = 0; k < p.s.k; k += p.tiling.baseK) {
        const int32_t depth = std::min(p.tiling.baseK, p.s.k - k);
        for (int32_t m = 0; m < p.s.m; ++m) {
            for (int32_t n = 0; n < p.s.n; ++n) {
                float sum = 0;
                for (int32_t i = k; i < k + depth; ++i) {
                    const volatile float product = ToFloat(p.a.At(m, i)) * ToFloat(p.b.At(i, n));
                    const volatile float next = sum + product;
                    sum = next;
                }
                want[static_cast<size_t>(m * p.s.n + n)] += sum;
            }
        }
    }
    p.Run<kPartial>(want, std::vector<float>(want.size()), [](auto& mm, auto c, auto, auto) {
        int rounds = 0;
        for (; mm.Iterate(); ++rounds) mm.GetTensorC(c, 1);
        EXPECT_EQ(rounds, 3 * 2 * 3);
    });
}


}  // namespace
}  // namespace sfumato::matmul_test
