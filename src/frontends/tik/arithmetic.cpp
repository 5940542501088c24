// SPDX-License-Identifier: Apache-2.0
// Fixed-width integers and IEEE floats, as compiled C computes them (tik.md 3.10).
#include "frontends/tik/arithmetic.h"

#include "numeric/convert.h"
#include "sfumato/half.h"

namespace sfumato::tik {
namespace {

constexpr numeric::FloatFormat FormatOf(DataType t) {
    return t == DataType::kHalf       ? numeric::kHalfFormat
           : t == DataType::kBfloat16 ? numeric::kBfloat16Format
                                      : numeric::kFloatFormat;
}

numeric::Exact Unpack(DataType type, uint64_t v) {
    if (IsFloating(type)) return numeric::UnpackFloat(numeric::kFloatFormat, v & 0xFFFFFFFF);
    return IsSigned(type) ? numeric::UnpackSigned(static_cast<int64_t>(v)) : numeric::UnpackUnsigned(v);
}

uint64_t Pack(DataType type, const numeric::Exact& exact, Rounding rounding) {
    if (IsFloating(type)) return FromMemory(type, numeric::PackFloat(FormatOf(type), exact, rounding));
    return Wrap(type, numeric::PackInteger(static_cast<int>(BitsOf(type)), IsSigned(type), exact, rounding));
}

template <class T>
bool Compare(Op op, T a, T b) {
    switch (op) {
        case Op::kEqual: return a == b;
        case Op::kNotEqual: return a != b;
        case Op::kLess: return a < b;
        case Op::kLessEqual: return a <= b;
        case Op::kGreater: return a > b;
        default: return a >= b;
    }
}

uint64_t ApplyFloat(Op op, DataType type, float a, float b) {
    switch (op) {
        case Op::kAdd: return RoundFloat(type, a + b);
        case Op::kSub: return RoundFloat(type, a - b);
        case Op::kMul: return RoundFloat(type, a * b);
        case Op::kDiv: return RoundFloat(type, a / b);
        case Op::kMin: return FromFloat(b < a ? b : a);
        case Op::kMax: return FromFloat(a < b ? b : a);
        default: return Compare(op, a, b);
    }
}

// A shift by the width or more leaves the sign or nothing; by a negative count it is one by a huge count.
uint64_t Shift(Op op, DataType type, uint64_t a, uint64_t count) {
    const bool all = count >= BitsOf(type);
    if (op == Op::kShiftLeft) return all ? 0 : Wrap(type, a << count);
    if (!IsSigned(type)) return all ? 0 : a >> count;
    return static_cast<uint64_t>(static_cast<int64_t>(a) >> (all ? 63 : count));
}

}  // namespace

uint64_t RoundFloat(DataType type, float f) {
    if (type == DataType::kFloat) return FromFloat(f);
    // A float result of + - * / rounded once more to half or bfloat16 is still correctly rounded (half.h).
    const uint64_t bits =
        numeric::PackFloat(FormatOf(type), numeric::UnpackFloat(numeric::kFloatFormat, FromFloat(f)), Rounding::kRint);
    return FromMemory(type, bits);
}

uint64_t ToMemory(DataType type, uint64_t value) {
    if (type == DataType::kHalf || type == DataType::kBfloat16) {
        return numeric::PackFloat(FormatOf(type), numeric::UnpackFloat(numeric::kFloatFormat, value & 0xFFFFFFFF),
                                  Rounding::kRint);
    }
    const uint32_t bits = BitsOf(type);
    return bits < 64 ? value & ((uint64_t{1} << bits) - 1) : value;
}

uint64_t FromMemory(DataType type, uint64_t bits) {
    if (!IsFloating(type)) return Wrap(type, bits);
    if (type == DataType::kFloat) return bits & 0xFFFFFFFF;
    return numeric::PackFloat(numeric::kFloatFormat, numeric::UnpackFloat(FormatOf(type), bits & 0xFFFF),
                              Rounding::kRint);
}

uint64_t ConvertValue(DataType from, DataType to, uint64_t v) {
    if (from == to) return v;
    if (!IsFloating(from) && !IsFloating(to)) return Wrap(to, v);
    return Pack(to, Unpack(from, v), IsFloating(to) ? Rounding::kRint : Rounding::kTrunc);
}

uint64_t RoundValue(DataType from, DataType to, Rounding rounding, uint64_t v) {
    return Pack(to, Unpack(from, v), rounding);
}

uint64_t FromNumber(DataType type, const Number& number) {
    if (const auto* d = std::get_if<double>(&number)) {
        const numeric::Exact exact = numeric::UnpackFloat(numeric::kDoubleFormat, std::bit_cast<uint64_t>(*d));
        if (!IsFloating(type)) return Pack(type, exact, Rounding::kTrunc);
        const uint64_t bits = numeric::PackFloat(FormatOf(type), exact, Rounding::kRint);
        return FromMemory(type, type == DataType::kHalf
                                    ? numeric::ApplyOverflow(numeric::kHalfFormat, bits, Overflow::kSaturate)
                                    : bits);
    }
    const auto* i = std::get_if<int64_t>(&number);
    const uint64_t word = i ? static_cast<uint64_t>(*i) : std::get<uint64_t>(number);
    if (!IsFloating(type)) return Wrap(type, word);
    const numeric::Exact exact = i ? numeric::UnpackSigned(*i) : numeric::UnpackUnsigned(word);
    const uint64_t bits = numeric::PackFloat(FormatOf(type), exact, Rounding::kRint);
    return FromMemory(
        type, type == DataType::kHalf ? numeric::ApplyOverflow(numeric::kHalfFormat, bits, Overflow::kSaturate) : bits);
}

Number ToNumber(DataType type, uint64_t v) {
    if (IsFloating(type)) return double{AsFloat(v)};
    if (type == DataType::kUint64) return v;
    return static_cast<int64_t>(v);
}

bool Apply(Op op, DataType type, uint64_t a, uint64_t b, uint64_t* result) {
    if (op == Op::kLogicalAnd || op == Op::kLogicalOr) {
        *result = op == Op::kLogicalAnd ? a && b : a || b;
        return true;
    }
    if (IsFloating(type)) {
        *result = ApplyFloat(op, type, AsFloat(a), AsFloat(b));
        return true;
    }
    const bool is_signed = IsSigned(type);
    const auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
    switch (op) {
        case Op::kAdd: *result = Wrap(type, a + b); break;
        case Op::kSub: *result = Wrap(type, a - b); break;
        case Op::kMul: *result = Wrap(type, a * b); break;
        case Op::kDiv:
            if (b == 0) return false;
            *result = Wrap(type, !is_signed ? a / b : y == -1 ? 0 - a : static_cast<uint64_t>(x / y));
            break;
        case Op::kMod:
            if (b == 0) return false;
            *result = !is_signed ? a % b : y == -1 ? 0 : static_cast<uint64_t>(x % y);
            break;
        case Op::kShiftLeft:
        case Op::kShiftRight: *result = Shift(op, type, a, b); break;
        case Op::kAnd: *result = a & b; break;
        case Op::kOr: *result = a | b; break;
        case Op::kXor: *result = a ^ b; break;
        case Op::kMin: *result = (is_signed ? x < y : a < b) ? a : b; break;
        case Op::kMax: *result = (is_signed ? x < y : a < b) ? b : a; break;
        default: *result = is_signed ? Compare(op, x, y) : Compare(op, a, b);
    }
    return true;
}

uint64_t Apply(Op op, DataType type, uint64_t a) {
    const bool floating = IsFloating(type);
    switch (op) {
        case Op::kNegate: return floating ? a ^ 0x80000000 : Wrap(type, 0 - a);
        case Op::kInvert: return Wrap(type, ~a);
        case Op::kLogicalNot: return a == 0;
        case Op::kAbs:
            if (floating) return a & 0x7FFFFFFF;
            return static_cast<int64_t>(a) < 0 ? Wrap(type, 0 - a) : a;
        case Op::kSqrt: {
            if (floating) return FromFloat(std::sqrt(AsFloat(a)));
            if (static_cast<int64_t>(a) <= 0) return 0;
            auto root = static_cast<uint64_t>(std::sqrt(static_cast<double>(a)));
            while (root * root > a) --root;
            while ((root + 1) * (root + 1) <= a) ++root;
            return root;
        }
        case Op::kCountZeros: return static_cast<uint64_t>(64 - std::popcount(a));
        case Op::kCountOnes: return static_cast<uint64_t>(std::popcount(a));
        default: return static_cast<uint64_t>(std::countl_zero(a));
    }
}

}  // namespace sfumato::tik
