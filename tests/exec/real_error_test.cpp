// SPDX-License-Identifier: Apache-2.0
// The mathematical functions in double against long double: the errors must be a quarter of the windows at most,
// outside which nothing is computed again. By strata of exponents, 500,000 arguments a function.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "hwy/highway.h"

#include "exec/exec.h"

#include "exec/run.h"

#include "exec/half-inl.h"

#include "exec/format-inl.h"

#include "exec/double-inl.h"

#include "exec/erf-inl.h"

#include "exec/real-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {
namespace {

using Wide = long double;
static_assert(std::numeric_limits<Wide>::digits >= 64);

// The largest error, as a part of the window. Arguments are floats: every exponent of 2^low to 2^high, both signs
// unless `positive`.
template <class Function>
void Measure(const char* name, Function function, Wide (*exact)(Wide), int low, int high, bool positive = false) {
    const hn::ScalableTag<double> dd;
    constexpr size_t kMost = HWY_LANES(double);
    HWY_ALIGN double x[kMost], y[kMost];
    std::mt19937 random(1);
    const size_t lanes = hn::Lanes(dd);
    double worst = 0, at = 0;
    for (size_t done = 0; done < 500'000; done += lanes) {
        for (size_t i = 0; i < lanes; ++i) {
            const uint32_t bits = static_cast<uint32_t>(random());
            const int exponent = low + static_cast<int>(random() % static_cast<uint32_t>(high - low));
            x[i] = static_cast<float>(std::ldexp(1 + (bits >> 9) * 0x1p-23, exponent));
            if (!positive && (bits & 1)) x[i] = -x[i];
        }
        hn::Store(function(dd, hn::Load(dd, x)), dd, y);
        for (size_t i = 0; i < lanes; ++i) {
            const Wide truth = exact(x[i]);
            double room = static_cast<double>(std::abs(truth)) * Function::kWindow;
            if constexpr (requires { Function::kFloor; }) room += Function::kFloor;
            const double error = static_cast<double>(std::abs(y[i] - truth)) / room;
            if (error > worst) worst = error, at = x[i];
        }
    }
    EXPECT_LT(worst, 0.25) << name << " at " << at;
}

TEST(RealFunctions, KeepTheirWindows) {
    Measure("sin", SinOrCosOf<false>(), sinl, -30, 40);
    Measure("cos", SinOrCosOf<true>(), cosl, -30, 40);
    Measure("tan", TanOf(), tanl, -30, 40);
    Measure("sinh", HyperbolicOf<Hyperbolic::kSinh>(), sinhl, -30, 6);
    Measure("cosh", HyperbolicOf<Hyperbolic::kCosh>(), coshl, -30, 6);
    Measure("tanh", HyperbolicOf<Hyperbolic::kTanh>(), tanhl, -30, 6);
    Measure("log2", LogOf<true>(), log2l, -126, 127, true);
    Measure("log2", LogOf<true>(), log2l, -1, 1, true);
    Measure("log10", LogOf<false>(), log10l, -126, 127, true);
    Measure("log10", LogOf<false>(), log10l, -1, 1, true);
    Measure("erf", ErfOf<false>(), erfl, -30, 4);
    Measure("erfc", ErfOf<true>(), erfcl, -30, 3);
    Measure("lgamma", GammaFamily<LgammaInDouble, numeric::Lgamma>(), lgammal, -30, 100);
    Measure("lgamma", GammaFamily<LgammaInDouble, numeric::Lgamma>(), lgammal, -2, 6);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();
