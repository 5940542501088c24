// SPDX-License-Identifier: Apache-2.0
// Elementwise calls: formulas whose every step rounds to a type (adv.md 1.1, 4.3), and functions rounded once (5).
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "oracle/call_oracle.h"

namespace sfumato::oracle {

namespace {

struct Binary {
    int digits, least;  // of the significand; exponent of the smallest step
    double largest;
};
Binary BinaryOf(DataType type) {
    if (type == DataType::kHalf) return {11, -24, 65504};
    return {8, -133, 0x1.FEp127};  // bfloat16
}

}  // namespace

double Nearest(DataType type, double x) {
    if (!IsFloating(type)) return x;
    if (type == DataType::kFloat) return static_cast<float>(x);
    if (x == 0 || !std::isfinite(x)) return x;
    const Binary b = BinaryOf(type);
    const double unit = std::ldexp(1.0, std::max(std::ilogb(x) - b.digits + 1, b.least));
    const double nearest = std::nearbyint(x / unit) * unit;
    return std::abs(nearest) > b.largest ? std::copysign(INFINITY, x) : nearest;
}

uint64_t NearestBits(DataType type, double x) {
    const uint64_t mask = BitsOf(type) == 64 ? ~uint64_t{0} : (uint64_t{1} << BitsOf(type)) - 1;
    if (!IsFloating(type)) return static_cast<uint64_t>(static_cast<int64_t>(x)) & mask;
    const auto nearest = static_cast<float>(Nearest(type, x));
    const uint32_t bits = std::bit_cast<uint32_t>(nearest), sign = bits >> 31;
    if (type == DataType::kFloat) return bits;
    if (type == DataType::kBfloat16) return bits >> 16;
    const double size = std::abs(static_cast<double>(nearest));
    if (std::isnan(nearest)) return 0x7E00;
    if (std::isinf(nearest)) return sign << 15 | 0x7C00;
    if (size < 0x1p-14) return sign << 15 | static_cast<uint64_t>(size * 0x1p24);
    const int exponent = std::ilogb(size);
    return sign << 15 | static_cast<uint64_t>(exponent + 15) << 10 |
           (static_cast<uint64_t>(std::ldexp(size, 10 - exponent)) - 1024);
}

double NumberAt(DataType type, uint64_t bits) {
    if (type == DataType::kFloat) return std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (type == DataType::kBfloat16) return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
    if (type == DataType::kHalf) {
        const double sign = bits & 0x8000 ? -1 : 1, fraction = static_cast<double>(bits & 0x3FF);
        const int exponent = static_cast<int>(bits >> 10 & 31);
        if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
        return sign * (exponent == 0 ? fraction * 0x1p-24 : std::ldexp(1024 + fraction, exponent - 25));
    }
    const bool is_signed =
        type == DataType::kInt8 || type == DataType::kInt16 || type == DataType::kInt32 || type == DataType::kInt64;
    const uint32_t spare = 64 - BitsOf(type);
    return is_signed ? static_cast<double>(static_cast<int64_t>(bits << spare) >> spare) : static_cast<double>(bits);
}

namespace {

// A number of a format. Sums, products, quotients and roots of float in double round as in float: 53 bits are enough.
class Value {
public:
    Value(const Format& format, double x) : format_(format), x_(Nearest(format.type, Nearest(DataType::kFloat, x))) {}
    double number() const { return x_; }
    // The result of an instruction.
    Value Result(double exact) const {
        Value result(format_, exact);
        if (!format_.saturates || format_.type != DataType::kHalf) return result;
        result.x_ = std::isnan(exact) ? 0 : std::clamp(result.x_, -65504.0, 65504.0);
        return result;
    }
    friend Value operator+(const Value& a, const Value& b) { return a.Result(a.x_ + b.x_); }
    friend Value operator*(const Value& a, const Value& b) { return a.Result(a.x_ * b.x_); }
    friend Value operator/(const Value& a, const Value& b) { return a.Result(a.x_ / b.x_); }
    friend Value operator+(const Value& a, double b) { return a + Value(a.format_, b); }
    friend Value operator*(const Value& a, double b) { return a * Value(a.format_, b); }
    friend Value exp(const Value& a) { return a.Result(std::exp(a.x_)); }

private:
    Format format_;
    double x_;
};
Value One(const Format& f) { return {f, 1}; }

}  // namespace

#define FORMULA(Name) \
    double Name([[maybe_unused]] const Format& f, [[maybe_unused]] double x, [[maybe_unused]] double y)

FORMULA(Sigmoid) { return (One(f) / (exp(Value(f, x) * -1) + 1)).number(); }
FORMULA(Gelu) {
    const Value v(f, x), cube = v * v * v;
    return (v / (exp((cube * 0.044715 + v) * -1.5957691) + 1)).number();
}
FORMULA(FasterGelu) { return (Value(f, x) / (exp(Value(f, x) * -1.702) + 1)).number(); }
FORMULA(FasterGeluV2) {
    if (std::isnan(x)) return Value(f, x).Result(x).number();
    Value a = Value(f, std::abs(x)) * 0.70710678;
    a = Value(f, std::min(a.number(), Value(f, 1.769).number())) + -1.769;
    a = a * a * -0.1444 + 0.5;
    return ((a * (std::signbit(x) ? -1 : 1) + 0.5) * Value(f, x)).number();
}
FORMULA(Swish) { return (Value(f, x) / (exp(Value(f, x) * -y) + 1)).number(); }
FORMULA(SwiGLU) { return (Value(f, x) * Value(f, Swish(f, y, 1.25))).number(); }
FORMULA(GeGLU) {
    const Value g(f, y), q = (g * g + 22.363860002236) * g * -0.0713548162726;
    return (Value(f, x) * (g / (exp(q) + 1))).number();
}
FORMULA(ReGlu) { return (Value(f, x) * Value(f, 0).Result(std::isnan(y) || y > 0 ? y : 0)).number(); }

#define OF_ONE(Name, function) \
    FORMULA(Name) { return std::function(x); }
OF_ONE(Sin, sin)
OF_ONE(Cos, cos)
OF_ONE(Tan, tan)
OF_ONE(Asin, asin)
OF_ONE(Acos, acos)
OF_ONE(Atan, atan)
OF_ONE(Sinh, sinh)
OF_ONE(Cosh, cosh)
OF_ONE(Tanh, tanh)
OF_ONE(Asinh, asinh)
OF_ONE(Acosh, acosh)
OF_ONE(Atanh, atanh)
OF_ONE(Erf, erf)
OF_ONE(Erfc, erfc)
OF_ONE(Lgamma, lgamma)
OF_ONE(Log, log)
OF_ONE(Log2, log2)
OF_ONE(Log10, log10)
OF_ONE(Exp, exp)
FORMULA(Digamma) {
    double before = 0;
    for (; x < 20; ++x) before += 1 / x;
    const double s = 1 / (x * x);
    return std::log(x) - 1 / (2 * x) - s * (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 - s / 240))) - before;
}
FORMULA(Power) { return std::pow(x, y); }
FORMULA(PowerOfScalar) { return std::pow(y, x); }
FORMULA(Fmod) { return std::fmod(x, y); }
FORMULA(Hypot) { return std::hypot(x, y); }

