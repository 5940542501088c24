// SPDX-License-Identifier: Apache-2.0
// What cores learn from each other, as sets of numbers: every core tells one of its own each time.
#include "events/cross_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace sfumato::events {
namespace {

using Numbers = std::set<int>;
Numbers Both(Numbers a, const Numbers& b) {
    a.insert(b.begin(), b.end());
    return a;
}
using Kind = Sync::Kind;

// Two blocks of a cube core and two vector cores.
std::vector<Place> Cores() {
    std::vector<Place> cores;
    for (uint32_t i = 0; i < 6; ++i)
        cores.push_back({i % 3 == 0 ? isa::CoreKind::kCube : isa::CoreKind::kVector, i / 3, i % 3 == 2, 2, i, ""});
    return cores;
}

struct Cross {
    std::vector<Place> cores = Cores();
    CrossOrder<Numbers, Both> order;
    int told = 0;

    // The number it tells, or what it learns.
    std::optional<Numbers> Do(size_t core, Sync sync) {
        return order.Synced(cores[core], sync, [this] { return Numbers{++told}; });
    }
    int Set(size_t core, uint8_t mode, uint8_t id) {
        isa::Record set(isa::Opcode::ffts_cross_core_sync);
        set.As<isa::CrossFlag>().mode = mode;
        set.As<isa::CrossFlag>().id = id;
        EXPECT_FALSE(Do(core, {.kind = Kind::kFlagSet, .record = &set}));
        return told;
    }
    Numbers Wait(size_t core, uint8_t id) {
        isa::Record wait(isa::Opcode::wait_flag_dev);
        wait.As<isa::CrossFlag>().id = id;
        return *Do(core, {.kind = Kind::kFlagWaited, .record = &wait});
    }
};

// framework.md 2.7, mode by mode, by the numbers of the cores.
bool Reaches(size_t from, uint8_t mode, size_t to) {
    const bool cube = from % 3 == 0, same_kind = cube == (to % 3 == 0), same_block = from / 3 == to / 3;
    return mode == 0 ? same_kind : mode == 1 ? same_block && same_kind : same_block && !same_kind;
}

// The n-th wait of a core for an id is behind the first n sets of every core whose set reaches it.
TEST(CrossOrder, OfFlags) {
    for (const uint8_t mode : {0, 1, 2}) {
        std::mt19937 random(mode + 1);
        Cross cross;
        std::map<std::pair<size_t, uint8_t>, std::vector<int>> sets;
        std::map<std::pair<size_t, uint8_t>, size_t> waits;
        for (int n = 0; n < 600; ++n) {
            const size_t core = random() % 6;
            const auto id = static_cast<uint8_t>(random() % 2);
            if (random() % 3 != 0) {
                sets[{core, id}].push_back(cross.Set(core, mode, id));
                continue;
            }
            const size_t wait = ++waits[{core, id}];
            Numbers known;
            for (size_t from = 0; from < 6; ++from) {
                const auto& of = sets[{from, id}];
                if (Reaches(from, mode, core))
                    known.insert(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(std::min(wait, of.size())));
            }
            EXPECT_EQ(cross.Wait(core, id), known);
        }
    }
}

TEST(CrossOrder, OfCounters) {
    Cross cross;
    for (size_t core = 0; core < 4; ++core) EXPECT_FALSE(cross.Do(core, {.kind = Kind::kRaised, .counter = 7}));
    const auto reached = [&](uint64_t level, bool takes) {
        return *cross.Do(5, {.kind = Kind::kReached, .counter = 7, .level = level, .takes = takes});
    };
    EXPECT_EQ(reached(0, false), Numbers());
    EXPECT_EQ(reached(2, false), (Numbers{1, 2}));
    EXPECT_EQ(reached(2, true), (Numbers{1, 2}));
    EXPECT_EQ(reached(1, true), (Numbers{1, 2, 3}));
    EXPECT_EQ(reached(1, false), (Numbers{1, 2, 3, 4}));
    EXPECT_EQ(*cross.Do(5, {.kind = Kind::kReached, .counter = 8, .level = 1}), Numbers());
}

// Behind a barrier a core knows what all had done before it, and nothing of what came later.
TEST(CrossOrder, OfBarriers) {
    Cross cross;
    Numbers before;
    for (int turn = 0; turn < 3; ++turn) {
        for (size_t core = 0; core < 3; ++core) {
            EXPECT_FALSE(cross.Do(core, {.kind = Kind::kArrived, .counter = 1, .level = 3}));
            before.insert(cross.told);
        }
        // One is slow: another has arrived again before it goes on.
        EXPECT_EQ(*cross.Do(0, {.kind = Kind::kMet, .counter = 1}), before);
        EXPECT_EQ(*cross.Do(1, {.kind = Kind::kMet, .counter = 1}), before);
    }
    EXPECT_EQ(*cross.Do(2, {.kind = Kind::kMet, .counter = 1}), (Numbers{1, 2, 3}));
    EXPECT_EQ(*cross.Do(2, {.kind = Kind::kMet, .counter = 1}), (Numbers{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(*cross.Do(2, {.kind = Kind::kMet, .counter = 1}), before);
}

TEST(CrossOrder, NothingOfADrain) {
    Cross cross;
    EXPECT_FALSE(cross.Do(0, {.kind = Kind::kDrained}));
    EXPECT_EQ(cross.told, 0);
}

}  // namespace
}  // namespace sfumato::events
