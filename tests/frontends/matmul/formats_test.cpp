// SPDX-License-Identifier: Apache-2.0
// Matmul on cube cores: layouts and types of the matrices, and the conversions on the way out.
#define ASCENDC_CUBE_ONLY
#include <bit>
#include <cmath>

#include "cube_support.h"

namespace sfumato::matmul_test {
namespace {

// Nz with columns of `c0`.
template <class T>
std::vector<T> ToNz(const std::vector<T>& rows, int32_t m, int32_t n, int32_t c0) {
    std::vector<T> nz(rows.size());
    for (int32_t i = 0; i < m; ++i) {
        for (int32_t j = 0; j < n; ++j)
            nz[static_cast<size_t>(j / c0 * m * c0 + i * c0 + j % c0)] = rows[static_cast<size_t>(i * n + j)];
    }
    return nz;
}

// A, B and C in Nz, whole sizes, in base blocks.
template <class T, class C, bool trans_a, bool trans_b, const auto& config = CFG_NORM>
void CheckNz(int32_t c_columns) {
    const Shape s{64, 96, 128};
    using Acc = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, float>;
    const auto a = RandomMatrix<T>(s.m, s.k, trans_a, 1), b = RandomMatrix<T>(s.k, s.n, trans_b, 2);
    constexpr int32_t c0 = 32 / sizeof(T);
    const auto nz_a = trans_a ? ToNz(a.stored, s.k, s.m, c0) : ToNz(a.stored, s.m, s.k, c0);
    const auto nz_b = trans_b ? ToNz(b.stored, s.n, s.k, c0) : ToNz(b.stored, s.k, s.n, c0);
    std::vector<C> want;
    for (const Acc value : Whole<Acc>(a, b)) want.push_back(C(value));
    TCubeTiling tiling = Tiling(s, 32, sizeof(T) == 1 ? 32 : 48);
    Same<C>(ToNz(want, s.m, s.n, c_columns), s.n, Fives<C>(want.size()), [&](GlobalMemory& memory) {
        uint8_t *gm_a = Put(memory, nz_a, "a"), *gm_b = Put(memory, nz_b, "b");
        return [=](uint8_t* c) {
            TPipe pipe;
            TCubeTiling own = tiling;
            Matmul<InGm<T, CubeFormat::NZ, trans_a>, InGm<T, CubeFormat::NZ, trans_b>, InGm<C, CubeFormat::NZ>, InGm<Acc>,
                   config>
                mm;
            REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &own);
            mm.SetTensorA(Gm<T>(gm_a), trans_a);
            mm.SetTensorB(Gm<T>(gm_b), trans_b);
            mm.IterateAll(Gm<C>(c));
            mm.End();
        };
    });
}

constexpr MatmulConfig Split() {
    MatmulConfig config = GetNormalConfig();
    config.isEnableChannelSplit = true;
    return config;
}
constexpr MatmulConfig kSplit = Split();

TEST(MatmulNz, Half) { CheckNz<half, half, false, false>(16); }
TEST(MatmulNz, HalfTransposed) { CheckNz<half, float, true, true>(16); }
TEST(MatmulNz, Float) { CheckNz<float, float, false, true>(16); }
TEST(MatmulNz, FloatChannelSplit) { CheckNz<float, float, true, false, kSplit>(8); }
TEST(MatmulNz, Int8) { CheckNz<int8_t, int32_t, false, false>(16); }

uint64_t Word(float scale, int offset) {
    return (std::bit_cast<uint32_t>(scale) & ~0x1fffu) | uint64_t{1} << 46 | (static_cast<uint64_t>(offset) & 511) << 37;
}

// Scales are powers of two, so that only the conversion rounds.
template <class T, class C>
C Scaled(double value, float scale, int offset) {
    const double scaled = value * static_cast<double>(scale);
    if constexpr (std::is_same_v<C, half>) return half(static_cast<float>(scaled));
    else return static_cast<C>(std::clamp(std::nearbyint(std::clamp(scaled, -256.0, 255.0)) + offset, -128.0, 127.0));
}
template <class T, class C>
void CheckQuant(bool vector) {
    const Shape s{50, 70, 90};
    using Acc = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, float>;
    const auto a = RandomMatrix<T>(s.m, s.k, false, 3), b = RandomMatrix<T>(s.k, s.n, false, 4);
    const auto sums = Whole<Acc>(a, b);
    const float base = std::is_same_v<T, int8_t> ? 1.0f / 512 : 4.0f;
    const int offset = std::is_same_v<C, half> ? 0 : 3;
    std::vector<uint64_t> words;
    std::vector<C> want;
    const auto scale = [&](size_t n) { return vector && n % 3 == 0 ? base / 2 : base; };
    for (size_t n = 0; n < static_cast<size_t>(s.n); ++n) words.push_back(Word(scale(n), offset));
    for (size_t i = 0; i < sums.size(); ++i)
        want.push_back(Scaled<T, C>(static_cast<double>(sums[i]), scale(i % static_cast<size_t>(s.n)), offset));
    Same<C>(want, s.n, Fives<C>(want.size()), [&](GlobalMemory& memory) {
        uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b"), *gm_q = Put(memory, words, "words");
        return [=](uint8_t* c) {
            TPipe pipe;
            TCubeTiling tiling = Tiling(s);
            Matmul<InGm<T>, InGm<T>, InGm<C>, InGm<Acc>> mm;
            REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &tiling);
            mm.SetTensorA(Gm<T>(gm_a));
            mm.SetTensorB(Gm<T>(gm_b));
            if (vector) mm.SetQuantVector(Gm<uint64_t>(gm_q));
            else mm.SetQuantScalar(Word(base, offset));
            mm.IterateAll(Gm<C>(c));
            mm.End();
        };
    });
}
TEST(MatmulQuant, DequantScalar) { CheckQuant<int8_t, half>(false); }
TEST(MatmulQuant, DequantVector) { CheckQuant<int8_t, half>(true); }
TEST(MatmulQuant, RequantScalar) { CheckQuant<int8_t, int8_t>(false); }
TEST(MatmulQuant, RequantVector) { CheckQuant<int8_t, int8_t>(true); }
TEST(MatmulQuant, HalfToInt8) { CheckQuant<half, int8_t>(true); }

