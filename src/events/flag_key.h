// SPDX-License-Identifier: Apache-2.0
// Which sets and waits name one flag of a core (framework.md 2.3).
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/record.h"
#include "sfumato/flag_identity.h"

namespace sfumato::events {

constexpr uint64_t kFlagIds = 16;
// Of 64 events or pipes.
constexpr uint64_t kFlags = 64 * kFlagIds;

// Equal where both name one flag. Below kFlags: of an event, or of the pipe that sets, and an id; from there on: the
// token of a queue, a flag that is used once.
inline uint64_t FlagKey(const isa::Flag& flag, FlagIdentity identity) {
    if (flag.token) return kFlags + flag.token;
    const uint64_t of = identity == FlagIdentity::kEvent ? flag.event : static_cast<uint64_t>(flag.from);
    return (of * kFlagIds + static_cast<uint64_t>(flag.id & 15)) % kFlags;
}

}  // namespace sfumato::events
