// SPDX-License-Identifier: Apache-2.0
// Stirling's series from 10 on, where its terms fall below 2^-56; smaller arguments are shifted there, negative ones
// reflected. Cancellation costs at most the magnitude of what is added, below 20 where the result can be near 0.
#include "exec/vector/gamma.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace sfumato::exec {
namespace {

constexpr double kFar = 10, kInf = std::numeric_limits<double>::infinity();

template <size_t kTerms>
double Series(const double (&c)[kTerms], double x) {
    double sum = c[kTerms - 1];
    for (size_t i = kTerms - 1; i-- > 0;) sum = sum * x + c[i];
    return sum;
}

// What x is beyond the nearest integer: exact.
double Beyond(double x) { return x - std::nearbyint(x); }

double LgammaOfPositive(double x) {
    static constexpr double kSeries[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                         1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
    double product = 1;
    for (; x < kFar; x += 1) product *= x;
    const double inverse = 1 / x;
    constexpr double kHalfLogOfTwoPi = 0x1.d67f1c864beb5p-1;
    return (x - 0.5) * std::log(x) - x + kHalfLogOfTwoPi + inverse * Series(kSeries, inverse * inverse) -
           std::log(product);
}

double DigammaOfPositive(double x) {
    static constexpr double kSeries[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                         1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};
    double before = 0;
    for (; x < kFar; x += 1) before += 1 / x;
    const double inverse = 1 / x, square = inverse * inverse;
    return std::log(x) - inverse / 2 - square * Series(kSeries, square) - before;
}

}  // namespace

double LgammaInDouble(double x) {
    if (std::isnan(x)) return x;
    if (std::isinf(x)) return kInf;
    if (x > 0) return LgammaOfPositive(x);
    const double beyond = Beyond(x);
    if (beyond == 0) return kInf;
    return std::log(std::numbers::pi / std::abs(std::sin(std::numbers::pi * beyond))) - LgammaOfPositive(1 - x);
}

double DigammaInDouble(double x) {
    if (std::isnan(x) || x == kInf) return x;
    if (x == 0) return std::copysign(kInf, -x);
    if (x > 0) return DigammaOfPositive(x);
    const double beyond = std::isinf(x) ? 0 : Beyond(x);
    if (beyond == 0) return std::numeric_limits<double>::quiet_NaN();
    return DigammaOfPositive(1 - x) - std::numbers::pi / std::tan(std::numbers::pi * beyond);
}

}  // namespace sfumato::exec
