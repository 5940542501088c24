// SPDX-License-Identifier: Apache-2.0
// Functions of one operand on half and float (vector_instructions.md 1.3): Abs, Relu, Reciprocal, Sqrt, Rsqrt, Exp, Ln.
// The result is the correctly rounded value, whatever the target: the host's division and square root are, and a half
// result of them rounded again from float is. Rsqrt, Exp and Ln are evaluated in double. Rounding that to half, or
// Rsqrt to float, never meets a case too close to call (conformance tests try every input); a float result of Exp and
// Ln that is too close is computed again in integers.
#include "exec/runs.h"
#include "exec/targets.h"
#include "numeric/functions.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/vector/function_runs.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

#include "exec/format-inl.h"
#include "exec/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

template <class DF, template <class> class FormatOf>
struct Abs {
    template <bool kSaturate>
    struct Op {
        template <class D, class V, class M>
        HWY_INLINE V operator()(D d, V a, M& changed) const {
            return Finish<kSaturate, FormatOf<DF>>(d, hn::And(a, hn::Set(d, hwy::LimitsMax<hn::TFromD<D>>())), changed);
        }
    };
};

template <class DF, template <class> class FormatOf>
struct Relu {
    template <bool kSaturate>
    struct Op {
        template <class D, class V, class M>
        HWY_INLINE V operator()(D d, V a, M& changed) const {
            const V magnitude = hn::And(a, hn::Set(d, hwy::LimitsMax<hn::TFromD<D>>()));
            const auto is_nan = hn::Gt(magnitude, hn::Set(d, FormatOf<DF>::kInf));
            return Finish<kSaturate, FormatOf<DF>>(d, hn::IfThenElse(is_nan, magnitude, ReluOfBits(d, a)), changed);
        }
    };
};

struct ReciprocalOf {
    template <class DF, class V>
    HWY_INLINE V operator()(DF df, V v) const {
        return hn::Div(hn::Set(df, 1.0f), v);
    }
};
struct SqrtOf {
    template <class DF, class V>
    HWY_INLINE V operator()(DF, V v) const {
        return hn::Sqrt(v);
    }
};

// A function the host rounds correctly in float.
template <class DF, template <class> class FormatOf, class Function>
struct InFloat {
    using Format = FormatOf<DF>;
    template <bool kSaturate>
    struct Op {
        template <class D, class V, class M>
        HWY_INLINE V operator()(D d, V a, M& changed) const {
            const DF df;
            return RoundTo<kSaturate, Format>(df, d, Function()(df, Format::Widen(df, a)), changed);
        }
    };
};

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

constexpr double kLog2E = 0x1.71547652b82fep+0;
// ln 2 in two parts: the first has 32 bits, so that its multiples are exact.
constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;

// Functions in double, the series cut where their terms vanish: with the roundings of their evaluation the relative
// error is below 2^-51. kAmbiguous: a float result can be too close to call.
struct RsqrtOf {
    static constexpr bool kAmbiguous = false;
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x) const {
        return hn::Div(hn::Set(dd, 1.0), hn::Sqrt(x));
    }
};

