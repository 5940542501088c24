// SPDX-License-Identifier: Apache-2.0
// The plain scalar expectation of vector records.
#include "exec/vector_oracle.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace sfumato::testing {
namespace {

using isa::Opcode;

// A binary floating format: precision with the hidden bit, exponent of the smallest normal, of the largest value.
struct Format {
    int precision, lowest, highest, bits;
};
Format FormatOf(DataType t) {
    if (t == DataType::kHalf) return {11, -14, 15, 16};
    if (t == DataType::kBfloat16) return {8, -126, 127, 16};
    return {24, -126, 127, 32};
}

double Decode(DataType t, uint64_t bits) {
    const Format f = FormatOf(t);
    const int fraction_bits = f.precision - 1;
    const uint64_t fraction = bits & ((1ull << fraction_bits) - 1);
    const int exponent = static_cast<int>(bits >> fraction_bits) & ((1 << (f.bits - f.precision)) - 1);
    const double sign = (bits >> (f.bits - 1)) & 1 ? -1.0 : 1.0;
    if (exponent == f.highest * 2 + 1) {
        return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
    }
    const double significand = static_cast<double>(fraction) + (exponent ? std::ldexp(1.0, fraction_bits) : 0.0);
    return sign * std::ldexp(significand, std::max(exponent, 1) - 1 + f.lowest - fraction_bits);
}

// Nearest even, then the policy; float ignores it.
uint64_t Encode(DataType t, double v, Overflow overflow, bool* changed) {
    const Format f = FormatOf(t);
    const int fraction_bits = f.precision - 1;
    const bool policy = overflow == Overflow::kSaturate && t != DataType::kFloat;
    const uint64_t infinity = ((1ull << (f.bits - f.precision)) - 1) << fraction_bits;
    const uint64_t sign = std::signbit(v) ? 1ull << (f.bits - 1) : 0;
    if (std::isnan(v)) {
        *changed |= policy;
        return policy ? 0 : infinity | 1ull << (fraction_bits - 1);
    }
    uint64_t magnitude = infinity;
    if (std::isfinite(v) && v == 0) magnitude = 0;
    if (std::isfinite(v) && v != 0) {
        const int exponent = std::max(std::ilogb(v), f.lowest);
        // A step of the grid is 2^(exponent - fraction_bits); carries run into the exponent field by themselves.
        const auto steps = static_cast<uint64_t>(std::nearbyint(std::ldexp(std::fabs(v), fraction_bits - exponent)));
        magnitude = (static_cast<uint64_t>(exponent - f.lowest) << fraction_bits) + steps;
        magnitude = std::min(magnitude, infinity);
    }
    if (magnitude == infinity && policy) {
        *changed = true;
        magnitude = infinity - 1;
    }
    return sign | magnitude;
}

int64_t DecodeInteger(DataType t, uint64_t bits) {
    switch (t) {
        case DataType::kInt4: return static_cast<int64_t>(bits << 60) >> 60;
        case DataType::kInt8: return static_cast<int8_t>(bits);
        case DataType::kInt16: return static_cast<int16_t>(bits);
        case DataType::kInt32: return static_cast<int32_t>(bits);
        default: return static_cast<int64_t>(bits);
    }
}

struct Range {
    int64_t low, high;
};
Range RangeOf(DataType t) {
    if (t == DataType::kUint8 || t == DataType::kUint16 || t == DataType::kUint32) {
        return {0, (int64_t{1} << BitsOf(t)) - 1};
    }
    const int64_t high = std::numeric_limits<int64_t>::max() >> (64 - BitsOf(t));
    return {-high - 1, high};
}

uint64_t Low(DataType t, uint64_t bits) { return BitsOf(t) == 64 ? bits : bits & ((1ull << BitsOf(t)) - 1); }

// What an element holds after a step whose exact result this is.
__extension__ using Exact = __int128;
int64_t Integer(DataType t, Exact exact, Overflow overflow, bool* changed) {
    const Range range = RangeOf(t);
    const Exact clamped = std::clamp<Exact>(exact, range.low, range.high);
    if (clamped != exact && overflow == Overflow::kSaturate) {
        *changed = true;
        exact = clamped;
    }
    return DecodeInteger(t, Low(t, static_cast<uint64_t>(exact)));
}

int64_t Shifted(Opcode op, DataType t, int64_t a, int64_t distance, bool rounds) {
    const int64_t bits = BitsOf(t);
    if (op == Opcode::vshl) {
        const int64_t sign = RangeOf(t).low & a & RangeOf(t).low;
        const int64_t field = (int64_t{1} << (RangeOf(t).low < 0 ? bits - 1 : bits)) - 1;
        return static_cast<int64_t>(static_cast<uint64_t>(a) << distance) & field ? sign | (a << distance & field)
                                                                                  : sign;
    }
    // a is sign- or zero-extended to 64 bits, so the shift brings in what it should.
    return (a >> distance) + (rounds && distance > 0 ? a >> (distance - 1) & 1 : 0);
}

uint64_t IntegerArithmetic(const isa::Record& r, DataType t, int64_t a, int64_t b, int64_t old, bool* changed) {
    const Overflow overflow = r.control.overflow;
    const auto step = [&](Exact exact) { return Integer(t, exact, overflow, changed); };
    const auto result = [&]() -> int64_t {
        switch (r.op) {
            case Opcode::vadd:
            case Opcode::vadds: return step(Exact{a} + b);
            case Opcode::vsub: return step(Exact{a} - b);
            case Opcode::vmul:
            case Opcode::vmuls: return step(Exact{a} * b);
            case Opcode::vmax:
            case Opcode::vmaxs: return std::max(a, b);
            case Opcode::vmin:
            case Opcode::vmins: return std::min(a, b);
            case Opcode::vabs: return step(a < 0 ? -Exact{a} : Exact{a});
            case Opcode::vrelu: return std::max<int64_t>(a, 0);
            case Opcode::vaddrelu: return std::max<int64_t>(step(Exact{a} + b), 0);
            case Opcode::vsubrelu: return std::max<int64_t>(step(Exact{a} - b), 0);
            case Opcode::vmla: return step(Exact{step(Exact{a} * b)} + old);
            case Opcode::vnot: return ~a;
            case Opcode::vand: return a & b;
            case Opcode::vor: return a | b;
            default: return Shifted(r.op, t, a, b, r.rounding == Rounding::kRound);
        }
    };
    return Low(t, static_cast<uint64_t>(result()));
}

// src0 and src1, or the scalar, are given as their values, and src0 as its bits too.
uint64_t Composite(const isa::Record& r, DataType t, uint64_t a_bits, double a, double b, uint64_t old, bool* changed) {
    const auto step = [&](double v) { return Encode(t, v, r.control.overflow, changed); };
    const auto relu = [&](uint64_t bits) { return bits >> (BitsOf(t) - 1) ? 0 : bits; };
    const auto multiply_add = [&](double x, double y, double z) { return step(Decode(t, step(x * y)) + z); };
    switch (r.op) {
        case Opcode::vaxpy:
        case Opcode::vmla: return multiply_add(a, b, Decode(t, old));
        case Opcode::vmadd: return multiply_add(a, Decode(t, old), b);
        case Opcode::vmaddrelu: return relu(multiply_add(a, Decode(t, old), b));
        case Opcode::vaddrelu: return relu(step(a + b));
        case Opcode::vsubrelu: return relu(step(a - b));
        default: return step(a_bits >> (BitsOf(t) - 1) ? a * b : a);
    }
}

uint64_t FloatArithmetic(Opcode op, DataType t, double a, double b, Overflow overflow, bool* changed) {
    double v = 0;
    const bool any_nan = std::isnan(a) || std::isnan(b);
    const bool a_below = a < b || (a == b && std::signbit(a));
    switch (op) {
        case Opcode::vadd:
        case Opcode::vadds: v = a + b; break;
        case Opcode::vsub: v = a - b; break;
        case Opcode::vmul:
        case Opcode::vmuls: v = a * b; break;
        case Opcode::vmax:
        case Opcode::vmaxs: v = any_nan ? a + b : a_below ? b : a; break;
        case Opcode::vdiv: v = a / b; break;
        case Opcode::vabs: v = std::fabs(a); break;
        case Opcode::vrelu: v = a > 0 || any_nan ? a : 0; break;
        case Opcode::vrec: v = 1 / a; break;
        case Opcode::vsqrt: v = std::sqrt(a); break;
        case Opcode::vrsqrt: v = 1 / std::sqrt(a); break;
        case Opcode::vexp: v = std::exp(a); break;
        case Opcode::vln: v = std::log(a); break;
        default: v = any_nan ? a + b : a_below ? a : b; break;
    }
    if (any_nan) v = std::numeric_limits<double>::quiet_NaN();
    return Encode(t, v, overflow, changed);
}

uint64_t ConvertElement(const isa::Record& r, uint32_t lane, uint64_t bits, const std::vector<uint8_t>& ub,
                        bool* changed) {
    const DataType from = r.src0().type, to = r.dst().type;
    if (r.control.deq != isa::DeqScale::kNone) {
        uint64_t word = r.control.deq_word;
        if (r.control.deq == isa::DeqScale::kVector) std::memcpy(&word, &ub[word + 8 * (lane % 16)], 8);
        const float scale = std::bit_cast<float>(static_cast<uint32_t>(word) & 0xFFFFE000u);
        const int offset = static_cast<int>((word >> 37) & 0x1FF) << 23 >> 23;
        const double r0 =
            std::clamp(std::nearbyint(static_cast<double>(DecodeInteger(from, bits)) * scale), -256.0, 255.0);
        const Range range = RangeOf(to);
        return Low(to, static_cast<uint64_t>(std::clamp(static_cast<int64_t>(r0) + offset, range.low, range.high)));
    }
    if (!IsFloating(from) && !IsFloating(to)) {
        const Range range = RangeOf(to);
        return Low(to, static_cast<uint64_t>(std::clamp(DecodeInteger(from, bits), range.low, range.high)));
    }
    const double v = IsFloating(from) ? Decode(from, bits) : static_cast<double>(DecodeInteger(from, bits));
    if (IsFloating(to)) return Encode(to, v, r.control.overflow, changed);
    if (std::isnan(v)) return 0;
    const Range range = RangeOf(to);
    const double rounded = std::nearbyint(v);
    const int64_t clamped = rounded <= static_cast<double>(range.low)    ? range.low
                            : rounded >= static_cast<double>(range.high) ? range.high
                                                                         : static_cast<int64_t>(rounded);
    return Low(to, static_cast<uint64_t>(clamped));
}

uint64_t Element(const isa::Record& r, uint32_t lane, uint64_t a, uint64_t b, uint64_t old,
                 const std::vector<uint8_t>& ub, bool* changed) {
    const isa::Form form = isa::Info(r.op).form;
    const DataType t = r.dst().type, s = r.operand_count > 1 ? r.src0().type : t;
    if (form == isa::Form::kFill) return Low(t, r.immediate);
    if (form == isa::Form::kConvert) return ConvertElement(r, lane, a, ub, changed);
    if (form == isa::Form::kScalar) b = r.immediate;
    if (!IsFloating(t)) {
        return IntegerArithmetic(r, t, DecodeInteger(t, a), DecodeInteger(t, b), DecodeInteger(t, old), changed);
    }
    switch (r.op) {
        case Opcode::vaxpy:
        case Opcode::vmla:
        case Opcode::vmadd:
        case Opcode::vmaddrelu:
        case Opcode::vaddrelu:
        case Opcode::vsubrelu:
        case Opcode::vlrelu: return Composite(r, t, a, Decode(s, a), Decode(s, b), old, changed);
        default: break;
    }
    return FloatArithmetic(r.op, t, Decode(t, a), Decode(t, b), r.control.overflow, changed);
}

}  // namespace

