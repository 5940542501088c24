// SPDX-License-Identifier: Apache-2.0
// Functions of one operand on half and float (vector_instructions.md 1.3): Abs, Relu, Reciprocal, Sqrt, Rsqrt, Exp, Ln.
// Reciprocal and Rsqrt are the estimates of boards. Every other result, and those where the record asks for it, is the
// correctly rounded value, whatever the target: the host's division and square root are, and a half result of them
// rounded again from float is. The exact Rsqrt, Exp and Ln are evaluated in double. Rounding that to half, or Rsqrt to
// float, never meets a case too close to call (conformance tests try every input); a float result of Exp and Ln that is
// too close is computed again in integers.
#include "exec/runs.h"
#include "exec/targets.h"
#include "numeric/estimates.h"
#include "numeric/functions.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/vector/function_runs.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

#include "exec/format-inl.h"

#include "exec/double-inl.h"
#include "exec/loop-inl.h"
#include "exec/usual-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

template <class DF, template <class> class FormatOf>
struct AbsOf {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, P& policy) const {
        return Finish<FormatOf<DF>>(d, hn::And(a, hn::Set(d, hwy::LimitsMax<hn::TFromD<D>>())), policy);
    }
};

template <class DF, template <class> class FormatOf>
struct ReluOf {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, P& policy) const {
        const V magnitude = hn::And(a, hn::Set(d, hwy::LimitsMax<hn::TFromD<D>>()));
        const auto is_nan = hn::Gt(magnitude, hn::Set(d, FormatOf<DF>::kInf));
        return Finish<FormatOf<DF>>(d, hn::IfThenElse(is_nan, magnitude, ReluOfBits(d, a)), policy);
    }
};

// x is a float; a half is one without subnormals. Arm's rules for special values (docs/last-bits.md).
struct ReciprocalEstimate {
    template <class DF, class V>
    HWY_INLINE V operator()(DF df, V x) const {
        alignas(64) static constexpr std::array<uint32_t, 256> kTable = numeric::ReciprocalEstimates();
        const hn::RebindToSigned<DF> d;
        const auto sign = hn::And(hn::BitCast(d, x), hn::Set(d, hwy::LimitsMin<int32_t>()));
        const auto given = hn::BitCast(d, hn::Abs(x));
        // Of subnormals only those with a finite result matter, and four times such a one is normal.
        const auto small = hn::Lt(given, hn::Set(d, 1 << 23));
        const V scaled = hn::Mul(hn::BitCast(df, given), hn::Set(df, 4.0f));
        const auto bits = hn::IfThenElse(small, hn::BitCast(d, scaled), given);
        const auto exponent =
            hn::Sub(hn::Add(hn::Set(d, 253), hn::IfThenElseZero(small, hn::Set(d, 2))), hn::ShiftRight<23>(bits));
        const auto index = hn::And(hn::ShiftRight<15>(bits), hn::Set(d, 255));
        const auto fraction = hn::GatherIndex(d, reinterpret_cast<const int32_t*>(kTable.data()), index);
        const auto normal = hn::Or(hn::ShiftLeft<23>(exponent), fraction);
        // Exponents 0 and -1: nine bits, shifted by one or two places.
        const auto whole = hn::Or(fraction, hn::Set(d, 1 << 23));
        const auto zero = hn::Zero(d), inf = hn::Set(d, 0x7F800000);
        auto result =
            hn::IfThenElse(hn::Gt(exponent, zero), normal,
                           hn::IfThenElse(hn::Eq(exponent, zero), hn::ShiftRight<1>(whole), hn::ShiftRight<2>(whole)));
        result = hn::IfThenElse(hn::Lt(given, hn::Set(d, 1 << 21)), inf, result);
        result = hn::IfThenZeroElse(hn::Eq(given, inf), result);
        return hn::IfThenElse(hn::IsNaN(x), x, hn::BitCast(df, hn::Or(result, sign)));
    }
};

