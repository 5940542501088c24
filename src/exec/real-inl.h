// SPDX-License-Identifier: Apache-2.0
// Mathematical functions (adv.md 5) in double, with errors that tests/exec/real_error_test.cpp measures, and what
// decides where they do not. Included after exec/erf-inl.h, once per target.

#if defined(SFUMATO_EXEC_REAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SFUMATO_EXEC_REAL_INL_H_
#undef SFUMATO_EXEC_REAL_INL_H_
#else
#define SFUMATO_EXEC_REAL_INL_H_
#endif

#include <cmath>

#include "exec/vector/gamma.h"
#include "numeric/real_functions.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// The error of a decent evaluation: 32 units of a double's last place.
constexpr double kUsualWindow = 0x1p-48;

// f of each lane.
template <class DD, class F, class... V>
HWY_INLINE hn::Vec<DD> Each(DD dd, F f, V... x) {
    constexpr size_t kMost = HWY_LANES(double);
    HWY_ALIGN double from[sizeof...(V)][kMost], to[kMost];
    size_t n = 0;
    (hn::Store(x, dd, from[n++]), ...);
    for (size_t i = 0; i < hn::Lanes(dd); ++i) {
        if constexpr (sizeof...(V) == 1) {
            to[i] = f(from[0][i]);
        } else {
            to[i] = f(from[0][i], from[1][i]);
        }
    }
    return hn::Load(dd, to);
}

template <double (*kFunction)(double), double (*kExact)(double)>
struct Library {
    static constexpr double kWindow = kUsualWindow;
    static double Exact(double x) { return kExact(x); }
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x) const {
        return Each(
            dd, [](double v) { return kFunction(v); }, x);
    }
};
template <double (*kFunction)(double), double (*kExact)(double)>
struct GammaFamily : Library<kFunction, kExact> {
    static constexpr double kWindow = 0x1p-46, kFloor = 0x1p-44;
};
template <double (*kFunction)(double, double), double (*kExact)(double, double)>
struct LibraryOfTwo {
    static constexpr double kWindow = kUsualWindow;
    static double Exact(double x, double y) { return kExact(x, y); }
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x, V y) const {
        return Each(
            dd, [](double v, double w) { return kFunction(v, w); }, x, y);
    }
};

// x = (4 n + quadrant) pi/2 + r.
template <class DD>
struct Turns {
    hn::Vec<DD> r;
    hn::Vec<hn::RebindToUnsigned<DD>> quadrant;  // in the two low bits

    Turns(DD dd, hn::Vec<DD> x) {
        const hn::RebindToUnsigned<DD> du;
        // pi/2 in three parts, the first two of 33 bits: their multiples below 2^20 are exact.
        constexpr double kFirst = 0x1.921fb544p+0, kSecond = 0x1.0b4611a6p-34, kThird = 0x1.3198a2e037073p-69;
        const auto far = hn::And(hn::Gt(hn::Abs(x), hn::Set(dd, 0x1p19)), hn::IsFinite(x));
        const auto shift = hn::Set(dd, 0x1.8p52);
        const auto shifted = hn::Add(hn::Mul(x, hn::Set(dd, 0x1.45f306dc9c883p-1)), shift);
        const auto k = hn::Sub(shifted, shift);
        quadrant = hn::BitCast(du, shifted);
        r = hn::Sub(x, hn::Mul(k, hn::Set(dd, kFirst)));
        r = hn::Sub(hn::Sub(r, hn::Mul(k, hn::Set(dd, kSecond))), hn::Mul(k, hn::Set(dd, kThird)));
        if (HWY_UNLIKELY(!hn::AllFalse(dd, far))) Reduce(dd, x, far);
    }
    template <class M>
    HWY_NOINLINE void Reduce(DD dd, hn::Vec<DD> x, M far) {
        const hn::RebindToUnsigned<DD> du;
        HWY_ALIGN double to[HWY_LANES(double)];
        HWY_ALIGN uint64_t quadrants[HWY_LANES(double)];
        hn::Store(hn::IfThenElseZero(far, x), dd, to);
        for (size_t i = 0; i < hn::Lanes(dd); ++i) {
            int q;
            to[i] = numeric::QuarterTurns(to[i], &q);
            quadrants[i] = static_cast<uint64_t>(q);
        }
        r = hn::IfThenElse(far, hn::Load(dd, to), r);
        quadrant = hn::IfThenElse(hn::RebindMask(du, far), hn::Load(du, quadrants), quadrant);
    }

    // The series where their terms vanish: |r| < 0.786.
    hn::Vec<DD> Sin(DD dd) const {
        static constexpr double kSeries[] = {1.0,
                                             -1.0 / 6,
                                             1.0 / 120,
                                             -1.0 / 5040,
                                             1.0 / 362880,
                                             -1.0 / 39916800,
                                             1.0 / 6227020800.0,
                                             -1.0 / 1307674368000.0,
                                             1.0 / 355687428096000.0};
        return hn::Mul(r, Polynomial(dd, hn::Mul(r, r), kSeries));
    }
    hn::Vec<DD> Cos(DD dd) const {
        static constexpr double kSeries[] = {1.0,
                                             -1.0 / 2,
                                             1.0 / 24,
                                             -1.0 / 720,
                                             1.0 / 40320,
                                             -1.0 / 3628800,
                                             1.0 / 479001600,
                                             -1.0 / 87178291200.0,
                                             1.0 / 20922789888000.0,
                                             -1.0 / 6402373705728000.0};
        return Polynomial(dd, hn::Mul(r, r), kSeries);
    }
    auto Odd(DD dd) const { return hn::RebindMask(dd, hn::TestBit(quadrant, hn::Set(hn::RebindToUnsigned<DD>(), 1))); }
};