// A cast to an integer gives +0.
FORMULA(Floor) { return std::floor(x) + 0.0; }
FORMULA(Ceil) { return std::ceil(x) + 0.0; }
FORMULA(Trunc) { return std::trunc(x) + 0.0; }
FORMULA(Round) { return std::nearbyint(x) + 0.0; }
FORMULA(Frac) { return x - (std::trunc(x) + 0.0); }
FORMULA(Sign) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
FORMULA(Xor) {
    const auto bits = static_cast<uint16_t>(static_cast<int32_t>(x) ^ static_cast<int32_t>(y));
    return f.type == DataType::kInt16 ? static_cast<int16_t>(bits) : bits;
}
FORMULA(ClampMax) { return x > y ? y : x; }
FORMULA(ClampMin) { return x < y ? y : x; }
// e^floor(x) times the first five terms of the series of the rest.
FORMULA(ExpOfTerms) {
    const double floor = std::floor(x);
    const Value fraction(f, x - floor);
    Value term = One(f), sum = One(f);
    for (int i = 1; i <= 5; ++i) {
        term = term * fraction * (1.0 / i);
        sum = sum + term;
    }
    return (exp(Value(f, floor)) * sum).number();
}
// x is the source, y what dst held; the scalar is 1.25. The product and the sum round.
FORMULA(Axpy) { return (Value(f, x) * 1.25 + Value(f, y)).number(); }

}  // namespace sfumato::oracle
