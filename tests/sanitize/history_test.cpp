// SPDX-License-Identifier: Apache-2.0
// The shared pasts of a memory against one past a byte.
#include "sanitize/history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "sanitize/pasts.h"

namespace sfumato::sanitize {
namespace {

constexpr uint64_t kBytes = 2200;  // two roots of 1024 bytes, and a part of one

// Meetings as (byte, tick of the earlier access).
using Met = std::set<std::pair<uint64_t, uint64_t>>;

class Collect final : public History::Judge {
public:
    void Meet(const Access& earlier, const History::Stretch& stretch) override {
        for (uint64_t byte = stretch.Bytes().begin; byte < stretch.Bytes().end; ++byte) met.emplace(byte, earlier.tick);
    }
    Met met;
};

// One past a byte, and lists instead of sharing.
class PlainHistory {
public:
    Met Touch(isa::Span span, const Access& access) {
        Met met;
        for (uint64_t byte = span.begin; byte < std::min(span.end, kBytes); ++byte) {
            auto& past = pasts_[byte];
            const bool write = access.kind == Access::Kind::kWrite;
            for (const Access& a : past) {
                if (a.kind == Access::Kind::kWrite || write || a.kind != access.kind) met.emplace(byte, a.tick);
            }
            if (write) past.clear();
            std::erase_if(past, [&](const Access& a) {
                return a.kind != Access::Kind::kWrite && a.core == access.core && a.pipe == access.pipe &&
                       a.kind == access.kind;
            });
            past.push_back(access);
        }
        return met;
    }
    std::vector<std::tuple<uint64_t, Access::Kind>> At(uint64_t byte) const {
        std::vector<std::tuple<uint64_t, Access::Kind>> all;
        for (const Access& a : pasts_[byte]) all.emplace_back(a.tick, a.kind);
        std::sort(all.begin(), all.end());
        return all;
    }

private:
    std::vector<Access> pasts_[kBytes];
};

TEST(History, HoldsWhatAPastForEachByteHolds) {
    for (uint32_t seed = 0; seed < 60; ++seed) {
        std::mt19937 random(seed);
        Pasts pasts;
        PlainHistory plain;
        {
            History history(&pasts, kBytes);
            for (uint64_t tick = 1; tick < 200; ++tick) {
                Access access;
                access.tick = tick;
                access.core = random() % 2;
                access.pipe = static_cast<isa::Pipe>(random() % 4);
                access.kind = static_cast<Access::Kind>(random() % 3);
                std::vector<isa::Span> runs(1 + random() % 3);
                for (isa::Span& run : runs) {
                    run.begin = random() % 2   ? random() % kBytes
                                : random() % 3 ? random() % 64 * 32
                                               : random() % 3 * 1024;
                    run.end = run.begin + (random() % 2   ? 1 + random() % 70
                                           : random() % 2 ? 32 * (random() % 2 ? 1 : 1 + random() % 40)
                                                          : 1024 * (1 + random() % 2));
                }
                Collect collect;
                Met met;
                {
                    History::Walk walk(history, access, collect);
                    for (const isa::Span& run : runs) {
                        walk.Touch(run);
                        met.merge(plain.Touch(run, access));
                    }
                }
                // Runs of one access may overlap.
                const auto itself = [tick](const auto& meeting) { return meeting.second == tick; };
                std::erase_if(met, itself);
                std::erase_if(collect.met, itself);
                // A meeting is told once a stretch: at bytes where it is one, and for every earlier access.
                std::set<uint64_t> told, all;
                for (const auto& [byte, earlier] : collect.met) {
                    EXPECT_TRUE(met.contains({byte, earlier})) << seed << " " << tick << " " << byte;
                    told.insert(earlier);
                }
                for (const auto& [byte, earlier] : met) all.insert(earlier);
                EXPECT_EQ(told, all) << seed << " " << tick;
                for (uint64_t byte = 0; byte < kBytes; ++byte)
                    ASSERT_EQ(All(history.At(byte)), plain.At(byte)) << seed << " " << tick << " " << byte;
            }
            EXPECT_EQ(history.At(kBytes), nullptr);
        }
        EXPECT_EQ(pasts.in_use(), 0u) << seed;
    }
}

// Meetings in order, with the bytes that are told.
class InOrder final : public History::Judge {
public:
    explicit InOrder(bool keeps) : keeps_(keeps) {}
    void Meet(const Access& earlier, const History::Stretch& stretch) override { Note(earlier, stretch, false); }
    void MeetEqual(const Access& earlier, const History::Stretch& stretch) override { Note(earlier, stretch, true); }
    bool IsBehind(const Access& earlier) override { return earlier.core == 0; }
    bool Keeps(const Access& earlier) override { return keeps_ && earlier.core == 0; }
    std::vector<std::tuple<uint64_t, uint64_t, uint64_t, bool, bool>> met;

private:
    void Note(const Access& earlier, const History::Stretch& stretch, bool equal) {
        const isa::Span bytes = stretch.Bytes();
        met.emplace_back(earlier.tick, bytes.begin, bytes.end, stretch.Written(), equal);
    }
    const bool keeps_;
};

// Where a past can change in place and where it cannot: nothing tells the two ways apart.
TEST(History, APastThatChangesInPlaceIsLikeANewOne) {
    uint64_t in_place = 0, not_in_place = 0;
    for (uint32_t seed = 0; seed < 60; ++seed) {
        std::mt19937 random(seed);
        Pasts pasts, plain_pasts;
        History history(&pasts, kBytes), plain(&plain_pasts, kBytes);
        // A few places, as loops have, that overlap; some of whole nodes, some past the end.
        std::vector<isa::Span> places(6);
        for (isa::Span& place : places) {
            place.begin = random() % 2 ? random() % kBytes : random() % 68 * 32;
            place.end = place.begin + (random() % 3 == 0 ? 4 : random() % 2 ? 32 * (1 + random() % 40) : random() % 80);
        }
        for (uint64_t tick = 1; tick < 300; ++tick) {
            Access access;
            access.tick = random() % 8 ? tick : tick - 1;
            access.core = random() % 2;
            access.pipe = static_cast<isa::Pipe>(random() % 2);
            access.kind = static_cast<Access::Kind>(random() % 3);
            access.in_place = access.kind == Access::Kind::kRead && random() % 4 == 0;
            const isa::Span place = places[random() % places.size()];
            const bool keeps = random() % 4 == 0;
            InOrder judge(keeps), plain_judge(keeps);
            const bool alone = history.TouchAlone(place, access, judge);
            ++(alone ? in_place : not_in_place);
            if (!alone) history.Touch(place, access, judge);
            plain.Touch(place, access, plain_judge);
            ASSERT_EQ(judge.met, plain_judge.met) << seed << " " << tick;
            for (uint64_t byte = 0; byte < kBytes; ++byte)
                ASSERT_EQ(All(history.At(byte)), All(plain.At(byte))) << seed << " " << tick << " " << byte;
            ASSERT_EQ(pasts.in_use(), plain_pasts.in_use()) << seed << " " << tick;
            if (random() % 16 == 0) {
                Access other = access;
                other.core = 2;
                history.AreEqual(place, access, other);
                plain.AreEqual(place, access, other);
            }
        }
    }
    EXPECT_GT(in_place, 1000u);
    EXPECT_GT(not_in_place, 1000u);
}

}  // namespace
}  // namespace sfumato::sanitize
