// SPDX-License-Identifier: Apache-2.0
// The softmax family against its formulas in float, row by row (adv.md 4.1 and 4.2), with temporary buffers of every size.
#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

using namespace AscendC;

constexpr SoftMaxTiling kTiling = {};

struct Rows {
    uint32_t m, k, ori;
    uint32_t all() const { return m * k; }
};
constexpr Rows kShapes[] = {{1, 16, 16}, {5, 64, 60}, {9, 1024, 1024}, {3, 80, 80}, {300, 16, 13}, {2, 4096, 4095}};

SoftMaxShapeInfo Shape(const Rows& rows) { return {rows.m, rows.k, rows.m, rows.ori}; }

// What the calls make of a row; empty in_max: no update.
struct Outcome {
    std::vector<float> dst, max, sum, exp_max, row_max;
};
enum class Divide { kNo, kYes };

Outcome Flash(const std::vector<float>& x, const Rows& rows, Divide divide, const std::vector<float>& in_max = {},
              const std::vector<float>& in_sum = {}) {
    Outcome out;
    for (uint32_t r = 0; r < rows.m; ++r) {
        float max = -INFINITY;
        for (uint32_t c = 0; c < rows.ori; ++c) max = std::max(max, x[r * rows.k + c]);
        out.row_max.push_back(max);
        if (!in_max.empty()) max = std::max(max, in_max[r]);
        std::vector<float> e;
        for (uint32_t c = 0; c < rows.k; ++c) e.push_back(Exp(x[r * rows.k + c] - max));
        float sum = TreeSum<float>({e.begin(), e.begin() + rows.ori});
        if (!in_max.empty()) {
            const float em = Exp(in_max[r] - max), scaled = em * in_sum[r];
            sum = scaled + sum;
            out.exp_max.push_back(divide == Divide::kYes ? scaled / sum : em);
        }
        for (const float v : e) out.dst.push_back(divide == Divide::kYes ? v / sum : v);
        out.max.push_back(max);
        out.sum.push_back(sum);
    }
    return out;
}

template <class T>
std::vector<T> Narrow(const std::vector<float>& values) {
    return Blocks<T>(values, 1);
}

// bytes: of the temporary buffer; 0: none is lent.
template <class D, class U>
void CheckSoftMax(const Rows& rows, uint32_t bytes) {
    const std::string name = "SoftMax of " + std::to_string(rows.m) + " x " + std::to_string(rows.k) + ", tmp " + std::to_string(bytes);
    OnChips(name, [&](InUb& ub) {
        const auto x = Normal<D>(rows.all());
        constexpr uint32_t kBlock = 32 / sizeof(U);
        auto src = ub.Of(x), dst = ub.Room<D>(rows.all());
        auto sum = ub.Room<U>(rows.m * kBlock), max = ub.Room<U>(rows.m * kBlock);
        ub.Before();
        if (bytes != 0) {
            SoftMax<D>(dst, sum, max, src, ub.Tmp(bytes), kTiling, Shape(rows));
        } else {
            SoftMax<D>(dst, sum, max, src, kTiling, Shape(rows));
        }
        ub.After();
        const Outcome want = Flash(Floats(x), rows, Divide::kYes);
        ExpectBits(name + " dst", InUb::Values(dst, rows.all()), Narrow<D>(want.dst));
        ExpectBits(name + " sum", InUb::Values(sum, rows.m * kBlock), Blocks<U>(want.sum, kBlock));
        ExpectBits(name + " max", InUb::Values(max, rows.m * kBlock), Blocks<U>(want.max, kBlock));
        ExpectBits(name + " src", InUb::Values(src, rows.all()), x);
    });
}

TEST(Softmax, SoftMaxIsMaximumExponentialSumQuotient) {
    for (const Rows& rows : kShapes) {
        CheckSoftMax<float, float>(rows, 0);
        CheckSoftMax<half, half>(rows, 0);
        CheckSoftMax<half, float>(rows, 0);
    }
}

TEST(Softmax, ResultsDoNotDependOnTheTemporaryBuffer) {
    for (const uint32_t bytes : {1024u, 1536u, 4096u, 16384u}) {
        CheckSoftMax<float, float>({21, 64, 64}, bytes);
        CheckSoftMax<half, half>({21, 64, 50}, bytes + 1024);
        CheckSoftMax<half, float>({21, 64, 50}, bytes + 1024);
    }
}

