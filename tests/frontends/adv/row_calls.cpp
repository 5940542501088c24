// SPDX-License-Identifier: Apache-2.0
// The softmax family, sums and reductions, by the rows of oracle/calls.inc (adv.md 4.1, 4.2, 5 and 6).
#include "frontends/adv/calls.h"

namespace sfumato::adv_test {
namespace {

using oracle::Along, oracle::Divides, oracle::Reduced;
using Pattern::Reduce::AR, Pattern::Reduce::RA;

constexpr SoftMaxTiling kTiling = {};
constexpr Sheet kSheets[] = {{1, 16, 16}, {5, 64, 60}, {9, 1008, 1008}, {300, 16, 13}, {20, 48, 42, true}};

SoftMaxShapeInfo Shape(const Sheet& s) { return {s.rows, s.columns, s.rows, s.valid}; }

// Sum and maximum of the type of the data, or of float.
template <class T, class F>
void EachSide(const F& f) {
    f(T());
    if (!std::is_same_v<T, float>) f(float());
}

template <class T>
void SoftMaxCase(const Site& site) {
    for (const Sheet& s : kSheets) {
        EachSide<T>([&](auto side) {
            using U = decltype(side);
            Launched(site, [&](Bench& b) {
                auto x = b.Some<T>(s.all(), 5);
                auto dst = b.Out<T>(s.all());
                auto sum = b.Out<U>(s.rows * kBlock<U>), max = b.Out<U>(s.rows * kBlock<U>);
                b.Lend(Sizes{GetSoftMaxMaxTmpSize(ge::Shape({s.rows, s.columns}), sizeof(U), false),
                             GetSoftMaxMinTmpSize(ge::Shape({s.rows, s.columns}), sizeof(U), false)},
                       [&](auto&... tmp) {
                           if (s.nz)
                               SoftMax<T, false, false, true>(dst, sum, max, x, tmp..., kTiling, Shape(s));
                           else
                               SoftMax<T>(dst, sum, max, x, tmp..., kTiling, Shape(s));
                       });
                const auto want = oracle::Softmax(x.values, s, Divides::kYes);
                b.Expect("dst", dst, want.dst);
                b.ExpectBlocks("sum", sum, want.sum);
                b.ExpectBlocks("max", max, want.max);
                b.Unchanged(x);
            });
        });
    }
    // In place, without sum and maximum.
    const Sheet s{7, 128, 128};
    Launched(site, [&](Bench& b) {
        auto x = b.Some<T>(s.all(), 5);
        b.Lend(Sizes{GetSoftMaxMaxTmpSize(ge::Shape({s.rows, s.columns}), sizeof(T), false),
                     GetSoftMaxMinTmpSize(ge::Shape({s.rows, s.columns}), sizeof(T), false)},
               [&](auto&... tmp) { SoftMax<T>(x, x, tmp..., kTiling, Shape(s)); });
        b.Expect("dst", x, oracle::Softmax(x.values, s, Divides::kYes).dst);
    });
}

template <class T>
void SimpleSoftMaxCase(const Site& site) {
    for (const Sheet& s : kSheets) {
        EachSide<T>([&](auto side) {
            using U = decltype(side);
            Launched(site, [&](Bench& b) {
                auto x = b.Some<T>(s.all(), 5);
                auto dst = b.Out<T>(s.all());
                const auto first = oracle::Softmax(x.values, s, Divides::kYes);
                auto sum = b.In<U>(Bench::Blocks(first.sum, kBlock<U>)),
                     max = b.In<U>(Bench::Blocks(first.max, kBlock<U>));
                b.Lend(Sizes{GetSoftMaxMaxTmpSize(ge::Shape({s.rows, s.columns}), sizeof(U), false),
                             GetSoftMaxMinTmpSize(ge::Shape({s.rows, s.columns}), sizeof(U), false)},
                       [&](auto&... tmp) {
                           if (s.nz)
                               SimpleSoftMax<T, false, false, true>(dst, sum, max, x, tmp..., kTiling, Shape(s));
                           else
                               SimpleSoftMax<T>(dst, sum, max, x, tmp..., kTiling, Shape(s));
                       });
                Row sums, maxima;
                for (uint32_t r = 0; r < s.rows; ++r) {
                    sums.push_back(sum.values[r * kBlock<U>]), maxima.push_back(max.values[r * kBlock<U>]);
                }
                b.Expect("dst", dst, oracle::SimpleSoftMax(x.values, s, maxima, sums));
            });
        });
    }
}

// A call, and an update over its results: of rows and sides as they were stored.
template <class T, class U>
Row Stored(const Row& numbers) {
    Row stored;
    for (const float v : numbers)
        stored.push_back(static_cast<float>(oracle::Nearest(kTypeOf<U>, static_cast<double>(v))));
    return stored;
}

template <class T>
void SoftmaxFlashCase(const Site& site) {
    for (const Sheet& s : {Sheet{6, 64, 64}, Sheet{13, 48, 41}}) {
        Launched(site, [&](Bench& b) {
            auto x = b.Some<T>(s.all(), 5), y = b.Some<T>(s.all(), 5);
            auto dst = b.Out<T>(s.all());
            const uint32_t side = s.rows * kBlock<T>;
            auto sum = b.Out<T>(side), max = b.Out<T>(side), exp_max = b.Out<T>(side);
            b.Lend(Sizes{GetSoftMaxFlashMaxTmpSize(ge::Shape({s.rows, s.columns}), sizeof(T), true, false),
                         GetSoftMaxFlashMinTmpSize(ge::Shape({s.rows, s.columns}), sizeof(T), true, false)},
                   [&](auto&... tmp) {
                       SoftmaxFlash<T>(dst, sum, max, x, exp_max, sum, max, tmp..., kTiling, false, Shape(s));
                       PipeBarrier<PIPE_V>();
                       SoftmaxFlash<T>(dst, sum, max, y, exp_max, sum, max, tmp..., kTiling, true, Shape(s));
                   });
            const auto first = oracle::Softmax(x.values, s, Divides::kYes);
            const auto want =
                oracle::Softmax(y.values, s, Divides::kYes, Stored<T, T>(first.max), Stored<T, T>(first.sum));
            b.Expect("dst", dst, want.dst);
            b.ExpectBlocks("sum", sum, want.sum);
            b.ExpectBlocks("max", max, want.max);
            b.ExpectBlocks("expMax", exp_max, want.exp_max);
        });
    }
}

// E: of expMax.
template <class T, class U, class E>
void CheckFlashV2(const Site& site, const Sheet& s) {
    Launched(site, [&](Bench& b) {
        auto x = b.Some<T>(s.all(), 5), y = b.Some<T>(s.all(), 5);
        auto dst = b.Out<T>(s.all());
        auto sum = b.Out<U>(s.rows * kBlock<U>), max = b.Out<U>(s.rows * kBlock<U>);
        auto exp_max = b.Out<E>(s.rows * kBlock<E>);
        b.Lend(Sizes{GetSoftMaxFlashV2MaxTmpSize(ge::Shape({s.rows, s.columns}), sizeof(T), sizeof(U), true),
                     GetSoftMaxFlashV2MinTmpSize(ge::Shape({s.rows, s.columns}), sizeof(T), sizeof(U), true)},
               [&](auto&... tmp) {
                   if (s.nz) {
                       SoftmaxFlashV2<T, false, false, false, true>(dst, sum, max, x, exp_max, sum, max, tmp...,
                                                                    kTiling, Shape(s));
                       PipeBarrier<PIPE_V>();
                       SoftmaxFlashV2<T, true, false, false, true>(dst, sum, max, y, exp_max, sum, max, tmp..., kTiling,
                                                                   Shape(s));
                   } else {
                       SoftmaxFlashV2<T>(dst, sum, max, x, exp_max, sum, max, tmp..., kTiling, Shape(s));
                       PipeBarrier<PIPE_V>();
                       SoftmaxFlashV2<T, true>(dst, sum, max, y, exp_max, sum, max, tmp..., kTiling, Shape(s));
                   }
               });
        const auto first = oracle::Softmax(x.values, s, Divides::kNo);
        const auto want = oracle::Softmax(y.values, s, Divides::kNo, Stored<T, U>(first.max), Stored<T, U>(first.sum));
        b.Expect("dst", dst, want.dst);
        b.ExpectBlocks("sum", sum, want.sum);
        b.ExpectBlocks("max", max, want.max);
        b.ExpectBlocks("expMax", exp_max, want.exp_max);
    });
}

constexpr SoftmaxConfig kCompact = {true, 0, 0, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};

// An element a row, and the maximum of the row alone.
template <class T>
void CheckCompact(const Site& site, const Sheet& s) {
    Launched(site, [&](Bench& b) {
        const uint32_t padded = UpTo(s.rows, 16);
        auto x = b.Some<T>(s.all(), 5);
        auto dst = b.Out<T>(s.all());
        auto max = b.Some<T>(padded, 5), sum = b.Positive<T>(padded, 5);
        auto exp_max = b.Out<T>(padded), row_max = b.Out<T>(padded);
        b.Lend(Sizes{GetSoftMaxFlashV2MaxTmpSize(ge::Shape({s.rows, s.columns}), sizeof(T), sizeof(T), true),
                     GetSoftMaxFlashV2MinTmpSize(ge::Shape({s.rows, s.columns}), sizeof(T), sizeof(T), true)},
               [&](auto&... tmp) {
                   SoftmaxFlashV2<T, true, false, false, false, kCompact>(dst, row_max, sum, max, x, exp_max, sum, max,
                                                                          tmp..., kTiling, Shape(s));
               });
        const auto want = oracle::Softmax(x.values, s, Divides::kNo, max.values, sum.values);
        b.Expect("dst", dst, want.dst);
        b.Expect("sum", sum, want.sum);
        b.Expect("max", max, want.max);
        b.Expect("expMax", exp_max, want.exp_max);
        b.Expect("outReduceMax", row_max, want.row_max);
    });
}

template <class T>
void SoftmaxFlashV2Case(const Site& site) {
    for (const Sheet& s : {Sheet{5, 64, 60}, Sheet{16, 256, 256}, Sheet{33, 16, 16}, Sheet{20, 48, 42, true}}) {
        EachSide<T>([&](auto side) {
            using U = decltype(side);
            CheckFlashV2<T, U, T>(site, s);
            if (!std::is_same_v<T, U>) CheckFlashV2<T, U, U>(site, s);
        });
    }
    CheckCompact<T>(site, {19, 64, 64});
}

template <class T>
void SoftmaxGradFrontCase(const Site& site) {
    for (const Sheet& s : {Sheet{13, 96, 96}, Sheet{5, 64, 60}, Sheet{20, 48, 48, true}}) {
        Launched(site, [&](Bench& b) {
            auto x = b.Some<T>(s.all()), grad = b.Some<T>(s.all());
            auto front = b.Out<T>(s.rows * kBlock<T>), same = b.Out<T>(s.rows * kBlock<T>);
            b.Lend(Sizes{GetSoftMaxGradMaxTmpSize(ge::Shape({s.rows, s.columns}), sizeof(T), false, false),
                         GetSoftMaxGradMinTmpSize(ge::Shape({s.rows, s.columns}), sizeof(T), false, false)},
                   [&](auto&... tmp) {
                       if (s.nz) {
                           SoftmaxGradFront<T, false, true>(front, grad, x, tmp..., kTiling, Shape(s));
                           PipeBarrier<PIPE_V>();
                           SoftmaxGrad<T, false, true>(same, grad, x, tmp..., kTiling, true, Shape(s));
                       } else {
                           SoftmaxGradFront<T>(front, grad, x, tmp..., kTiling, Shape(s));
                           PipeBarrier<PIPE_V>();
                           SoftmaxGrad<T>(same, grad, x, tmp..., kTiling, true, Shape(s));
                       }
                   });
            const Row want = oracle::SoftmaxGradFront(grad.values, x.values, s);
            b.ExpectBlocks("dst", front, want);
            b.ExpectBlocks("dst with isFront", same, want);
        });
    }
}

template <class T>
void SoftmaxGradCase(const Site& site) {
    for (const Sheet& s : {Sheet{13, 96, 96}, Sheet{5, 64, 60}, Sheet{20, 48, 48, true}}) {
        Launched(site, [&](Bench& b) {
            auto x = b.Some<T>(s.all()), grad = b.Some<T>(s.all());
            auto dst = b.Out<T>(s.all());
            b.Lend(Sizes{GetSoftMaxGradMaxTmpSize(ge::Shape({s.rows, s.columns}), sizeof(T), false, false),
                         GetSoftMaxGradMinTmpSize(ge::Shape({s.rows, s.columns}), sizeof(T), false, false)},
                   [&](auto&... tmp) {
                       if (s.nz)
                           SoftmaxGrad<T, false, true>(dst, grad, x, tmp..., kTiling, false, Shape(s));
                       else
                           SoftmaxGrad<T>(dst, grad, x, tmp..., kTiling, false, Shape(s));
                   });
            b.Expect("dst", dst, oracle::SoftmaxGrad(grad.values, x.values, s));
        });
    }
}

template <class T>
void AdjustSoftMaxResCase(const Site& site) {
    const Row maxima = {1, 2, -INFINITY, 2};
    for (const bool compact : {false, true}) {
        for (const Sheet& s : {Sheet{4, 16, 16}, Sheet{4, 48, 40}}) {
            Launched(site, [&](Bench& b) {
                auto res = b.Some<T>(s.all());
                auto max = b.In<T>(compact ? maxima : Bench::Blocks(maxima, kBlock<T>));
                const auto call = [&](float from) {
                    const auto bits = static_cast<uint32_t>(oracle::NearestBits(kTypeOf<T>, static_cast<double>(from)));
                    return compact ? AdjustSoftMaxRes<T, T, false, 1>(res, max, bits, T(9.0f), Shape(s))
                                   : AdjustSoftMaxRes<T, T>(res, max, bits, T(9.0f), Shape(s));
                };
                b.Run([&] {
                    EXPECT_FALSE(call(5));
                    EXPECT_TRUE(call(2));
                    PipeBarrier<PIPE_V>();
                    EXPECT_TRUE(call(-INFINITY));
                });
                const Row once = oracle::AdjustSoftMaxRes(res.values, s, maxima, 2, 9);
                b.Expect("res", res, oracle::AdjustSoftMaxRes(once, s, maxima, -INFINITY, 9));
            });
        }
    }
}

template <class T>
void LogSoftMaxCase(const Site& site) {
    for (const Sheet& s : {Sheet{8, 32, 32}, Sheet{13, 208, 200}, Sheet{16, 32, 30, true}}) {
        Launched(site, [&](Bench& b) {
            auto x = b.Some<T>(s.all(), 5);
            auto dst = b.Out<T>(s.all());
            auto sum = b.Out<T>(s.rows * kBlock<T>), max = b.Out<T>(s.rows * kBlock<T>);
            // A shape of the tiling, where there is no padding.
            LogSoftMaxTiling tiling;
            const bool by_tiling = s.columns == s.valid;
            const ge::Shape whole({s.rows, s.columns});
            const Sizes sizes{GetLogSoftMaxMaxTmpSize(whole, sizeof(T), false),
                              GetLogSoftMaxMinTmpSize(whole, sizeof(T), false)};
            if (by_tiling) LogSoftMaxTilingFunc(whole, sizeof(T), sizes.min, tiling);
            const SoftMaxShapeInfo shape = by_tiling ? SoftMaxShapeInfo{} : Shape(s);
            auto tmp = b.Tmp(sizes);
            b.Run([&] {
                if (s.nz)
                    LogSoftMax<T, false, true>(dst, sum, max, x, tmp, tiling, shape);
                else
                    LogSoftMax<T>(dst, sum, max, x, tmp, tiling, shape);
            });
            const auto want = oracle::Softmax(x.values, s, Divides::kYes);
            b.Expect("dst", dst, oracle::LogSoftMax(x.values, s));
            b.ExpectBlocks("sum", sum, want.sum);
            b.ExpectBlocks("max", max, want.max);
        });
    }
}

template <class T>
std::vector<Sheet> Padded(std::initializer_list<std::pair<uint32_t, uint32_t>> sizes) {
    std::vector<Sheet> sheets;
    for (const auto& [rows, n] : sizes) sheets.push_back({rows, UpTo(n, kBlock<T>), n});
    return sheets;
}

template <class T>
Sizes BytesSum(uint32_t n) {
    return SFUMATO_SIZES(GetSumMaxMinTmpSize, n, sizeof(T), false);
}
template <class T>
Sizes BytesMean(uint32_t n) {
    return SFUMATO_SIZES(GetMeanMaxMinTmpSize, n, sizeof(T), sizeof(float), false);
}

#define SUM(Name, want)                                                                                             \
    template <class T>                                                                                              \
    void Name##Case(const Site& site) {                                                                             \
        for (const Sheet& s :                                                                                       \
             Padded<T>({{3, 1}, {3, 5}, {3, 64}, {3, 100}, {3, 512}, {3, 1000}, {2, 4100}, {300, 20}, {7, 300}})) { \
            Launched(site, [&](Bench& b) {                                                                          \
                auto x = b.Some<T>(s.all());                                                                        \
                auto dst = b.Out<T>(s.rows);                                                                        \
                b.Lend(Bytes##Name<T>(s.valid), [&](auto&... tmp) {                                                 \
                    Name(dst, x, tmp..., Name##Params{s.rows, s.columns, s.valid});                                 \
                });                                                                                                 \
                b.Expect("dst", dst, oracle::want);                                                                 \
            });                                                                                                     \
        }                                                                                                           \
    }
SUM(Sum, Sum(kTypeOf<T>, x.values, s))
SUM(Mean, Mean(x.values, s))

// Of numbers near 1 products stay in range. Of truths nine rows have some without any and columns without any, four
// rows some that are all true and columns that are; the first row alone decides nothing.
float Truth(const Sheet& s, uint32_t r, uint32_t c) {
    const auto mixed = static_cast<float>((r + c) % 2);
    if (s.rows == 9) return c % 4 == 2 || r % 3 == 1 ? 0 : r % 3 == 0 ? 3 : mixed;
    if (s.rows == 4) return c % 4 == 1 || r % 3 == 0 ? 3 : r == 1 ? 0 : mixed;
    return c == 7 ? 3 : 0;
}
template <class T>
Row Operands(Reduced what, const Sheet& s) {
    Row x = Uniform<float>(s.all(), what == Reduced::kProd ? 0.5 : -9, what == Reduced::kProd ? 1.5 : 9, s.rows);
    for (uint32_t i = 0; i < s.all() && (what == Reduced::kAny || what == Reduced::kAll); ++i) {
        x[i] = Truth(s, i / s.columns, i % s.columns);
    }
    return x;
}

template <class T>
constexpr ge::DataType kGeType = std::is_same_v<T, half>    ? ge::DT_FLOAT16
                                 : std::is_same_v<T, float> ? ge::DT_FLOAT
                                                            : ge::DT_UINT8;

#define REDUCTION(Name, what)                                                                                         \
    template <class T>                                                                                                \
    void Name##Case(const Site& site) {                                                                               \
        for (const Sheet& s : Padded<T>({{9, 70}, {4, 64}, {1, 300}})) {                                              \
            for (const Along along : {Along::kRows, Along::kColumns}) {                                               \
                Launched(site, [&](Bench& b) {                                                                        \
                    const uint32_t shape[] = {s.rows, s.valid};                                                       \
                    auto x = b.In<T>(Operands<T>(what, s));                                                           \
                    auto dst = b.Out<T>(along == Along::kRows ? s.rows : s.valid);                                    \
                    b.Lend(SFUMATO_SIZES(Get##Name##MaxMinTmpSize, ge::Shape({s.rows, s.valid}), kGeType<T>,          \
                                         along == Along::kRows ? ReducePattern::AR : ReducePattern::RA, true, false), \
                           [&](auto&... tmp) {                                                                        \
                               along == Along::kRows ? Name<T, AR>(dst, x, tmp..., shape, true)                       \
                                                     : Name<T, RA>(dst, x, tmp..., shape, true);                      \
                           });                                                                                        \
                    b.Expect(along == Along::kRows ? "dst of AR" : "dst of RA", dst,                                  \
                             oracle::Reduce(what, x.values, s, along));                                               \
                });                                                                                                   \
            }                                                                                                         \
        }                                                                                                             \
    }
