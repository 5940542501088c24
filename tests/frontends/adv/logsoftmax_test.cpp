// SPDX-License-Identifier: Apache-2.0
// LogSoftMax against its steps in float, and the example of its page (adv.md 4.2).
#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

using namespace AscendC;

// Correctly rounded, as the instruction: double holds it far enough away from ties.
float Log10(float x) { return static_cast<float>(std::log10(static_cast<double>(x))); }

// m rows of k columns, `valid` of them no padding. Of nz k is two columns of fractals.
template <class T, bool nz = false>
void CheckLogSoftMax(uint32_t m, uint32_t k, uint32_t valid, uint32_t bytes, bool by_tiling = false) {
    OnChips("LogSoftMax", [&](InUb& ub) {
        constexpr uint32_t kBlock = 32 / sizeof(T);
        const auto x = Normal<T>(m * k);
        auto src = ub.Of(x), dst = ub.Room<T>(m * k), sum = ub.Room<T>(m * kBlock), max = ub.Room<T>(m * kBlock);
        LogSoftMaxTiling tiling;
        if (by_tiling) tiling.srcM = m, tiling.srcK = k;
        ub.Before();
        LogSoftMax<T, false, nz>(dst, sum, max, src, ub.Tmp(bytes), tiling,
                                 by_tiling ? SoftMaxShapeInfo{} : SoftMaxShapeInfo{m, k, m, valid});
        ub.After();
        const auto at = [&](uint32_t r, uint32_t c) { return nz ? c / 16 * m * 16 + r * 16 + c % 16 : r * k + c; };
        std::vector<T> want(m * k);
        std::vector<float> sums, maxima;
        for (uint32_t r = 0; r < m; ++r) {
            float top = static_cast<float>(x[at(r, 0)]);
            for (uint32_t c = 0; c < valid; ++c) top = std::max(top, static_cast<float>(x[at(r, c)]));
            std::vector<float> e(k);
            for (uint32_t c = 0; c < k; ++c) e[c] = Exp(static_cast<float>(x[at(r, c)]) - top);
            std::vector<float> first(e.begin(), e.begin() + (nz ? 16 : valid));
            for (uint32_t c = 16; nz && c < valid; ++c) first[c - 16] += e[c];
            const float total = TreeSum<float>(first);
            for (uint32_t c = 0; c < k; ++c) want[at(r, c)] = T(Log10(e[c] / total));
            sums.push_back(total), maxima.push_back(top);
        }
        ExpectBits("dst", InUb::Values(dst, m * k), want);
        ExpectBits("sum", InUb::Values(sum, m * kBlock), Blocks<T>(sums, kBlock));
        ExpectBits("max", InUb::Values(max, m * kBlock), Blocks<T>(maxima, kBlock));
    });
}

TEST(LogSoftMax, Steps) {
    CheckLogSoftMax<float>(5, 64, 64, 4096);
    CheckLogSoftMax<float>(13, 208, 200, 2048, false);
    CheckLogSoftMax<float>(8, 32, 32, 8192, true);
    CheckLogSoftMax<half>(9, 48, 45, 4096);
    CheckLogSoftMax<half>(3, 16, 16, 2048, true);
    CheckLogSoftMax<float, true>(16, 32, 30, 16384);
    CheckLogSoftMax<half, true>(16, 32, 32, 16384);
}

// The example of the page: maxima and sums are those printed, of the 64 results 48, the others one or two units in the
// last place away.
TEST(LogSoftMax, OfThePage) {
    const std::vector<float> x = {
        -100.f, -80.f, -60.f, -50.f, -30.f, -20.f, -15.f, -10.f, -9.f, -8.f, -7.f, -6.f, -5.f, -4.f, -3.f, -2.f,
        -1.5f,  -1.f,  -.8f,  -.6f,  -.5f,  -.45f, -.4f,  -.35f, -.3f, -.25f, -.2f, -.15f, -.1f, -.05f, -.01f, -.001f,
        0.f,    .001f, .01f,  .05f,  .1f,   .15f,  .2f,   .25f,  .3f,  .35f, .4f,  .45f, .5f,  .6f,  .8f,  1.f,
        1.5f,   2.f,   3.f,   4.f,   5.f,   6.f,   7.f,   8.f,   9.f,  10.f, 15.f, 20.f, 30.f, 50.f, 60.f, 80.f};
    const std::vector<float> printed = {
        -39.08944f, -30.40355f, -21.71766f, -17.374716f, -8.688826f, -4.345881f, -2.1744084f, -0.00293603f,
        -3.2391157f, -2.8048213f, -2.3705268f, -1.9362322f, -1.5019379f, -1.0676433f, -0.6333489f, -0.19905435f,
        -1.2755501f, -1.0584029f, -0.971544f, -0.88468516f, -0.8412557f, -0.8195409f, -0.7978263f, -0.77611154f,
        -0.97811854f, -0.9564038f, -0.93468904f, -0.9129743f, -0.89125955f, -0.86954486f, -0.85217315f, -0.84826446f,
        -0.9461945f, -0.94576025f, -0.94185156f, -0.92447984f, -0.90276515f, -0.88105035f, -0.8593356f, -0.8376209f,
        -1.0233353f, -1.0016205f, -0.97990584f, -0.95819116f, -0.93647635f, -0.89304686f, -0.806188f, -0.7193291f,
        -3.022131f, -2.8049836f, -2.3706892f, -1.9363947f, -1.5021002f, -1.0678058f, -0.6335113f, -0.1992168f,
        -30.834908f, -30.400614f, -28.229141f, -26.057669f, -21.714724f, -13.028834f, -8.685889f, 0.f};
    OnChips("LogSoftMax", [&](InUb& ub) {
        auto src = ub.Of(x), dst = ub.Room<float>(64), sum = ub.Room<float>(64), max = ub.Room<float>(64);
        ub.Before();
        LogSoftMax<float>(dst, sum, max, src, ub.Tmp(4096), LogSoftMaxTiling{}, {8, 8, 8, 8});
        ub.After();
        ExpectBits("max", InUb::Values(max, 64), Blocks<float>({-10, -2, -.35f, -.001f, .25f, 1, 8, 80}, 8));
        ExpectBits("sum", InUb::Values(sum, 64),
                   Blocks<float>({1.0067834f, 1.5814459f, 5.971886f, 7.051223f, 6.880514f, 5.239974f, 1.5820376f, 1}, 8));
        int same = 0;
        for (uint32_t i = 0; i < 64; ++i) {
            const float got = dst.GetValue(i);
            const bool rounded = i == 7;  // printed with eight digits behind the point
            if (got == printed[i] || (rounded && std::abs(got - printed[i]) < 5e-9f)) {
                ++same;
                continue;
            }
            EXPECT_LE(std::abs(std::bit_cast<int32_t>(got) - std::bit_cast<int32_t>(printed[i])), 2) << i;
        }
        EXPECT_EQ(same, 48);
    });
}

}  // namespace
}  // namespace sfumato::adv_test
