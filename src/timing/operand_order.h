// SPDX-License-Identifier: Apache-2.0
// Which records a record waits for where the compiler synchronises by operands, as TIK does: the latest of each other
// pipe that writes what it touches, or touches what it writes.
#pragma once

#include <array>
#include <vector>

#include "isa/record.h"
#include "isa/spans.h"

namespace sfumato::timing {

class OperandOrder {
public:
    // For each pipe the number of its record, from 1 on, that `record` waits for; 0: none. Then it counts as issued.
    using Waits = std::array<uint64_t, isa::kPipeCount>;
    Waits Issue(const isa::Record& record);

private:
    struct Touched {
        isa::Memory memory;
        uint32_t allocation;
        isa::Span bytes;
        bool written;
        uint64_t number;
    };
    // Older ones are over by then: a queue has 32 places.
    static constexpr size_t kRemembered = 96;
    struct Recent {
        std::vector<Touched> touched;  // a ring
        size_t next = 0;
        uint64_t count = 0;  // records of the pipe
    };
    std::array<Recent, isa::kPipeCount> recent_;
};

}  // namespace sfumato::timing