REDUCTION(ReduceSum, Reduced::kSum)
REDUCTION(ReduceMax, Reduced::kMax)
REDUCTION(ReduceMin, Reduced::kMin)
REDUCTION(ReduceMean, Reduced::kMean)
REDUCTION(ReduceProd, Reduced::kProd)
REDUCTION(ReduceAny, Reduced::kAny)
REDUCTION(ReduceAll, Reduced::kAll)

// Sums inside int16 and beyond its ends.
template <class T>
void ReduceXorSumCase(const Site& site) {
    Row some = Uniform<float>(1000, -25, 25, 1);
    for (float& v : some) v = std::floor(v);
    const std::vector<Row> values = {
        some,          {1},          {3, -3, 2047, 2048, -2048, -2049, 4095}, {32767, -32768, -1}, Row(5000, 7),
        Row(5000, -7), Row(4681, -7)};
    for (const Row& sums : values) {
        Launched(site, [&](Bench& b) {
            Row mask(sums.size(), 0x5A5A), masked;
            for (const float v : sums)
                masked.push_back(static_cast<float>(static_cast<int16_t>(static_cast<int32_t>(v) ^ 0x5A5A)));
            auto x = b.In<T>(masked), y = b.In<T>(mask), dst = b.Out<T>(16);
            b.Lend(
                SFUMATO_SIZES(GetReduceXorSumMaxMinTmpSize, ge::Shape({static_cast<uint32_t>(sums.size())}), 2, false),
                [&](auto&... tmp) { ReduceXorSum<T, true>(dst, x, y, tmp..., static_cast<uint32_t>(sums.size())); });
            Row want = dst.values;
            want[0] = oracle::XorSum(x.values, y.values);
            b.Expect("dst", dst, want);
        });
    }
}

