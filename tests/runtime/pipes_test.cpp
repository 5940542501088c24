// SPDX-License-Identifier: Apache-2.0
// The queues of a core on their own: flags, barriers, deadlock, the window, reproducible schedules.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "runtime/pipes_program.h"
#include "sfumato/report.h"

namespace sfumato::runtime {
namespace {

using Order = std::vector<uint64_t>;
const char* const kSchedules[] = {"eager", "late", "ahead", "seed:1", "seed:2", "seed:77"};

bool Before(const Order& order, uint64_t first, uint64_t second) {
    const auto a = std::find(order.begin(), order.end(), first), b = std::find(order.begin(), order.end(), second);
    return a != order.end() && b != order.end() && a < b;
}

TEST(Schedule, NamesThatAreNoneAreRefusedAndListed) {
    for (const char* text : {"", "Eager", "seed", "seed:", "seed:x", "seed:1x", "seed:-1", "early"}) {
        try {
            Schedule::Parse(text);
            FAIL() << text;
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find("eager, serial, late, ahead, seed:N (N a number), all and all:N"),
                      std::string::npos)
                << e.what();
        }
    }
    EXPECT_EQ(Schedule::Parse("seed:18446744073709551615").seed, UINT64_MAX);
}

TEST(Pipes, EagerIsProgramOrder) {
    Program p("eager");
    for (const Pipe pipe : {Pipe::kMte3, Pipe::kV, Pipe::kMte2, Pipe::kV}) p.Work(pipe);
    EXPECT_EQ(p.client.ran, (Order{0, 1, 2, 3}));
    EXPECT_TRUE(p.pipes.Idle());
}

TEST(Pipes, WithoutFlagsLateRunsConsumersFirstAndAheadProducers) {
    for (const auto& [schedule, want] : {std::pair("late", Order{2, 1, 0}), std::pair("ahead", Order{0, 1, 2})}) {
        Program p(schedule);
        p.Work(Pipe::kMte2, 0);
        p.Work(Pipe::kV, 4096);
        p.Work(Pipe::kMte3, 8192);
        p.pipes.DrainAll();
        EXPECT_EQ(p.client.ran, want) << schedule;
    }
}

TEST(Pipes, AheadRunsTheProducerBeforeAConsumerIssuedEarlier) {
    Program p("ahead");
    const uint64_t use = p.Work(Pipe::kV), overwrite = p.Work(Pipe::kMte2);
    p.pipes.DrainAll();
    EXPECT_TRUE(Before(p.client.ran, overwrite, use));
}

// A write, another of the same bytes by a pipe that does not wait for it, and a third pipe that waits for the second.
TEST(Pipes, LateHoldsBackBehindAllAndAheadBehindTheFirst) {
    for (const auto& [schedule, want] : {std::pair("late", Order{1, 4, 0}), std::pair("ahead", Order{1, 0, 4})}) {
        Program p(schedule);
        p.Work(Pipe::kV);
        p.Work(Pipe::kMte2);
        p.Set(Pipe::kMte2, Pipe::kMte3);
        p.Wait(Pipe::kMte2, Pipe::kMte3);
        p.Work(Pipe::kMte3);
        EXPECT_TRUE(p.client.ran.empty());
        p.pipes.DrainAll();
        EXPECT_EQ(p.client.ran, want) << schedule;
    }
}

// The scalar unit waits for a flag: what the set does not need stays behind what the scalar unit does next.
TEST(Pipes, OnlyWhatAFlagNeedsRunsBeforeTheScalarUnitGoesOn) {
    for (const char* schedule : {"late", "ahead"}) {
        Program p(schedule);
        const uint64_t other = p.Work(Pipe::kMte3, 0), load = p.Work(Pipe::kMte2, 4096);
        p.Set(Pipe::kMte2, Pipe::kV);
        p.Wait(Pipe::kMte2, Pipe::kV);
        const uint64_t use = p.Work(Pipe::kV, 4096);
        p.Flag(Opcode::set_flag, Pipe::kV, Pipe::kS, 0, 22);
        p.Flag(Opcode::wait_flag, Pipe::kV, Pipe::kS, 0, 22);
        EXPECT_EQ(p.client.ran, (Order{load, use})) << schedule;
        p.pipes.DrainAll();
        EXPECT_EQ(p.client.ran.back(), other) << schedule;
    }
}

// Flags order the two at every place of a loop: nothing is turned round, whatever else conflicts.
TEST(Pipes, WhatFlagsOrderStaysInOrder) {
    for (const char* schedule : kSchedules) {
        Program p(schedule);
        Order want;
        for (int i = 0; i < 20; ++i) {
            if (i > 0) p.Wait(Pipe::kV, Pipe::kMte2, 1);
            want.push_back(p.Work(Pipe::kMte2));
            p.Set(Pipe::kMte2, Pipe::kV);
            p.Wait(Pipe::kMte2, Pipe::kV);
            want.push_back(p.Work(Pipe::kV));
            if (i < 19) p.Set(Pipe::kV, Pipe::kMte2, 1);
        }
        p.pipes.DrainAll();
        EXPECT_EQ(p.client.ran, want) << schedule;
        EXPECT_TRUE(p.client.set_twice.empty() && p.client.deadlocks.empty()) << schedule;
    }
}

TEST(Pipes, FlagsOrderTwoPipesUnderEverySchedule) {
    for (const char* schedule : kSchedules) {
        Program p(schedule);
        const uint64_t load = p.Work(Pipe::kMte2);
        p.Set(Pipe::kMte2, Pipe::kV);
        p.Wait(Pipe::kMte2, Pipe::kV);
        const uint64_t use = p.Work(Pipe::kV);
        p.pipes.DrainAll();
        EXPECT_TRUE(Before(p.client.ran, load, use)) << schedule;
        EXPECT_TRUE(p.pipes.flags().Left().empty()) << schedule;
    }
}

TEST(Pipes, AWaitBeforeItsSetHoldsOnlyItsOwnPipe) {
    for (const char* schedule : kSchedules) {
        Program p(schedule);
        p.Wait(Pipe::kMte2, Pipe::kV);
        const uint64_t held = p.Work(Pipe::kV), other = p.Work(Pipe::kMte3), load = p.Work(Pipe::kMte2);
        p.Set(Pipe::kMte2, Pipe::kV);
        p.pipes.DrainAll();
        EXPECT_TRUE(Before(p.client.ran, load, held)) << schedule;
        EXPECT_EQ(p.client.ran.size(), 3u) << schedule;
        EXPECT_NE(std::find(p.client.ran.begin(), p.client.ran.end(), other), p.client.ran.end());
        EXPECT_TRUE(p.client.deadlocks.empty()) << schedule;
    }
}

TEST(Pipes, IdsAndEventsAreDifferentFlags) {
    Program p("eager");
    p.Set(Pipe::kMte2, Pipe::kV, 0);
    p.Set(Pipe::kMte2, Pipe::kV, 1);
    p.Flag(Opcode::set_flag, Pipe::kV, Pipe::kMte3, 0, 7);
    EXPECT_TRUE(p.client.set_twice.empty());
    EXPECT_EQ(p.pipes.flags().Left().size(), 3u);
    p.Wait(Pipe::kMte2, Pipe::kV, 1);
    const auto left = p.pipes.flags().Left();
    ASSERT_EQ(left.size(), 2u);
    EXPECT_EQ(left[0].event, 4);
    EXPECT_EQ(left[0].id, 0);
    EXPECT_EQ(left[0].where.line, 0u);
    EXPECT_EQ(left[1].event, 7);
}

TEST(Pipes, AFlagSetTwiceIsReported) {
    for (const char* schedule : kSchedules) {
        Program p(schedule);
        p.Set(Pipe::kMte2, Pipe::kV);
        const uint64_t second = p.Set(Pipe::kMte2, Pipe::kV);
        p.pipes.DrainAll();
        EXPECT_EQ(p.client.set_twice, (Order{second})) << schedule;
    }
}

TEST(Pipes, AWaitThatNeverEndsIsReportedOnceAndTheRestGoesOn) {
    for (const char* schedule : kSchedules) {
        Program p(schedule);
        p.Work(Pipe::kMte2);
        const uint64_t wait = p.Wait(Pipe::kMte2, Pipe::kV);
        const uint64_t after = p.Work(Pipe::kV);
        p.pipes.DrainAll();
        EXPECT_EQ(p.client.deadlocks, (Order{wait})) << schedule;
        EXPECT_EQ(p.client.ran.back(), after) << schedule;
    }
}

TEST(Pipes, TwoPipesWaitingForEachOtherNameTheFirstWait) {
    for (const char* schedule : kSchedules) {
        Program p(schedule);
        const uint64_t first = p.Flag(Opcode::wait_flag, Pipe::kMte3, Pipe::kV, 0, 6);
        p.Flag(Opcode::wait_flag, Pipe::kV, Pipe::kMte3, 0, 7);
        p.Flag(Opcode::set_flag, Pipe::kV, Pipe::kMte3, 0, 7);
        p.Flag(Opcode::set_flag, Pipe::kMte3, Pipe::kV, 0, 6);
        p.pipes.DrainAll();
        ASSERT_FALSE(p.client.deadlocks.empty()) << schedule;
        EXPECT_EQ(p.client.deadlocks.front(), first) << schedule;
    }
}

TEST(Pipes, TheScalarUnitStopsAtItsOwnWait) {
    for (const char* schedule : {"late", "ahead", "seed:5"}) {
        Program p(schedule);
        const uint64_t work = p.Work(Pipe::kV);
        p.Flag(Opcode::set_flag, Pipe::kV, Pipe::kS, 0, 22);
        p.Flag(Opcode::wait_flag, Pipe::kV, Pipe::kS, 0, 22);
        EXPECT_EQ(p.client.ran, (Order{work})) << schedule;
    }
    Program p("late");
    const uint64_t wait = p.Flag(Opcode::wait_flag, Pipe::kV, Pipe::kS, 0, 22);
    EXPECT_EQ(p.client.deadlocks, (Order{wait}));
}

TEST(Pipes, TokensAreFlagsUsedOnce) {
    for (const char* schedule : kSchedules) {
        Program p(schedule);
        const uint64_t one = p.pipes.NewToken(), two = p.pipes.NewToken();
        ASSERT_NE(one, two);
        p.Flag(Opcode::wait_flag, Pipe::kMte2, Pipe::kV, 0, 4, two);
        const uint64_t use = p.Work(Pipe::kV), load = p.Work(Pipe::kMte2);
        p.Flag(Opcode::set_flag, Pipe::kMte2, Pipe::kV, 0, 4, one);
        const uint64_t more = p.Work(Pipe::kMte2);
        p.Flag(Opcode::set_flag, Pipe::kMte2, Pipe::kV, 0, 4, two);
        p.pipes.DrainAll();
        EXPECT_TRUE(Before(p.client.ran, load, use) && Before(p.client.ran, more, use)) << schedule;
        EXPECT_TRUE(p.pipes.flags().Left().empty() && p.client.set_twice.empty());
    }
}

TEST(Pipes, WithoutABarrierOnePipeMayFinishInAnotherOrder) {
    for (const bool barrier : {false, true}) {
        Program p("late");
        const uint64_t first = p.Work(Pipe::kMte2);
        if (barrier) p.Barrier(Pipe::kMte2);
        const uint64_t second = p.Work(Pipe::kMte2);
        p.pipes.DrainAll();
        EXPECT_EQ(Before(p.client.ran, first, second), barrier);
    }
}

TEST(Pipes, AutoSyncKeepsDependentVectorInstructionsInOrder) {
    for (const bool auto_sync : {false, true}) {
        Program p("late", auto_sync);
        const uint64_t first = p.Work(Pipe::kV, 0), second = p.Work(Pipe::kV, 0), elsewhere = p.Work(Pipe::kV, 4096);
        p.pipes.DrainAll();
        EXPECT_EQ(Before(p.client.ran, first, second), auto_sync);
        EXPECT_TRUE(Before(p.client.ran, first, elsewhere));
    }
}

TEST(Pipes, ShortMmadsOnOneMatrixNeedABarrier) {
    const struct {
        uint32_t m, n;
        bool kept;
    } kCases[] = {{144, 16, false}, {145, 16, true}, {48, 48, false}, {49, 48, true}, {1, 144, false}};
    for (const auto& [m, n, kept] : kCases) {
        Program p("late");
        const uint64_t first = p.Mmad(256, 256), second = p.Mmad(m, n);
        p.pipes.DrainAll();
        EXPECT_EQ(Before(p.client.ran, first, second), kept) << m << " x " << n;
        Program other("late");
        const uint64_t one = other.Mmad(16, 256), two = other.Mmad(16, 256, 32768);
        other.pipes.DrainAll();
        EXPECT_TRUE(Before(other.client.ran, one, two));
    }
    Program p("late");
    const uint64_t first = p.Mmad(16, 16);
    p.Barrier(Pipe::kM);
    const uint64_t second = p.Mmad(16, 16);
    p.pipes.DrainAll();
    EXPECT_TRUE(Before(p.client.ran, first, second));
}

// A set and a wait that is satisfied are no barrier (framework.md 2.3): the queues of a loop over k put both between
// its Mmads.
TEST(Pipes, SetsAndSatisfiedWaitsHoldBackNothing) {
    for (const bool satisfied : {true, false}) {
        Program p("late");
        if (satisfied) p.Set(Pipe::kMte1, Pipe::kM);
        p.pipes.DrainAll();
        const uint64_t first = p.Mmad(16, 16);
        p.Set(Pipe::kM, Pipe::kMte1, 1);
        p.Wait(Pipe::kMte1, Pipe::kM);
        const uint64_t second = p.Mmad(16, 16);
        p.Wait(Pipe::kM, Pipe::kMte1, 1);
        if (!satisfied) p.Set(Pipe::kMte1, Pipe::kM);
        p.pipes.DrainAll();
        EXPECT_TRUE(p.client.deadlocks.empty());
        EXPECT_TRUE(p.pipes.flags().Left().empty());
        EXPECT_EQ(Before(p.client.ran, first, second), !satisfied);
    }
}

TEST(Pipes, OneFlagPassesOneWait) {
    Program p("late");
    p.Set(Pipe::kMte1, Pipe::kM);
    p.pipes.DrainAll();
    const uint64_t first = p.Mmad(16, 16);
    p.Wait(Pipe::kMte1, Pipe::kM);
    const uint64_t second = p.Mmad(16, 16);
    p.Set(Pipe::kM, Pipe::kMte1, 1);
    p.Wait(Pipe::kMte1, Pipe::kM);
    const uint64_t third = p.Mmad(16, 16);
    p.Wait(Pipe::kM, Pipe::kMte1, 1);
    p.Set(Pipe::kMte1, Pipe::kM);
    p.pipes.DrainAll();
    EXPECT_TRUE(p.client.deadlocks.empty());
    EXPECT_EQ(p.client.ran, (Order{second, first, third}));
}

TEST(Pipes, AtomicStoresToOnePlaceStayInOrder) {
    for (const auto atomic : {isa::Atomic::kNone, isa::Atomic::kAdd}) {
        Program p("late");
        const uint64_t first = p.Store(0, atomic), second = p.Store(32, atomic), elsewhere = p.Store(4096, atomic);
        p.pipes.DrainAll();
        EXPECT_EQ(Before(p.client.ran, first, second), atomic != isa::Atomic::kNone);
        EXPECT_TRUE(Before(p.client.ran, first, elsewhere));
    }
}

TEST(Pipes, WordsOfATensorMoveAreReadWhenItRuns) {
    for (const auto& [at, kept] : {std::pair<uint64_t, bool>{4096, true}, {4096 + 224, true}, {4096 + 256, false}}) {
        bool always = true;
        for (int seed = 1; seed <= 50; ++seed) {
            Program p("seed:" + std::to_string(seed));
            const uint64_t fill = p.Work(Pipe::kV, at), move = p.TensorMove(4096);
            p.pipes.DrainAll();
            always = always && Before(p.client.ran, fill, move);
        }
        EXPECT_EQ(always, kept) << at;
    }
}

TEST(Pipes, DrainOverlappingRunsOnlyWhatItNeeds) {
    Program p("late");
    const uint64_t far = p.Work(Pipe::kMte2, 4096);
    p.Barrier(Pipe::kMte2);
    const uint64_t near = p.Work(Pipe::kV, 64);
    p.pipes.DrainOverlapping(isa::Memory::kUb, 0, {0, 64}, false);
    EXPECT_TRUE(p.client.ran.empty());
    p.pipes.DrainOverlapping(isa::Memory::kUb, 0, {80, 84}, false);
    EXPECT_EQ(p.client.ran, (Order{near}));
    p.pipes.DrainOverlapping(isa::Memory::kUb, 0, {4096, 4100}, true);
    EXPECT_EQ(p.client.ran, (Order{near, far}));
}

// A loop of 20,000 moves under "late" must not hold 20,000 records: the oldest run when a pipe holds 4096.
TEST(Pipes, TheWindowBoundsWhatLateHolds) {
    constexpr uint64_t kMoves = 20000, kWindow = 4096;
    Program p("late");
    for (uint64_t i = 0; i < kMoves; ++i) {
        p.Work(Pipe::kMte2);
        EXPECT_GE(p.client.ran.size() + kWindow, i + 1);
    }
    EXPECT_EQ(p.client.ran.size(), kMoves - kWindow);
    p.pipes.DrainAll();
    Order sorted = p.client.ran;
    std::sort(sorted.begin(), sorted.end());
    Order all(kMoves);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(sorted, all);
}

TEST(Pipes, ALongSynchronisedLoopStaysInOrderAcrossTheWindow) {
    for (const char* schedule : kSchedules) {
        Program p(schedule);
        std::vector<std::pair<uint64_t, uint64_t>> pairs;
        for (int i = 0; i < 6000; ++i) {
            const uint64_t load = p.Work(Pipe::kMte2);
            p.Set(Pipe::kMte2, Pipe::kV);
            p.Wait(Pipe::kMte2, Pipe::kV);
            pairs.emplace_back(load, p.Work(Pipe::kV));
            p.Flag(Opcode::set_flag, Pipe::kV, Pipe::kMte2, 0, 5);
            p.Flag(Opcode::wait_flag, Pipe::kV, Pipe::kMte2, 0, 5);
        }
        p.pipes.DrainAll();
        Order want;
        for (const auto& [load, use] : pairs) want.insert(want.end(), {load, use});
        EXPECT_EQ(p.client.ran, want) << schedule;
        EXPECT_TRUE(p.client.deadlocks.empty() && p.client.set_twice.empty()) << schedule;
    }
}

Order SeededOrder(const std::string& schedule, uint64_t core) {
    Program p(schedule, true, core);
    for (uint64_t i = 0; i < 300; ++i) p.Work(i % 3 == 0 ? Pipe::kMte2 : i % 3 == 1 ? Pipe::kV : Pipe::kMte3, i * 32);
    p.pipes.DrainAll();
    return p.client.ran;
}

TEST(Pipes, ASeedIsReproducibleAndSeedsAndCoresDiffer) {
    std::vector<Order> orders;
    for (int seed = 1; seed <= 20; ++seed) {
        const std::string schedule = "seed:" + std::to_string(seed);
        orders.push_back(SeededOrder(schedule, 0));
        EXPECT_EQ(SeededOrder(schedule, 0), orders.back());
        EXPECT_NE(SeededOrder(schedule, 1), orders.back());
    }
    std::sort(orders.begin(), orders.end());
    EXPECT_EQ(std::adjacent_find(orders.begin(), orders.end()), orders.end());
}

TEST(Pipes, ClearForgetsEverything) {
    Program p("late");
    p.Work(Pipe::kV);
    p.Set(Pipe::kMte2, Pipe::kV);
    p.pipes.Clear();
    p.pipes.DrainAll();
    EXPECT_TRUE(p.client.ran.empty());
    EXPECT_TRUE(p.pipes.Idle());
    EXPECT_TRUE(p.pipes.flags().Left().empty());
}

}  // namespace
}  // namespace sfumato::runtime
