// SPDX-License-Identifier: Apache-2.0
// AscendQuant, AscendDequant, AscendAntiQuant against their formulas, each step rounded to its type (adv.md 8).
#include <cmath>

#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

half H(double value) { return half(static_cast<float>(value)); }
double D(half value) { return static_cast<double>(static_cast<float>(value)); }
double D(float value) { return static_cast<double>(value); }
double D(bfloat16_t value) { return static_cast<double>(static_cast<float>(value)); }
half Product(half a, half b) { return H(D(a) * D(b)); }
half Sum(half a, half b) { return H(D(a) + D(b)); }

int8_t Quantised(half x, half scale, half offset) {
    const double h = D(Sum(Product(x, scale), offset));
    return static_cast<int8_t>(std::min(127.0, std::max(-128.0, std::nearbyint(h))));
}

// kind: 0 number and number, 1 tensor and number, 2 tensor and tensor.
template <class T>
void CheckQuant(int kind, uint32_t count, uint32_t width, uint32_t tmp_bytes, bool counts, bool in_place = false) {
    const std::vector<T> values = Numbers<T>(count, count + width, 100), scales = Numbers<T>(width, 5, 2),
                         offsets = Numbers<T>(width, 6, 20);
    std::vector<int8_t> want;
    for (uint32_t i = 0; i < count; ++i) {
        const half scale = kind == 0 ? half(1.37f) : H(D(scales[i % width]));
        const half offset = kind == 2 ? H(D(offsets[i % width])) : half(3.1f);
        want.push_back(Quantised(H(D(values[i])), scale, offset));
    }
    for (const char* chip : kChips) {
        const std::string name = std::string(chip) + " kind " + std::to_string(kind) + " count " +
                                 std::to_string(count) + " width " + std::to_string(width) + " tmp " +
                                 std::to_string(tmp_bytes);
        const LaunchResult result = OnChip(chip, [&] {
            TPipe pipe;
            TBuf<TPosition::VECCALC> all;
            pipe.InitBuffer(all, 100 * 1024);
            InUb ub;
            auto src = ub.Of(values), scale = ub.Of(scales), offset = ub.Of(offsets);
            auto dst = in_place ? src.template ReinterpretCast<int8_t>() : ub.Room<int8_t>(count);
            auto tmp = ub.Room<uint8_t>(tmp_bytes);
            ub.Before();
            const T one = static_cast<T>(3.1f);
            if (tmp_bytes == 0) {
                if (kind == 0 && counts) AscendQuant(dst, src, 1.37f, 3.1f, count);
                if (kind == 0 && !counts) AscendQuant(dst, src, 1.37f, 3.1f);
                if (kind == 1 && counts) AscendQuant(dst, src, scale, one, width, count);
                if (kind == 1 && !counts) AscendQuant(dst, src, scale, one);
                if (kind == 2 && counts) AscendQuant(dst, src, scale, offset, width, width, count);
                if (kind == 2 && !counts) AscendQuant(dst, src, scale, offset);
            } else {
                if (kind == 0 && counts) AscendQuant(dst, src, tmp, 1.37f, 3.1f, count);
                if (kind == 0 && !counts) AscendQuant<T, true>(dst, src, tmp, 1.37f, 3.1f);
                if (kind == 1 && counts) AscendQuant(dst, src, tmp, scale, one, width, count);
                if (kind == 1 && !counts) AscendQuant(dst, src, tmp, scale, one);
                if (kind == 2 && counts) AscendQuant(dst, src, tmp, scale, offset, width, width, count);
                if (kind == 2 && !counts) AscendQuant(dst, src, tmp, scale, offset);
            }
            ub.After();
            ExpectElements(name.c_str(), dst, want);
            if (!in_place) ExpectElements(name.c_str(), src, values);
        });
        ExpectNoFindings(name.c_str(), result);
    }
}

TEST(AscendQuant, EveryForm) {
    for (const bool counts : {false, true}) {
        for (const uint32_t tmp : {0u, 1024u, 8192u}) {
            for (int kind = 0; kind < 3; ++kind) {
                CheckQuant<half>(kind, 1024, 128, tmp, counts);
                CheckQuant<float>(kind, 1024, 96 + 32, tmp, counts);
                CheckQuant<float>(kind, 96, 96, tmp, counts);
            }
        }
    }
    CheckQuant<half>(0, 1000, 32, 256, true);
    CheckQuant<half>(0, 1024, 32, 256, true, true);
    CheckQuant<float>(0, 1024, 32, 256, true, true);
}