TEST(Softmax, InPlaceAndWithoutSides) {
    OnChips("SoftMax in place", [](InUb& ub) {
        const Rows rows{7, 128, 128};
        const auto x = Normal<float>(rows.all());
        auto src = ub.Of(x);
        ub.Before();
        SoftMax<float>(src, src, ub.Tmp(2048), kTiling, Shape(rows));
        ub.After();
        ExpectBits("dst", InUb::Values(src, rows.all()), Flash(x, rows, Divide::kYes).dst);
    });
}

TEST(Softmax, SimpleSoftMaxTakesSumAndMaximum) {
    OnChips("SimpleSoftMax", [](InUb& ub) {
        const Rows rows{11, 64, 64};
        const auto x = Normal<float>(rows.all());
        const Outcome first = Flash(x, rows, Divide::kYes);
        auto src = ub.Of(x), dst = ub.Room<float>(rows.all());
        auto sum = ub.Of(Blocks<float>(first.sum, 8)), max = ub.Of(Blocks<float>(first.max, 8));
        ub.Before();
        SimpleSoftMax<float>(dst, sum, max, src, ub.Tmp(1024), kTiling, Shape(rows));
        ub.After();
        ExpectBits("dst", InUb::Values(dst, rows.all()), first.dst);
    });
}

// An update over the results of a first call, which it may overwrite.
template <class D, class U, class E>
void CheckFlashV2(const Rows& rows, uint32_t bytes) {
    const std::string name = "SoftmaxFlashV2 of " + std::to_string(rows.m) + " x " + std::to_string(rows.k) + ", tmp " + std::to_string(bytes);
    OnChips(name, [&](InUb& ub) {
        const auto x = Normal<D>(rows.all()), y = Normal<D>(rows.all(), 4, 8);
        constexpr uint32_t kBlock = 32 / sizeof(U), kExpBlock = 32 / sizeof(E);
        auto src = ub.Of(x), dst = ub.Room<D>(rows.all()), next = ub.Of(y);
        auto sum = ub.Room<U>(rows.m * kBlock), max = ub.Room<U>(rows.m * kBlock);
        auto exp_max = ub.Room<E>(rows.m * kExpBlock);
        auto tmp = ub.Tmp(bytes);
        ub.Before();
        SoftmaxFlashV2<D>(dst, sum, max, src, exp_max, sum, max, tmp, kTiling, Shape(rows));
        PipeBarrier<PIPE_V>();
        SoftmaxFlashV2<D, true>(dst, sum, max, next, exp_max, sum, max, tmp, kTiling, Shape(rows));
        ub.After();
        const Outcome first = Flash(Floats(x), rows, Divide::kNo);
        const auto kept = [](const std::vector<float>& v) { return Floats(Narrow<U>(v)); };
        const Outcome want = Flash(Floats(y), rows, Divide::kNo, kept(first.max), kept(first.sum));
        ExpectBits(name + " dst", InUb::Values(dst, rows.all()), Narrow<D>(want.dst));
        ExpectBits(name + " sum", InUb::Values(sum, rows.m * kBlock), Blocks<U>(want.sum, kBlock));
        ExpectBits(name + " max", InUb::Values(max, rows.m * kBlock), Blocks<U>(want.max, kBlock));
        ExpectBits(name + " expMax", InUb::Values(exp_max, rows.m * kExpBlock), Blocks<E>(want.exp_max, kExpBlock));
    });
}

TEST(Softmax, FlashV2UpdatesSumAndMaximum) {
    for (const Rows& rows : {Rows{5, 64, 60}, Rows{16, 256, 256}, Rows{33, 16, 16}}) {
        CheckFlashV2<float, float, float>(rows, 8192);
        CheckFlashV2<half, half, half>(rows, 8192);
        CheckFlashV2<half, float, half>(rows, 8192);
        CheckFlashV2<half, float, float>(rows, 8192);
    }
    CheckFlashV2<float, float, float>({21, 64, 64}, 1024);
    CheckFlashV2<half, half, half>({21, 32, 32}, 2048);
}

constexpr SoftmaxConfig kCompact = {true, 0, 0, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};