// e^x, or e^x - 1: both are scale * (1 + tail), and the difference of scale and 1 is exact.
template <bool kMinusOne>
struct ExpOrExpm1Of {
    static constexpr bool kAmbiguous = true;
    static float Exact(float x) { return numeric::Exp(x); }
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V value) const {
        const hn::RebindToUnsigned<DD> du;
        // Beyond these bounds every type overflows or gives 0.
        const V x = hn::Min(hn::Max(value, hn::Set(dd, -120.0)), hn::Set(dd, 100.0));
        // x = k ln 2 + r: adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits.
        const V shift = hn::Set(dd, 0x1.8p52);
        const V shifted = hn::Add(hn::Mul(x, hn::Set(dd, kLog2E)), shift);
        const V k = hn::Sub(shifted, shift);
        const V r = hn::Sub(hn::Sub(x, hn::Mul(k, hn::Set(dd, kLn2High))), hn::Mul(k, hn::Set(dd, kLn2Low)));
        // e^r = 1 + r * odd(r^2) + r^2 * even(r^2): the series to r^14, |r| < 0.35.
        static constexpr double kOdd[] = {1.0,          1.0 / 6,          1.0 / 120,         1.0 / 5040,
                                          1.0 / 362880, 1.0 / 39916800.0, 1.0 / 6227020800.0};
        static constexpr double kEven[] = {1.0 / 2,       1.0 / 24,          1.0 / 720,          1.0 / 40320,
                                           1.0 / 3628800, 1.0 / 479001600.0, 1.0 / 87178291200.0};
        const V r2 = hn::Mul(r, r);
        const V tail = hn::Add(hn::Mul(r, Polynomial(dd, r2, kOdd)), hn::Mul(r2, Polynomial(dd, r2, kEven)));
        const auto scale = hn::Add(hn::ShiftLeft<52>(hn::BitCast(du, shifted)), hn::Set(du, uint64_t{1023} << 52));
        const V factor = hn::BitCast(dd, scale), one = hn::Set(dd, 1.0);
        if constexpr (kMinusOne) {
            const V result = hn::Add(hn::Mul(factor, tail), hn::Sub(factor, one));
            const auto itself = hn::Or(hn::IsNaN(value), hn::Eq(value, hn::Zero(dd)));  // -0 gives -0
            return hn::IfThenElse(itself, value, result);
        } else {
            return hn::IfThenElse(hn::IsNaN(value), value, hn::Mul(hn::Add(one, tail), factor));
        }
    }
};
using ExpOf = ExpOrExpm1Of<false>;
using Expm1Of = ExpOrExpm1Of<true>;

struct LnOf {
    static constexpr bool kAmbiguous = true;
    static float Exact(float x) { return numeric::Ln(x); }
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x) const {
        const hn::RebindToUnsigned<DD> du;
        // x = 2^k * m, sqrt(1/2) <= m < sqrt(2).
        constexpr uint64_t kRoot = 0x3FE6A09E667F3BCD, kExponent = uint64_t{1023} << 52;
        const auto biased = hn::Add(hn::BitCast(du, x), hn::Set(du, kExponent - kRoot));
        const auto fraction = hn::And(biased, hn::Set(du, (uint64_t{1} << 52) - 1));
        const V m = hn::BitCast(dd, hn::Add(fraction, hn::Set(du, kRoot)));
        const auto k_bits = hn::Or(hn::ShiftRight<52>(biased), hn::Set(du, 0x4330000000000000));
        const V k = hn::Sub(hn::BitCast(dd, k_bits), hn::Set(dd, 0x1p52 + 1023));
        // ln m = 2 atanh s, s = (m - 1) / (m + 1): the series to s^23, |s| < 0.172.
        static constexpr double kSeries[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                                             2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23};
        const V one = hn::Set(dd, 1.0);
        const V s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
        const V s2 = hn::Mul(s, s);
        const V ln_m = hn::Add(hn::Add(s, s), hn::Mul(s, hn::Mul(s2, Polynomial(dd, s2, kSeries))));
        V y = hn::Add(hn::Mul(k, hn::Set(dd, kLn2High)), hn::Add(hn::Mul(k, hn::Set(dd, kLn2Low)), ln_m));
        const V inf = DoubleOf(dd, 0x7FF0000000000000);
        y = hn::IfThenElse(hn::Eq(x, inf), inf, y);
        y = hn::IfThenElse(hn::Eq(x, hn::Zero(dd)), hn::Neg(inf), y);
        return hn::IfThenElse(hn::Ge(x, hn::Zero(dd)), y, DoubleOf(dd, 0x7FF8000000000000));
    }
};

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