template <bool kCos>
struct SinOrCosOf {
    static constexpr double kWindow = kUsualWindow;
    static double Exact(double x) { return kCos ? numeric::Cos(x) : numeric::Sin(x); }
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x) const {
        const hn::RebindToUnsigned<DD> du;
        Turns<DD> turns(dd, x);
        if constexpr (kCos) turns.quadrant = hn::Add(turns.quadrant, hn::Set(du, 1));
        const V y = hn::IfThenElse(turns.Odd(dd), turns.Cos(dd), turns.Sin(dd));
        const auto sign = hn::ShiftLeft<62>(hn::And(turns.quadrant, hn::Set(du, 2)));
        return hn::Xor(y, hn::BitCast(dd, sign));
    }
};
struct TanOf {
    static constexpr double kWindow = kUsualWindow;
    static double Exact(double x) { return numeric::Tan(x); }
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x) const {
        const Turns<DD> turns(dd, x);
        const V sin = turns.Sin(dd), cos = turns.Cos(dd);
        const auto odd = turns.Odd(dd);
        return hn::Div(hn::IfThenElse(odd, hn::Neg(cos), sin), hn::IfThenElse(odd, sin, cos));
    }
};

enum class Hyperbolic { kSinh, kCosh, kTanh };
template <Hyperbolic kWhich>
struct HyperbolicOf {
    static constexpr double kWindow = kUsualWindow;
    static double Exact(double x) {
        return kWhich == Hyperbolic::kSinh   ? numeric::Sinh(x)
               : kWhich == Hyperbolic::kCosh ? numeric::Cosh(x)
                                             : numeric::Tanh(x);
    }
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V value) const {
        const V one = hn::Set(dd, 1.0), two = hn::Set(dd, 2.0);
        const V x = hn::Min(hn::Abs(value), hn::Set(dd, 100.0));  // beyond, infinite or 1
        V y;
        if constexpr (kWhich == Hyperbolic::kTanh) {
            const V e = ExpParts<DD>(dd, hn::Add(x, x)).Expm1(dd);
            y = hn::CopySign(hn::Div(e, hn::Add(e, two)), value);
        } else if constexpr (kWhich == Hyperbolic::kSinh) {
            const V e = ExpParts<DD>(dd, x).Expm1(dd);
            y = hn::CopySign(hn::Div(hn::Add(e, hn::Div(e, hn::Add(e, one))), two), value);
        } else {
            const V e = ExpParts<DD>(dd, x).Exp(dd);
            y = hn::Div(hn::Add(e, hn::Div(one, e)), two);
        }
        return hn::IfThenElse(hn::IsNaN(value), value, y);
    }
};

// The logarithm to another base: 1 / ln base for ln m, and for k what 2 has of it.
template <bool kTwo>
struct LogOf {
    static constexpr double kWindow = kUsualWindow;
    static double Exact(double x) { return kTwo ? numeric::Log2(x) : numeric::Log10(x); }
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x) const {
        const LnParts<DD> parts(dd, x);
        const V y = kTwo ? hn::Add(hn::Mul(parts.ln_m, hn::Set(dd, kLog2E)), parts.k)
                         : hn::Mul(parts.Ln(dd), hn::Set(dd, 0x1.bcb7b1526e50ep-2));
        return WithLimitsOfLog(dd, x, y);
    }
};

template <bool kComplement>
struct ErfOf {
    static constexpr double kWindow = kUsualWindow;
    static double Exact(double x) { return kComplement ? numeric::Erfc(x) : numeric::Erf(x); }
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x) const {
        return ErfInDouble<kComplement>(dd, x);
    }
};

struct HypotOf {
    static constexpr double kWindow = kUsualWindow;
    static double Exact(double x, double y) { return numeric::Hypot(x, y); }
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x, V y) const {
        // An infinity wins over NaN.
        const V inf = DoubleOf(dd, 0x7FF0000000000000);
        const auto infinite = hn::Or(hn::Eq(hn::Abs(x), inf), hn::Eq(hn::Abs(y), inf));
        return hn::IfThenElse(infinite, inf, hn::Sqrt(hn::Add(hn::Mul(x, x), hn::Mul(y, y))));
    }
};

// Exact in double, and the result is a number of the type.
struct FmodOf {
    static constexpr double kWindow = 0;
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x, V y) const {
        return Each(
            dd, [](double v, double w) { return std::fmod(v, w); }, x, y);
    }
};

using PowerOf = LibraryOfTwo<std::pow, numeric::Power>;
struct PowerOfScalar : PowerOf {  // the scalar comes second
    static double Exact(double y, double x) { return numeric::Power(x, y); }
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V y, V x) const {
        return PowerOf()(dd, x, y);
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#endif  // per target
