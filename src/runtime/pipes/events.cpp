// SPDX-License-Identifier: Apache-2.0
// The event table, from the same list as the public enum.
#include "runtime/pipes/events.h"

#include <algorithm>
#include <iterator>

#include "sfumato/ascendc/hard_event.h"

namespace sfumato::runtime {
namespace {

constexpr isa::Pipe S = isa::Pipe::kS, V = isa::Pipe::kV, M = isa::Pipe::kM, MTE1 = isa::Pipe::kMte1,
                    MTE2 = isa::Pipe::kMte2, MTE3 = isa::Pipe::kMte3, FIX = isa::Pipe::kFix;

constexpr EventInfo kEvents[] = {
#define SFUMATO_HARD_EVENT(from, to) {#from "_" #to, from, to},
    SFUMATO_HARD_EVENTS
#undef SFUMATO_HARD_EVENT
};
static_assert(sizeof(kEvents) / sizeof(kEvents[0]) == kEventCount);

}  // namespace

const EventInfo* FindEvent(isa::Pipe from, isa::Pipe to) {
    const auto* it =
        std::ranges::find_if(kEvents, [&](const EventInfo& event) { return event.from == from && event.to == to; });
    return it == std::end(kEvents) ? nullptr : it;
}

const EventInfo& Event(uint8_t number) { return kEvents[number < kEventCount ? number : 0]; }

}  // namespace sfumato::runtime
