// SPDX-License-Identifier: Apache-2.0
// The state behind waits between cores: counters of flags, the replay of the canonical run, what counts as polling.
#include "runtime/cores/cross_core.h"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/cores/polling.h"

namespace sfumato::runtime {
namespace {

constexpr Shape kMix{1, 2};

TEST(Counters, AModeRaisesThoseItJoins) {
    Counters counters(kMix, 2);  // aic0, aiv0.0, aiv0.1, aic1, aiv1.0, aiv1.1
    const auto flag = [&](uint64_t core) { return counters.Count(FlagCounter(core, 3)); };
    counters.Set(0, 2, 3);
    EXPECT_EQ(flag(1), 1u);
    EXPECT_EQ(flag(2), 1u);
    EXPECT_EQ(flag(0) + flag(3) + flag(4) + flag(5), 0u);

    counters.Set(4, 2, 3);
    EXPECT_EQ(flag(3), 0u);  // the other vector core has not
    counters.Set(4, 2, 3);
    counters.Set(5, 2, 3);
    EXPECT_EQ(flag(3), 1u);
    counters.Set(5, 2, 3);
    EXPECT_EQ(flag(3), 2u);

    counters.Set(1, 1, 3);
    EXPECT_EQ(flag(1), 1u);
    counters.Set(2, 1, 3);
    EXPECT_EQ(flag(1), 2u);
    EXPECT_EQ(flag(2), 2u);
    EXPECT_EQ(flag(4), 0u);

    for (const uint64_t vector : {1, 2, 4}) counters.Set(vector, 0, 5);
    EXPECT_EQ(counters.Count(FlagCounter(4, 5)), 0u);
    EXPECT_EQ(counters.Set(5, 0, 5).count, 1u);
    for (const uint64_t vector : {1, 2, 4, 5}) EXPECT_EQ(counters.Count(FlagCounter(vector, 5)), 1u);
    EXPECT_EQ(counters.Count(FlagCounter(0, 5)), 0u);
}

TEST(Counters, AWaitTakesWhatItWaitedFor) {
    Counters counters(kMix, 1);
    const Condition flag{FlagCounter(0, 1), 1, true}, meeting{MeetingCounter(Meeting::kCores, 0), 2, false};
    EXPECT_FALSE(counters.Holds(flag));
    counters.Set(1, 2, 1);
    counters.Set(2, 2, 1);
    ASSERT_TRUE(counters.Holds(flag));
    counters.Take(flag);
    EXPECT_FALSE(counters.Holds(flag));
    counters.Add(meeting.counter);
    EXPECT_FALSE(counters.Holds(meeting));
    counters.Add(meeting.counter);
    counters.Take(meeting);
    EXPECT_TRUE(counters.Holds(meeting));
}

constexpr Shape kVector{0, 1};
constexpr uint64_t kDoor = MeetingCounter(Meeting::kIbSlot, 64), kOther = MeetingCounter(Meeting::kIbSlot, 128);

TEST(Turns, TheLowestThatCanGoOnRunsUntilItWaits) {
    Turns turns(kVector, 3);
    EXPECT_TRUE(turns.IsIn(0));
    turns.Wait(0, {kDoor, 1, true});
    EXPECT_TRUE(turns.IsIn(1));
    turns.Add(1, kDoor);
    EXPECT_TRUE(turns.IsIn(1));  // it has not waited
    turns.End(1);
    EXPECT_TRUE(turns.IsIn(0));
    turns.End(0);
    EXPECT_TRUE(turns.IsIn(2));
}

TEST(Turns, WhatHappensEarlierIsHeldBack) {
    Turns turns(kVector, 3);
    turns.Add(2, kOther);  // core 2 is far ahead
    turns.Wait(2, {kDoor, 1, true});
    turns.Wait(1, {kOther, 1, true});
    EXPECT_TRUE(turns.IsIn(0));
    turns.End(0);
    // In the canonical run core 1 waits, core 2 sets and waits, then core 1 goes on.
    EXPECT_TRUE(turns.IsIn(1));
    turns.Add(1, kDoor);
    turns.End(1);
    EXPECT_TRUE(turns.IsIn(2));
}

TEST(Turns, AllRestWhereAllMeet) {
    Turns turns(kVector, 2);
    const Condition all{kDoor, 2, false, true};
    turns.Add(0, kDoor);
    turns.Wait(0, all);
    EXPECT_TRUE(turns.IsIn(1));
    turns.Add(1, kDoor);
    turns.Wait(1, all);
    EXPECT_TRUE(turns.IsIn(0));
    turns.End(0);
    EXPECT_TRUE(turns.IsIn(1));
}

TEST(Turns, APollerIsPassedAndComesBack) {
    Turns turns(kVector, 3);
    turns.PassPoller();
    EXPECT_TRUE(turns.IsPassed(0));
    EXPECT_TRUE(turns.IsIn(1));
    turns.PollEnds(0);
    EXPECT_TRUE(turns.IsIn(1));
    turns.End(1);
    EXPECT_TRUE(turns.IsIn(0));
    turns.PassPoller();
    turns.End(2);  // nobody else is left
    EXPECT_TRUE(turns.IsIn(0));
}

TEST(Turns, TheFirstSetTooManyIsFound) {
    Turns turns(kMix, 1);
    for (uint32_t i = 0; i < kMostOutstanding; ++i) turns.Set(0, 2, 7);
    EXPECT_FALSE(turns.overflow().found);
    turns.Set(0, 2, 7);
    ASSERT_TRUE(turns.overflow().found);
    EXPECT_EQ(turns.overflow().setter, 0u);
    EXPECT_EQ(turns.overflow().set, kMostOutstanding);
    EXPECT_EQ(turns.overflow().raised.core, 1u);
}

TEST(Turns, AWaitGivenUpGoesOn) {
    Turns turns(kVector, 2);
    turns.Wait(0, {kDoor, 1, true});
    turns.Wait(1, {kOther, 1, true});
    EXPECT_EQ(turns.current(), Turns::kNobody);
    turns.GiveUp(0);
    EXPECT_TRUE(turns.IsIn(0));
}

class Reader {
public:
    Polling::Found Read(size_t word, bool cached = true) {
        return polling.Quiet() ? polling.Again(reinterpret_cast<uint8_t*>(&words[word]), 4, cached, {})
                               : Polling::Found::kOther;
    }
    Polling::Found ReadOften(size_t word) {
        Polling::Found found{};
        for (int i = 0; i < 100; ++i) found = Read(word);
        return found;
    }
    alignas(64) uint32_t words[1024] = {};
    Polling polling;
};

TEST(Polling, IsTheSameReadAgainAndAgain) {
    Reader reader;
    EXPECT_EQ(reader.Read(0), Polling::Found::kOther);
    EXPECT_EQ(reader.ReadOften(0), Polling::Found::kUnchanged);
    EXPECT_FALSE(reader.polling.Differs());
    reader.words[0] = 1;
    EXPECT_TRUE(reader.polling.Differs());
    reader.polling.Cleaned(nullptr);
    EXPECT_EQ(reader.Read(0), Polling::Found::kChanged);
}

TEST(Polling, OfALineThatWasNotCleanedIsStale) {
    Reader reader;
    reader.ReadOften(0);
    reader.words[0] = 1;
    EXPECT_EQ(reader.Read(0), Polling::Found::kStale);
}

// A line that is cleaned in the loop, and one beside it.
TEST(Polling, OfALineBesideTheOneCleanedIsStale) {
    for (const size_t cleaned : {size_t{15}, size_t{16}}) {
        Reader reader;
        reader.ReadOften(0);
        reader.polling.Cleaned(reinterpret_cast<uint8_t*>(&reader.words[cleaned]));
        reader.words[0] = 1;
        EXPECT_EQ(reader.Read(0), cleaned == 15 ? Polling::Found::kChanged : Polling::Found::kStale);
    }
}

TEST(Polling, OfSeveralWordsEndsWithAnyOfThem) {
    Reader reader;
    Polling::Found found{};
    for (int i = 0; i < 400; ++i) found = reader.Read(static_cast<size_t>(i % 4));
    EXPECT_EQ(found, Polling::Found::kUnchanged);
    EXPECT_GT(reader.polling.rounds(), 50u);
    reader.words[3] = 9;
    EXPECT_TRUE(reader.polling.Differs());
}

TEST(Polling, EndsWithAnythingElse) {
    Reader reader;
    reader.ReadOften(0);
    reader.polling.Progress();
    EXPECT_EQ(reader.Read(0), Polling::Found::kOther);
    // Work of its own: it may wait for others all the same.
    Reader working;
    for (int i = 0; i < 200; ++i) {
        working.polling.Worked();
        working.Read(0);
    }
    EXPECT_EQ(working.polling.rounds(), 0u);
    // A table is data.
    Reader table;
    for (size_t i = 0; i < 4000; ++i) EXPECT_EQ(table.Read(i % 1000), Polling::Found::kOther);
}

}  // namespace
}  // namespace sfumato::runtime
