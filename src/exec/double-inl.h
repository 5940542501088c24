// SPDX-License-Identifier: Apache-2.0
// Functions evaluated in double and rounded once to half or float; exponentials and logarithms, of which most are made.
// Included after exec/format-inl.h, once per target.

#if defined(SFUMATO_EXEC_DOUBLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SFUMATO_EXEC_DOUBLE_INL_H_
#undef SFUMATO_EXEC_DOUBLE_INL_H_
#else
#define SFUMATO_EXEC_DOUBLE_INL_H_
#endif

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

template <class DD>
HWY_INLINE hn::Vec<DD> DoubleOf(DD dd, uint64_t bits) {
    return hn::BitCast(dd, hn::Set(hn::RebindToUnsigned<DD>(), bits));
}

// The sum of c[i] * x^i.
template <class DD, size_t kTerms>
HWY_INLINE hn::Vec<DD> Polynomial(DD dd, hn::Vec<DD> x, const double (&c)[kTerms]) {
    auto sum = hn::Set(dd, c[kTerms - 1]);
    for (size_t i = kTerms - 1; i-- > 0;) sum = hn::Add(hn::Mul(sum, x), hn::Set(dd, c[i]));
    return sum;
}

constexpr double kLog2E = 0x1.71547652b82fep+0, kLn2 = 0x1.62e42fefa39efp-1;
// ln 2 in two parts: the first has 32 bits, so that its multiples are exact.
constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;

// The parts of e^x = scale * (1 + tail), |x| < 700.
template <class DD>
struct ExpParts {
    hn::Vec<DD> scale, tail;

    ExpParts(DD dd, hn::Vec<DD> x) {
        const hn::RebindToUnsigned<DD> du;
        // x = k ln 2 + r: adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits.
        const auto shift = hn::Set(dd, 0x1.8p52);
        const auto shifted = hn::Add(hn::Mul(x, hn::Set(dd, kLog2E)), shift);
        const auto k = hn::Sub(shifted, shift);
        const auto r = hn::Sub(hn::Sub(x, hn::Mul(k, hn::Set(dd, kLn2High))), hn::Mul(k, hn::Set(dd, kLn2Low)));
        // e^r = 1 + r * odd(r^2) + r^2 * even(r^2): the series to r^14, |r| < 0.35.
        static constexpr double kOdd[] = {1.0,          1.0 / 6,          1.0 / 120,         1.0 / 5040,
                                          1.0 / 362880, 1.0 / 39916800.0, 1.0 / 6227020800.0};
        static constexpr double kEven[] = {1.0 / 2,       1.0 / 24,          1.0 / 720,          1.0 / 40320,
                                           1.0 / 3628800, 1.0 / 479001600.0, 1.0 / 87178291200.0};
        const auto r2 = hn::Mul(r, r);
        tail = hn::Add(hn::Mul(r, Polynomial(dd, r2, kOdd)), hn::Mul(r2, Polynomial(dd, r2, kEven)));
        scale =
            hn::BitCast(dd, hn::Add(hn::ShiftLeft<52>(hn::BitCast(du, shifted)), hn::Set(du, uint64_t{1023} << 52)));
    }
    hn::Vec<DD> Exp(DD dd) const { return hn::Mul(hn::Add(hn::Set(dd, 1.0), tail), scale); }
    // The difference of scale and 1 is exact.
    hn::Vec<DD> Expm1(DD dd) const { return hn::Add(hn::Mul(scale, tail), hn::Sub(scale, hn::Set(dd, 1.0))); }
};

// k and ln m of x = 2^k * m, sqrt(1/2) <= m < sqrt(2), for finite x > 0.
template <class DD>
struct LnParts {
    hn::Vec<DD> k, ln_m;

    LnParts(DD dd, hn::Vec<DD> x) {
        const hn::RebindToUnsigned<DD> du;
        constexpr uint64_t kRoot = 0x3FE6A09E667F3BCD, kExponent = uint64_t{1023} << 52;
        const auto biased = hn::Add(hn::BitCast(du, x), hn::Set(du, kExponent - kRoot));
        const auto fraction = hn::And(biased, hn::Set(du, (uint64_t{1} << 52) - 1));
        const auto m = hn::BitCast(dd, hn::Add(fraction, hn::Set(du, kRoot)));
        const auto k_bits = hn::Or(hn::ShiftRight<52>(biased), hn::Set(du, 0x4330000000000000));
        k = hn::Sub(hn::BitCast(dd, k_bits), hn::Set(dd, 0x1p52 + 1023));
        // ln m = 2 atanh s, s = (m - 1) / (m + 1): the series to s^23, |s| < 0.172.
        static constexpr double kSeries[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                                             2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23};
        const auto one = hn::Set(dd, 1.0);
        const auto s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
        const auto s2 = hn::Mul(s, s);
        ln_m = hn::Add(hn::Add(s, s), hn::Mul(s, hn::Mul(s2, Polynomial(dd, s2, kSeries))));
    }
    hn::Vec<DD> Ln(DD dd) const {
        return hn::Add(hn::Mul(k, hn::Set(dd, kLn2High)), hn::Add(hn::Mul(k, hn::Set(dd, kLn2Low)), ln_m));
    }
};

