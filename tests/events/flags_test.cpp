// SPDX-License-Identifier: Apache-2.0
// What waits take of flags and tokens, against a map.
#include "events/flags.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

namespace sfumato::events {
namespace {

using isa::Pipe;
using Key = std::tuple<Pipe, Pipe, int32_t, uint64_t>;

Key KeyOf(const isa::Flag& flag, FlagIdentity identity) {
    if (flag.token) return {Pipe::kS, Pipe::kS, 0, flag.token};
    return {flag.from, identity == FlagIdentity::kEvent ? flag.to : Pipe::kS, flag.id, 0};
}

TEST(Flags, GiveAWaitWhatTheLatestSetLeft) {
    constexpr Pipe kPipes[] = {Pipe::kS, Pipe::kV, Pipe::kMte2, Pipe::kMte3};
    for (const FlagIdentity identity : {FlagIdentity::kEvent, FlagIdentity::kSetter}) {
        std::mt19937 random(1);
        const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
        Flags<int> flags(identity);
        std::map<Key, int> set;
        int found = 0;
        for (int n = 1; n < 50000; ++n) {
            const uint32_t from = below(4), to = below(4);
            isa::Flag flag{kPipes[from], kPipes[to], static_cast<uint8_t>(from * 4 + to),
                           static_cast<int32_t>(below(8)), 0};
            // Most tokens are near each other; some of them are left where they are.
            if (below(2) == 0)
                flag.token = 1 + (below(4) == 0 ? below(4000) : static_cast<uint32_t>(n) / 8 + below(70));
            const auto at = set.find(KeyOf(flag, identity));
            ASSERT_EQ(flags.IsSet(flag), at != set.end());
            if (below(2) == 0) {
                flags.Set(flag) = n;
                set[KeyOf(flag, identity)] = n;
            } else {
                const int* taken = flags.Take(flag);
                ASSERT_EQ(taken != nullptr, at != set.end());
                if (!taken) continue;
                ASSERT_EQ(*taken, at->second);
                set.erase(at);
                ++found;
            }
        }
        EXPECT_GT(found, 5000);
    }
}

TEST(Flags, EachNamedOneHasSomethingOfItsOwn) {
    std::mt19937 random(1);
    OfFlags<uint32_t> flags;
    std::map<uint64_t, uint32_t> plain;
    for (uint32_t i = 1; i < 5000; ++i) {
        const uint64_t key = random() % kFlags;
        EXPECT_EQ(flags[key], plain[key]);
        flags[key] = plain[key] = i;
    }
    for (const auto& [key, value] : plain) EXPECT_EQ(flags[key], value);
}

}  // namespace
}  // namespace sfumato::events
