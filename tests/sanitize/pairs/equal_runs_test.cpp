// SPDX-License-Identifier: Apache-2.0
// One program gives one text, however its threads are held up: what cores do at the same time is told alike.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "sanitize/pairs/runner.h"
#include "support/golden.h"

namespace sfumato::pairs {
namespace {

// Threads that compute beside those of the launches.
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
    std::thread threads_[2];
};

// Where nobody asks for threads, cores that are judged share one: programs of several cores.
TEST(EqualRuns, GiveEqualFindings) {
    constexpr int kRuns = 20;
    const Load load;
    size_t programs = 0;
    for (const Class& of : Classes()) {
        for (const Pair& pair : of.pairs()) {
            if (pair.blocks == 1 && pair.core != CoreChoice::kMix && pair.core != CoreChoice::kMixOneToOne) continue;
            if (++programs % 8 != 0) continue;  // each takes 20 launches
            const auto text = [&] { return StableText(RunHalf(pair, true, pair.check, "eager", kAsUsers).findings); };
            const std::string first = text();
            std::string other = first;
            for (int run = 1; run < kRuns && other == first; ++run) other = text();
            EXPECT_EQ(other, first) << pair.name;
        }
    }
    EXPECT_GT(programs, 100u);
}

}  // namespace
}  // namespace sfumato::pairs
