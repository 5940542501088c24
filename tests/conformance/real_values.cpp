// SPDX-License-Identifier: Apache-2.0
#include "conformance/real_values.h"

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "oracle/elementwise_oracle.h"

namespace sfumato::conformance {
namespace {

using isa::Opcode;

// In long double, whose error is far below what matters; the C library has no digamma.
long double Digamma(long double x) {
    constexpr long double kPi = std::numbers::pi_v<long double>;
    if (x == 0) return std::copysign(std::numeric_limits<long double>::infinity(), -x);
    if (x < 0) {
        const long double beyond = std::isinf(x) ? 0 : x - std::nearbyint(x);
        return beyond == 0 ? NAN : Digamma(1 - x) - kPi / std::tan(kPi * beyond);
    }
    long double before = 0;
    for (; x < 30; ++x) before += 1 / x;
    const long double s = 1 / (x * x);
    return std::log(x) - 1 / (2 * x) -
           s * (1.0L / 12 -
                s * (1.0L / 120 - s * (1.0L / 252 - s * (1.0L / 240 - s * (1.0L / 132 - s * 691 / 32760))))) -
           before;
}

double InDouble(Opcode op, double x, double y) {
    switch (op) {
        case Opcode::vsin: return std::sin(x);
        case Opcode::vcos: return std::cos(x);
        case Opcode::vtan: return std::tan(x);
        case Opcode::vasin: return std::asin(x);
        case Opcode::vacos: return std::acos(x);
        case Opcode::vatan: return std::atan(x);
        case Opcode::vsinh: return std::sinh(x);
        case Opcode::vcosh: return std::cosh(x);
        case Opcode::vtanh: return std::tanh(x);
        case Opcode::vasinh: return std::asinh(x);
        case Opcode::vacosh: return std::acosh(x);
        case Opcode::vatanh: return std::atanh(x);
        case Opcode::verf: return std::erf(x);
        case Opcode::verfc: return std::erfc(x);
        case Opcode::vlgamma: {
            int sign;
            return lgamma_r(x, &sign);
        }
        case Opcode::vdigamma: return static_cast<double>(Digamma(x));
        case Opcode::vlog2: return std::log2(x);
        case Opcode::vlog10: return std::log10(x);
        case Opcode::vexp: return std::exp(x);
        case Opcode::vln: return std::log(x);
        case Opcode::vrsqrt: return 1 / std::sqrt(x);
        case Opcode::vpower:
        case Opcode::vpowers: return std::pow(x, y);
        case Opcode::vspower: return std::pow(y, x);
        case Opcode::vhypot: return std::hypot(x, y);
        default: return std::fmod(x, y);
    }
}

uint64_t Nearest(DataType type, double y) {
    if (type == DataType::kFloat) return std::isnan(y) ? 0x7FC00000 : std::bit_cast<uint32_t>(static_cast<float>(y));
    if (std::isnan(y)) return 0x7E00;
    uint64_t magnitude = 0x7C00;
    if (y == 0) {
        magnitude = 0;
    } else if (std::abs(y) < 65520) {
        const int last = std::max(std::ilogb(y) - 10, -24);
        const auto steps = static_cast<uint64_t>(std::nearbyint(std::ldexp(std::abs(y), -last)));
        magnitude = (static_cast<uint64_t>(last + 24) << 10) + steps;
    }
    return magnitude | (std::signbit(y) ? 0x8000 : 0);
}

}  // namespace

double RealOf(DataType type, uint64_t bits) {
    if (type == DataType::kFloat) return std::bit_cast<float>(static_cast<uint32_t>(bits));
    const int field = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
    const double magnitude = field == 31 ? (fraction ? NAN : INFINITY)
                             : field     ? std::ldexp(1024 + fraction, field - 25)
                                         : std::ldexp(fraction, -24);
    return bits & 0x8000 ? -magnitude : magnitude;
}

uint64_t ExpectReal(Opcode op, DataType type, uint64_t a, uint64_t b, uint64_t* close) {
    const double y = InDouble(op, RealOf(type, a), RealOf(type, b));
    if (op == Opcode::vfmod) return Nearest(type, y);  // exact
    // An error of 16 units of a double's last place; of a gamma function, whose zeros are no floats, an absolute one
    // too.
    constexpr double kWindow = 0x1p-48;
    const bool gamma = op == Opcode::vlgamma || op == Opcode::vdigamma;
    const double room = std::isinf(y) ? 0 : std::abs(y) * kWindow + (gamma ? 0x1p-46 : 0);
    const uint64_t low = Nearest(type, y - room), high = Nearest(type, y + room);
    if (low == high) return Nearest(type, y);
    ++*close;
    bool changed = false;
    return oracle::ExpectElement({op, type, type, Overflow::kInfNan}, a, b, 0, &changed);
}

}  // namespace sfumato::conformance