template <class D_, class S>
void CheckDequant(uint32_t m, uint32_t n, uint32_t count, uint32_t tmp_bytes, bool scalar = false, bool multi = false) {
    const std::vector<int32_t> values = Numbers<int32_t>(uint64_t{m} * n, m + n, 3e8f);
    std::vector<S> scales;
    for (const float s : Numbers<float>(count, 9, 1e-4f)) {
        if constexpr (std::is_same_v<S, uint64_t>) {
            scales.push_back(sfumato::ascendc::ToBits(s));
        } else {
            scales.push_back(static_cast<S>(s));
        }
    }
    uint32_t rows = m, pitch = n;
    if (!multi && m == 1 && count % (32 / sizeof(D_)) == 0 && n % count == 0) rows = n / count, pitch = count;
    const uint32_t to = (pitch * sizeof(D_) + 31) / 32 * 32 / sizeof(D_);
    const auto scale_of = [&](uint32_t i) {
        if constexpr (std::is_same_v<S, uint64_t>) {
            return D(sfumato::ascendc::FromBits<float>(scales[i]));
        } else {
            return D(scales[scalar ? 0 : i]);
        }
    };
    for (const char* chip : kChips) {
        if (std::string(chip) == "Ascend310P3" && (std::is_same_v<D_, bfloat16_t> || std::is_same_v<S, bfloat16_t>)) continue;
        const std::string name = std::string(chip) + " {" + std::to_string(m) + ", " + std::to_string(n) + ", " +
                                 std::to_string(count) + "} tmp " + std::to_string(tmp_bytes);
        const LaunchResult result = OnChip(chip, [&] {
            TPipe pipe;
            TBuf<TPosition::VECCALC> all;
            pipe.InitBuffer(all, 100 * 1024);
            InUb ub;
            auto src = ub.Of(values);
            auto scale = ub.Room<S>(scales.size());
            for (uint32_t i = 0; i < scales.size(); ++i) {
                if constexpr (std::is_same_v<S, uint64_t>) {
                    scale.template ReinterpretCast<uint32_t>().SetValue(2 * i, static_cast<uint32_t>(scales[i]));
                    scale.template ReinterpretCast<uint32_t>().SetValue(2 * i + 1, 0u);
                } else {
                    scale.SetValue(i, scales[i]);
                }
            }
            auto dst = ub.Room<D_>(uint64_t{rows} * to);
            auto tmp = ub.Room<uint8_t>(tmp_bytes);
            ub.Before();
            const DequantParams params{m, n, count};
            constexpr auto kMulti = DeQuantMode::DEQUANT_WITH_MULTI_ROW;
            if constexpr (!std::is_same_v<S, uint64_t>) {
                if (scalar && tmp_bytes) AscendDequant(dst, src, scales[0], tmp, params);
                if (scalar && !tmp_bytes) AscendDequant(dst, src, scales[0], params);
            }
            if (!scalar && multi) AscendDequant<D_, S, kMulti>(dst, src, scale, tmp, params);
            if (!scalar && !multi && tmp_bytes) AscendDequant(dst, src, scale, tmp, params);
            if (!scalar && !multi && !tmp_bytes) AscendDequant(dst, src, scale, params);
            ub.After();
            for (uint32_t r = 0; r < rows; ++r) {
                for (uint32_t i = 0; i < std::min(count, pitch); ++i) {
                    const auto x = static_cast<float>(values[r * pitch + i]);
                    const auto f = static_cast<float>(D(x) * scale_of(i));
                    ASSERT_EQ(static_cast<float>(dst.GetValue(r * to + i)), static_cast<float>(static_cast<D_>(f)))
                        << name << " " << r << ", " << i;
                }
            }
        });
        ExpectNoFindings(name.c_str(), result);
    }
}

TEST(AscendDequant, EveryTypeAndForm) {
    for (const uint32_t tmp : {0u, 1024u, 8192u}) {
        for (const bool scalar : {false, true}) {
            CheckDequant<float, float>(4, 8, 4, tmp, scalar);
            CheckDequant<float, bfloat16_t>(5, 72, 70, tmp, scalar);
            CheckDequant<bfloat16_t, float>(4, 8, 4, tmp, scalar);
            CheckDequant<bfloat16_t, bfloat16_t>(3, 128, 128, tmp, scalar);
            CheckDequant<float, float>(1, 512, 64, tmp, scalar);
        }
        CheckDequant<half, uint64_t>(4, 8, 4, tmp);
        CheckDequant<half, uint64_t>(10, 72, 65, tmp);
        CheckDequant<half, uint64_t>(1, 512, 64, tmp);
        CheckDequant<half, uint64_t>(1, 1000, 1000, 8192);
    }
    CheckDequant<half, uint64_t>(1, 512, 64, 2048, false, true);
    CheckDequant<float, float>(2, 2560, 2560, 12000);
}