template <class DD, template <class> class FormatOf, class Function>
struct InDouble {
    using DF = hn::Rebind<float, DD>;
    using Format = FormatOf<DF>;
    template <bool kSaturate>
    struct Op {
        template <class D, class V, class M>
        HWY_INLINE V operator()(D d, V a, M& changed) const {
            const DD dd;
            const DF df;
            const auto y = Function()(dd, hn::PromoteTo(dd, Format::Widen(df, a)));
            if constexpr (sizeof(hn::TFromD<D>) == 2) {
                return Finish<kSaturate, Format>(d, DoubleToHalf(dd, y), changed);
            } else if constexpr (!Function::kAmbiguous) {
                return Finish<kSaturate, Format>(d, Format::Narrow(df, hn::DemoteTo(df, y)), changed);
            } else {
                // The true value lies between these two: where they round alike, so does it.
                const V low = Format::Narrow(df, hn::DemoteTo(df, hn::Mul(y, hn::Set(dd, 1 - 0x1p-50))));
                const V high = Format::Narrow(df, hn::DemoteTo(df, hn::Mul(y, hn::Set(dd, 1 + 0x1p-50))));
                if (HWY_LIKELY(hn::AllTrue(d, hn::Eq(low, high)))) return Finish<kSaturate, Format>(d, low, changed);
                return Finish<kSaturate, Format>(d, Exactly(d, a, low, high), changed);
            }
        }

        template <class D, class V>
        static HWY_NOINLINE V Exactly(D d, V a, V low, V high) {
            HWY_ALIGN float from[HWY_LANES(float)];
            HWY_ALIGN int32_t lows[HWY_LANES(float)], highs[HWY_LANES(float)];
            hn::Store(hn::BitCast(DF(), a), DF(), from);
            hn::Store(low, d, lows);
            hn::Store(high, d, highs);
            for (size_t i = 0; i < hn::Lanes(d); ++i) {
                if (lows[i] == highs[i]) continue;
                const float exact = Function::Exact(from[i]);
                std::memcpy(&lows[i], &exact, sizeof(exact));
            }
            return hn::Load(d, lows);
        }
    };
};

template <template <class> class FormatOf>
void AddFormat(RunTable& table, DataType type) {
    using enum isa::Opcode;
    using DF = hn::ScalableTag<float>;
    using D = typename FormatOf<DF>::D;
    using Full = hn::ScalableTag<hn::TFromD<D>>;
    table.At(vabs, type) = Run<Full, Abs<DF, FormatOf>::template Op, Inputs::kOne>;
    table.At(vrelu, type) = Run<Full, Relu<DF, FormatOf>::template Op, Inputs::kOne>;
    table.At(vrec, type) = Run<D, InFloat<DF, FormatOf, ReciprocalOf>::template Op, Inputs::kOne>;
    table.At(vsqrt, type) = Run<D, InFloat<DF, FormatOf, SqrtOf>::template Op, Inputs::kOne>;
    using DD = hn::ScalableTag<double>;
    using Lanes = hn::Rebind<hn::TFromD<D>, DD>;
    table.At(vrsqrt, type) = Run<Lanes, InDouble<DD, FormatOf, RsqrtOf>::template Op, Inputs::kOne>;
    table.At(vexp, type) = Run<Lanes, InDouble<DD, FormatOf, ExpOf>::template Op, Inputs::kOne>;
    table.At(vln, type) = Run<Lanes, InDouble<DD, FormatOf, LnOf>::template Op, Inputs::kOne>;
}

void FunctionRuns(RunTable& table) {
    AddFormat<Half>(table, DataType::kHalf);
    AddFormat<Float>(table, DataType::kFloat);
    using DD = hn::ScalableTag<double>;
    using Lanes = hn::Rebind<hn::TFromD<Half<hn::ScalableTag<float>>::D>, DD>;
    table.At(isa::Opcode::vexpm1, DataType::kHalf) = Run<Lanes, InDouble<DD, Half, Expm1Of>::template Op, Inputs::kOne>;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddFunctionRuns(RunTable& table) { SFUMATO_FOR_TARGET(FunctionRuns)(table); }
}  // namespace sfumato::exec
#endif
