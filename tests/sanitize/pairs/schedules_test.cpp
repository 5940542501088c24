// SPDX-License-Identifier: Apache-2.0
// Every race inside a core whose order can decide bytes shows under --schedule late or ahead.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "sanitize/pairs/runner.h"

namespace sfumato::pairs {
namespace {

constexpr const char* kReadFirst = "the scalar unit has read before it issues the write";
constexpr const char* kSameBytes = "both write the same bytes, whatever the inputs";
constexpr const char* kSent = "a call of Matmul takes what it reads of UB along when it is issued";
constexpr const char* kOverwritten = "what comes of the race is overwritten before anything reads it";

// Wrong halves whose bytes no order decides.
const std::map<std::string, const char*> kCannotShow = {
    {"load_over_what_is_got", kReadFirst},
    {"load_over_what_is_got_on_310P3", kReadFirst},
    {"fill_over_what_is_got", kReadFirst},
    {"fill_over_what_is_got_on_310P3", kReadFirst},
    {"store_over_what_is_got", kReadFirst},
    {"next_product_before_the_result_is_out", kSameBytes},
    {"next_product_before_the_result_is_out_on_310B1", kSameBytes},
    {"next_result_over_what_is_stored_on_310P3", kSameBytes},
    {"next_result_over_what_is_stored_on_910A", kSameBytes},
    {"next_product_beside_the_result", kSameBytes},
    {"product_over_a_product", kSameBytes},
    {"left_matrix_scaled_while_it_is_read", kSent},
    {"right_matrix_loaded_over_while_it_is_read", kSent},
    {"count_reaches_the_part_that_is_loaded", kOverwritten},
    {"count_of_halves_reaches_the_part_that_is_loaded", kOverwritten},
};

TEST(Schedules, LateOrAheadShowsWhatAnOrderCanShow) {
    std::set<std::string> known;
    size_t shown = 0;
    for (const Class& of : Classes()) {
        for (const Pair& pair : WithMixedInputs(of)) {
            if (!IsRaceInACore(pair)) continue;
            const bool cannot = kCannotShow.contains(pair.name);
            if (cannot) known.insert(pair.name);
            const bool shows = ShowsUnder(pair, "late") || ShowsUnder(pair, "ahead");
            EXPECT_NE(shows, cannot) << pair.name;
            shown += shows;
        }
    }
    EXPECT_EQ(known.size(), kCannotShow.size());
    EXPECT_GT(shown, 250u);
}

// No seed shows them either.
TEST(Schedules, NoOrderShowsTheOthers) {
    for (const Class& of : Classes()) {
        for (const Pair& pair : WithMixedInputs(of)) {
            if (!kCannotShow.contains(pair.name)) continue;
            for (int seed = 1; seed <= 50; ++seed)
                EXPECT_FALSE(ShowsUnder(pair, "seed:" + std::to_string(seed))) << pair.name << " " << seed;
        }
    }
}

}  // namespace
}  // namespace sfumato::pairs