uint64_t ReadElement(const std::vector<uint8_t>& memory, uint64_t byte, uint32_t element, DataType type) {
    if (type == DataType::kInt4) return memory[byte + element / 2] >> (element % 2 * 4) & 15;
    uint64_t bits = 0;
    std::memcpy(&bits, &memory[byte + element * BitsOf(type) / 8], BitsOf(type) / 8);
    return bits;
}

void WriteElement(std::vector<uint8_t>& memory, uint64_t byte, uint32_t element, DataType type, uint64_t bits) {
    if (type == DataType::kInt4) {
        uint8_t& pair = memory[byte + element / 2];
        pair = static_cast<uint8_t>(element % 2 ? (pair & 0x0F) | bits << 4 : (pair & 0xF0) | (bits & 15));
        return;
    }
    std::memcpy(&memory[byte + element * BitsOf(type) / 8], &bits, BitsOf(type) / 8);
}

bool ExpectVector(const isa::Record& r, std::vector<uint8_t>& ub) {
    uint32_t widest = 0;
    for (int i = 0; i < r.operand_count; ++i) widest = std::max(widest, BitsOf(r.operand[static_cast<size_t>(i)].type));
    const uint64_t lanes = 2048 / widest;
    const bool counted = r.mask.mode == isa::MaskMode::kCount || r.mask.mode == isa::MaskMode::kCounter;
    const uint64_t repeats = counted ? (r.mask.count + lanes - 1) / lanes : r.repeat;
    const auto active = [&](uint64_t repeat, uint64_t lane) {
        if (counted) return repeat * lanes + lane < r.mask.count;
        if (r.mask.mode == isa::MaskMode::kContinuous) return lane < r.mask.count;
        return lane < 128 && (r.mask.bits[lane / 64] >> (lane % 64) & 1) != 0;
    };
    // Byte of the block a lane lies in, and its element there.
    const auto place = [&](int operand, uint64_t repeat, uint64_t lane, uint32_t* element) {
        const isa::Operand& o = r.operand[static_cast<size_t>(operand)];
        const bool half = operand == 0 && r.half_block != isa::HalfBlock::kDense;
        const uint64_t in_block = half ? 16 : 256 / BitsOf(o.type);
        const uint64_t high = half && r.half_block == isa::HalfBlock::kHigh ? 16 : 0;
        *element = static_cast<uint32_t>(lane % in_block);
        const uint64_t blocks_per_repeat = lanes / in_block;
        const uint64_t block = r.mask.mode == isa::MaskMode::kCount
                                   ? repeat * blocks_per_repeat + lane / in_block
                                   : repeat * o.repeat_stride + lane / in_block * o.block_stride;
        return o.offset + block * 32 + high;
    };
    bool changed = false;
    const std::vector<uint8_t> before = ub;
    for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
        std::vector<uint64_t> results(lanes);
        uint32_t element = 0;
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            if (!active(repeat, lane)) continue;
            uint64_t source[2] = {};
            for (int i = 1; i < r.operand_count; ++i) {
                const uint64_t byte = place(i, repeat, lane, &element);
                source[i - 1] = ReadElement(ub, byte, element, r.operand[static_cast<size_t>(i)].type);
            }
            const uint64_t at = place(0, repeat, lane, &element);
            const uint64_t old = ReadElement(ub, at, element, r.dst().type);
            results[lane] = Element(r, lane, source[0], source[1], old, before, &changed);
        }
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            if (!active(repeat, lane)) continue;
            const uint64_t byte = place(0, repeat, lane, &element);
            WriteElement(ub, byte, element, r.dst().type, results[lane]);
        }
    }
    return changed;
}

