// SPDX-License-Identifier: Apache-2.0
// What the records of a launch are told of their last bits (isa::LastBits): by its options, or one call's moved alone.
#pragma once

#include <string>

#include "isa/record.h"
#include "sfumato/launch.h"

namespace sfumato::runtime {

// A call of the program whose last bits move in a run: Mmad's by its other order.
struct MovedCall {
    isa::Opcode op;
    std::string file;
    uint32_t line;
    isa::LastBits::Move move;
};

class LastBitChoice {
public:
    // moved: may be null; must outlive it. Throws Error for a text of LaunchOptions::div that is none.
    LastBitChoice(const LaunchOptions& options, const MovedCall* moved);

    // Whether any record is told something.
    bool any() const { return any_; }
    void Tell(isa::Record* record) const;

private:
    bool exact_;
    isa::AccumulationChoice orders_;
    isa::LastBits quotients_;
    const MovedCall* moved_;
    bool any_;
};

}  // namespace sfumato::runtime
