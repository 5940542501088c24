// SPDX-License-Identifier: Apache-2.0
// The race checks against the slow judge. SFUMATO_RACE_RECORDS and SFUMATO_RACE_SEED: a longer run, from another seed.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "races_run.h"

namespace sfumato::sanitize::reference {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kRecords = 100'000;
#else
constexpr uint64_t kRecords = 1'000'000;
#endif

// What is wrong with the program of this seed; what fails is made small first.
std::string JudgeSeed(uint64_t seed, Counts* counts) {
    Program program = RandomProgram(seed);
    const auto order = static_cast<Order>(program.in_order ? 0 : seed % static_cast<uint64_t>(Order::kCount));
    Counts unused;
    std::string wrong = Judge(program, order, seed, counts);
    if (wrong.empty()) return wrong;
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (size_t step = program.steps.size(); step-- > 0;) {
            if (step >= program.steps.size()) continue;
            const Program less = Without(program, step);
            for (uint64_t other = 0; other < 8; ++other) {
                const std::string still = Judge(less, order, seed + other, &unused);
                if (still.empty()) continue;
                program = less;
                wrong = still;
                smaller = true;
                break;
            }
        }
    }
    std::string text = "seed " + std::to_string(seed) + ", order " + std::to_string(static_cast<int>(order)) +
                       (program.auto_sync ? ", auto_sync" : "") + (program.in_order ? ", in order" : "") +
                       (program.on_chip ? "" : ", between cores") + ": " + wrong;
    for (size_t i = 0; i < program.steps.size(); ++i)
        text += "\n  " + std::to_string(i) + " " + Print(program.steps[i]);
    return text;
}

TEST(RacesReference, RandomPrograms) {
    const char* records = std::getenv("SFUMATO_RACE_RECORDS");
    const char* first = std::getenv("SFUMATO_RACE_SEED");
    const uint64_t most = records ? std::strtoull(records, nullptr, 10) : kRecords;
    const uint64_t start = first ? std::strtoull(first, nullptr, 10) : 1;
    uint64_t seed = start;
    Counts counts;
    for (; counts.records < most; ++seed) {
        const std::string wrong = JudgeSeed(seed, &counts);
        ASSERT_EQ(wrong, "");
    }
    const auto number = [](uint64_t n) { return std::to_string(n); };
    std::puts((number(counts.programs) + " programs of " + number(counts.records) + " records, " +
               number(counts.accesses) + " of them accesses; " + number(counts.told) +
               " races told; of pairs on global memory " + number(counts.ordered) + " ordered, " +
               number(counts.raced) + " not; seeds " + number(start) + " to " + number(seed - 1))
                  .c_str());
    EXPECT_GT(counts.told, most / 100);
    EXPECT_GT(counts.ordered, most / 100);
}

}  // namespace
}  // namespace sfumato::sanitize::reference
