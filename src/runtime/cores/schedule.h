// SPDX-License-Identifier: Apache-2.0
// Which pipe and which core run next: the schedules of the architecture ("Pipes are queues; a schedule decides the
// order").
#pragma once

#include <cstdint>
#include <string>

#include "isa/opcode.h"

namespace sfumato::runtime {

struct Schedule {
    enum class Kind : uint8_t {
        kEager,  // program order; cores: the lowest that can go on
        kLate,   // consumers first, each pipe as late as flags allow; cores: the highest that can go on
        kAhead,  // producers first, as early as flags allow; cores: those that have not started first
        kSeed    // any legal order, reproducible; cores: any that can go on
    };
    Kind kind = Kind::kEager;
    uint64_t seed = 0;
    bool one_core_at_a_time = false;  // so that every run is the same, whatever the kernel does
    bool of_ranks = false;            // it says what several ranks do, and is for launches of theirs alone
    // Stores to memory of other ranks arrive late and in parts (world/held_stores.h): the newest first, or under a seed
    // that is not 0 in any order.
    bool torn = false;

    // "eager" (several cores at a time), "serial" (eager, one core at a time), "late", "ahead", "seed:N", and of ranks
    // "skew", "skew:R" (world/world.h), "torn", "torn:N"; throws sfumato::Error that lists them.
    static Schedule Parse(const std::string& text);
};

// xorshift64: the same numbers everywhere.
class Random {
public:
    explicit Random(uint64_t seed, uint64_t stream = 0)
        : state_((seed + 1) * 0x9E3779B97F4A7C15u ^ (stream + 1) * 0xD1B54A32D192ED03u) {}
    uint64_t Next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return state_;
    }

private:
    uint64_t state_;
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