// Rows of C in global memory are filled up to 32 bytes with zeros, whatever the offset of the scale.
template <class T, class C>
void CheckFilled() {
    const Shape s{50, 75, 64};
    using Acc = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, float>;
    const auto a = RandomMatrix<T>(s.m, s.k, false, 3), b = RandomMatrix<T>(s.k, s.n, false, 4);
    const auto sums = Whole<Acc>(a, b);
    constexpr bool kScaled = std::is_same_v<C, int8_t>;
    const int32_t pitch = Rounded(s.n, 32 / sizeof(C));
    std::vector<C> want(static_cast<size_t>(s.m * pitch), C(0));
    for (int32_t i = 0; i < s.m * s.n; ++i) {
        const Acc sum = sums[static_cast<size_t>(i)];
        C& element = want[static_cast<size_t>(i / s.n * pitch + i % s.n)];
        if constexpr (kScaled) element = Scaled<T, C>(static_cast<double>(sum), 1.0f / 512, 3);
        else element = C(sum);
    }
    Same<C>(want, pitch, Fives<C>(want.size()), [&](GlobalMemory& memory) {
        uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b");
        return [=](uint8_t* c) {
            TPipe pipe;
            TCubeTiling tiling = Tiling(s);
            Matmul<InGm<T>, InGm<T>, InGm<C, CubeFormat::ND_ALIGN>, InGm<Acc>> mm;
            REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &tiling);
            mm.SetTensorA(Gm<T>(gm_a));
            mm.SetTensorB(Gm<T>(gm_b));
            if (kScaled) mm.SetQuantScalar(Word(1.0f / 512, 3));
            mm.IterateAll(Gm<C>(c));
            mm.End();
        };
    });
}
TEST(MatmulFormats, FilledRows) {
    CheckFilled<half, float>();
    CheckFilled<half, half>();
    CheckFilled<int8_t, int32_t>();
    CheckFilled<int8_t, int8_t>();
}

// Float inputs keep 11 bits of their mantissa, ties to even.
TEST(MatmulFormats, Hf32) {
    const Shape s{20, 40, 50};
    auto a = RandomMatrix<float>(s.m, s.k, false, 9), b = RandomMatrix<float>(s.k, s.n, false, 10);
    for (auto* m : {&a, &b}) {
        for (float& v : m->stored) v *= 1.2345678f;
    }
    const auto cut = [](Matrix<float> m) {
        for (float& v : m.stored) {
            const uint32_t bits = std::bit_cast<uint32_t>(v), low = bits & 0xfff, even = bits >> 12 & 1;
            v = std::bit_cast<float>(((bits >> 12) + (low > 0x800 || (low == 0x800 && even))) << 12);
        }
        return m;
    };
    const auto want = Whole<float>(cut(a), cut(b));
    Same<float>(want, s.n, Fives<float>(want.size()), [&](GlobalMemory& memory) {
        uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b");
        return [=](uint8_t* c) {
            TPipe pipe;
            TCubeTiling tiling = Tiling(s, 32, 48, 32);
            Matmul<InGm<float>, InGm<float>, InGm<float>> mm;
            REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &tiling);
            mm.SetHF32(true);
            mm.SetTensorA(Gm<float>(gm_a));
            mm.SetTensorB(Gm<float>(gm_b));
            mm.IterateAll(Gm<float>(c));
            mm.End();
            mm.SetHF32(false);
        };
    });
}

}  // namespace
}  // namespace sfumato::matmul_test