struct RsqrtEstimate {
    template <class DF, class V>
    HWY_INLINE V operator()(DF df, V x) const {
        alignas(64) static constexpr std::array<uint32_t, 256> kTable = numeric::RsqrtEstimates();
        const hn::RebindToSigned<DF> d;
        const auto given = hn::BitCast(d, x), zero = hn::Zero(d), inf = hn::Set(d, 0x7F800000);
        const auto small = hn::Lt(given, hn::Set(d, 1 << 23));
        const auto bits = hn::IfThenElse(small, hn::BitCast(d, hn::Mul(x, hn::Set(df, 0x1p24f))), given);
        const auto bias = hn::IfThenElse(small, hn::Set(d, 380 + 24), hn::Set(d, 380));
        const auto exponent = hn::ShiftRight<1>(hn::Sub(bias, hn::ShiftRight<23>(bits)));
        // Seven bits, and the exponent's parity: odd exponents are the significands below 0.5.
        const auto index = hn::Xor(hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 255)), hn::Set(d, 128));
        const auto fraction = hn::GatherIndex(d, reinterpret_cast<const int32_t*>(kTable.data()), index);
        const auto normal = hn::Or(hn::ShiftLeft<23>(exponent), fraction);
        const auto sign = hn::And(given, hn::Set(d, hwy::LimitsMin<int32_t>()));
        const auto is_zero = hn::Eq(hn::Add(given, given), zero);
        auto result = hn::IfThenElse(hn::Lt(given, zero), hn::Set(d, 0x7FC00000), normal);
        result = hn::IfThenElse(is_zero, hn::Or(inf, sign), result);
        result = hn::IfThenZeroElse(hn::Eq(given, inf), result);
        return hn::IfThenElse(hn::IsNaN(x), x, hn::BitCast(df, result));
    }
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
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, P& policy) const {
        const DF df;
        return RoundTo<Format>(df, d, Function()(df, Format::Widen(df, a)), policy);
    }
};

// Functions in double, the series cut where their terms vanish: with the roundings of their evaluation the relative
// error is below 2^-51.
struct RsqrtOf {
    static constexpr double kWindow = 0;  // no float comes near enough
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x) const {
        return hn::Div(hn::Set(dd, 1.0), hn::Sqrt(x));
    }
};

struct ExpOf {
    static constexpr double kWindow = 0x1p-50;
    static double Exact(double x) { return numeric::Exp(static_cast<float>(x)); }
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x) const {
        // Beyond these bounds every type overflows or gives 0.
        const ExpParts<DD> parts(dd, hn::Min(hn::Max(x, hn::Set(dd, -120.0)), hn::Set(dd, 100.0)));
        return hn::IfThenElse(hn::IsNaN(x), x, parts.Exp(dd));
    }
};

// e^x of floats without great or small results, to less.
struct UsualExp {
    using WithCare = ExpOf;
    static constexpr double kWindow = 0x1p-39;
    // Their results are normal floats.
    template <class DF, class V>
    static HWY_INLINE auto Usual(DF df, V x) {
        return hn::Le(hn::Abs(x), hn::Set(df, 87.0f));
    }
    // k of x = k ln 2 + r, in the low bits too.
    template <class DF, class V>
    static HWY_INLINE V Shifted(DF df, V x) {
        return hn::MulAdd(x, hn::Set(df, static_cast<float>(kLog2E)), hn::Set(df, kShift));
    }
    // e^(x - k ln 2) by Chebyshev's polynomial of degree 8, |r| < 0.3466: 2^-39.7.
    template <class DD, class V>
    static HWY_INLINE V Rest(DD dd, V x, V k) {
        static constexpr double kTerms[] = {0x1.0000000000000p+0,  0x1.ffffffffd38c0p-1,  0x1.fffffffff71cfp-2,
                                            0x1.555555a26e0aap-3,  0x1.5555557428e4ap-5,  0x1.111080ade1e5dp-7,
                                            0x1.6c164df426e43p-10, 0x1.a1aa7f4661101p-13, 0x1.a15a4fc103094p-16};
        const V r = hn::NegMulAdd(k, hn::Set(dd, kLn2), x);
        // By pairs: half as long a chain as term by term, and that is what the time is.
        const auto pair = [&](int i) { return hn::MulAdd(hn::Set(dd, kTerms[i + 1]), r, hn::Set(dd, kTerms[i])); };
        const V r2 = hn::Mul(r, r), r4 = hn::Mul(r2, r2);
        const V low = hn::MulAdd(pair(2), r2, pair(0)), high = hn::MulAdd(pair(6), r2, pair(4));
        return hn::MulAdd(hn::MulAdd(hn::Set(dd, kTerms[8]), r4, high), r4, low);
    }
};

