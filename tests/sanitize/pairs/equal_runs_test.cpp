// SPDX-License-Identifier: Apache-2.0
// One program gives one text, however its threads are held up: what cores do at the same time is told alike.
#include <gtest/gtest.h>

#include <atomic>
#include <regex>
#include <string_view>
#include <thread>

#include "sanitize/pairs/runner.h"
#include "report/rules.h"
#include "support/golden.h"

namespace sfumato::pairs {
namespace {

// More threads that compute than there are processors.
class Load {
public:
    Load() {
        for (std::thread& thread : threads_) {
            thread = std::thread([this] {
                while (!ended_.load(std::memory_order_relaxed)) {
                }
            });
        }
    }
    ~Load() {
        ended_ = true;
        for (std::thread& thread : threads_) thread.join();
    }

private:
    std::atomic<bool> ended_ = false;
    std::thread threads_[4];
};

// Of two cores, which run on threads of their own. Faults stop the others where they are.
bool RunsSideBySide(const Pair& pair) {
    return (pair.blocks == 2 || pair.core == CoreChoice::kMix || pair.core == CoreChoice::kMixOneToOne) &&
           FindRule(pair.rule)->severity != Severity::kFault;
}

// How many instructions a core has issued counts the turns of its polls.
std::string TextOf(const Pair& pair, bool wrong) {
    constexpr uint32_t kThreads = 4;
    static const std::regex kIndex(", instruction [0-9]+");
    return std::regex_replace(StableText(RunHalf(pair, wrong, pair.check, "eager", kThreads).findings), kIndex, "");
}

TEST(EqualRuns, GiveEqualFindings) {
    constexpr int kRuns = 20;
    const Load load;
    size_t programs = 0;
    for (const Class& of : Classes()) {
        // Stores beside stores. Which line of several is told of a read, and what polls and caches see, may still be
        // chance.
        const std::string_view name = of.name;
        if (name != "cores-tiles" && name != "cores-atomics" && name != "harmless") continue;
        for (const Pair& pair : of.pairs()) {
            if (!RunsSideBySide(pair) || pair.name.starts_with("reference")) continue;
            ++programs;
            for (const bool wrong : {false, true}) {
                const std::string first = TextOf(pair, wrong);
                std::string other = first;
                for (int run = 1; run < kRuns && other == first; ++run) other = TextOf(pair, wrong);
                EXPECT_EQ(other, first) << pair.name << (wrong ? ", wrong" : ", right");
            }
        }
    }
    EXPECT_GT(programs, 12u);
}

}  // namespace
}  // namespace sfumato::pairs
