// SPDX-License-Identifier: Apache-2.0
// The mathematical calls (adv.md 5): every overload, against the C library's double rounded once. Their values at large
// are tested in tests/conformance.
#include <algorithm>
#include <cmath>

#include "frontends/adv/in_ub.h"
#include "frontends/on_chip.h"

namespace sfumato::adv_test {
namespace {

constexpr uint32_t kCount = 1000, kSize = 1024;

template <class T>
uint64_t Bits(T value) {
    return sfumato::ascendc::ToBits(value);
}

// Between 0 and 1 or -1 and 1, above 1, or any: what functions take.
template <class T>
std::vector<T> Numbers(double low, double high, uint32_t seed = 3) {
    std::mt19937 random(seed);
    std::vector<T> values;
    for (uint32_t i = 0; i < kSize; ++i) {
        const double x = low + (high - low) * (random() / 4294967296.0);
        values.push_back(T(static_cast<float>(std::is_integral_v<T> ? std::round(x) : x)));
    }
    return values;
}

template <class T>
T Rounded(double x) {
    if constexpr (std::is_same_v<T, half>) {
        // To 11 bits first: a float between could be a tie of halves.
        if (x == 0 || !std::isfinite(x)) return T(static_cast<float>(x));
        const double unit = std::ldexp(1.0, std::max(std::ilogb(x) - 10, -24));
        return T(static_cast<float>(std::nearbyint(x / unit) * unit));
    } else {
        return static_cast<T>(x);
    }
}

template <class T>
struct Tensors {
    LocalTensor<T> dst = Ub<T>(16384, kSize), a = Ub<T>(0, kSize), b = Ub<T>(8192, kSize), dst1 = Ub<T>(24576, kSize);
    LocalTensor<uint8_t> tmp = Ub<uint8_t>(65536, 8192);
};

// `call` on a and b; dst against formula(a, b) in the first `count` elements, 77 behind them.
template <class T>
void Check(const char* name, const std::vector<T>& a, const std::vector<T>& b,
           const std::function<void(Tensors<T>&)>& call, const std::function<double(double, double)>& formula,
           uint32_t count = kCount, const char* chip = "Ascend910B1", bool second = false) {
    const LaunchResult result = OnChip(chip, [&] {
        Tensors<T> t;
        for (uint32_t i = 0; i < kSize; ++i) {
            t.a.SetValue(i, a[i]);
            t.b.SetValue(i, b[i]);
            t.dst.SetValue(i, T(77));
            t.dst1.SetValue(i, T(77));
        }
        SetFlag<HardEvent::S_V>(0);
        WaitFlag<HardEvent::S_V>(0);
        call(t);
        SetFlag<HardEvent::V_S>(0);
        WaitFlag<HardEvent::V_S>(0);
        for (uint32_t i = 0; i < kSize; ++i) {
            const double x = static_cast<float>(a[i]), y = static_cast<float>(b[i]);
            const T want = i < count ? Rounded<T>(formula(x, y)) : T(77);
            const T got = (second ? t.dst1 : t.dst).GetValue(i);
            ASSERT_EQ(Bits(got), Bits(want)) << name << " " << i << ": of " << x << ", " << y << " "
                                             << static_cast<float>(got) << ", not " << static_cast<float>(want);
            ASSERT_EQ(Bits(t.a.GetValue(i)), Bits(a[i])) << name << " wrote its source";
        }
    });
    ExpectNoFindings(name, result);
}

double Digamma(double x) {
    double before = 0;
    for (; x < 20; ++x) before += 1 / x;
    const double s = 1 / (x * x);
    return std::log(x) - 1 / (2 * x) - s * (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 - s / 240))) - before;
}

