// SPDX-License-Identifier: Apache-2.0
// What --check turns on (docs/checks.md).
#pragma once

#include <cstdint>
#include <string>

namespace sfumato::sanitize {

enum class Check : uint8_t {
    kCores,        // races between cores on global memory
    kRaces,        // those inside a core
    kInit,         // data nobody wrote
    kOutputs,      // what a launch leaves unwritten
    kOutputNotes,  // what may be meant: arrays it writes in part, loads it never uses
    kSync,         // flags that hold under one reading of the pages alone
    kNumbers,      // where NaN, infinity and lost digits are born
    kRawNamed,     // the next, by its name: says when it cannot work
    kRaw,          // pointers and C arrays of the kernel's own code
    kLastBit,      // what hangs on a last bit that no page settles: runs the launch again, so it is not one of "all"
    kMmadOrder,    // how far outputs move over the ways in which Mmad may add: likewise
    kCount
};

class Checks {
public:
    constexpr Checks() = default;
    // "" or "default", "all", "none", or names with commas (or +, for SFUMATO_OPTIONS) between: "races,init". "races"
    // are those between cores, too. Throws Error that lists the names.
    static Checks Parse(const std::string& text);

    constexpr bool Has(Check check) const { return (bits_ >> static_cast<int>(check)) & 1; }
    constexpr void Add(Check check) { bits_ |= 1u << static_cast<int>(check); }
    constexpr bool None() const { return bits_ == 0; }

private:
    uint32_t bits_ = 0;
};

}  // namespace sfumato::sanitize
