// SPDX-License-Identifier: Apache-2.0
// Where a formula cancels it loses at most 150 bits (the smallest float against 1), or 128 (the largest against a
// turn), of 512. A value that lies within 2^-200 of a number of 54 bits is that number: no float or half, of which
// there are 2^32, and no pair of them has a value that near by chance (the nearest come within 2^-100).
#include "numeric/real_functions.h"

// Constants in statics, so that a program which the engine is linked into has no thread_local variables of Boost's.
#define BOOST_NO_CXX11_THREAD_LOCAL

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdint>
#include <mutex>

namespace sfumato::numeric {
namespace {

namespace mp = boost::multiprecision;
using Real = mp::number<mp::cpp_bin_float<512, mp::digit_base_2>, mp::et_off>;

double RoundToOdd(const Real& value) {
    if (value == 0) return 0;
    const Real magnitude = abs(value);
    const int exponent = ilogb(magnitude) - 52;  // of the last bit
    if (exponent < -1074 + 60) return 0;
    if (exponent > 1023 - 52) return std::copysign(0x1.fffffffffffffp1023, value < 0 ? -1 : 1);
    const Real steps = ldexp(magnitude, -exponent);
    Real whole = floor(steps), rest = steps - whole;
    static const Real kNear = ldexp(Real(1), -200);
    if (rest > 1 - kNear) {
        whole += 1;
        rest = 0;
    }
    uint64_t bits = whole.convert_to<uint64_t>();
    if (rest > kNear) bits |= 1;
    const double rounded = std::ldexp(static_cast<double>(bits), exponent);
    return value < 0 ? -rounded : rounded;
}

const Real& Pi() {
    static const Real pi = 4 * atan(Real(1));
    return pi;
}
const Real& Ln2() {
    static const Real ln2 = log(Real(2));
    return ln2;
}

// sin and cos of pi x, by what x has beyond the nearest even integer.
Real Turn(const Real& x) { return Pi() * (x - 2 * floor(x / 2 + Real(0.5))); }

// B_2k / (2k), k from 1: from the tangent numbers, whose recurrence adds only.
constexpr size_t kTerms = 60;
const std::array<Real, kTerms + 1>& Bernoulli() {
    static const std::array<Real, kTerms + 1> table = [] {
        std::array<Real, kTerms + 1> t;
        t[1] = 1;
        for (size_t k = 2; k <= kTerms; ++k) t[k] = t[k - 1] * static_cast<int>(k - 1);
        for (size_t k = 2; k <= kTerms; ++k) {
            for (size_t j = k; j <= kTerms; ++j)
                t[j] = t[j - 1] * static_cast<int>(j - k) + t[j] * static_cast<int>(j - k + 2);
        }
        for (size_t k = 1; k <= kTerms; ++k) {
            const Real four = ldexp(Real(1), static_cast<int>(2 * k));
            t[k] /= four * (four - 1) * (k % 2 ? 1 : -1);
        }
        return t;
    }();
    return table;
}
// From here on the series of Stirling, cut after its terms, is right to 2^-490.
constexpr int kFar = 128;

Real LgammaOfPositive(Real x) {
    Real product = 1;
    for (; x < kFar; x += 1) product *= x;
    const Real inverse = 1 / x, square = inverse * inverse;
    Real sum = (x - Real(0.5)) * log(x) - x + log(2 * Pi()) / 2, power = inverse;
    for (size_t k = 1; k <= kTerms; ++k, power *= square) sum += Bernoulli()[k] * power / static_cast<int>(2 * k - 1);
    return sum - log(product);
}

Real DigammaOfPositive(Real x) {
    Real before = 0;
    for (; x < kFar; x += 1) before += 1 / x;
    const Real inverse = 1 / x, square = inverse * inverse;
    Real sum = log(x) - inverse / 2, power = square;
    for (size_t k = 1; k <= kTerms; ++k, power *= square) sum -= Bernoulli()[k] * power;
    return sum - before;
}

// 2/sqrt(pi) e^(-x^2) times the sum of 2^n x^(2n+1) / (1 3 5 ... 2n+1), whose terms have one sign.
Real ErfOf(const Real& x) {
    const Real square = x * x;
    Real term = x, sum = x;
    for (int n = 1; abs(term) > ldexp(abs(sum), -520); ++n) {
        term *= 2 * square / (2 * n + 1);
        sum += term;
    }
    return 2 / sqrt(Pi()) * exp(-square) * sum;
}

// x to the power n where a double holds it and what leads there: most values between two floats are such.
bool IsProduct(double x, int n, double* product) {
    *product = 1;
    for (; n > 0; --n) {
        const double next = *product * x;
        if (std::abs(next) < 0x1p-900 || std::fma(*product, x, -next) != 0) return false;
        *product = next;
    }
    return true;
}

// x less its multiple of a turn, so that the library's own reduction is not needed.
Real WithinTurn(double x) {
    const Real turns = Real(x) / (2 * Pi());
    return (turns - floor(turns + Real(0.5))) * (2 * Pi());
}

// Boost's constants are of no thread: few arguments come here, one after another.
std::mutex one_at_a_time;
template <class Formula>
double Rounded(Formula formula) {
    const std::lock_guard lock(one_at_a_time);
    return RoundToOdd(formula());
}

}  // namespace

double Sin(double x) {
    return Rounded([x] { return sin(WithinTurn(x)); });
}
double Cos(double x) {
    return Rounded([x] { return cos(WithinTurn(x)); });
}
double Tan(double x) {
    return Rounded([x]() -> Real { return sin(WithinTurn(x)) / cos(WithinTurn(x)); });
}
double Asin(double x) {
    return Rounded([x] { return asin(Real(x)); });
}
double Acos(double x) {
    return Rounded([x] { return acos(Real(x)); });
}
double Atan(double x) {
    return Rounded([x] { return atan(Real(x)); });
}
double Sinh(double x) {
    return Rounded([x]() -> Real {
        const Real e = exp(Real(x));
        return (e - 1 / e) / 2;
    });
}
double Cosh(double x) {
    return Rounded([x]() -> Real {
        const Real e = exp(Real(x));
        return (e + 1 / e) / 2;
    });
}
double Tanh(double x) {
    if (std::abs(x) > 100) return std::copysign(0x1.fffffffffffffp-1, x);
    return Rounded([x]() -> Real {
        const Real e = exp(2 * Real(x));
        return (e - 1) / (e + 1);
    });
}
double Asinh(double x) {
    return Rounded([x] {
        const Real r = abs(Real(x)), y = log(r + sqrt(r * r + 1));
        return x < 0 ? Real(-y) : y;
    });
}
double Acosh(double x) {
    return Rounded([r = Real(x)] { return log(r + sqrt(r * r - 1)); });
}
double Atanh(double x) {
    return Rounded([x]() -> Real { return log((1 + Real(x)) / (1 - Real(x))) / 2; });
}
double Erf(double x) {
    if (std::abs(x) > 12) return std::copysign(0x1.fffffffffffffp-1, x);
    return Rounded([x] { return ErfOf(Real(x)); });
}
double Erfc(double x) {
    if (x > 12) return 0;
    if (x < -12) return 0x1.fffffffffffffp0;
    return Rounded([x]() -> Real { return 1 - ErfOf(Real(x)); });
}
double Lgamma(double x) {
    if (x == 1 || x == 2) return 0;
    return Rounded([x, r = Real(x)]() -> Real {
        if (x > 0) return LgammaOfPositive(r);
        return log(Pi() / abs(sin(Turn(r)))) - LgammaOfPositive(1 - r);
    });
}
double Digamma(double x) {
    return Rounded([x, r = Real(x)]() -> Real {
        if (x > 0) return DigammaOfPositive(r);
        return DigammaOfPositive(1 - r) - Pi() * cos(Turn(r)) / sin(Turn(r));
    });
}
double Log2(double x) {
    return Rounded([x]() -> Real { return log(Real(x)) / Ln2(); });
}
double Log10(double x) {
    return Rounded([x]() -> Real {
        static const Real ln10 = log(Real(10));
        return log(Real(x)) / ln10;
    });
}

double Power(double x, double y) {
    double exact;
    if (y >= 2 && y <= 64 && std::trunc(y) == y && IsProduct(x, static_cast<int>(y), &exact)) return exact;
    const bool negative = x < 0 && std::fmod(y, 2) != 0;
    const double bits = y * std::log2(std::abs(x));  // far from where it decides
    double result = 0;
    if (bits > 200) {
        result = 0x1p200;
    } else if (bits > -200) {
        result = Rounded([x, y] { return exp(Real(y) * log(abs(Real(x)))); });
    }
    return negative ? -result : result;
}
double Hypot(double x, double y) {
    return Rounded([x, y] { return sqrt(Real(x) * x + Real(y) * y); });
}

double QuarterTurns(double x, int* quadrant) {
    __extension__ using Wide = unsigned __int128;
    __extension__ using SignedWide = __int128;
    // 2/pi behind 64 bits of 0.
    static constexpr uint64_t kTwoOverPi[] = {
        0, 0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561, 0xB7246E3A424DD2E0};
    int exponent;
    const auto mantissa = static_cast<uint32_t>(std::ldexp(std::frexp(std::abs(x), &exponent), 24));
    exponent -= 24;
    *quadrant = 0;
    if (exponent < -62) return x;
    // |x| 2/pi is 4 times (whole + mantissa * bits / 2^128): those of 2/pi above `bits` make whole turns.
    const int first = 64 + exponent - 2, word = first / 64, shift = first % 64;
    const uint64_t* w = kTwoOverPi + word;
    const auto at = [&](int i) { return shift ? w[i] << shift | w[i + 1] >> (64 - shift) : w[i]; };
    const Wide product = mantissa * (static_cast<Wide>(at(0)) << 64 | at(1));
    const Wide quarter = Wide{1} << 126;
    const auto nearest = static_cast<int>((product + quarter / 2) >> 126);  // 4 carries out: the same as 0
    const auto rest = static_cast<SignedWide>(product - (static_cast<Wide>(nearest) << 126));
    const double r = static_cast<double>(rest) * 0x1p-126 * 0x1.921fb54442d18p+0;
    *quadrant = (x < 0 ? -nearest : nearest) & 3;
    return x < 0 ? -r : r;
}

}  // namespace sfumato::numeric
