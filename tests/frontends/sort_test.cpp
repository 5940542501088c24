// SPDX-License-Identifier: Apache-2.0
// Sorts and merges as programs call them: every name, what the registers hold, both kinds of records.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "on_chip.h"

namespace sfumato::sort_test {
namespace {

using namespace AscendC;

// Scores and labels of proposals.
template <class T>
void ExpectProposals(const LocalTensor<T>& tensor, const std::vector<std::pair<int, int>>& expected) {
    for (uint32_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(static_cast<float>(tensor.GetValue(8 * i + 4)), expected[i].first) << i;
        EXPECT_EQ(static_cast<float>(tensor.GetValue(8 * i + 5)), expected[i].second) << i;
    }
}

// Scores 0, 1, 2, 3, 0, 1 ... with their places as labels.
template <class T>
void SortProposals(const char* chip) {
    const LaunchResult result = OnChip(chip, [] {
        auto proposals = Ub<T>(0, 256), scores = Ub<T>(8192, 32), labels = Ub<T>(8448, 32), taken = Ub<T>(12288, 32);
        for (uint32_t i = 0; i < 32; ++i) {
            scores.SetValue(i, T(static_cast<float>(i % 4)));
            labels.SetValue(i, T(static_cast<float>(i)));
        }
        for (uint32_t i = 0; i < 256; ++i) proposals.SetValue(i, T(7.0f));
        ProposalConcat(proposals, scores, 2, 4);
        Concat(proposals, labels, 2, 5);  // the early name
        EXPECT_EQ(static_cast<float>(proposals.GetValue(8 * 5 + 3)), 7);
        RpSort16(proposals, proposals, 2);
        // The second group's own order, equal scores as they stood.
        ExpectProposals(proposals[128], {{3, 19}, {3, 23}, {3, 27}, {3, 31}, {2, 18}, {2, 22}});
        ProposalExtract(taken, proposals, 2, 5);
        EXPECT_EQ(static_cast<float>(taken.GetValue(0)), 3);
        EXPECT_EQ(static_cast<float>(taken.GetValue(17)), 23);

        LocalTensor<T> copy = Ub<T>(24576, 256);
        for (uint32_t i = 0; i < 256; ++i) copy.SetValue(i, proposals.GetValue(i));
        Extract(copy, copy, 2, 5);  // the early name
        for (uint32_t i = 0; i < 32; ++i) {
            EXPECT_EQ(static_cast<float>(copy.GetValue(i)), static_cast<float>(taken.GetValue(i))) << i;
        }

        auto merged = Ub<T>(16384, 256);
        const uint16_t lengths[4] = {16, 16, 0, 0};
        MrgSort4(merged, {proposals, proposals[128], {}, {}}, MrgSort4Info(lengths, false, 3, 1));
        ExpectProposals(merged, {{3, 3}, {3, 7}, {3, 11}, {3, 15}, {3, 19}, {3, 23}, {3, 27}, {3, 31}, {2, 2}});
    });
    EXPECT_TRUE(result.ok());
    EXPECT_TRUE(result.findings.empty());
}
TEST(Sort, ProposalsOfHalf) { SortProposals<half>("Ascend910A"); }
TEST(Sort, ProposalsOfFloat) { SortProposals<float>("Ascend310P3"); }

// 64 scores, in each group of 32 the numbers 0 to 31 in some order, sorted and merged.
template <class T>
void SortPairs(const char* chip) {
    const LaunchResult result = OnChip(chip, [] {
        constexpr uint32_t kStep = 8 / sizeof(T);  // elements of a pair
        auto scores = Ub<T>(0, 64), pairs = Ub<T>(4096, 64 * kStep), merged = Ub<T>(8192, 64 * kStep);
        auto indices = Ub<uint32_t>(1024, 64);
        for (uint32_t i = 0; i < 64; ++i) {
            scores.SetValue(i, T(static_cast<float>(i * 5 % 32)));
            indices.SetValue(i, 1000 + i);
        }
        Sort32(pairs, scores, indices, 2);
        const auto index_of = [](const LocalTensor<T>& tensor, uint32_t i) {
            return tensor.template ReinterpretCast<uint32_t>().GetValue(2 * i + 1);
        };
        for (uint32_t i = 0; i < 64; ++i) {
            EXPECT_EQ(static_cast<float>(pairs.GetValue(i * kStep)), 31 - static_cast<int>(i % 32));
            EXPECT_EQ(5 * (index_of(pairs, i) - 1000) % 32, 31 - i % 32);
            EXPECT_EQ((index_of(pairs, i) - 1000) / 32, i / 32);
        }
        const uint16_t lengths[4] = {32, 32, 0, 0};
        MrgSort(merged, {pairs, pairs[32 * kStep], {}, {}}, MrgSort4Info(lengths, false, 3, 1));
        for (uint32_t i = 0; i < 64; ++i) {
            EXPECT_EQ(static_cast<float>(merged.GetValue(i * kStep)), 31 - static_cast<int>(i / 2));
            EXPECT_EQ((index_of(merged, i) - 1000) / 32, i % 2);  // equal: the first queue's comes first
        }
        // The first queue ends behind its eighth record, whose equal in the other queue is still there.
        const uint16_t some[4] = {8, 32, 0, 0};
        MrgSort(merged, {pairs, pairs[32 * kStep], {}, {}}, MrgSort4Info(some, true, 3, 1));
        uint16_t a, b, c, d;
        GetMrgSortResult(a, b, c, d);
        EXPECT_EQ((std::vector<uint16_t>{a, b, c, d}), (std::vector<uint16_t>{8, 7, 0, 0}));
        EXPECT_EQ(static_cast<float>(merged.GetValue(15 * kStep)), 24);  // what the first merge left
        uint32_t sorted[4] = {};
        MrgSort<T, true>(merged, {pairs, pairs[32 * kStep], {}, {}}, some, sorted, 3, 1);
        EXPECT_EQ(sorted[0], 8u);
        EXPECT_EQ(sorted[1], 7u);
    });
    EXPECT_TRUE(result.ok());
    EXPECT_TRUE(result.findings.empty());
}
TEST(Sort, PairsOfHalf) { SortPairs<half>("Ascend910B1"); }
TEST(Sort, PairsOfFloat) { SortPairs<float>("Ascend910B1"); }
TEST(Sort, PairsOnTheOtherChip) { SortPairs<float>("Ascend310B1"); }

// The high-level name takes the records that the chip has; four queues at a time.
TEST(Sort, MergesProposalsByTheHighLevelName) {
    const LaunchResult result = OnChip("Ascend310P3", [] {
        auto queues = Ub<half>(0, 8 * 16), merged = Ub<half>(4096, 8 * 16);
        // Two groups of four queues of two records.
        for (uint32_t i = 0; i < 16; ++i) {
            for (uint32_t k = 0; k < 8; ++k) queues.SetValue(8 * i + k, half(0.0f));
            const int score = (i % 2 ? 5 : 10) + static_cast<int>(i / 8);
            queues.SetValue(8 * i + 4, half(static_cast<float>(score)));
            queues.SetValue(8 * i + 5, half(static_cast<float>(i)));
        }
        const uint16_t lengths[4] = {2, 2, 2, 2};
        uint32_t sorted[4] = {9, 9, 9, 9};
        MrgSort<half>(merged, {queues, queues[16], queues[32], queues[48]}, lengths, sorted, 15, 2);
        ExpectProposals(merged, {{10, 0}, {10, 2}, {10, 4}, {10, 6}, {5, 1}, {5, 3}, {5, 5}, {5, 7},
                                 {11, 8}, {11, 10}, {11, 12}, {11, 14}, {6, 9}, {6, 11}, {6, 13}, {6, 15}});
        EXPECT_EQ(sorted[0], 9u);  // filled with suspension only
    });
    EXPECT_TRUE(result.ok());
}

}  // namespace
}  // namespace sfumato::sort_test