#if HWY_TARGET <= HWY_AVX3 && HWY_MAX_BYTES == 64
// The same from sums of two floats, which is faster where a vector holds the table: x = m (ln 2)/16 + r,
// e^x = 2^(m/16) e^r, and e^r - 1 = r + r^2 (1/2 + r/6 + r^2/24 + r^3/120), |r| < 0.0217.
struct ExpOfPairs {
    using Second = InHalves<UsualExp>;
    using WithCare = ExpOf;
    static constexpr float kWindow = 0x1p-33f;  // of results from 0.97 to 2; the greatest error is 2^-33.3

    template <class DF, class V>
    static HWY_INLINE bool Value(DF df, V x, V& y) {
        // 2^(j/16), and by how much of it that is too little.
        HWY_ALIGN static constexpr float kRoots[16] = {0x1p+0,         0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
                                                       0x1.306fep+0f,  0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
                                                       0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
                                                       0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f};
        HWY_ALIGN static constexpr float kMissing[16] = {0,
                                                         0x1.8d96d4p-25f,
                                                         -0x1.9c0c22p-27f,
                                                         0x1.964904p-25f,
                                                         0x1.125002p-25f,
                                                         0x1.370be4p-25f,
                                                         -0x1.0a3550p-25f,
                                                         -0x1.00d8acp-27f,
                                                         0x1.26055cp-26f,
                                                         -0x1.05cb44p-25f,
                                                         0x1.67a1cap-28f,
                                                         0x1.a3b5e4p-28f,
                                                         -0x1.f9c304p-27f,
                                                         -0x1.6961b4p-28f,
                                                         -0x1.a5217cp-28f,
                                                         0x1.61428ep-28f};
        const hn::RebindToSigned<DF> d;
        const V shifted = hn::MulAdd(x, hn::Set(df, 0x1.715476p+4f), hn::Set(df, kShift));
        const V m = hn::Sub(shifted, hn::Set(df, kShift));
        const auto bits = hn::BitCast(d, shifted), j = hn::And(bits, hn::Set(d, 15));
        const auto index = hn::IndicesFromVec(df, j);
        const V root = hn::TableLookupLanes(hn::Load(df, kRoots), index);
        // r in two parts; the first is exact.
        const V r = hn::NegMulAdd(m, hn::Set(df, 0x1.62e43p-5f), x);
        const V r_low =
            hn::NegMulAdd(m, hn::Set(df, -0x1.05c61p-33f), hn::TableLookupLanes(hn::Load(df, kMissing), index));
        const V r1 = hn::Add(r, r_low), r2 = hn::Mul(r1, r1);
        V series = hn::MulAdd(hn::Set(df, 1.0f / 120), r1, hn::Set(df, 1.0f / 24));
        series = hn::MulAdd(series, r1, hn::Set(df, 1.0f / 6));
        series = hn::MulAdd(series, r1, hn::Set(df, 0.5f));
        const V high = hn::MulAdd(root, r, root), lost = hn::MulAdd(root, r, hn::Sub(root, high));
        const V low = hn::MulAdd(root, hn::MulAdd(r2, series, r_low), lost);
        const V window = hn::Set(df, kWindow);
        const V most = hn::Add(high, hn::Add(low, window)), least = hn::Add(high, hn::Sub(low, window));
        y = hn::BitCast(df, hn::Add(hn::BitCast(d, most), hn::ShiftLeft<19>(hn::Sub(bits, j))));
        return hn::AllTrue(df, hn::And(hn::Le(hn::Abs(x), hn::Set(df, 87.0f)), hn::Eq(most, least)));
    }
};
using ExpFirst = ExpOfPairs;
#else
using ExpFirst = InHalves<UsualExp>;
#endif

