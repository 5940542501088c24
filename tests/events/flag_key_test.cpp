// SPDX-License-Identifier: Apache-2.0
// What is one flag, of every pair of flags a program can name.
#include <gtest/gtest.h>

#include <vector>

#include "events/flag_key.h"
#include "sfumato/ascendc/hard_event.h"

namespace sfumato::events {
namespace {

// The events in the order of HardEvent, with ids 0 to 7, and tokens.
std::vector<isa::Flag> AllFlags() {
    constexpr isa::Pipe S = isa::Pipe::kS, V = isa::Pipe::kV, M = isa::Pipe::kM, MTE1 = isa::Pipe::kMte1,
                        MTE2 = isa::Pipe::kMte2, MTE3 = isa::Pipe::kMte3, FIX = isa::Pipe::kFix;
    std::vector<isa::Flag> flags;
    uint8_t event = 0;
    const auto add = [&](isa::Pipe from, isa::Pipe to) {
        for (int32_t id = 0; id < 8; ++id) flags.push_back({from, to, event, id, 0});
        ++event;
    };
#define SFUMATO_HARD_EVENT(from, to) add(from, to);
    SFUMATO_HARD_EVENTS
#undef SFUMATO_HARD_EVENT
    for (const uint64_t token : {1, 2, 63, 64, 65, 1024, 1 << 20}) flags.push_back({V, MTE3, 7, 0, token});
    return flags;
}

TEST(FlagKey, IsEqualWhereBothNameOneFlag) {
    const std::vector<isa::Flag> flags = AllFlags();
    for (const isa::Flag& a : flags) {
        for (const isa::Flag& b : flags) {
            const bool tokens = a.token != 0 || b.token != 0;
            const bool by_event = tokens ? a.token == b.token : a.from == b.from && a.to == b.to && a.id == b.id;
            const bool by_setter = tokens ? a.token == b.token : a.from == b.from && a.id == b.id;
            EXPECT_EQ(FlagKey(a, FlagIdentity::kEvent) == FlagKey(b, FlagIdentity::kEvent), by_event);
            EXPECT_EQ(FlagKey(a, FlagIdentity::kSetter) == FlagKey(b, FlagIdentity::kSetter), by_setter);
        }
    }
}

TEST(FlagKey, OfATokenIsBehindThoseOfNamedFlags) {
    for (const isa::Flag& flag : AllFlags()) {
        for (const FlagIdentity identity : {FlagIdentity::kEvent, FlagIdentity::kSetter})
            EXPECT_EQ(FlagKey(flag, identity) > kFlags, flag.token != 0);
    }
}

}  // namespace
}  // namespace sfumato::events