template <class D, class U>
void CheckCompact(const Rows& rows, uint32_t bytes) {
    OnChips("SoftmaxFlashV2 without blocks", [&](InUb& ub) {
        const auto x = Normal<D>(rows.all());
        const auto in_max = Normal<U>(rows.m, 4, 3);
        std::vector<U> in_sum;
        for (const U v : Normal<U>(rows.m, 4, 4)) in_sum.push_back(U(std::abs(static_cast<float>(v)) + 1));
        const uint32_t padded = (rows.m + 15) / 16 * 16;
        const auto pad = [&](std::vector<U> v) { v.resize(padded, U(0.0f)); return v; };
        auto src = ub.Of(x), dst = ub.Room<D>(rows.all());
        auto max = ub.Of(pad(in_max)), sum = ub.Of(pad(in_sum)), exp_max = ub.Room<U>(padded), row_max = ub.Room<U>(padded);
        auto tmp = ub.Tmp(bytes);
        ub.Before();
        SoftmaxFlashV2<D, true, false, false, false, kCompact>(dst, row_max, sum, max, src, exp_max, sum, max, tmp, kTiling,
                                                               Shape(rows));
        ub.After();
        const Outcome want = Flash(Floats(x), rows, Divide::kNo, Floats(in_max), Floats(in_sum));
        ExpectBits("dst", InUb::Values(dst, rows.all()), Narrow<D>(want.dst));
        ExpectBits("sum", InUb::Values(sum, rows.m), Narrow<U>(want.sum));
        ExpectBits("max", InUb::Values(max, rows.m), Narrow<U>(want.max));
        ExpectBits("expMax", InUb::Values(exp_max, rows.m), Narrow<U>(want.exp_max));
        ExpectBits("outReduceMax", InUb::Values(row_max, rows.m), Narrow<U>(want.row_max));
    });
}

TEST(Softmax, FlashV2WithAnElementARow) {
    for (const uint32_t bytes : {2048u, 2560u, 16384u}) {
        CheckCompact<float, float>({19, 64, 64}, bytes);
        CheckCompact<half, half>({19, 64, 64}, bytes + 1024);
    }
}

TEST(Softmax, FlashDividesByTheNewSum) {
    OnChips("SoftmaxFlash", [](InUb& ub) {
        const Rows rows{6, 64, 64};
        const auto x = Normal<float>(rows.all()), y = Normal<float>(rows.all(), 3, 9);
        const Outcome first = Flash(x, rows, Divide::kYes), want = Flash(y, rows, Divide::kYes, first.max, first.sum);
        auto src = ub.Of(x), next = ub.Of(y), dst = ub.Room<float>(rows.all());
        auto sum = ub.Room<float>(48), max = ub.Room<float>(48), exp_max = ub.Room<float>(48);
        auto tmp = ub.Tmp(4096);
        ub.Before();
        SoftmaxFlash<float>(dst, sum, max, src, exp_max, sum, max, tmp, kTiling, false, Shape(rows));
        PipeBarrier<PIPE_V>();
        SoftmaxFlash<float>(dst, sum, max, next, exp_max, sum, max, tmp, kTiling, true, Shape(rows));
        ub.After();
        ExpectBits("dst", InUb::Values(dst, rows.all()), want.dst);
        ExpectBits("sum", InUb::Values(sum, 48), Blocks<float>(want.sum, 8));
        ExpectBits("expMax", InUb::Values(exp_max, 48), Blocks<float>(want.exp_max, 8));
    });
}

template <class T>
void CheckGradients(uint32_t bytes) {
    OnChips("SoftmaxGrad", [&](InUb& ub) {
        const Rows rows{13, 96, 96};
        const auto x = Normal<T>(rows.all()), g = Normal<T>(rows.all(), 2, 5);
        std::vector<float> sums, dst;
        for (uint32_t r = 0; r < rows.m; ++r) {
            std::vector<float> products;
            for (uint32_t c = 0; c < rows.k; ++c) {
                products.push_back(static_cast<float>(g[r * rows.k + c]) * static_cast<float>(x[r * rows.k + c]));
            }
            sums.push_back(TreeSum<float>(products));
        }
        for (uint32_t i = 0; i < rows.all(); ++i) {
            const float difference = static_cast<float>(g[i]) - sums[i / rows.k];
            dst.push_back(difference * static_cast<float>(x[i]));
        }
        constexpr uint32_t kBlock = 32 / sizeof(T);
        auto src = ub.Of(x), grad = ub.Of(g), out = ub.Room<T>(rows.all()), front = ub.Room<T>(rows.m * kBlock);
        auto tmp = ub.Tmp(bytes);
        ub.Before();
        SoftmaxGradFront<T>(front, grad, src, tmp, kTiling, Shape(rows));
        PipeBarrier<PIPE_V>();
        SoftmaxGrad<T>(out, grad, src, tmp, kTiling, false, Shape(rows));
        ub.After();
        ExpectBits("front", InUb::Values(front, rows.m * kBlock), Blocks<T>(sums, kBlock));
        ExpectBits("dst", InUb::Values(out, rows.all()), Narrow<T>(dst));
    });
}

