// SPDX-License-Identifier: Apache-2.0
// Matmul on Ascend310B, one core of both kinds whose results leave by Fixpipe: types, formats, bias and tails, under
// every schedule (adv.md 2.13).
#include <bit>
#include <cmath>

#include "matmul_support.h"

namespace sfumato::matmul_test {
namespace {

constexpr Shape kWhole{48, 64, 96}, kTails{40, 44, 70};

template <class T>
using Acc = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, float>;

// Row-major to columns of `width` elements; rows are a multiple of 16.
template <class T>
std::vector<T> ToNz(const Matrix<T>& m, int32_t width) {
    std::vector<T> nz(static_cast<size_t>(m.rows * m.columns));
    for (int32_t r = 0; r < m.rows; ++r) {
        for (int32_t c = 0; c < m.columns; ++c)
            nz[static_cast<size_t>(c / width * m.rows * width + r * width + c % width)] = m.At(r, c);
    }
    return nz;
}

template <class T, class C, class Bias, CubeFormat in, CubeFormat out, bool trans>
void CheckOne(Shape s, const std::string& schedule, bool by_blocks) {
    using A = Acc<T>;
    Matrix<T> a = RandomMatrix<T>(s.m, s.k, trans, 1), b = RandomMatrix<T>(s.k, s.n, trans, 2);
    const auto bias = Random<Bias>(static_cast<size_t>(s.n), 3);
    Matrix<C> want{s.m, s.n, false, {}};
    for (int32_t m = 0; m < s.m; ++m) {
        for (int32_t n = 0; n < s.n; ++n)
            want.stored.push_back(static_cast<C>(Sum<A>(a, b, m, n, static_cast<A>(bias[static_cast<size_t>(n)]))));
    }
    const int32_t c0 = 32 / static_cast<int32_t>(sizeof(T));
    if (in == CubeFormat::NZ) a.stored = ToNz(a, c0), b.stored = ToNz(b, c0);
    if (out == CubeFormat::NZ) want.stored = ToNz(want, 16);
    GlobalMemory memory;
    uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b"), *gm_bias = Put(memory, bias, "bias");
    uint8_t* gm_c = memory.Allocate(want.stored.size() * sizeof(C), "c");
    LaunchOptions options = Options(schedule, CoreChoice::kDefault);
    options.chip = "Ascend310B1";
    const LaunchResult told = Launch(options, 1, memory, [&] {
        TPipe pipe;
        TCubeTiling tiling = Tiling(s, 32, 32, 32);
        tiling.isBias = 1;
        using In = MatmulType<TPosition::GM, in, T, trans>;
        Matmul<In, In, MatmulType<TPosition::GM, out, C>, MatmulType<TPosition::GM, CubeFormat::ND, Bias>> mm;
        REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &tiling);
        mm.SetTensorA(Gm<T>(gm_a, a.stored.size()), trans);
        mm.SetTensorB(Gm<T>(gm_b, b.stored.size()), trans);
        mm.SetBias(Gm<Bias>(gm_bias, bias.size()));
        const auto c = Gm<C>(gm_c, want.stored.size());
        if (!by_blocks) mm.IterateAll(c);
        while (by_blocks && mm.Iterate()) mm.GetTensorC(c);
        mm.End();
    });
    ASSERT_EQ(Told(told), "") << schedule;
    ASSERT_TRUE(SameBytes(Get<C>(gm_c, want.stored.size()), want.stored, s.n)) << schedule;
}

template <class T, class C, class Bias = Acc<T>, CubeFormat in = CubeFormat::ND, CubeFormat out = CubeFormat::ND,
          bool trans = false>
void Check(std::initializer_list<Shape> shapes = {kWhole, kTails}) {
    for (const Shape& shape : shapes) {
        for (const std::string& schedule : Schedules()) {
            SCOPED_TRACE(schedule);
            CheckOne<T, C, Bias, in, out, trans>(shape, schedule, false);
            CheckOne<T, C, Bias, in, out, trans>(shape, schedule, true);
        }
    }
}

// int8_t products leave as half, (sum + bias) x scale: one scale, or one for each column. Powers of two round nowhere but
// in half.
void CheckScaled(Shape s, const std::string& schedule, bool vector) {
    const auto a = RandomMatrix<int8_t>(s.m, s.k, false, 1), b = RandomMatrix<int8_t>(s.k, s.n, false, 2);
    const auto bias = Random<int32_t>(static_cast<size_t>(s.n), 3);
    const auto scale = [&](int32_t n) { return std::ldexp(1.0f, vector ? -6 - n % 3 : -6); };
    std::vector<uint64_t> words;
    for (int32_t n = 0; n < s.n; ++n) words.push_back(std::bit_cast<uint32_t>(scale(n)));
    std::vector<half> want;
    for (int32_t m = 0; m < s.m; ++m) {
        for (int32_t n = 0; n < s.n; ++n) {
            const int32_t sum = Sum<int32_t>(a, b, m, n, bias[static_cast<size_t>(n)]);
            want.push_back(half(static_cast<float>(sum) * scale(n)));
        }
    }
    GlobalMemory memory;
    uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b"), *gm_bias = Put(memory, bias, "bias");
    uint8_t *gm_words = Put(memory, words, "words"), *gm_c = memory.Allocate(want.size() * sizeof(half), "c");
    LaunchOptions options = Options(schedule, CoreChoice::kDefault);
    options.chip = "Ascend310B4";
    const LaunchResult told = Launch(options, 1, memory, [&] {
        TPipe pipe;
        TCubeTiling tiling = Tiling(s, 32, 32, 32);
        tiling.isBias = 1;
        using In = MatmulType<TPosition::GM, CubeFormat::ND, int8_t>;
        Matmul<In, In, MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, int32_t>> mm;
        REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &tiling);
        mm.SetTensorA(Gm<int8_t>(gm_a, a.stored.size()));
        mm.SetTensorB(Gm<int8_t>(gm_b, b.stored.size()));
        mm.SetBias(Gm<int32_t>(gm_bias, bias.size()));
        if (vector) mm.SetQuantVector(Gm<uint64_t>(gm_words, words.size()));
        else mm.SetQuantScalar(words[0]);
        mm.IterateAll(Gm<half>(gm_c, want.size()));
        mm.End();
    });
    ASSERT_EQ(Told(told), "") << schedule;
    ASSERT_TRUE(SameBytes(Get<half>(gm_c, want.size()), want, s.n)) << schedule;
}
TEST(MatmulPlain, ScaledBytes) {
    for (const Shape& shape : {kWhole, kTails}) {
        for (const std::string& schedule : Schedules()) {
            CheckScaled(shape, schedule, false);
            CheckScaled(shape, schedule, true);
        }
    }
}

TEST(MatmulPlain, Types) {
    Check<half, float>();
    Check<half, half>();
    Check<half, bfloat16_t>();
    Check<half, float, half>();
    Check<float, float>();
    Check<float, half, half>();
    Check<bfloat16_t, bfloat16_t>();
    Check<int8_t, int32_t>();
}
TEST(MatmulPlain, Formats) {
    Check<half, float, float, CubeFormat::NZ, CubeFormat::ND>({kWhole});
    Check<half, half, float, CubeFormat::ND, CubeFormat::NZ>({kWhole});
    Check<float, float, float, CubeFormat::NZ, CubeFormat::NZ>({kWhole});
    Check<half, float, float, CubeFormat::ND, CubeFormat::ND, true>();
}

}  // namespace
}  // namespace sfumato::matmul_test
