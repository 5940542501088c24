// SPDX-License-Identifier: Apache-2.0
// When a use of an instruction rests on a reading: the words of `when` in chips/behaviours.toml.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/record.h"
#include "soc/chip.h"

namespace sfumato::soc {

// What the data of a use hold; a set of bits. Of the sources before, of the result after it ran.
enum Value : uint32_t {
    kSourceNan = 1 << 0,
    kSourceMinusZero = 1 << 1,
    kSourceSubnormal = 1 << 2,
    kResultNan = 1 << 3,
    kResultLimit = 1 << 4,  // inf, the largest finite value or the end of an integer's range; or it was saturated
    kResultZero = 1 << 5,
    kResultSubnormal = 1 << 6,
    kResultTwice = 1 << 7,  // a byte is written more than once
};
constexpr uint32_t kSourceValues = kSourceNan | kSourceMinusZero | kSourceSubnormal;

// An instruction as it ran, on a chip.
struct Use {
    const isa::Record& record;
    const Chip& chip;
    uint32_t values = 0;
};

// A list of conditions, each with alternatives ("part or type=int8_t"), all of which must hold:
//   chip=, api=ascendc|tik, core=aicore|cube|vector, call= (the name in reports), form= (isa/forms.inc), type= (of any
//   operand), dst=, src=, src1= (types, as Ascend C spells them), from=, to= (memories), mask=count|bits|continuous|
//   counter, rounding=, atomic=add|max|min, quant=, block=, source=, result= (what the data hold), a|b for several, and
//   words of one kind of instruction (condition.cpp); "not " before any of them.
//   finding=rule: the run has this finding; stands with chip= and api= alone.
//   never: no byte of a result rests on it: it refuses, or is about the host, the debugger, or how a script is written.
class Conditions {
public:
    // Throws Error for what is none.
    void Add(const std::string& text);

    bool never() const { return never_; }
    // Rules; empty unless findings show the use.
    const std::vector<std::string>& findings() const { return findings_; }
    // The bits of Value that decide.
    uint32_t values() const { return values_; }
    // Whether some use on the chip could hold.
    bool Possible(const Chip& chip, isa::Api api) const;
    bool Hold(const Use& use) const;

private:
    struct Term {
        uint8_t key;  // of the table in condition.cpp
        bool wanted = true;
        uint64_t set = 0;                // of what an enum is in
        std::vector<std::string> names;  // of chips, calls
    };
    static Term Parse(std::string_view text);
    static bool Holds(const Term& term, const Use& use);

    std::vector<std::vector<Term>> all_;
    std::vector<std::string> findings_;
    uint32_t values_ = 0;
    bool never_ = false;
};

}  // namespace sfumato::soc
