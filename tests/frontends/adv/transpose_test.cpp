// SPDX-License-Identifier: Apache-2.0
// ConfusionTranspose: every type, by the axes of its page (adv.md 9).
#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

uint64_t Up(uint64_t n) { return (n + 15) / 16 * 16; }

// Where element (b, n, s, c) lies in a layout of B, N, S, h.
struct Layout {
    bool nz, whole, swap;
    uint64_t At(const uint32_t* p, uint64_t b, uint64_t n, uint64_t s, uint64_t c) const {
        const uint64_t N = p[1], S = p[2], h = p[3];
        if (whole) {  // [B, S, H]
            const uint64_t H = Up(N * h), column = n * h + c;
            return nz ? ((b * (H / 16) + column / 16) * S + s) * 16 + column % 16 : (b * S + s) * H + column;
        }
        if (swap) {  // [B, S, N, h]
            return nz ? (((b * S + s) * (h / 16) + c / 16) * N + n) * 16 + c % 16 : ((b * S + s) * N + n) * h + c;
        }
        return nz ? (((b * N + n) * (Up(h) / 16) + c / 16) * S + s) * 16 + c % 16 : ((b * N + n) * S + s) * Up(h) + c;
    }
    uint64_t Size(const uint32_t* p) const { return uint64_t{p[0]} * p[2] * (whole ? Up(p[1] * p[3]) : p[1] * Up(p[3])); }
};

struct Case {
    TransposeType type;
    Layout from, to;
};
const Case kCases[] = {
    {TransposeType::TRANSPOSE_NZ2ND_0213, {true, false, false}, {false, false, true}},
    {TransposeType::TRANSPOSE_NZ2NZ_0213, {true, false, false}, {true, false, true}},
    {TransposeType::TRANSPOSE_NZ2NZ_012_WITH_N, {true, true, false}, {true, false, false}},
    {TransposeType::TRANSPOSE_NZ2ND_012_WITH_N, {true, true, false}, {false, false, false}},
    {TransposeType::TRANSPOSE_NZ2ND_012_WITHOUT_N, {true, false, false}, {false, true, false}},
    {TransposeType::TRANSPOSE_NZ2NZ_012_WITHOUT_N, {true, false, false}, {true, true, false}},
};

template <class T>
void Check(const Case& k, uint32_t b, uint32_t n, uint32_t s, uint32_t h, uint32_t tmp_bytes, const char* chip) {
    const uint32_t shape[] = {b, n, s, h};
    ConfusionTransposeTiling tiling;
    tiling.axis0 = b, tiling.axis1 = n, tiling.axis2 = s, tiling.axis3 = h;
    const std::string name = std::string(chip) + " type " + std::to_string(static_cast<int>(k.type)) + " h " + std::to_string(h);
    std::vector<T> values;
    for (uint64_t i = 0; i < k.from.Size(shape); ++i) values.push_back(static_cast<T>(static_cast<int>(i % 30011)));
    const LaunchResult result = OnChip(chip, [&] {
        TPipe pipe;
        TBuf<TPosition::VECCALC> all;
        pipe.InitBuffer(all, 120 * 1024);
        InUb ub;
        auto src = ub.Of(values);
        auto dst = ub.Room<T>(k.to.Size(shape));
        auto tmp = ub.Room<uint8_t>(tmp_bytes);
        ub.Before();
        if (tmp_bytes) ConfusionTranspose(dst, src, tmp, k.type, tiling);
        else Transpose(dst, src, k.type, tiling);
        ub.After();
        for (uint64_t at = 0; at < uint64_t{b} * n * s * h; ++at) {
            const uint64_t c = at % h, ss = at / h % s, nn = at / h / s % n, bb = at / h / s / n;
            const T got = dst.GetValue(static_cast<uint32_t>(k.to.At(shape, bb, nn, ss, c)));
            ASSERT_EQ(got, values[k.from.At(shape, bb, nn, ss, c)]) << name << ": " << bb << " " << nn << " " << ss << " " << c;
        }
    });
    ExpectNoFindings(name.c_str(), result);
}

TEST(ConfusionTranspose, EveryType) {
    for (const char* chip : kChips) {
        for (const Case& k : kCases) {
            const auto both = [&](auto zero, uint32_t b, uint32_t n, uint32_t s, uint32_t h, uint32_t tmp) {
                Check<decltype(zero)>(k, b, n, s, h, tmp, chip);
            };
            for (const uint32_t tmp : {0u, 2048u}) {
                both(int16_t(), 2, 3, 32, 32, tmp);
                both(int32_t(), 1, 2, 48, 16, tmp);
                if (k.type <= TransposeType::TRANSPOSE_NZ2NZ_0213) continue;
                both(int16_t(), 2, 4, 32, 12, tmp);
                both(int16_t(), 1, 2, 16, 40, tmp);
                both(int32_t(), 2, 4, 32, 20, tmp);
                both(int32_t(), 1, 8, 16, 2, tmp);
            }
        }
    }
}

template <class T>
void CheckPlane(uint32_t h, uint32_t w) {
    ConfusionTransposeTiling tiling;
    tiling.axis0 = h, tiling.axis1 = w;
    std::vector<T> values, want;
    for (uint32_t i = 0; i < h * w; ++i) values.push_back(static_cast<T>(i));
    for (uint32_t c = 0; c < w; ++c) {
        for (uint32_t r = 0; r < h; ++r) want.push_back(values[r * w + c]);
    }
    for (const char* chip : kChips) {
        const LaunchResult result = OnChip(chip, [&] {
            InUb ub;
            auto src = ub.Of(values);
            auto dst = ub.Room<T>(values.size());
            auto tmp = ub.Room<uint8_t>(64);
            ub.Before();
            ConfusionTranspose(dst, src, tmp, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling);
            ub.After();
            ExpectElements("plane", dst, want);
        });
        ExpectNoFindings("plane", result);
    }
}

TEST(ConfusionTranspose, Plane) {
    CheckPlane<int16_t>(16, 16);
    CheckPlane<int16_t>(32, 80);
    CheckPlane<int32_t>(16, 16);
    CheckPlane<int32_t>(48, 32);
    CheckPlane<uint16_t>(16, 256);
}

}  // namespace
}  // namespace sfumato::adv_test
