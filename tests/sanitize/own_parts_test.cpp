// SPDX-License-Identifier: Apache-2.0
// What parts keep for one core, against a history that is told everything at once.
#include "sanitize/own_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include "sanitize/pasts.h"

namespace sfumato::sanitize {
namespace {

constexpr uint64_t kPart = OwnParts::kPart, kBytes = 2 * kPart + 1000;

class Nothing final : public History::Judge {
    void Meet(const Access&, const History::Stretch&) override {}
};

// Accesses as the checks tell them: kept where one core is alone, else in the history, behind what was kept.
class Kept {
public:
    explicit Kept(Pasts* pasts) : history(pasts, kBytes), parts_(kBytes) {}

    void Touch(isa::Span span, const Access& access) {
        for (uint64_t at = span.begin, next; at < std::min(span.end, kBytes); at = next) {
            next = std::min({span.end, kBytes, (at / kPart + 1) * kPart});
            sites_.push_back(access);
            if (parts_.Keep({at, next}, access, static_cast<uint32_t>(sites_.size() - 1))) {
                ++kept;
                continue;
            }
            Share(at / kPart);
            history.Touch({at, next}, access, nothing_);
        }
    }
    void Share(uint64_t part) {
        parts_.Share(part, [&](isa::Span bytes, uint64_t tick, uint32_t site) {
            EXPECT_EQ(sites_[site].tick, tick);
            history.Touch(bytes, sites_[site], nothing_);
        });
        EXPECT_TRUE(parts_.IsShared(part));
    }

    History history;
    uint64_t kept = 0;

private:
    OwnParts parts_;
    std::vector<Access> sites_;
    Nothing nothing_;
};

TEST(OwnParts, KeepWhatTheHistoryWouldHold) {
    uint64_t kept = 0;
    for (uint32_t seed = 0; seed < 40; ++seed) {
        std::mt19937 random(seed);
        Pasts pasts;
        History plain(&pasts, kBytes);
        Kept parts(&pasts);
        Nothing nothing;
        // In order, as loops do, or anywhere; with a second core in half of the runs, late.
        const bool loops = seed % 4 < 2;
        const uint64_t other_from = seed % 2 ? 250 : 1000;
        for (uint64_t tick = 1; tick < 400; ++tick) {
            Access access;
            access.tick = tick;
            access.core = tick > other_from ? static_cast<uint32_t>(random() % 2) : 0;
            access.pipe = static_cast<isa::Pipe>(random() % 2);
            access.kind = loops ? Access::Kind::kWrite : static_cast<Access::Kind>(random() % 3);
            const uint64_t begin = loops ? tick % 150 * 256 : random() % kBytes;
            const isa::Span span{begin, begin + (loops ? 256 : 1 + random() % 4000)};
            parts.Touch(span, access);
            plain.Touch(span, access, nothing);
        }
        for (uint64_t part = 0; part * kPart < kBytes; ++part) parts.Share(part);
        for (uint64_t byte = 0; byte < kBytes; ++byte)
            ASSERT_EQ(All(parts.history.At(byte)), All(plain.At(byte))) << seed << " " << byte;
        kept += parts.kept;
    }
    EXPECT_GT(kept, 5000u);
}

TEST(OwnParts, BelongToTheFirst) {
    OwnParts parts(kBytes);
    Access mine, other;
    other.core = 1;
    EXPECT_TRUE(parts.Keep({0, 100}, mine, 0));
    EXPECT_FALSE(parts.Keep({200, 300}, other, 1));
    EXPECT_TRUE(parts.Keep({kPart, kPart + 100}, other, 1));
    EXPECT_TRUE(parts.Keep({100, 200}, mine, 0));
    parts.Share(0, [](isa::Span bytes, uint64_t, uint32_t site) {
        EXPECT_EQ(site, 0u);
        EXPECT_EQ(bytes.end - bytes.begin, 100u);
    });
    EXPECT_FALSE(parts.Keep({0, 100}, mine, 0));
    parts.Share(0, [](isa::Span, uint64_t, uint32_t) { ADD_FAILURE() << "told before"; });
}

}  // namespace
}  // namespace sfumato::sanitize
