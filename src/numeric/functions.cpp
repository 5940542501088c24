// SPDX-License-Identifier: Apache-2.0
// Exponential and logarithm in fixed point of 128 bits. Their values at floats other than 0 and 1 are irrational, so
// none lies between two floats; the closest comes within 2^-60 of the middle, and the errors here are below 2^-75.
#include "numeric/functions.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace sfumato::numeric {
namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

// a * b / 2^128.
Wide MultiplyHigh(Wide a, Wide b) {
    const Wide a1 = a >> 64, a0 = static_cast<uint64_t>(a), b1 = b >> 64, b0 = static_cast<uint64_t>(b);
    const Wide middle = a1 * b0 + (a0 * b0 >> 64);
    return a1 * b1 + (middle >> 64) + ((a0 * b1 + static_cast<uint64_t>(middle)) >> 64);
}

// ln 2 * 2^128.
constexpr Wide kLn2 = Wide{0xB17217F7D1CF79AB} << 64 | 0xC9E3B39803F2F6AF;

int HighestBit(Wide v) {
    const auto top = static_cast<uint64_t>(v >> 64);
    return top ? 127 - std::countl_zero(top) : 63 - std::countl_zero(static_cast<uint64_t>(v));
}

// value * 2^exponent to nearest; it is in the middle of no two floats.
float Round(Wide value, int exponent) {
    const int lowest = std::max(HighestBit(value) - 23, -149 - exponent);  // bit of value that becomes the last one
    if (lowest > 127) return 0;
    const Wide steps = lowest > 0 ? (value >> lowest) + ((value >> (lowest - 1)) & 1) : value << -lowest;
    const int scale = exponent + lowest;
    // steps * 2^scale has at most 24 bits; carries run into the exponent field by themselves.
    const auto fraction = static_cast<uint32_t>(steps);
    if (scale + 24 > 128 || (scale + 24 == 128 && fraction >> 24)) return std::numeric_limits<float>::infinity();
    const uint32_t field = fraction >> 23 ? static_cast<uint32_t>(scale + 149) << 23 : 0;
    return std::bit_cast<float>(field + fraction);
}

struct Parts {
    uint32_t mantissa;  // 24 bits, the highest set
    int exponent;       // of its last bit
};
Parts PartsOf(float x) {
    const uint32_t bits = std::bit_cast<uint32_t>(x) & 0x7FFFFFFF, fraction = bits & 0x7FFFFF;
    if (bits >> 23) return {fraction | 0x800000, static_cast<int>(bits >> 23) - 150};
    const int shift = std::countl_zero(fraction) - 8;
    return {fraction << shift, -149 - shift};
}

}  // namespace

float Exp(float x) {
    // Where the result is infinite, 0 or 1 whatever the fraction.
    if (x > 89.0f) return std::numeric_limits<float>::infinity();
    if (x < -104.0f) return 0;
    if (x > -0x1p-26f && x < 0x1p-26f) return 1;
    constexpr int kPoint = 120;
    const Parts p = PartsOf(x);
    const Wide magnitude = static_cast<Wide>(p.mantissa) << (kPoint + p.exponent);
    constexpr Wide kLn2Here = kLn2 >> (128 - kPoint);
    // x = k ln 2 + r, 0 <= r < ln 2.
    int k = static_cast<int>(magnitude / kLn2Here);
    Wide r = magnitude % kLn2Here;
    if (x < 0) {
        k = -k - 1;
        r = kLn2Here - r;
    }
    Wide term = Wide{1} << kPoint, sum = term;
    for (uint32_t n = 1; term != 0; ++n) {
        term = MultiplyHigh(term, r << (128 - kPoint)) / n;
        sum += term;
    }
    return Round(sum, k - kPoint);
}

float Ln(float x) {
    if (x == 1) return 0;
    constexpr int kPoint = 104;
    const Parts p = PartsOf(x);
    // x = 2^k * m, m = mantissa / unit near 1.
    const bool upper = p.mantissa > 0xB504F3;
    const uint32_t unit = upper ? 1u << 24 : 1u << 23;
    const int k = p.exponent + (upper ? 24 : 23);
    const bool below = p.mantissa < unit;
    const uint32_t distance = below ? unit - p.mantissa : p.mantissa - unit;
    // ln m = 2 atanh s.
    const Wide s = (static_cast<Wide>(distance) << kPoint) / (p.mantissa + unit);
    constexpr int kRoom = (128 - kPoint) / 2;
    const auto multiply = [](Wide a, Wide b) { return MultiplyHigh(a << kRoom, b << kRoom); };
    const Wide s2 = multiply(s, s);
    Wide power = s, sum = s;
    for (uint32_t n = 3; power != 0; n += 2) {
        power = multiply(power, s2);
        sum += power / n;
    }
    const auto ln_m = static_cast<SignedWide>(2 * sum);
    const SignedWide y = k * static_cast<SignedWide>(kLn2 >> (128 - kPoint)) + (below ? -ln_m : ln_m);
    const float magnitude = Round(static_cast<Wide>(y < 0 ? -y : y), -kPoint);
    return y < 0 ? -magnitude : magnitude;
}

}  // namespace sfumato::numeric
