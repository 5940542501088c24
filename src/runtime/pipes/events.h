// SPDX-License-Identifier: Apache-2.0
// HardEvent numbers, their names and the pipes they join (framework.md 2.2).
#pragma once

#include <cstdint>

#include "isa/opcode.h"

namespace sfumato::runtime {

struct EventInfo {
    const char* name;  // "MTE2_V"
    isa::Pipe from, to;
};

constexpr int kEventCount = 34;

// number: the enumerator's value in HardEvent.
const EventInfo& Event(uint8_t number);
// nullptr where no event joins the two.
const EventInfo* FindEvent(isa::Pipe from, isa::Pipe to);
inline const char* EventName(uint8_t number) { return Event(number).name; }

}  // namespace sfumato::runtime