std::vector<uint64_t> Patterns(DataType type, size_t count, uint64_t seed) {
    static constexpr uint64_t kHalf[] = {0, 0x8000, 0x7C00, 0xFC00, 0x7E00, 0xFFFF, 0x7BFF, 0xFBFF,
                                         1, 0x8001, 0x3FF,  0x400,  0x7C01, 0x7BFE, 0x3C00};
    static constexpr uint64_t kBf16[] = {0,      0x8000, 0x7F80, 0xFF80, 0x7FC0, 0xFFFF, 0x7F7F,
                                         0xFF7F, 1,      0x8001, 0x7F,   0x80,   0x7F81, 0x3F80};
    static constexpr uint64_t kFloat[] = {0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000,
                                          0xFFFFFFFF, 0x7F7FFFFF, 0xFF7FFFFF, 1,          0x807FFFFF,
                                          0x00800000, 0x7F800001, 0x477FF000, 0x33000000};
    static constexpr uint64_t kInteger[] = {
        0, 1, ~0ull, 0x7F, 0x80, 0x7FFF, 0x8000, 0x7FFFFFFF, 0x80000000, 0x7FFFFFFFFFFFFFFF, 2};
    std::mt19937_64 random(seed);
    std::vector<uint64_t> patterns(count);
    const auto pick = [&](const auto& list) { return list[random() % std::size(list)]; };
    for (uint64_t& p : patterns) {
        p = random();
        const uint64_t kind = random() % 4;
        if (kind == 0) {
            p = type == DataType::kHalf       ? pick(kHalf)
                : type == DataType::kBfloat16 ? pick(kBf16)
                : type == DataType::kFloat    ? pick(kFloat)
                                              : pick(kInteger);
        } else if (kind == 1 && type == DataType::kFloat) {
            p = (p & 0x807FFFFF) | (103 + random() % 45) << 23;  // near half's range
        } else if (kind != 2 && !IsFloating(type)) {
            p = random() % 400 - 200;
        }
        p = Low(type, p);
    }
    return patterns;
}

}  // namespace sfumato::testing
