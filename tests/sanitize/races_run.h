// SPDX-License-Identifier: Apache-2.0
// Runs a program under the race checks in a random order that its synchronisation allows, and judges what they tell.
#pragma once

#include <cstdint>
#include <string>

#include "races_reference.h"

namespace sfumato::sanitize::reference {

struct Counts {
    uint64_t programs = 0;
    uint64_t records = 0, accesses = 0;  // with flags and barriers; and without
    uint64_t ordered = 0, raced = 0;     // pairs of accesses that conflict on global memory
    uint64_t told = 0;                   // pairs
};

// In program order; pipes at random, each from its front; or with records that overtake others of their pipe.
enum class Order : uint8_t { kProgram, kPipes, kOvertaking, kCount };

// What the checks got wrong, "" if nothing:
// - every pair told is a race by the rules, at every byte told;
// - where pairs that were told count as ordered from then on, no race of one core is left;
// - every byte of global memory on which two cores race has a pair that was told;
// where records overtake each other, the first, and that something is told where there is a race by the rules.
std::string Judge(const Program& program, Order order, uint64_t seed, Counts* counts);

}  // namespace sfumato::sanitize::reference
