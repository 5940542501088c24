// SPDX-License-Identifier: Apache-2.0
// Quantisation, by the rows of oracle/calls.inc (adv.md 8).
#include "frontends/adv/calls.h"

namespace sfumato::adv_test {
namespace {

// Numbers for both, a tensor and a number, two tensors; with the counts and without.
template <class T>
void AscendQuantCase(const Site& site) {
    enum Kind { kNumbers, kScales, kTensors };
    for (const auto& [count, width] : {std::pair{1024u, 128u}, {96u, 96u}, {992u, 32u}}) {
        for (const Kind kind : {kNumbers, kScales, kTensors}) {
            for (const bool counts : {false, true}) {
                Launched(site, [&, count = count, width = width](Bench& b) {
                    auto x = b.Some<T>(count, 100), scale = b.Some<T>(width, 2), offset = b.Some<T>(width, 20);
                    auto dst = b.Out<int8_t>(count);
                    const T one(3.1f);
                    b.Lend(SFUMATO_SIZES(GetAscendQuantMaxMinTmpSize, ge::Shape({count}), sizeof(T)),
                           [&](auto&... tmp) {
                               if (kind == kNumbers && counts) AscendQuant(dst, x, tmp..., 1.37f, 3.1f, count);
                               if (kind == kNumbers && !counts) AscendQuant<T, true>(dst, x, tmp..., 1.37f, 3.1f);
                               if (kind == kScales && counts) AscendQuant(dst, x, tmp..., scale, one, width, count);
                               if (kind == kScales && !counts) AscendQuant(dst, x, tmp..., scale, one);
                               if (kind == kTensors && counts)
                                   AscendQuant(dst, x, tmp..., scale, offset, width, width, count);
                               if (kind == kTensors && !counts) AscendQuant(dst, x, tmp..., scale, offset);
                           });
                    b.Expect("dst", dst,
                             oracle::AscendQuant(x.values, kind == kNumbers ? Row{1.37f} : scale.values,
                                                 kind == kTensors ? offset.values : Row{3.1f}));
                    b.Unchanged(x);
                });
            }
        }
    }
    // Onto the source, a part of it.
    Launched(site, [](Bench& b) {
        auto x = b.Some<T>(1024, 100);
        auto dst = x.template ReinterpretCast<int8_t>();
        b.Lend(SFUMATO_SIZES(GetAscendQuantMaxMinTmpSize, ge::Shape({1024}), sizeof(T)),
               [&](auto&... tmp) { AscendQuant(dst, x, tmp..., 1.37f, 3.1f, 1000); });
        Row want = oracle::AscendQuant(x.values, {1.37f}, {3.1f});
        want.resize(1000);
        b.Expect("dst", dst, want);
    });
}

struct Counted {
    uint32_t m, n, count;
    bool one_row = false;  // DEQUANT_WITH_MULTI_ROW
};

// S: of the scale; a word of 64 bits holds a float.
template <class T, class S>
void CheckDequant(const Site& site, const Counted& c, bool scalar) {
    Launched(site, [&](Bench& b) {
        auto x = b.In<int32_t>(Uniform<float>(c.m * c.n, -3e8, 3e8, c.n));
        std::vector<int32_t> values(x.values.begin(), x.values.end());
        constexpr bool kWords = std::is_same_v<S, uint64_t>;
        using Number = std::conditional_t<kWords, float, S>;
        auto numbers = b.Some<Number>(scalar ? 1 : c.count, 1e-4);
        auto words = b.In<uint32_t>(Row(kWords ? UpTo(2 * c.count, 8) : 8, 0));
        for (uint32_t i = 0; kWords && i < c.count; ++i) {
            words.SetValue(2 * i, static_cast<uint32_t>(
                                      oracle::NearestBits(DataType::kFloat, static_cast<double>(numbers.values[i]))));
        }
        // Of one row that the scales divide, rows.
        const bool rows = !c.one_row && c.m == 1 && c.count % kBlock<T> == 0 && c.n % c.count == 0;
        const Sheet from{rows ? c.n / c.count : c.m, rows ? c.count : c.n, c.count};
        const uint32_t pitch = UpTo(from.columns, kBlock<T>);
        auto dst = b.Out<T>(from.rows * pitch);
        const DequantParams params{c.m, c.n, c.count};
        const LocalTensor<Number>& scales = numbers;
        const LocalTensor<S> bits = words.template ReinterpretCast<S>();
        b.Lend(SFUMATO_SIZES(GetAscendDequantMaxMinTmpSize, ge::Shape({c.m, c.n}), 4), [&](auto&... tmp) {
            if constexpr (kWords) {
                if (c.one_row)
                    AscendDequant<T, S, DeQuantMode::DEQUANT_WITH_MULTI_ROW>(dst, x, bits, tmp..., params);
                else
                    AscendDequant(dst, x, bits, tmp..., params);
            } else {
                if (scalar)
                    AscendDequant(dst, x, scales.GetValue(0), tmp..., params);
                else
                    AscendDequant(dst, x, scales, tmp..., params);
            }
        });
        const Row want = oracle::AscendDequant(values, from, numbers.values);
        for (uint32_t r = 0; r < from.rows; ++r) {
            const auto first = want.begin() + r * from.columns;
            b.Expect("a row of dst", dst[r * pitch], Row(first, first + std::min(from.valid, from.columns)));
        }
    });
}
template <class T>
void AscendDequantCase(const Site& site) {
    for (const Counted& c :
         {Counted{4, 8, 4}, Counted{10, 72, 65}, Counted{3, 128, 128}, Counted{1, 512, 64}, Counted{1, 1000, 1000}}) {
        if constexpr (std::is_same_v<T, half>) {
            CheckDequant<T, uint64_t>(site, c, false);
        } else {
            for (const bool scalar : {false, true}) {
                CheckDequant<T, float>(site, c, scalar);
                if (!site.Saturates()) CheckDequant<T, bfloat16_t>(site, c, scalar);
            }
        }
    }
    if constexpr (std::is_same_v<T, half>) CheckDequant<T, uint64_t>(site, {1, 512, 64, true}, false);
    if constexpr (!std::is_same_v<T, float>) return;
    // The old forms are one row.
    else
        Launched(site, [](Bench& b) {
            auto x = b.Some<int32_t>(128, 1000);
            const auto numbers = b.Some<float>(64, 2);
            const LocalTensor<float>& scale = numbers;
            auto all = b.Out<float>(128), counted = b.Out<float>(128);
            b.Run([&, tmp = b.Tmp(SFUMATO_SIZES(GetAscendDequantMaxMinTmpSize, ge::Shape({1, 128}), 4))] {
                AscendDequant(all, x, scale, tmp);
                PipeBarrier<PIPE_V>();
                AscendDequant(counted, x, scale, tmp, 128);
            });
            const Row want = oracle::AscendDequant({x.values.begin(), x.values.end()}, {2, 64, 64}, numbers.values);
            b.Expect("all", all, want);
            b.Expect("counted", counted, want);
        });
}

// Integers of 4 or 8 bits, two or one a byte.
template <class S>
LocalTensor<S> Packed(Bench& b, const Row& integers) {
    constexpr uint32_t kBits = BitsOf(kTypeOf<S>);
    Row bytes(integers.size() * kBits / 8, 0);
    for (size_t i = 0; i < integers.size(); ++i) {
        const uint32_t bits = static_cast<uint32_t>(static_cast<int32_t>(integers[i])) & ((1u << kBits) - 1);
        bytes[i * kBits / 8] += static_cast<float>(i % (8 / kBits) ? bits << kBits : bits);
    }
    return b.In<uint8_t>(bytes).template ReinterpretCast<S>();
}

// groups 0: numbers for all.
template <class T, class S, bool transposed>
void CheckAntiQuant(const Site& site, uint32_t k, uint32_t n, uint32_t groups, bool offsets) {
    Launched(site, [&](Bench& b) {
        constexpr bool kSmall = BitsOf(kTypeOf<S>) == 4;
        Row integers = Uniform<float>(k * n, kSmall ? -8 : -127, kSmall ? 8 : 127, k);
        for (float& v : integers) v = std::floor(v);
        const auto x = Packed<S>(b, integers);
        auto scale = b.Some<T>(groups ? groups * n : 1), offset = b.Some<T>(groups ? groups * n : 1, 9);
        auto dst = b.Out<T>(k * n);
        const uint32_t height = transposed ? n : groups, width = transposed ? groups : n;
        const auto vectors = groups ? ge::Shape({height, width}) : ge::Shape({1});
        const auto from = transposed ? ge::Shape({n, k}) : ge::Shape({k, n});
        const Sizes asked =
            SFUMATO_SIZES(GetAscendAntiQuantMaxMinTmpSize, from, vectors, transposed,
                          kSmall ? ge::DT_INT4 : ge::DT_INT8, std::is_same_v<T, half> ? ge::DT_FLOAT16 : ge::DT_BF16);
        if (groups == 0) {
            auto tmp = b.Tmp(asked);
            const T one = scale.GetValue(0), other = offset.GetValue(0);
            b.Run([&] {
                if (offsets)
                    AscendAntiQuant<S, T, transposed>(dst, x, other, one, tmp, k);
                else
                    AscendAntiQuant<S, T, transposed>(dst, x, one, tmp, k);
            });
        } else {
            // Sizes are passed, or those of the tensors.
            const uint32_t sizes[] = {height, width};
            if (site.lends()) scale.SetShapeInfo(ShapeInfo(2, sizes)), offset.SetShapeInfo(ShapeInfo(2, sizes));
            const AntiQuantShapeInfo info =
                site.lends() ? AntiQuantShapeInfo{} : AntiQuantShapeInfo{height, width, height, width};
            b.Lend(asked, [&](auto&... tmp) {
                if (offsets)
                    AscendAntiQuant<S, T, transposed>(dst, x, offset, scale, tmp..., k, info);
                else
                    AscendAntiQuant<S, T, transposed>(dst, x, scale, tmp..., k, info);
            });
        }
        b.Expect("dst", dst,
                 oracle::AscendAntiQuant(kTypeOf<T>, integers, k, transposed, scale.values,
                                         offsets ? offset.values : Row(), groups));
    });
}
template <class T>
void AscendAntiQuantCase(const Site& site) {
    for (const bool offsets : {true, false}) {
        for (const uint32_t groups : {0u, 1u, 2u}) {
            CheckAntiQuant<T, int8_t, false>(site, 8, 64, groups, offsets);
            CheckAntiQuant<T, int8_t, false>(site, 20, 96, groups, offsets);
            CheckAntiQuant<T, int8_t, true>(site, 64, 40, groups, offsets);
            CheckAntiQuant<T, int8_t, true>(site, 192, 8, groups, offsets);
            if (site.Saturates()) continue;
            CheckAntiQuant<T, int4b_t, false>(site, 20, 192, groups, offsets);
            CheckAntiQuant<T, int4b_t, true>(site, 128, 40, groups, offsets);
        }
    }
}

#undef SFUMATO_CALL_quantisation
#define SFUMATO_CALL_quantisation SFUMATO_CASE
#include "oracle/calls.inc"

}  // namespace
}  // namespace sfumato::adv_test