// A logarithm's value y with its limits: of infinity, of 0, and NaN below.
template <class DD, class V>
HWY_INLINE V WithLimitsOfLog(DD dd, V x, V y) {
    const V inf = DoubleOf(dd, 0x7FF0000000000000);
    y = hn::IfThenElse(hn::Eq(x, inf), inf, y);
    y = hn::IfThenElse(hn::Eq(x, hn::Zero(dd)), hn::Neg(inf), y);
    return hn::IfThenElse(hn::Ge(x, hn::Zero(dd)), y, DoubleOf(dd, 0x7FF8000000000000));
}

// double to half bits, one rounding: a float that keeps whether bits were dropped in its last bit rounds as they do.
template <class DD>
HWY_INLINE auto DoubleToHalf(DD dd, hn::Vec<DD> v) {
    const hn::RebindToUnsigned<DD> du;
    const hn::Rebind<float, DD> df;
    const auto dropped = hn::Set(du, (uint64_t{1} << 29) - 1);
    const auto bits = hn::BitCast(du, v);
    const auto odd = hn::AndNot(dropped, hn::Or(bits, hn::Add(hn::And(bits, dropped), dropped)));
    return Half<hn::Rebind<float, DD>>::Narrow(df, hn::DemoteTo(df, hn::BitCast(dd, odd)));
}

// What the true value y * (1 +- kWindow) +- kFloor rounds to: `sure` where both ends of that agree.
template <class DD, class Format, class Function>
struct Ends {
    using DF = hn::Rebind<float, DD>;
    using V = hn::Vec<typename Format::D>;
    V low, high;

    Ends(DD dd, hn::Vec<DD> y) {
        low = Narrow(dd, hn::Mul(y, hn::Set(dd, 1 - Function::kWindow)), -1);
        high = Narrow(dd, hn::Mul(y, hn::Set(dd, 1 + Function::kWindow)), 1);
    }
    static V Narrow(DD dd, hn::Vec<DD> y, double side) {
        if constexpr (requires { Function::kFloor; })
            y = hn::Add(y, hn::CopySign(hn::Set(dd, Function::kFloor), hn::Mul(y, hn::Set(dd, side))));
        if constexpr (sizeof(hn::TFromD<typename Format::D>) == 2) {
            return DoubleToHalf(dd, y);
        } else {
            return Format::Narrow(DF(), hn::DemoteTo(DF(), y));
        }
    }
};

// Function: operator()(dd, arguments...) evaluates in double. kWindow: its relative error, and kFloor, an absolute one
// besides. Exact(arguments...) decides what that leaves open, as a double that rounds like the true value. kSureInHalf:
// no half comes near enough to need it (conformance tests try every input).
template <class DD, template <class> class FormatOf, class Function, bool kSureInHalf = true>
struct InDouble {
    static constexpr bool kLong = true;
    using DF = hn::Rebind<float, DD>;
    using Format = FormatOf<DF>;
    static constexpr bool kHalf = sizeof(hn::TFromD<typename Format::D>) == 2;

    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, P& policy) const {
        return Round(d, policy, Wide(a));
    }
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, V b, P& policy) const {
        return Round(d, policy, Wide(a), Wide(b));
    }

    template <class V>
    static HWY_INLINE hn::Vec<DD> Wide(V a) {
        return hn::PromoteTo(DD(), Format::Widen(DF(), a));
    }
    template <class D, class P, class... X>
    static HWY_INLINE hn::Vec<D> Round(D d, P& policy, X... x) {
        const DD dd;
        const auto y = Function()(dd, x...);
        if constexpr (kHalf && kSureInHalf) {
            return Finish<Format>(d, DoubleToHalf(dd, y), policy);
        } else if constexpr (Function::kWindow == 0) {
            return Finish<Format>(d, Format::Narrow(DF(), hn::DemoteTo(DF(), y)), policy);
        } else {
            const Ends<DD, Format, Function> ends(dd, y);
            if (HWY_LIKELY(hn::AllTrue(d, hn::Eq(ends.low, ends.high)))) return Finish<Format>(d, ends.low, policy);
            return Finish<Format>(d, Exactly(d, ends.low, ends.high, x...), policy);
        }
    }
    template <class D, class V, class... X>
    static HWY_NOINLINE V Exactly(D d, V low, V high, X... x) {
        constexpr size_t kMost = HWY_LANES(double);
        const DD dd;
        HWY_ALIGN double from[sizeof...(X)][kMost], exact[kMost];
        HWY_ALIGN hn::TFromD<D> lows[kMost], highs[kMost];
        size_t n = 0;
        (hn::Store(x, dd, from[n++]), ...);
        hn::Store(low, d, lows);
        hn::Store(high, d, highs);
        for (size_t i = 0; i < hn::Lanes(dd); ++i) {
            exact[i] = 0;
            if (lows[i] == highs[i]) continue;
            if constexpr (sizeof...(X) == 1) {
                exact[i] = Function::Exact(from[0][i]);
            } else {
                exact[i] = Function::Exact(from[0][i], from[1][i]);
            }
        }
        const auto y = hn::Load(dd, exact);
        if constexpr (kHalf) {
            return hn::IfThenElse(hn::Eq(low, high), low, DoubleToHalf(dd, y));
        } else {
            return hn::IfThenElse(hn::Eq(low, high), low, Format::Narrow(DF(), hn::DemoteTo(DF(), y)));
        }
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#endif  // per target
