// SPDX-License-Identifier: Apache-2.0
// Both estimates on a number taken apart: sign, fraction of 52 bits and the exponent's field, as the manual has it.
#include "oracle/estimate_oracle.h"

namespace sfumato::oracle {
namespace {

struct Parts {
    int fraction_bits, exponent_bits;
    uint64_t sign, inf, nan;
};
constexpr Parts kHalf{10, 5, 0x8000, 0x7C00, 0x7E00}, kFloat{23, 8, 0x80000000, 0x7F800000, 0x7FC00000};

constexpr uint64_t kTop = uint64_t{1} << 51, kFraction = (uint64_t{1} << 52) - 1;

// 2^19 / a, half of it rounded up, where a is odd: the middle of the operand's interval.
uint64_t RecipEstimate(uint64_t scaled) {
    const uint64_t a = scaled * 2 + 1, b = (1u << 19) / a;
    return (b + 1) / 2;
}

// The largest b with a b^2 < 2^28, half of it rounded up.
uint64_t RecipSqrtEstimate(uint64_t scaled) {
    const uint64_t a = scaled < 256 ? scaled * 2 + 1 : (scaled / 2 * 2 + 1) * 2;
    uint64_t least = 512, above = 1024;
    while (above - least > 1) {
        const uint64_t b = (least + above) / 2;
        (a * b * b < (1u << 28) ? least : above) = b;
    }
    return (least + 1) / 2;
}

uint64_t Reciprocal(const Parts& t, uint64_t sign, int exponent, uint64_t fraction) {
    const int largest = (1 << t.exponent_bits) - 1;
    // Too small: a quarter of the smallest normal number, and its reciprocal is beyond the range.
    if (exponent == 0 && fraction < kTop / 2) return sign | t.inf;
    if (exponent == 0) {
        const bool half = (fraction & kTop) != 0;
        exponent = half ? 0 : -1;
        fraction = fraction << (half ? 1 : 2) & kFraction;
    }
    const uint64_t estimate = RecipEstimate(256 | fraction >> 44);
    int result = largest - 2 - exponent;
    fraction = (estimate & 255) << 44;
    if (result == 0) fraction = kTop | fraction >> 1;
    if (result == -1) fraction = kTop / 2 | fraction >> 2;
    if (result < 0) result = 0;
    return sign | static_cast<uint64_t>(result) << t.fraction_bits | fraction >> (52 - t.fraction_bits);
}

uint64_t Rsqrt(const Parts& t, int exponent, uint64_t fraction) {
    const int bias = (1 << (t.exponent_bits - 1)) - 1;
    if (exponent == 0) {
        for (; !(fraction & kTop); --exponent) fraction <<= 1;
        fraction = fraction << 1 & kFraction;
    }
    const bool even = exponent % 2 == 0;
    const uint64_t scaled = even ? 256 | fraction >> 44 : 128 | fraction >> 45;
    const int result = (3 * bias - 1 - exponent) / 2;
    return static_cast<uint64_t>(result) << t.fraction_bits | (RecipSqrtEstimate(scaled) & 255)
                                                                  << (t.fraction_bits - 8);
}

}  // namespace

uint64_t EstimateOf(isa::Opcode op, DataType type, uint64_t bits) {
    const Parts& t = type == DataType::kHalf ? kHalf : kFloat;
    const uint64_t sign = bits & t.sign, magnitude = bits & (t.sign - 1);
    const bool root = op == isa::Opcode::vrsqrt;
    if (magnitude > t.inf) return t.nan;
    if (magnitude == 0) return sign | t.inf;
    if (root && sign) return t.nan;
    if (magnitude == t.inf) return sign;
    const int exponent = static_cast<int>(magnitude >> t.fraction_bits);
    const uint64_t fraction = (magnitude & ((uint64_t{1} << t.fraction_bits) - 1)) << (52 - t.fraction_bits);
    return root ? Rsqrt(t, exponent, fraction) : Reciprocal(t, sign, exponent, fraction);
}

}  // namespace sfumato::oracle
