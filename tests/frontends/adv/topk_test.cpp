// SPDX-License-Identifier: Apache-2.0
// TopK in both modes (adv.md 10).
#include <algorithm>
#include <numeric>

#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

template <class T>
std::vector<uint32_t> Order(const std::vector<T>& values, uint64_t first, uint64_t count, bool largest) {
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        const auto x = static_cast<float>(values[first + a]), y = static_cast<float>(values[first + b]);
        return largest ? x > y : x < y;
    });
    return order;
}

template <class T, bool small, bool given, bool finishes>
void Check(uint32_t outter, uint32_t inner, uint32_t k, bool largest, uint32_t tmp_bytes) {
    constexpr TopKMode kMode = small ? TopKMode::TOPK_NSMALL : TopKMode::TOPK_NORMAL;
    std::vector<T> values;
    for (const float v : Numbers<float>(uint64_t{outter} * inner, inner, 40)) values.push_back(static_cast<T>(static_cast<float>(static_cast<int>(v))));
    std::vector<int32_t> indices;
    for (uint32_t i = 0; i < (small ? outter * inner : inner); ++i) indices.push_back(static_cast<int32_t>(1000 + 3 * i % 2000));
    const uint32_t block = 32 / sizeof(T);
    const uint32_t pitch = small ? k : (k + block - 1) / block * block, index_pitch = small ? k : (k + 7) / 8 * 8;
    for (const char* chip : kChips) {
        const std::string name = std::string(chip) + " " + std::to_string(outter) + " x " + std::to_string(inner) +
                                 " k " + std::to_string(k) + " tmp " + std::to_string(tmp_bytes);
        const LaunchResult result = OnChip(chip, [&] {
            TPipe pipe;
            TBuf<TPosition::VECCALC> all;
            pipe.InitBuffer(all, 60 * 1024);
            InUb ub;
            auto src = ub.Of(values);
            auto given_index = ub.Of(indices);
            std::vector<uint8_t> flags;
            for (uint32_t r = 0; r < outter; ++r) flags.push_back(finishes && r % 2 == 1);
            auto finish = ub.Of(flags).template ReinterpretCast<bool>();
            auto value = ub.Room<T>(uint64_t{outter} * pitch);
            auto index = ub.Room<int32_t>(uint64_t{outter} * index_pitch);
            auto tmp = ub.Room<uint8_t>(tmp_bytes);
            ub.Before();
            const TopKInfo info{static_cast<int32_t>(outter), static_cast<int32_t>(inner), static_cast<int32_t>(inner)};
            const TopkTiling tiling{};
            if (tmp_bytes) TopK<T, given, finishes, false, kMode>(value, index, src, given_index, finish, tmp, static_cast<int32_t>(k), tiling, info, largest);
            else TopK<T, given, finishes, false, kMode>(value, index, src, given_index, finish, static_cast<int32_t>(k), tiling, info, largest);
            ub.After();
            for (uint32_t r = 0; r < outter; ++r) {
                const auto order = Order(values, uint64_t{r} * inner, inner, largest);
                for (uint32_t i = 0; i < k; ++i) {
                    int32_t want = given ? indices[(small ? r * inner : 0) + order[i]] : static_cast<int32_t>(order[i]);
                    if (finishes && r % 2 == 1) want = static_cast<int32_t>(inner);
                    ASSERT_EQ(static_cast<float>(value.GetValue(r * pitch + i)), static_cast<float>(values[r * inner + order[i]])) << name << " row " << r << " place " << i;
                    ASSERT_EQ(index.GetValue(r * index_pitch + i), want) << name << " row " << r << " place " << i;
                }
            }
        });
        ExpectNoFindings(name.c_str(), result);
    }
}

template <class T>
void CheckType() {
    for (const bool largest : {true, false}) {
        Check<T, false, false, false>(3, 64, 10, largest, 0);
        Check<T, false, true, false>(2, 128, 128, largest, 16384);
        Check<T, false, false, true>(4, 32, 5, largest, 8192);
        Check<T, false, true, true>(2, 1024, 33, largest, 0);
        Check<T, true, false, false>(5, 32, 7, largest, 0);
        Check<T, true, true, false>(40, 32, 3, largest, 16 * 3400);
        Check<T, true, false, false>(20, 32, 32, largest, 0);
    }
}

TEST(TopK, Half) { CheckType<half>(); }
TEST(TopK, Float) { CheckType<float>(); }

}  // namespace
}  // namespace sfumato::adv_test
