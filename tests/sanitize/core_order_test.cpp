// SPDX-License-Identifier: Apache-2.0
// The stores of a core's order, against containers of the standard library.
#include "sanitize/core_order.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace sfumato::sanitize {
namespace {

TEST(CoreOrder, LatestHoldsWhatADequeHolds) {
    for (uint32_t seed = 0; seed < 50; ++seed) {
        std::mt19937 random(seed);
        const size_t most = seed % 3 == 0 ? SIZE_MAX : 1 + random() % 40;
        Latest<uint32_t> latest;
        std::deque<uint32_t> plain;
        for (uint32_t i = 0; i < 400; ++i) {
            if (!plain.empty() && random() % 5 < seed % 4) {
                latest.RemoveFirst();
                plain.pop_front();
            } else {
                latest.Add(most) = i;
                plain.push_back(i);
                if (plain.size() > most) plain.pop_front();
            }
            ASSERT_EQ(latest.size(), plain.size()) << seed << " " << i;
            for (size_t at = 0; at < plain.size(); ++at) ASSERT_EQ(latest[at], plain[at]) << seed << " " << i;
        }
    }
}

Clock Doing(uint64_t tick) {
    Clock clock;
    clock.own.fill(tick);
    return clock;
}

// What a pipe has overtaken knows what the pipe knew then, and what is inserted before it.
TEST(CoreOrder, AnOvertakenRecordKnowsLess) {
    CoreOrder order;
    isa::Record first(isa::Opcode::vadd), second(isa::Opcode::vadd), third(isa::Opcode::vadd);
    first.pipe = second.pipe = third.pipe = isa::Pipe::kV;
    first.index = 1, second.index = 2, third.index = 3;
    order.Issued(first);
    order.ScalarLearns(Doing(7), 1);
    order.Issued(second);
    order.ScalarLearns(Doing(9), 2);
    order.Issued(third);
    EXPECT_EQ(order.Starts(third).own[0], 9u);
    EXPECT_EQ(order.Starts(second).own[0], 7u);
    EXPECT_EQ(order.Starts(first).own[0], 0u);
    order.Learns(isa::Pipe::kV, Doing(8), TickOf(first.index));
    EXPECT_EQ(order.Starts(second).own[0], 8u);
    EXPECT_EQ(order.Starts(third).own[0], 9u);
}

}  // namespace
}  // namespace sfumato::sanitize