struct Expm1Of {
    static constexpr double kWindow = 0;
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x) const {
        const ExpParts<DD> parts(dd, hn::Min(hn::Max(x, hn::Set(dd, -120.0)), hn::Set(dd, 100.0)));
        const auto itself = hn::Or(hn::IsNaN(x), hn::Eq(x, hn::Zero(dd)));  // -0 gives -0
        return hn::IfThenElse(itself, x, parts.Expm1(dd));
    }
};

struct LnOf {
    static constexpr double kWindow = 0x1p-50;
    static double Exact(double x) { return numeric::Ln(static_cast<float>(x)); }
    template <class DD, class V>
    HWY_INLINE V operator()(DD dd, V x) const {
        return WithLimitsOfLog(dd, x, LnParts<DD>(dd, x).Ln(dd));
    }
};

// The run of an estimate, or of the exact function where the record asks for that.
template <RunFn kEstimate, RunFn kExact>
bool RunEstimate(const RunArgs& args) {
    return args.exact ? kExact(args) : kEstimate(args);
}

template <template <class> class FormatOf>
void AddFunctions(RunTable& table, DataType type) {
    using enum isa::Opcode;
    using DF = hn::ScalableTag<float>;
    using D = typename FormatOf<DF>::D;
    using Full = hn::ScalableTag<hn::TFromD<D>>;
    table.At(vabs, type) = Run<Full, AbsOf<DF, FormatOf>, Inputs::kOne>;
    table.At(vrelu, type) = Run<Full, ReluOf<DF, FormatOf>, Inputs::kOne>;
    table.At(vrec, type) = RunEstimate<Run<D, InFloat<DF, FormatOf, ReciprocalEstimate>, Inputs::kOne>,
                                       Run<D, InFloat<DF, FormatOf, ReciprocalOf>, Inputs::kOne>>;
    table.At(vsqrt, type) = Run<D, InFloat<DF, FormatOf, SqrtOf>, Inputs::kOne>;
    using DD = hn::ScalableTag<double>;
    using Lanes = hn::Rebind<hn::TFromD<D>, DD>;
    table.At(vrsqrt, type) = RunEstimate<Run<D, InFloat<DF, FormatOf, RsqrtEstimate>, Inputs::kOne>,
                                         Run<Lanes, InDouble<DD, FormatOf, RsqrtOf>, Inputs::kOne>>;
    if constexpr (std::is_same_v<D, Full>) {
        table.At(vexp, type) = UsualFirst<DF, ExpFirst>::Run;
    } else {
        table.At(vexp, type) = Run<Lanes, InDouble<DD, FormatOf, ExpOf>, Inputs::kOne>;
    }
    table.At(vln, type) = Run<Lanes, InDouble<DD, FormatOf, LnOf>, Inputs::kOne>;
}

void FunctionRuns(RunTable& table) {
    AddFunctions<Half>(table, DataType::kHalf);
    AddFunctions<Float>(table, DataType::kFloat);
    using DD = hn::ScalableTag<double>;
    using Lanes = hn::Rebind<hn::TFromD<Half<hn::ScalableTag<float>>::D>, DD>;
    table.At(isa::Opcode::vexpm1, DataType::kHalf) = Run<Lanes, InDouble<DD, Half, Expm1Of>, Inputs::kOne>;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddFunctionRuns(RunTable& table) { SFUMATO_FOR_TARGET(FunctionRuns)(table); }
}  // namespace sfumato::exec
#endif