constexpr CumSumConfig kAlong = {true, false, true}, kDown = {false, false, true};

// A config of a class template, and a type that does not depend on its parameters: it compiles.
template <class>
struct OwnConfig {
    static constexpr CumSumConfig kConfig = {false, false, true};
    static void Sum(const LocalTensor<float>& x, const CumSumInfo& info) { CumSum<float, kConfig>(x, x, x, info); }
};
[[maybe_unused]] constexpr auto kSumByOwnConfig = &OwnConfig<int>::Sum;

template <class T>
void CumSumCase(const Site& site) {
    for (const Sheet& s : {Sheet{5, 48, 48}, Sheet{21, 16, 16}, Sheet{7, 240, 240}}) {
        for (const Along along : {Along::kRows, Along::kColumns}) {
            Launched(site, [&](Bench& b) {
                auto x = b.Some<T>(s.all());
                auto dst = b.Out<T>(s.all()), last = b.Out<T>(along == Along::kRows ? s.rows : s.columns);
                b.Lend(SFUMATO_SIZES(GetCumSumMaxMinTmpSize, ge::Shape({s.rows, s.columns}), sizeof(T),
                                     along == Along::kRows, false),
                       [&](auto&... tmp) {
                           along == Along::kRows
                               ? CumSum<T, kAlong>(dst, last, x, tmp..., CumSumInfo{s.rows, s.columns})
                               : CumSum<T, kDown>(dst, last, x, tmp..., CumSumInfo{s.rows, s.columns});
                       });
                const Row want = oracle::CumSum(x.values, s, along);
                Row ends;
                for (uint32_t i = 0; i < last.GetSize(); ++i) {
                    ends.push_back(along == Along::kRows ? want[s.At(i, s.columns - 1)] : want[s.At(s.rows - 1, i)]);
                }
                b.Expect("dst", dst, want);
                b.Expect("lastRow", last, ends);
            });
        }
    }
}

#undef SFUMATO_CALL_rows
#define SFUMATO_CALL_rows SFUMATO_CASE
#include "oracle/calls.inc"

}  // namespace
}  // namespace sfumato::adv_test