TEST(AdvFunctions, EveryFunctionOfOneHasFourOverloads) {
    const auto both = [](auto zero, const char* chip) {
        using T = decltype(zero);
        const auto check = [&](const char* name, double low, double high, auto function, auto call) {
            const auto a = Numbers<T>(low, high);
            const auto f = [&](double x, double) { return function(x); };
            Check<T>(name, a, a, [&](auto& t) { call(t, t.tmp, kCount); }, f, kCount, chip);
            Check<T>(name, a, a, [&](auto& t) { call(t, t.tmp); }, f, kSize, chip);
            Check<T>(name, a, a, [&](auto& t) { call(t, kCount); }, f, kCount, chip);
            Check<T>(name, a, a, [&](auto& t) { call(t); }, f, kSize, chip);
        };
#define SFUMATO_CHECK(Name, low, high, function) \
    check(#Name, low, high, function, [](auto& t, auto... rest) { Name(t.dst, t.a, rest...); })
        SFUMATO_CHECK(Sin, -200, 200, [](double x) { return std::sin(x); });
        SFUMATO_CHECK(Cos, -200, 200, [](double x) { return std::cos(x); });
        SFUMATO_CHECK(Tan, -200, 200, [](double x) { return std::tan(x); });
        SFUMATO_CHECK(Asin, -1, 1, [](double x) { return std::asin(x); });
        SFUMATO_CHECK(Acos, -1, 1, [](double x) { return std::acos(x); });
        SFUMATO_CHECK(Atan, -20, 20, [](double x) { return std::atan(x); });
        SFUMATO_CHECK(Sinh, -10, 10, [](double x) { return std::sinh(x); });
        SFUMATO_CHECK(Cosh, -10, 10, [](double x) { return std::cosh(x); });
        SFUMATO_CHECK(Tanh, -4, 4, [](double x) { return std::tanh(x); });
        SFUMATO_CHECK(Asinh, -90, 90, [](double x) { return std::asinh(x); });
        SFUMATO_CHECK(Acosh, 1, 90, [](double x) { return std::acosh(x); });
        SFUMATO_CHECK(Atanh, -0.99, 0.99, [](double x) { return std::atanh(x); });
        SFUMATO_CHECK(Erf, -3, 3, [](double x) { return std::erf(x); });
        SFUMATO_CHECK(Erfc, -3, 3, [](double x) { return std::erfc(x); });
        SFUMATO_CHECK(Lgamma, 2.5, 40, [](double x) { return std::lgamma(x); });
        SFUMATO_CHECK(Digamma, 2.5, 40, Digamma);
        SFUMATO_CHECK(Log2, 0.01, 1000, [](double x) { return std::log2(x); });
#undef SFUMATO_CHECK
        const auto a = Numbers<T>(0.01, 1000);
        const auto log = [](double x, double) { return std::log(x); };
        const auto log10 = [](double x, double) { return std::log10(x); };
        Check<T>("Log", a, a, [](auto& t) { Log(t.dst, t.a, kCount); }, log, kCount, chip);
        Check<T>("Log", a, a, [](auto& t) { Log<T, true>(t.dst, t.a); }, log, kSize, chip);
        Check<T>("Log10", a, a, [](auto& t) { Log10(t.dst, t.a, kCount); }, log10, kCount, chip);
        Check<T>("Log10", a, a, [](auto& t) { Log10(t.dst, t.a); }, log10, kSize, chip);
    };
    for (const char* chip : {"Ascend910B1", "Ascend310P3"}) both(float(), chip), both(half(), chip);
}

template <class T>
void CheckPower() {
    const bool integer = std::is_integral_v<T>;
    const auto a = Numbers<T>(integer ? -3 : 0.1, integer ? 3 : 5), b = Numbers<T>(integer ? 0 : -3, integer ? 9 : 3, 4);
    const auto power = [](double x, double y) { return std::pow(x, y); };
    const auto square = [](double x, double) { return std::pow(x, 2); };
    const auto of_three = [](double, double y) { return std::pow(3, y); };
    const T two(2), three(3);
    Check<T>("tt 4", a, b, [](auto& t) { Power(t.dst, t.a, t.b, t.tmp, kCount); }, power);
    Check<T>("tt 3", a, b, [](auto& t) { Power(t.dst, t.a, t.b, t.tmp); }, power, kSize);
    Check<T>("tt 2", a, b, [](auto& t) { Power<T, true>(t.dst, t.a, t.b, kCount); }, power);
    Check<T>("tt 1", a, b, [](auto& t) { Power(t.dst, t.a, t.b); }, power, kSize);
    Check<T>("ts 4", a, b, [&](auto& t) { Power(t.dst, t.a, two, t.tmp, kCount); }, square);
    Check<T>("ts 3", a, b, [&](auto& t) { Power(t.dst, t.a, two, t.tmp); }, square, kSize);
    Check<T>("ts 2", a, b, [&](auto& t) { Power<T, false>(t.dst, t.a, two, kCount); }, square);
    Check<T>("ts 1", a, b, [&](auto& t) { Power(t.dst, t.a, two); }, square, kSize);
    Check<T>("st 4", a, b, [&](auto& t) { Power(t.dst, three, t.b, t.tmp, kCount); }, of_three);
    Check<T>("st 3", a, b, [&](auto& t) { Power(t.dst, three, t.b, t.tmp); }, of_three, kSize);
    Check<T>("st 2", a, b, [&](auto& t) { Power<T, false>(t.dst, three, t.b, kCount); }, of_three);
    Check<T>("st 1", a, b, [&](auto& t) { Power(t.dst, three, t.b); }, of_three, kSize);
}
TEST(AdvFunctions, PowerOfTensorsAndScalars) {
    CheckPower<float>();
    CheckPower<half>();
    CheckPower<int32_t>();
}

TEST(AdvFunctions, FunctionsOfTwo) {
    const auto both = [](auto zero) {
        using T = decltype(zero);
        const auto a = Numbers<T>(-50, 50), b = Numbers<T>(0.5, 7, 4);
        const auto fmod = [](double x, double y) { return std::fmod(x, y); };
        const auto hypot = [](double x, double y) { return std::hypot(x, y); };
        Check<T>("Fmod 4", a, b, [](auto& t) { Fmod(t.dst, t.a, t.b, t.tmp, kCount); }, fmod);
        Check<T>("Fmod 3", a, b, [](auto& t) { Fmod(t.dst, t.a, t.b, t.tmp); }, fmod, kSize);
        Check<T>("Fmod 2", a, b, [](auto& t) { Fmod(t.dst, t.a, t.b, kCount); }, fmod);
        Check<T>("Fmod 1", a, b, [](auto& t) { Fmod(t.dst, t.a, t.b); }, fmod, kSize);
        Check<T>("Hypot", a, b, [](auto& t) { Hypot(t.dst, t.a, t.b, t.tmp, kCount); }, hypot);
        Check<T>("Hypot", a, b, [](auto& t) { Hypot(t.dst, t.a, t.b); }, hypot, kSize);
        const auto sin = [](double x, double) { return std::sin(x); };
        const auto cos = [](double x, double) { return std::cos(x); };
        const auto call = [](auto& t) { SinCos(t.dst, t.dst1, t.a, t.tmp, kCount); };
        Check<T>("SinCos", a, b, call, sin);
        Check<T>("SinCos", a, b, call, cos, kCount, "Ascend910B1", true);
        Check<T>("SinCos", a, b, [](auto& t) { SinCos(t.dst, t.dst1, t.a, kSize); }, cos, kSize, "Ascend310P3", true);
    };
    both(float());
    both(half());
}

// That the result is correctly rounded is a reading, and the launch lists it.
TEST(AdvFunctions, RestOnAReading) {
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.rests_on = true;
    const LaunchResult result = Launch(options, 1, memory, [] {
        auto dst = Ub<float>(0, 64), src = Ub<float>(1024, 64);
        Duplicate(src, 1.0f, 64);
        pipe_barrier(PIPE_V);
        Tanh(dst, src, 64);
    });
    const auto of_tanh = std::count_if(result.rests_on.begin(), result.rests_on.end(), [](const Reading& r) {
        return r.call == "Tanh: Tanh" && r.tag == "decided" && r.count == 1 &&
               r.reading.starts_with("The result is the mathematical function of the exact element, rounded once");
    });
    EXPECT_EQ(of_tanh, 1);
    EXPECT_EQ(result.rests_on.size(), 1u);  // no special value, no integer, no temporary buffer
}

}  // namespace
}  // namespace sfumato::adv_test
