// SPDX-License-Identifier: Apache-2.0
// Calls that move, select, sort or quantise, with exactly the bytes that the host's functions say.
#include "frontends/adv/host_sizes.h"

namespace sfumato::adv_test {
namespace {

platform_ascendc::PlatformAscendC Platform(const char* chip) {
    fe::PlatFormInfos info{chip};
    return platform_ascendc::PlatformAscendC(&info);
}
template <class T>
void Broadcasts(const char* chip) {
    for (const auto& [rows, columns] : {std::pair{5u, 64u}, {40u, 32u}, {500u, 32u}, {21u, 7u}}) {
        Sizes sizes;
        GetBroadCastMaxMinTmpSize(Platform(chip), ge::Shape({rows, 1}), ge::Shape({rows, columns}), sizeof(T), false, sizes.max, sizes.min);
        SameBytes("BroadCast to " + std::to_string(rows) + " x " + std::to_string(columns), sizes, [&, r = rows, c = columns](InUb& ub, uint32_t bytes) {
            auto src = ub.Of(Numbers<T>((r + 31) / 32 * 32, 1));
            auto dst = ub.Of(std::vector<T>(r * c));
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            const uint32_t to[] = {r, c}, from[] = {r, 1};
            BroadCast<T, 2, 1>(dst, src, to, from, tmp);
            ub.After();
            return BytesOf(dst);
        }, chip);
    }
}
TEST(HostSizes, BroadCast) {
    for (const char* chip : kChips) Broadcasts<half>(chip), Broadcasts<float>(chip), Broadcasts<uint8_t>(chip);
}

template <class T, class U>
void Masks() {
    for (const auto& [rows, columns] : {std::pair{3u, 64u}, {17u, 128u}}) {
        const uint32_t width = columns + 32;
        Sizes sizes;
        GetSelectWithBytesMaskMaxMinTmpSize(ge::Shape({rows, columns}), ge::Shape({1}), sizeof(T), ge::Shape({rows, width}), sizeof(U), true, sizes.max, sizes.min);
        SameBytes("SelectWithBytesMask", sizes, [&, r = rows, c = columns](InUb& ub, uint32_t bytes) {
            auto src = ub.Of(Numbers<T>(r * c, 1));
            auto mask = ub.Of(Numbers<U>(r * width, 2, 1.6F));
            auto dst = ub.Of(std::vector<T>(r * c));
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            SelectWithBytesMask(dst, src, T(2), mask, tmp, SelectWithBytesMaskShapeInfo{r, c, width});
            ub.After();
            return BytesOf(dst);
        });
        GetDropOutMaxMinTmpSize(ge::Shape({rows, columns}), sizeof(T), false, sizes.max, sizes.min);
        SameBytes("DropOut", sizes, [&, r = rows, c = columns](InUb& ub, uint32_t bytes) {
            auto src = ub.Of(Numbers<T>(r * c, 1));
            auto mask = ub.Of(Numbers<uint8_t>(r * width, 2, 1.6F));
            auto dst = ub.Of(std::vector<T>(r * c));
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            DropOut<T>(dst, src, mask, tmp, 0.5F, DropOutShapeInfo{r, c, width});
            ub.After();
            return BytesOf(dst);
        });
    }
}
TEST(HostSizes, Masks) { Masks<half, uint8_t>(), Masks<float, int16_t>(), Masks<half, int32_t>(), Masks<float, uint8_t>(); }

template <class T>
void Quant(const char* chip) {
    for (const auto& [rows, columns] : {std::pair{3u, 64u}, {2u, 1024u}, {9u, 96u}}) {
        Sizes sizes;
        GetAscendQuantMaxMinTmpSize(ge::Shape({rows, columns}), sizeof(T), sizes.max, sizes.min);
        SameBytes("AscendQuant", sizes, [&, r = rows, c = columns](InUb& ub, uint32_t bytes) {
            auto src = ub.Of(Numbers<T>(r * c, 1, 5)), scale = ub.Of(Numbers<T>(c, 2, 5)), offset = ub.Of(Numbers<T>(c, 3, 5));
            auto dst = ub.Of(std::vector<int8_t>(r * c));
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            AscendQuant(dst, src, tmp, scale, offset, c, c, r * c);
            ub.After();
            return BytesOf(dst);
        }, chip);
    }
}
TEST(HostSizes, AscendQuant) {
    for (const char* chip : kChips) Quant<half>(chip), Quant<float>(chip);
}

template <class D, class S>
void Dequant() {
    for (const auto& [rows, columns] : {std::pair{3u, 64u}, {2u, 1024u}, {9u, 80u}}) {
        Sizes sizes;
        GetAscendDequantMaxMinTmpSize(ge::Shape({rows, columns}), 4, sizes.max, sizes.min);
        SameBytes("AscendDequant", sizes, [&, r = rows, c = columns](InUb& ub, uint32_t bytes) {
            auto src = ub.Of(Numbers<int32_t>(r * c, 1));
            std::vector<S> factors;
            for (const float v : Numbers<float>(c, 2, 2)) {
                if constexpr (std::is_same_v<S, uint64_t>) factors.push_back(sfumato::ascendc::ToBits(v));
                else factors.push_back(S(v));
            }
            auto scale = ub.Of(factors);
            auto dst = ub.Of(std::vector<D>(r * c));
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            AscendDequant<D, S>(dst, src, scale, tmp, DequantParams{r, c, c});
            ub.After();
            return BytesOf(dst);
        });
    }
}
TEST(HostSizes, AscendDequant) {
    Dequant<half, uint64_t>(), Dequant<float, float>(), Dequant<float, bfloat16_t>(), Dequant<bfloat16_t, float>();
}

template <class Out, bool transposed>
void AntiQuant(ge::DataType type) {
    constexpr uint32_t k = 64, n = 128, groups = 2;
    Sizes sizes;
    const auto vectors = transposed ? ge::Shape({n, groups}) : ge::Shape({groups, n});
    GetAscendAntiQuantMaxMinTmpSize(transposed ? ge::Shape({n, k}) : ge::Shape({k, n}), vectors, transposed, ge::DT_INT8, type, sizes.max, sizes.min);
    SameBytes("AscendAntiQuant", sizes, [&](InUb& ub, uint32_t bytes) {
        auto src = ub.Of(Numbers<int8_t>(k * n, 1));
        std::vector<Out> a, b;
        for (const float v : Numbers<float>(groups * n, 2, 2)) a.push_back(Out(v)), b.push_back(Out(v * 2));
        auto scale = ub.Of(a), offset = ub.Of(b);
        auto dst = ub.Of(std::vector<Out>(k * n));
        auto tmp = ub.Tmp(bytes);
        ub.Before();
        const AntiQuantShapeInfo info = transposed ? AntiQuantShapeInfo{n, groups, n, groups} : AntiQuantShapeInfo{groups, n, groups, n};
        AscendAntiQuant<int8_t, Out, transposed>(dst, src, offset, scale, tmp, k, info);
        ub.After();
        return BytesOf(dst);
    });
}
TEST(HostSizes, AscendAntiQuant) {
    AntiQuant<half, false>(ge::DT_FLOAT16), AntiQuant<half, true>(ge::DT_FLOAT16);
    AntiQuant<bfloat16_t, false>(ge::DT_BF16), AntiQuant<bfloat16_t, true>(ge::DT_BF16);
}

template <class T, bool small>
void TopKs(const char* chip) {
    constexpr TopKMode kMode = small ? TopKMode::TOPK_NSMALL : TopKMode::TOPK_NORMAL;
    for (const auto& [outter, inner] : {std::pair{1u, 32u}, {5u, small ? 32u : 64u}, {40u, 32u}, {2u, small ? 32u : 1024u}}) {
        const auto rows = static_cast<int32_t>(outter), row = static_cast<int32_t>(inner);
        const int32_t k = 8;
        Sizes sizes;
        TopkTiling tiling;
        EXPECT_TRUE(GetTopKMaxMinTmpSize(Platform(chip), row, rows, false, false, kMode, true, sizeof(T), sizes.max, sizes.min));
        EXPECT_TRUE(TopKTilingFunc(Platform(chip), row, rows, k, sizeof(T), false, kMode, true, tiling));
        for (const bool largest : {true, false}) {
            SameBytes(std::string(chip) + " TopK of " + std::to_string(outter) + " x " + std::to_string(inner), sizes, [&](InUb& ub, uint32_t bytes) {
                auto src = ub.Of(Numbers<T>(uint64_t{outter} * inner, 1));
                auto no_index = ub.Of(std::vector<int32_t>(8));
                auto finish = ub.Of(std::vector<uint8_t>(32)).template ReinterpretCast<bool>();
                auto value = ub.Of(std::vector<T>(outter * 16));
                auto index = ub.Of(std::vector<int32_t>(outter * 8));
                auto tmp = ub.Tmp(bytes);
                ub.Before();
                TopK<T, false, false, false, kMode>(value, index, src, no_index, finish, tmp, k, tiling, TopKInfo{rows, row, row}, largest);
                ub.After();
                // Between the k values and the next block there is anything.
                const uint32_t pitch = (small || sizeof(T) == 4 ? 8 : 16) * sizeof(T);
                const auto values = BytesOf(value);
                std::vector<uint8_t> all;
                for (uint32_t r = 0; r < outter; ++r) {
                    all.insert(all.end(), values.begin() + r * pitch, values.begin() + r * pitch + 8 * sizeof(T));
                }
                const auto indices = BytesOf(index);
                all.insert(all.end(), indices.begin(), indices.end());
                return all;
            }, chip);
        }
    }
}
TEST(HostSizes, TopK) {
    for (const char* chip : kChips) {
        TopKs<half, false>(chip), TopKs<float, false>(chip), TopKs<half, true>(chip), TopKs<float, true>(chip);
    }
}

TEST(HostSizes, Transposes) {
    for (const uint32_t type : {1u, 2u, 3u, 4u, 5u, 6u}) {
        const ge::Shape shape({1, 2, 32, type <= 2 ? 16 : 24});
        Sizes sizes;
        GetTransposeMaxMinTmpSize(shape, 2, type, sizes.max, sizes.min);
        ConfusionTransposeTiling tiling;
        GetTransposeTilingInfo(shape, sizes.min, 2, type, tiling);
        SameBytes("ConfusionTranspose " + std::to_string(type), sizes, [&](InUb& ub, uint32_t bytes) {
            auto src = ub.Of(Numbers<half>(2 * 32 * 32, 1));
            auto dst = ub.Of(std::vector<half>(2 * 32 * 32));
            auto tmp = ub.Tmp(bytes);
            ub.Before();
            ConfusionTranspose(dst, src, tmp, static_cast<TransposeType>(type), tiling);
            ub.After();
            return BytesOf(dst);
        });
    }
}

TEST(HostSizes, ReduceXorSum) {
    for (const char* chip : kChips) {
        for (const uint32_t count : {1u, 16u, 1000u, 4096u}) {
            Sizes sizes;
            GetReduceXorSumMaxMinTmpSize(ge::Shape({count}), 2, false, sizes.max, sizes.min);
            SameBytes("ReduceXorSum of " + std::to_string(count), sizes, [&](InUb& ub, uint32_t bytes) {
                auto a = ub.Of(Numbers<int16_t>(count, 1, 60)), b = ub.Of(Numbers<int16_t>(count, 2, 60));
                auto dst = ub.Of(std::vector<int16_t>(16));
                auto tmp = ub.Tmp(bytes);
                ub.Before();
                ReduceXorSum(dst, a, b, tmp, count);
                ub.After();
                return BytesOf(dst);
            }, chip);
        }
    }
}

}  // namespace
}  // namespace sfumato::adv_test
