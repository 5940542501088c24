// SPDX-License-Identifier: Apache-2.0
// Elementwise high-level calls made of basic instructions (adv.md 4.3 and 5), each step rounded to its type.
#include "frontends/adv/rounded.h"

namespace sfumato::adv_test {
namespace {

using namespace AscendC;

template <class T>
std::vector<T> Inputs(uint32_t seed) {
    std::vector<T> values = Normal<T>(1000, 3, seed);
    const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 0.5f, 1.5f, -2.5f, 1e-7f, -1e-7f};
    for (size_t i = 0; i < std::size(special); ++i) values[i] = T(special[i]);
    return values;
}

// call(dst, src0, src1, tmp) against formula(src0, src1) in double.
template <class T, class Call, class Formula>
void Check(const char* name, Call&& call, Formula&& formula, const char* chip = kChips[0], uint32_t tmp_bytes = 4096) {
    OnCore(name, [&](InUb& ub) {
        const auto x = Inputs<T>(7), y = Inputs<T>(8);
        auto src0 = ub.Of(x), src1 = ub.Of(y), dst = ub.Room<T>(1000);
        auto tmp = ub.Tmp(tmp_bytes);
        ub.Before();
        call(dst, src0, src1, tmp);
        ub.After();
        std::vector<T> want;
        for (uint32_t i = 0; i < 1000; ++i) {
            want.push_back(T(static_cast<float>(formula(static_cast<float>(x[i]), static_cast<float>(y[i])))));
        }
        ExpectBits(std::string(name) + " on " + chip, InUb::Values(dst, 1000), want);
    }, chip);
}

template <class T>
double Swished(double x, double beta) {
    return (In<T>(x) / (exp(In<T>(x) * In<T>(-beta)) + In<T>(1))).value;
}

template <class T>
double FasterGelued(double x) {
    using R = In<T>;
    R a = R(std::abs(x)) * R(0.70710678);
    a = R(std::min(a.value, R(1.769).value)) + R(-1.769);
    a = a * a * R(-0.1444) + R(0.5);
    a = R(std::signbit(x) ? -a.value : a.value) + R(0.5);
    return std::isnan(x) ? R::Result(NAN).value : (a * R(x)).value;
}

template <class T>
double GeGlued(double x, double y) {
    using R = In<T>;
    const R q = (R(y) * R(y) + R(22.363860002236)) * R(y) * R(-0.0713548162726);
    return (R(x) * (R(y) / (exp(q) + R(1)))).value;
}

TEST(AdvComposite, Activations) {
    const auto both = [](auto zero, const char* chip) {
        using T = decltype(zero);
        Check<T>("FasterGeluV2", [](auto& d, auto& a, auto&, auto& t) { FasterGeluV2(d, a, t, 1000); },
                 [](double x, double) { return FasterGelued<T>(x); }, chip);
        Check<T>("Silu", [](auto& d, auto& a, auto&, auto&) { Silu<T, false>(d, a, 1000); },
                 [](double x, double) { return Swished<T>(x, 1); }, chip);
        Check<T>("Swish", [](auto& d, auto& a, auto&, auto&) { Swish(d, a, 1000, T(1.702f)); },
                 [](double x, double) { return Swished<T>(x, In<T>(1.702f).value); }, chip);
        const float beta = 1.25f;
        const auto swiglu = [](double x, double y) { return (In<T>(x) * In<T>(Swished<T>(y, 1.25))).value; };
        Check<T>("SwiGLU", [&](auto& d, auto& a, auto& b, auto& t) { SwiGLU(d, a, b, beta, t, 1000); }, swiglu, chip);
        Check<T>("SwiGLU", [&](auto& d, auto& a, auto& b, auto&) { SwiGLU<T, false>(d, a, b, beta); }, swiglu, chip);
        Check<T>("GeGLU", [](auto& d, auto& a, auto& b, auto& t) { GeGLU(d, a, b, t); }, GeGlued<T>, chip);
        Check<T>("ReGlu", [](auto& d, auto& a, auto& b, auto&) { ReGlu(d, a, b, 1000); },
                 [](double x, double y) { return (In<T>(x) * In<T>::Result(std::isnan(y) ? NAN : y > 0 ? y : 0.0)).value; }, chip);
    };
    OnEachChip([&](const char* chip) { both(float(), chip), both(half(), chip); });
}

TEST(AdvComposite, RoundingAndSigns) {
    const auto both = [](auto zero) {
        using T = decltype(zero);
// A cast to an integer of 0 gives +0.
#define ONE(Name, ...)                                                                          \
    Check<T>(#Name, [](auto& d, auto& a, auto&, auto& t) { Name(d, a, t, 1000); }, __VA_ARGS__); \
    Check<T>(#Name, [](auto& d, auto& a, auto&, auto&) { Name<T, false>(d, a, 1000); }, __VA_ARGS__);
        ONE(Floor, [](double x, double) { return std::floor(x) + 0.0; })
        ONE(Ceil, [](double x, double) { return std::ceil(x) + 0.0; })
        ONE(Trunc, [](double x, double) { return std::trunc(x) + 0.0; })
        ONE(Round, [](double x, double) { return std::nearbyint(x) + 0.0; })
        ONE(Frac, [](double x, double) { return x - (std::trunc(x) + 0.0); })
        ONE(Sign, [](double x, double) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; })
#undef ONE
        Check<T>("ClampMax", [](auto& d, auto& a, auto&, auto& t) { ClampMax(d, a, t, T(1.5f), 1000); },
                 [](double x, double) { return x > 1.5 ? 1.5 : x; });
        Check<T>("ClampMin", [](auto& d, auto& a, auto&, auto&) { ClampMin(d, a, T(-0.5f), 1000); },
                 [](double x, double) { return x < -0.5 ? -0.5 : x; });
        Check<T>("Exp 0", [](auto& d, auto& a, auto&, auto& t) { Exp<T, 0>(d, a, t, 1000); },
                 [](double x, double) { return std::exp(x); });
        Check<T>("Exp 5", [](auto& d, auto& a, auto&, auto&) { Exp<T, 5>(d, a, 1000); }, [](double x, double) {
            using R = In<float>;
            const R floor = std::floor(x), fraction = x - floor.value;
            R term = 1, sum = 1;
            for (int i = 1; i <= 5; ++i) {
                term = term * fraction * R(1.0 / i);
                sum = sum + term;
            }
            return (exp(floor) * sum).value;
        });
    };
    both(float());
    both(half());
}

TEST(AdvComposite, XorOfWords) {
    OnCore("Xor", [](InUb& ub) {
        std::vector<int16_t> x, y, want;
        for (int i = 0; i < 500; ++i) {
            x.push_back(static_cast<int16_t>(i * 7919)), y.push_back(static_cast<int16_t>(i * 104729));
            want.push_back(static_cast<int16_t>(x.back() ^ y.back()));
        }
        auto a = ub.Of(x), b = ub.Of(y), dst = ub.Room<int16_t>(500);
        auto tmp = ub.Tmp(1024);
        ub.Before();
        Xor(dst, a, b, tmp);
        ub.After();
        ExpectBits("Xor", InUb::Values(dst, 500), want);
    });
}

}  // namespace
}  // namespace sfumato::adv_test
