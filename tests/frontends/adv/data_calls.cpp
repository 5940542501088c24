// SPDX-License-Identifier: Apache-2.0
// What moves, selects and sorts, by the rows of oracle/calls.inc (adv.md 9 and 10).
#include "frontends/adv/calls.h"

namespace sfumato::adv_test {
namespace {

platform_ascendc::PlatformAscendC PlatformOf(const Site& site) {
    fe::PlatFormInfos info{site.chip};
    return platform_ascendc::PlatformAscendC(&info);
}

template <class T, int32_t dim, int32_t axis>
void CheckBroadcast(const Site& site, const Sheet& s) {
    Launched(site, [&](Bench& b) {
        const uint32_t to[] = {dim == 1 ? s.columns : s.rows, s.columns};
        const uint32_t from[] = {dim == 1 || axis == 0 ? 1 : s.rows, axis == 0 ? s.columns : 1};
        auto x = b.Some<T>(dim == 1 ? 1 : axis == 0 ? s.columns : s.rows, 60), dst = b.Out<T>(s.all() + 4);
        dst.SetSize(s.all());
        b.Lend(SFUMATO_SIZES(GetBroadCastMaxMinTmpSize, PlatformOf(site), ge::Shape({from[0], from[1]}),
                             ge::Shape({to[0], to[1]}), sizeof(T), false),
               [&](auto&... tmp) {
                   if (site.lends())
                       BroadCast<T, dim, axis>(dst, x, to, from, tmp...);
                   else
                       AscendC::Broadcast<T, dim, axis>(dst, x, to, from, tmp...);
               });
        Row want = oracle::BroadCast(x.values, s, dim == 1 ? 0 : axis);
        want.resize(s.all() + 4, 77);
        dst.SetSize(s.all() + 4);
        b.Expect("dst", dst, want);
    });
}
template <class T>
void BroadCastCase(const Site& site) {
    for (const Sheet& s : {Sheet{5, 2 * kBlock<T>, 0}, Sheet{1, kBlock<T>, 0}}) CheckBroadcast<T, 2, 0>(site, s);
    for (const Sheet& s :
         {Sheet{16, 3 * kBlock<T>, 0}, Sheet{64, kBlock<T>, 0}, Sheet{32, 7, 0}, Sheet{48, 101, 0}, Sheet{16, 1, 0}}) {
        CheckBroadcast<T, 2, 1>(site, s);
    }
    // Rows that are no multiple of 8: Brcb reads on in the block of the last ones.
    for (const uint32_t rows : {1u, 3u, 9u, 100u}) {
        if (sizeof(T) == 1) continue;
        CheckBroadcast<T, 2, 1>(site, {rows, 48, 0});
        CheckBroadcast<T, 2, 1>(site, {rows, 5, 0});
    }
    for (const uint32_t count : {333u, 1u}) CheckBroadcast<T, 1, 0>(site, {1, count, 0});
}

// A third of the mask is 0, a third 1.
template <class U>
Row Masks(uint32_t count) {
    Row mask = Uniform<float>(count, 0, 120, count);
    for (float& v : mask) v = v < 40 ? 0 : v < 80 || std::is_same_v<U, bool> ? 1 : std::floor(v);
    return mask;
}
template <class T, class U>
void CheckSelect(const Site& site, const Sheet& s, uint32_t mask_columns) {
    using Stored = std::conditional_t<std::is_same_v<U, bool>, uint8_t, U>;
    for (const bool scalar_first : {false, true}) {
        Launched(site, [&](Bench& b) {
            auto x = b.Some<T>(s.all(), 50), dst = b.Out<T>(s.all());
            auto stored = b.In<Stored>(Masks<U>(s.rows * mask_columns));
            auto mask = stored.template ReinterpretCast<U>();
            auto tmp =
                b.Tmp(SFUMATO_SIZES(GetSelectWithBytesMaskMaxMinTmpSize, ge::Shape({s.rows, s.columns}), ge::Shape({1}),
                                    sizeof(T), ge::Shape({s.rows, mask_columns}), sizeof(U), true));
            const SelectWithBytesMaskShapeInfo info{s.rows, s.columns, mask_columns};
            b.Run([&] {
                if (scalar_first)
                    Select(dst, T(-2.5f), x, mask, tmp, info);
                else
                    SelectWithBytesMask<T, U, false>(dst, x, T(-2.5f), mask, tmp, info);
            });
            b.Expect("dst", dst,
                     oracle::SelectWithBytesMask(x.values, -2.5f, stored.values, s, mask_columns, scalar_first));
        });
    }
}
template <class T>
void SelectWithBytesMaskCase(const Site& site) {
    CheckSelect<T, uint8_t>(site, {4, 64, 64}, 64);
    CheckSelect<T, bool>(site, {3, 48, 48}, 64);
    CheckSelect<T, int8_t>(site, {5, 32, 32}, 96);
    CheckSelect<T, int16_t>(site, {5, 32, 32}, 48);
    CheckSelect<T, uint16_t>(site, {2, 32, 32}, 32);
    CheckSelect<T, int32_t>(site, {4, 16, 16}, 16);
    CheckSelect<T, uint32_t>(site, {4, 16, 16}, 48);
    CheckSelect<T, uint8_t>(site, {2, 1024, 1024}, 1056);
    CheckSelect<T, uint8_t>(site, {30, kBlock<T> * 3, 0}, 64);
}

// The mode, or 0 and the mode that the shape names.
template <class T, uint32_t mode>
void CheckDropOut(const Site& site, const Sheet& s, uint32_t mask_columns) {
    constexpr bool kBits = mode >= DROPOUT_MODE_BIT_ALIGN;
    for (const bool by_shape : {false, true}) {
        Launched(site, [&](Bench& b) {
            auto x = b.Some<T>(s.all(), 50), dst = b.Out<T>(s.all());
            Row bytes = Uniform<float>(s.rows * mask_columns, 0, kBits ? 255 : 1, 5);
            auto mask = b.In<uint8_t>(bytes);
            const DropOutShapeInfo info{s.rows, s.columns, mask_columns};
            b.Lend(SFUMATO_SIZES(GetDropOutMaxMinTmpSize, ge::Shape({s.rows, s.columns}), sizeof(T), false),
                   [&](auto&... tmp) {
                       (DropOutBitModeInit(tmp), ...);
                       by_shape ? DropOut(dst, x, mask, tmp..., 0.7f, info)
                                : DropOut<T, false, mode>(dst, x, mask, tmp..., 0.7f, info);
                   });
            b.Expect("dst", dst, oracle::DropOut(kTypeOf<T>, x.values, mask.values, s, mask_columns, kBits, 0.7f));
        });
    }
}
template <class T>
void DropOutCase(const Site& site) {
    CheckDropOut<T, DROPOUT_MODE_BYTE_MISALIGN>(site, {4, 48, 48}, 64);
    CheckDropOut<T, DROPOUT_MODE_BYTE_ALIGN>(site, {4, 64, 64}, 64);
    CheckDropOut<T, DROPOUT_MODE_BYTE_ALIGN>(site, {4, 48, 48}, 48);
    CheckDropOut<T, DROPOUT_MODE_BIT_ALIGN>(site, {4, 256, 256}, 32);
    CheckDropOut<T, DROPOUT_MODE_BIT_MISALIGN>(site, {3, 144, 144}, 32);
}

template <class T, bool small, bool given, bool finishes>
void CheckTopK(const Site& site, const Sheet& s, uint32_t k) {
    constexpr TopKMode kMode = small ? TopKMode::TOPK_NSMALL : TopKMode::TOPK_NORMAL;
    const uint32_t pitch = small ? k : UpTo(k, kBlock<T>), index_pitch = small ? k : UpTo(k, 8);
    for (const bool largest : {true, false}) {
        Launched(site, [&](Bench& b) {
            Row numbers = Uniform<float>(s.all(), -40, 40, s.columns), indices, flags;
            for (float& v : numbers) v = std::round(v);  // some are equal
            for (uint32_t i = 0; i < (small ? s.all() : s.columns); ++i)
                indices.push_back(static_cast<float>(1000 + 3 * i % 2000));
            for (uint32_t r = 0; r < UpTo(s.rows, 32); ++r) flags.push_back(static_cast<float>(r % 2));
            auto x = b.In<T>(numbers), value = b.Out<T>(s.rows * pitch);
            auto index = b.In<int32_t>(indices), places = b.Out<int32_t>(s.rows * index_pitch);
            auto finish = b.In<uint8_t>(flags).template ReinterpretCast<bool>();
            const auto rows = static_cast<int32_t>(s.rows), row = static_cast<int32_t>(s.columns);
            TopkTiling tiling;
            EXPECT_TRUE(TopKTilingFunc(PlatformOf(site), row, rows, static_cast<int32_t>(k), sizeof(T), given, kMode,
                                       largest, tiling));
            b.Lend(SFUMATO_SIZES(GetTopKMaxMinTmpSize, PlatformOf(site), row, rows, false, given, kMode, largest,
                                 sizeof(T)),
                   [&](auto&... tmp) {
                       TopK<T, given, finishes, false, kMode>(value, places, x, index, finish, tmp...,
                                                              static_cast<int32_t>(k), tiling, {rows, row, row},
                                                              largest);
                   });
            const auto want = oracle::TopK(x.values, s, k, largest);
            for (uint32_t r = 0; r < s.rows; ++r) {
                Row of_row(want.values.begin() + r * k, want.values.begin() + (r + 1) * k), where;
                for (uint32_t i = 0; i < k; ++i) {
                    const uint32_t place = want.places[r * k + i];
                    where.push_back(finishes && r % 2 == 1 ? static_cast<float>(s.columns)
                                    : given                ? indices[(small ? r * s.columns : 0) + place]
                                                           : static_cast<float>(place));
                }
                b.Expect("values", value[r * pitch], of_row);
                b.Expect("indices", places[r * index_pitch], where);
            }
        });
    }
}
template <class T>
void TopKCase(const Site& site) {
    CheckTopK<T, false, false, false>(site, {3, 64, 64}, 10);
    CheckTopK<T, false, true, false>(site, {2, 128, 128}, 128);
    CheckTopK<T, false, false, true>(site, {4, 32, 32}, 5);
    CheckTopK<T, false, true, true>(site, {2, 1024, 1024}, 33);
    CheckTopK<T, true, false, false>(site, {5, 32, 32}, 7);
    CheckTopK<T, true, true, false>(site, {7, 32, 32}, 3);
    CheckTopK<T, true, false, false>(site, {20, 32, 32}, 32);
}

struct Turn {
    TransposeType type;
    oracle::Layout from, to;
};
constexpr Turn kTurns[] = {
    {TransposeType::TRANSPOSE_NZ2ND_0213, {true, false, false}, {false, false, true}},
    {TransposeType::TRANSPOSE_NZ2NZ_0213, {true, false, false}, {true, false, true}},
    {TransposeType::TRANSPOSE_NZ2NZ_012_WITH_N, {true, true, false}, {true, false, false}},
    {TransposeType::TRANSPOSE_NZ2ND_012_WITH_N, {true, true, false}, {false, false, false}},
    {TransposeType::TRANSPOSE_NZ2ND_012_WITHOUT_N, {true, false, false}, {false, true, false}},
    {TransposeType::TRANSPOSE_NZ2NZ_012_WITHOUT_N, {true, false, false}, {true, true, false}},
};
template <class T>
void CheckTurn(const Site& site, const Turn& turn, std::array<uint32_t, 4> shape) {
    Launched(site, [&](Bench& b) {
        Row numbers;
        for (uint64_t i = 0; i < turn.from.Size(shape.data()); ++i) numbers.push_back(static_cast<float>(i % 2039));
        auto x = b.In<T>(numbers), dst = b.Out<T>(turn.to.Size(shape.data()));
        ConfusionTransposeTiling tiling;
        const ge::Shape whole({shape[0], shape[1], shape[2], shape[3]});
        const auto type = static_cast<uint32_t>(turn.type);
        const Sizes sizes = SFUMATO_SIZES(GetTransposeMaxMinTmpSize, whole, sizeof(T), type);
        GetTransposeTilingInfo(whole, sizes.min, sizeof(T), type, tiling);
        b.Lend(sizes, [&](auto&... tmp) {
            if (site.lends())
                ConfusionTranspose(dst, x, tmp..., turn.type, tiling);
            else
                Transpose(dst, x, tmp..., turn.type, tiling);
        });
        // What lies between rows is anything.
        const Row want = oracle::ConfusionTranspose(x.values, shape.data(), turn.from, turn.to, NAN);
        for (size_t i = 0, end = 0; i < want.size(); i = end + 1) {
            for (end = i; end < want.size() && !std::isnan(want[end]);) ++end;
            if (end != i)
                b.Expect("a row of dst", dst[i],
                         Row(want.begin() + static_cast<long>(i), want.begin() + static_cast<long>(end)));
        }
    });
}
template <class T>
void ConfusionTransposeCase(const Site& site) {
    for (const Turn& turn : kTurns) {
        CheckTurn<T>(site, turn, {2, 3, 32, 16});
        CheckTurn<T>(site, turn, {1, 2, 48, 32});
        if (turn.type <= TransposeType::TRANSPOSE_NZ2NZ_0213) continue;
        CheckTurn<T>(site, turn, {2, 4, 32, 12});
        CheckTurn<T>(site, turn, {1, 2, 16, 40});
        CheckTurn<T>(site, turn, {1, 8, 16, 2});
    }
    for (const Sheet& s : {Sheet{16, 16, 16}, Sheet{32, 80, 80}, Sheet{48, 32, 32}}) {
        Launched(site, [&](Bench& b) {
            auto x = b.Some<T>(s.all(), 2000), dst = b.Out<T>(s.all());
            ConfusionTransposeTiling tiling;
            tiling.axis0 = s.rows, tiling.axis1 = s.columns;
            b.Lend(
                SFUMATO_SIZES(GetTransposeMaxMinTmpSize, ge::Shape({s.rows, s.columns}), sizeof(T),
                              static_cast<uint32_t>(TransposeType::TRANSPOSE_ND2ND_ONLY)),
                [&](auto&... tmp) { ConfusionTranspose(dst, x, tmp..., TransposeType::TRANSPOSE_ND2ND_ONLY, tiling); });
            b.Expect("dst", dst, oracle::Transposed(x.values, s));
        });
    }
}

// Columns short of a block, and the last ones of whole blocks.
template <class T>
void PadCase(const Site& site) {
    struct Margins {
        uint32_t rows, columns, left, right;
    };
    constexpr uint32_t k = kBlock<T>;
    for (const Margins& m : {Margins{16, k - 1, 0, 1},
                             {32, 4 * k - 3, 2, 1},
                             {32, 4 * k - 5, 3, 2},
                             {300, 2 * k, 0, 2},
                             {5, k, 0, k - 1},
                             {16, k / 2 + 1, 2, 1}}) {
        Launched(site, [&](Bench& b) {
            const uint32_t to = UpTo(m.columns, k), kept = to == m.columns ? m.columns - m.right : m.columns;
            const Sheet s{m.rows, m.columns, kept};
            auto x = b.Some<T>(s.all(), 50), dst = b.Out<T>(s.rows * to);
            PadTiling tiling;
            const Sizes sizes = SFUMATO_SIZES(GetPadMaxMinTmpSize, ge::Shape({s.rows, s.columns}), sizeof(T));
            PadTilingFunc(ge::Shape({s.rows, s.columns}), ge::Shape({s.rows, kept}), sizes.min, sizeof(T), tiling);
            PadParams params{static_cast<uint16_t>(m.left), static_cast<uint16_t>(m.right), 321};
            b.Lend(sizes, [&](auto&... tmp) { Pad(dst, x, params, tmp..., tiling); });
            b.Expect("dst", dst, oracle::Pad(x.values, s, m.left, to, 321));
            b.Unchanged(x);
        });
    }
}
template <class T>
void UnPadCase(const Site& site) {
    constexpr uint32_t k = kBlock<T>;
    for (const auto& [rows, columns, right] :
         {std::tuple{16u, k, 1u}, {1u, k, k - 1}, {33u, 3 * k, 5u}, {100u, 13 * k, 3u}}) {
        Launched(site, [&, s = Sheet{rows, columns, columns}, right = right](Bench& b) {
            auto x = b.Some<T>(s.all(), 50), dst = b.Out<T>(s.rows * (s.columns - right));
            UnPadTiling tiling;
            const ge::Shape whole({s.rows, s.columns});
            const Sizes sizes = SFUMATO_SIZES(GetUnPadMaxMinTmpSize, PlatformOf(site), whole, sizeof(T));
            UnPadTilingFunc(whole, sizes.min, sizeof(T), tiling);
            UnPadParams params{0, static_cast<uint16_t>(right)};
            b.Lend(sizes, [&](auto&... tmp) { UnPad(dst, x, params, tmp..., tiling); });
            b.Expect("dst", dst, oracle::UnPad(x.values, s, s.columns - right));
            b.Unchanged(x);
        });
    }
}

#undef SFUMATO_CALL_data
#define SFUMATO_CALL_data SFUMATO_CASE
#include "oracle/calls.inc"

}  // namespace
}  // namespace sfumato::adv_test
