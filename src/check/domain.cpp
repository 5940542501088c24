// SPDX-License-Identifier: Apache-2.0
// The input ranges of mathematical functions (adv.md 5): known when the record executes, a warning, and the result is
// the limit of the function all the same.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
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
    double low, high;
    bool open;  // the ends do not belong to it
    const char* legal;
    const char* chips;  // families whose name begins so
};
constexpr double kInf = INFINITY, kMostExponent = 0x7FFFFFFF;
constexpr const char* kTurns = "-65504 to 65504";
constexpr const char* kExponent = "below 2147483647";
constexpr Domain kDomains[] = {
    {Opcode::vsin, 1, -65504, 65504, false, kTurns, ""},
    {Opcode::vcos, 1, -65504, 65504, false, kTurns, ""},
    {Opcode::vtan, 1, -65504, 65504, false, kTurns, ""},
    {Opcode::vasin, 1, -1, 1, false, "-1 to 1", ""},
    {Opcode::vacos, 1, -1, 1, false, "-1 to 1", ""},
    {Opcode::vacosh, 1, 1, kInf, false, "1 or more", ""},
    {Opcode::vatanh, 1, -1, 1, true, "between -1 and 1", ""},
    {Opcode::vpower, 2, -kInf, kMostExponent, true, kExponent, "Ascend310P"},
    {Opcode::vpowers, 2, -kInf, kMostExponent, true, kExponent, "Ascend310P"},
    {Opcode::vspower, 1, -kInf, kMostExponent, true, kExponent, "Ascend310P"},
};

double Value(DataType type, const uint8_t* at) {
    if (type == DataType::kHalf) {
        uint16_t bits;
        std::memcpy(&bits, at, sizeof bits);
        return static_cast<float>(half::FromBits(bits));
    }
    uint32_t bits;
    std::memcpy(&bits, at, sizeof bits);
    if (type == DataType::kFloat) return std::bit_cast<float>(bits);
    return static_cast<int32_t>(bits);
}

// NaN is in no range and not outside either: it came from elsewhere. -inf is an exponent like any other.
bool Outside(const Domain& d, double x) {
    if (std::isnan(x) || (x == d.low && std::isinf(x))) return false;
    return d.open ? x <= d.low || x >= d.high : x < d.low || x > d.high;
}

SFUMATO_COLD bool OutOfDomain(const Record& r, const Context& c, const Domain& d, const char* operand,
                              const std::string& found) {
    return Tell(r, c,
                {Rule::kInputRange, operand, "an element lies outside the range of the function", found, d.legal,
                 "limit the source first, e.g. with Maxs and Mins; here the result is the limit of the function, NaN "
                 "where it has none"});
}

bool CheckDomainOf(const Domain& d, const Record& r, const Context& c, const uint8_t* ub) {
    if (d.operand >= r.operand_count) {
        uint8_t bytes[sizeof r.immediate];
        std::memcpy(bytes, &r.immediate, sizeof bytes);
        const double x = Value(r.dst().type, bytes);
        return !Outside(d, x) || OutOfDomain(r, c, d, "scalar", fmt::format("{}", x));
    }
    const isa::Operand& o = r.operand[static_cast<size_t>(d.operand)];
    const uint8_t* at = ub + o.offset;
    const uint64_t size = BytesOf(o.type, 1);
    for (uint64_t i = 0; i < r.mask.count; ++i, at += size) {
        const double x = Value(o.type, at);
        if (!Outside(d, x)) [[likely]]
            continue;
        return OutOfDomain(r, c, d, isa::OperandName(r, d.operand),
                           fmt::format("{} at index {} of {}", x, i, isa::OperandName(r, d.operand)));
    }
    return true;
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
