// SPDX-License-Identifier: Apache-2.0
// Concat, Sort and Extract against std::stable_sort, on both generations, in every order of the pipes.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

#include "on_chip.h"

namespace sfumato::whole_sort_test {
namespace {

using namespace AscendC;

// UB of 310P, the smaller one: 256 KiB; records of float proposals are the largest, 32 bytes.
constexpr uint32_t kMost = 1600, kScores = 0, kIndices = 8192, kValues = 16384, kPlaces = 24576, kConcat = 32768,
                   kSorted = 84992, kTmp = 137216;

template <class T>
struct Data {
    std::vector<float> scores;
    std::vector<uint32_t> indices;
    explicit Data(uint32_t count) : scores(count), indices(count) {
        std::mt19937 random(count);
        for (float& score : scores) score = static_cast<float>(static_cast<int>(random() % 200) - 100);
        // Beyond 16 bits, and not in order.
        for (uint32_t i = 0; i < count; ++i) indices[i] = (i * 7919u) ^ 0xABC00000u;
    }
    // Positions in sorted order, each run of `group` by itself.
    std::vector<uint32_t> Order(uint32_t group) const {
        std::vector<uint32_t> order(scores.size());
        std::iota(order.begin(), order.end(), 0u);
        for (size_t at = 0; at < order.size(); at += group) {
            std::stable_sort(order.begin() + static_cast<long>(at),
                             order.begin() + static_cast<long>(std::min(order.size(), at + group)),
                             [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
        }
        return order;
    }
};

// repeat groups of 32 pairs, or of 16 proposals.
template <class T, bool kFull>
void Check(const char* chip, uint32_t group, uint32_t repeat, const char* schedule, bool auto_sync) {
    const uint32_t count = group * repeat;
    ASSERT_LE(count, kMost);
    const Data<T> data(count);
    LaunchOptions options;
    options.schedule = schedule;
    options.auto_sync = auto_sync;
    const LaunchResult result = OnChip(
        chip,
        [&] {
            const uint32_t length = GetSortLen<T>(count);
            auto scores = Ub<T>(kScores, count), values = Ub<T>(kValues, count);
            auto indices = Ub<uint32_t>(kIndices, count), places = Ub<uint32_t>(kPlaces, count);
            auto sorted = Ub<T>(kSorted, length), tmp = Ub<T>(kTmp, length), room = Ub<T>(kConcat, length);
            for (uint32_t i = 0; i < count; ++i) {
                scores.SetValue(i, T(data.scores[i]));
                indices.SetValue(i, data.indices[i]);
            }
            PipeBarrier<PIPE_ALL>();
            LocalTensor<T> concat;
            Concat(concat, scores, room, static_cast<int32_t>(count / 16));
            PipeBarrier<PIPE_V>();
            Sort<T, kFull>(sorted, concat, indices, tmp, static_cast<int32_t>(repeat));
            PipeBarrier<PIPE_V>();
            Extract(values, places, sorted, static_cast<int32_t>(repeat));
            PipeBarrier<PIPE_ALL>();
            const std::vector<uint32_t> order = data.Order(kFull ? count : group);
            for (uint32_t i = 0; i < count; ++i) {
                ASSERT_EQ(static_cast<float>(values.GetValue(i)), data.scores[order[i]]) << i;
                ASSERT_EQ(places.GetValue(i), data.indices[order[i]]) << i;
            }
        },
        options);
    ASSERT_TRUE(result.ok()) << result.findings.front().Text();
    // No page has the calls for Ascend310B, which has their instructions.
    std::string noted;
    for (const Report& note : result.findings) {
        if (note.found == "UB to UB") continue;  // a step
        noted += std::string(Name(note.rule)) + " " + note.found + "\n";
    }
    const bool notes = std::string_view(chip) == "Ascend310B1";
    EXPECT_EQ(noted, notes ? "unlisted-on-chip Concat\nunlisted-on-chip Sort\nunlisted-on-chip Extract\n" : "");
}

class Sorts : public ::testing::TestWithParam<std::tuple<const char*, uint32_t>> {};

TEST_P(Sorts, Whole) {
    const auto [chip, group] = GetParam();
    for (const uint32_t repeat : {1u, 2u, 3u, 4u, 5u, 9u, 16u, 17u, 21u, 50u}) {
        SCOPED_TRACE(repeat);
        Check<half, true>(chip, group, repeat, "eager", true);
        Check<float, true>(chip, group, repeat, "eager", true);
        Check<half, false>(chip, group, repeat, "eager", true);
        Check<float, false>(chip, group, repeat, "eager", true);
    }
}

// What the calls are made of is in order without the help of auto_sync.
TEST_P(Sorts, InEveryOrder) {
    const auto [chip, group] = GetParam();
    for (const char* schedule : {"late", "ahead", "seed:1", "seed:2"}) {
        SCOPED_TRACE(schedule);
        Check<half, true>(chip, group, 21, schedule, false);
        Check<float, true>(chip, group, 21, schedule, false);
    }
}

INSTANTIATE_TEST_SUITE_P(Generations, Sorts,
                         ::testing::Values(std::tuple("Ascend910B1", 32u), std::tuple("Ascend310P3", 16u),
                                           std::tuple("Ascend310B1", 32u)),
                         [](const auto& i) { return std::string(std::get<0>(i.param)); });

TEST(Sorts, TheLengthIsInElements) {
    EXPECT_TRUE(OnChip("Ascend910B1", [] {
                    EXPECT_EQ(GetSortLen<float>(128), 256u);
                    EXPECT_EQ(GetSortLen<half>(128), 512u);
                    EXPECT_EQ(GetSortOffset<float>(32), 64u);
                }).ok());
    EXPECT_TRUE(OnChip("Ascend310P3", [] {
                    EXPECT_EQ(GetSortLen<float>(128), 1024u);
                    EXPECT_EQ(GetSortOffset<half>(32), 256u);
                }).ok());
}

// A handle that has memory keeps it; an empty one takes the scores, or the records in tmp.
TEST(Sorts, WhereConcatLeavesItsResult) {
    for (const char* chip : {"Ascend910B1", "Ascend310P3"}) {
        const LaunchResult result = OnChip(chip, [&] {
            auto scores = Ub<half>(0, 16), tmp = Ub<half>(1024, 128), own = Ub<half>(2048, 128);
            for (uint32_t i = 0; i < 16; ++i) scores.SetValue(i, half(static_cast<float>(i)));
            const uint64_t place = own.GetPhyAddr();
            Concat(own, scores, tmp, 1);
            EXPECT_EQ(own.GetPhyAddr(), place);
            const bool pairs = GetSortLen<half>(1) == 4;
            EXPECT_EQ(static_cast<float>(own.GetValue(pairs ? 3 : 3 * 8 + 4)), 3);
            LocalTensor<half> empty;
            Concat(empty, scores, tmp, 1);
            EXPECT_EQ(empty.GetPhyAddr(), (pairs ? scores : tmp).GetPhyAddr());
        });
        EXPECT_TRUE(result.ok()) << result.findings.front().Text();
    }
}

}  // namespace
}  // namespace sfumato::whole_sort_test
