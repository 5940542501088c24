// SPDX-License-Identifier: Apache-2.0
// Which pipe runs next: the schedules of the architecture ("Pipes are queues; a schedule decides the order").
#pragma once

#include <cstdint>
#include <string>

#include "isa/opcode.h"

namespace sfumato::runtime {

struct Schedule {
    enum class Kind : uint8_t {
        kEager,  // program order
        kLate,   // consumers first, each pipe as late as flags allow
        kAhead,  // producers first, as early as flags allow
        kSeed    // any legal order, reproducible
    };
    Kind kind = Kind::kEager;
    uint64_t seed = 0;

    // "eager", "late", "ahead", "seed:N"; throws sfumato::Error that lists them.
    static Schedule Parse(const std::string& text);
};

// Place of a pipe between memory and result: 0 feeds the others, higher numbers consume.
constexpr int Downstream(isa::Pipe pipe) {
    switch (pipe) {
        case isa::Pipe::kS: return 0;
        case isa::Pipe::kMte2: return 1;
        case isa::Pipe::kMte1: return 2;
        case isa::Pipe::kM: return 3;
        case isa::Pipe::kV: return 4;
        case isa::Pipe::kFix: return 5;
        default: return 6;
    }
}

}  // namespace sfumato::runtime