TEST(AscendDequant, OldFormsAreOneRow) {
    const LaunchResult result = OnChip("Ascend910B1", [] {
        TPipe pipe;
        InUb ub;
        const std::vector<int32_t> values = Numbers<int32_t>(128, 3, 1000);
        auto src = ub.Of(values);
        auto scale = ub.Of(Numbers<float>(64, 4, 2));
        auto a = ub.Room<float>(128), b = ub.Room<float>(128);
        auto tmp = ub.Room<uint8_t>(4096);
        ub.Before();
        AscendDequant(a, src, scale, tmp);
        AscendDequant(b, src, scale, tmp, 128);
        ub.After();
        for (uint32_t i = 0; i < 128; ++i) {
            const float want = static_cast<float>(values[i]) * scale.GetValue(i % 64);
            EXPECT_EQ(a.GetValue(i), want);
            EXPECT_EQ(b.GetValue(i), want);
        }
    });
    ExpectNoFindings("old", result);
}

template <class OutT, bool transposed>
void CheckAntiQuant(uint32_t k, uint32_t n, uint32_t groups, uint32_t tmp_bytes, bool with_offset = true) {
    std::vector<int8_t> values;
    for (const float v : Numbers<float>(uint64_t{k} * n, k, 127)) values.push_back(static_cast<int8_t>(v));
    const std::vector<OutT> scales = Numbers<OutT>(groups ? groups * n : 1, 2, 2), offsets = Numbers<OutT>(scales.size(), 3, 9);
    const auto result_of = [&](uint32_t i) {
        const uint32_t kk = transposed ? i % k : i / n, nn = transposed ? i / k : i % n, group = groups ? kk / (k / groups) : 0;
        const uint32_t at = !groups ? 0 : transposed ? nn * groups + group : group * n + nn;
        const auto x = static_cast<float>(values[i]), o = static_cast<float>(offsets[at]), s = static_cast<float>(scales[at]);
        if constexpr (std::is_same_v<OutT, half>) return Product(with_offset ? Sum(half(x), half(o)) : half(x), half(s));
        else return static_cast<bfloat16_t>((with_offset ? x + o : x) * s);
    };
    for (const char* chip : kChips) {
        if (std::string(chip) == "Ascend310P3" && std::is_same_v<OutT, bfloat16_t>) continue;
        const std::string name = std::string(chip) + " k " + std::to_string(k) + " n " + std::to_string(n) +
                                 " groups " + std::to_string(groups) + " tmp " + std::to_string(tmp_bytes);
        const LaunchResult result = OnChip(chip, [&] {
            TPipe pipe;
            TBuf<TPosition::VECCALC> all;
            pipe.InitBuffer(all, 100 * 1024);
            InUb ub;
            auto src = ub.Of(values);
            auto scale = ub.Of(scales), offset = ub.Of(offsets);
            auto dst = ub.Room<OutT>(values.size());
            auto tmp = ub.Room<uint8_t>(tmp_bytes);
            const uint32_t height = transposed ? n : groups, width = transposed ? groups : n;
            const AntiQuantShapeInfo info{height, width, height, width};
            ub.Before();
            if (groups == 0) {
                if (with_offset) AscendAntiQuant<int8_t, OutT, transposed>(dst, src, offsets[0], scales[0], tmp, k);
                else AscendAntiQuant<int8_t, OutT, transposed>(dst, src, scales[0], tmp, k);
            } else if (tmp_bytes == 0) {
                if (with_offset) AscendAntiQuant<int8_t, OutT, transposed>(dst, src, offset, scale, k, info);
                else AscendAntiQuant<int8_t, OutT, transposed>(dst, src, scale, k, info);
            } else {
                const uint32_t sizes[] = {height, width};
                scale.SetShapeInfo(ShapeInfo(2, sizes)), offset.SetShapeInfo(ShapeInfo(2, sizes));
                if (with_offset) AscendAntiQuant<int8_t, OutT, transposed>(dst, src, offset, scale, tmp, k);
                else AscendAntiQuant<int8_t, OutT, transposed>(dst, src, scale, tmp, k);
            }
            ub.After();
            for (uint32_t i = 0; i < values.size(); ++i) {
                ASSERT_EQ(sfumato::ascendc::ToBits(dst.GetValue(i)), sfumato::ascendc::ToBits(result_of(i))) << name << " " << i;
            }
        });
        ExpectNoFindings(name.c_str(), result);
    }
}

TEST(AscendAntiQuant, EveryForm) {
    const auto both = [](auto transposed) {
        constexpr bool kTransposed = decltype(transposed)::value;
        for (const bool offset : {true, false}) {
            CheckAntiQuant<half, kTransposed>(64, 64, 1, 0, offset);
            CheckAntiQuant<half, kTransposed>(64, 32, 2, 16384, offset);
            CheckAntiQuant<half, kTransposed>(64, 96, 0, 4096, offset);
            CheckAntiQuant<bfloat16_t, kTransposed>(64, 64, 1, 0, offset);
            CheckAntiQuant<bfloat16_t, kTransposed>(128, 32, 2, 16384, offset);
            CheckAntiQuant<bfloat16_t, kTransposed>(64, 32, 0, 512, offset);
        }
    };
    both(std::false_type());
    both(std::true_type());
}

}  // namespace
}  // namespace sfumato::adv_test