TEST(Softmax, Gradients) {
    for (const uint32_t bytes : {4096u, 32768u}) {
        CheckGradients<float>(bytes);
        CheckGradients<half>(bytes);
    }
}

// Columns of 16 one after another; the sums of the columns first, then their tree.
template <class T>
void CheckFractals(uint32_t bytes) {
    OnChips("SoftMax of NZ", [&](InUb& ub) {
        const Rows rows{20, 48, 42};
        const auto x = Normal<T>(rows.all());
        const auto at = [&](uint32_t r, uint32_t c) { return c / 16 * rows.m * 16 + r * 16 + c % 16; };
        std::vector<T> want(rows.all(), T(0.0f));
        for (uint32_t r = 0; r < rows.m; ++r) {
            float max = -INFINITY;
            for (uint32_t c = 0; c < rows.ori; ++c) max = std::max(max, static_cast<float>(x[at(r, c)]));
            std::vector<float> e(rows.k), lanes(16);
            for (uint32_t c = 0; c < rows.k; ++c) e[c] = Exp(static_cast<float>(x[at(r, c)]) - max);
            for (uint32_t c = 0; c < rows.ori; ++c) lanes[c % 16] = c < 16 ? e[c] : lanes[c % 16] + e[c];
            for (uint32_t c = 0; c < rows.k; ++c) want[at(r, c)] = T(e[c] / TreeSum<float>(lanes));
        }
        auto src = ub.Of(x), dst = ub.Room<T>(rows.all());
        auto sum = ub.Room<float>(rows.m * 8), max = ub.Room<float>(rows.m * 8);
        auto tmp = ub.Tmp(bytes);
        ub.Before();
        SoftMax<T, false, false, true>(dst, sum, max, src, tmp, kTiling, Shape(rows));
        ub.After();
        ExpectBits("dst", InUb::Values(dst, rows.all()), want);
    });
}

TEST(Softmax, Fractals) {
    for (const uint32_t bytes : {2048u, 16384u}) {
        CheckFractals<float>(bytes);
        CheckFractals<half>(bytes);
    }
}

TEST(Softmax, AdjustReplacesRowsOfAMaximum) {
    OnChips("AdjustSoftMaxRes", [](InUb& ub) {
        const std::vector<float> maxima = {1, -INFINITY, 2, -INFINITY};
        auto res = ub.Of(std::vector<float>(64, 5)), max = ub.Of(Blocks<float>(maxima, 8)), compact = ub.Of(maxima);
        ub.Before();
        EXPECT_FALSE((AdjustSoftMaxRes<float, float>(res, max, 0x12345678, 0.0f, {4, 16, 4, 16})));
        EXPECT_TRUE((AdjustSoftMaxRes<float, float>(res, max, 0xFF800000, 0.0f, {4, 16, 4, 16})));
        ub.After();
        std::vector<float> want(64, 5);
        std::fill_n(want.begin() + 16, 16, 0.0f), std::fill_n(want.begin() + 48, 16, 0.0f);
        ExpectBits("res", InUb::Values(res, 64), want);
        ub.Before();
        EXPECT_TRUE((AdjustSoftMaxRes<float, float, false, 1>(res, compact, 0x40000000, 9.0f, {4, 16, 4, 16})));
        ub.After();
        std::fill_n(want.begin() + 32, 16, 9.0f);
        ExpectBits("res", InUb::Values(res, 64), want);
    });
}

}  // namespace
}  // namespace sfumato::adv_test
