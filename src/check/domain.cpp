// SPDX-License-Identifier: Apache-2.0
// The input ranges of mathematical functions (adv.md 5): known when the record executes, a warning, and the result is
// the limit of the function all the same.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

#include "check/parts.h"
#include "sfumato/half.h"

namespace sfumato::check {
namespace {

using isa::Opcode;
using isa::Record;

struct Domain {
    Opcode op;
    int operand;  // of the record; of Power with a scalar exponent the immediate
    float low, high;
    const char* legal;
    const char* chips;  // families whose name begins so
};
constexpr float kInf = INFINITY, kBelowOne = 0x1.fffffep-1f, kMostExponent = 0x1.fffffep30f;
constexpr const char* kTurns = "-65504 to 65504";
constexpr const char* kExponent = "below 2147483647";
constexpr Domain kDomains[] = {
    {Opcode::vsin, 1, -65504, 65504, kTurns, ""},
    {Opcode::vcos, 1, -65504, 65504, kTurns, ""},
    {Opcode::vtan, 1, -65504, 65504, kTurns, ""},
    {Opcode::vasin, 1, -1, 1, "-1 to 1", ""},
    {Opcode::vacos, 1, -1, 1, "-1 to 1", ""},
    {Opcode::vacosh, 1, 1, kInf, "1 or more", ""},
    {Opcode::vatanh, 1, -kBelowOne, kBelowOne, "between -1 and 1", ""},
    {Opcode::vpower, 2, -kInf, kMostExponent, kExponent, "Ascend310P"},
    {Opcode::vpowers, 2, -kInf, kMostExponent, kExponent, "Ascend310P"},
    {Opcode::vspower, 1, -kInf, kMostExponent, kExponent, "Ascend310P"},
};

// Elements as they are compared. NaN is in no range and not outside either: it came from elsewhere.
struct OfHalf {
    using Stored = uint16_t;
    static float Value(uint16_t bits) {
        const uint32_t magnitude = bits & 0x7FFF;
        const float value = std::bit_cast<float>(magnitude << 13) * 0x1p112f;  // infinity: 65536
        return magnitude > 0x7C00 ? NAN : bits & 0x8000 ? -value : value;
    }
    static bool Outside(const Domain& d, uint16_t bits) { return Value(bits) < d.low || Value(bits) > d.high; }
    static std::string Text(uint16_t bits) { return fmt::format("{}", static_cast<float>(half::FromBits(bits))); }
};
struct OfFloat {
    using Stored = float;
    static bool Outside(const Domain& d, float x) { return (x < d.low) | (x > d.high); }
    static std::string Text(float x) { return fmt::format("{}", x); }
};
struct OfInt32 {  // an exponent
    using Stored = int32_t;
    static bool Outside(const Domain&, int32_t x) { return x == INT32_MAX; }
    static std::string Text(int32_t x) { return fmt::format("{}", x); }
};

SFUMATO_COLD bool OutOfDomain(const Record& r, const Context& c, const Domain& d, const char* operand,
                              const std::string& found) {
    return Tell(r, c,
                {Rule::kInputRange, operand, "an element lies outside the range of the function", found, d.legal,
                 "limit the source first, e.g. with Maxs and Mins; here the result is the limit of the function, NaN "
                 "where it has none"});
}

template <class Of>
bool CheckElements(const Domain& d, const Record& r, const Context& c, const uint8_t* ub) {
    typename Of::Stored x[64];
    if (d.operand >= r.operand_count) {
        std::memcpy(x, &r.immediate, sizeof x[0]);
        return !Of::Outside(d, x[0]) || OutOfDomain(r, c, d, "scalar", Of::Text(x[0]));
    }
    const uint8_t* at = ub + r.operand[static_cast<size_t>(d.operand)].offset;
    for (uint64_t begin = 0; begin < r.mask.count; begin += std::size(x)) {
        const uint64_t n = std::min<uint64_t>(std::size(x), r.mask.count - begin);
        std::memcpy(x, at + begin * sizeof x[0], n * sizeof x[0]);
        for (uint64_t i = n; i < std::size(x); ++i) x[i] = x[0];
        int outside = 0;
        for (const auto& element : x) outside |= Of::Outside(d, element);
        if (outside == 0) [[likely]]
            continue;
        const uint64_t first = static_cast<uint64_t>(
            std::find_if(x, x + n, [&](const auto& element) { return Of::Outside(d, element); }) - x);
        const char* operand = isa::OperandName(r, d.operand);
        return OutOfDomain(r, c, d, operand,
                           fmt::format("{} at index {} of {}", Of::Text(x[first]), begin + first, operand));
    }
    return true;
}

bool CheckDomainOf(const Domain& d, const Record& r, const Context& c, const uint8_t* ub) {
    const DataType type = r.dst().type;
    return type == DataType::kHalf    ? CheckElements<OfHalf>(d, r, c, ub)
           : type == DataType::kFloat ? CheckElements<OfFloat>(d, r, c, ub)
                                      : CheckElements<OfInt32>(d, r, c, ub);
}

}  // namespace

bool CheckDomain(const Record& r, const Context& c, const uint8_t* ub) {
    if (r.mask.mode != isa::MaskMode::kCount) return true;  // high-level calls count
    for (const Domain& d : kDomains) {
        if (d.op == r.op && std::string_view(c.chip->name).starts_with(d.chips)) return CheckDomainOf(d, r, c, ub);
    }
    return true;
}

}  // namespace sfumato::check
