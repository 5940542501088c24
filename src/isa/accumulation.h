// SPDX-License-Identifier: Apache-2.0
// How Mmad adds the products of an element of C: a family of ways, as data, and their names (docs/last-bits.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sfumato/data_type.h"

namespace sfumato::isa {

struct Accumulation {
    // Groups of products in ascending k, the last one of what is left; each in its turn with C, which is a float.
    enum class Kind : uint8_t {
        kSequential,         // each product rounded, and its sum with C
        kK0Block,            // kExactThenC of the k of 32 bytes
        kSequentialRounded,  // as kSequential, computed as the others are
        kSequentialFused,    // kExactWithC of one product
        kExactWithC,         // the exact sum of a group and C, rounded once
        kExactThenC,         // the exact sum of a group, rounded; then its sum with C
        kTree,               // products rounded, neighbours added level by level; then its sum with C
        kAligned             // all of a group and C cut to `width` bits below the top of the largest, added, cut again
    };
    Kind kind = Kind::kSequential;
    uint8_t group = 0;     // products of a group, where the kind has no number of its own
    uint8_t width = 0;     // of kAligned: bits
    bool nearest = false;  // of kAligned: the sum is rounded to nearest even, not cut toward zero
    bool operator==(const Accumulation&) const = default;
};

constexpr int kLeastGroup = 2, kMostGroup = 128, kLeastWidth = 8, kMostWidth = 48;

// "sequential", "exact-with-c:16", "aligned:16:25:trunc". Throws Error with what is legal; `what` begins it.
Accumulation ParseAccumulation(std::string_view name, std::string_view what);
std::string NameOf(const Accumulation& accumulation);

// The 87 ways that a record of a board tells apart, for operands of this type: groups of 2, 4 and one, two and four
// times the elements of 32 bytes. kSequential and kK0Block equal one of them each.
std::vector<Accumulation> Accumulations(DataType type);

// The ways of a launch, by what is multiplied.
struct AccumulationChoice {
    Accumulation half, bfloat16, real, hf32;
    const Accumulation& Of(DataType operand, bool is_hf32) const {
        return operand == DataType::kHalf ? half : operand == DataType::kBfloat16 ? bfloat16 : is_hf32 ? hf32 : real;
    }
    bool operator==(const AccumulationChoice&) const = default;
};

// A name for all, or "half=NAME,float=NAME", with commas or + between: types are half, bfloat16, float and hf32, and a
// bare name among them is that of the others. "": sequential. Throws Error.
AccumulationChoice ParseAccumulations(std::string_view text);

}  // namespace sfumato::isa
