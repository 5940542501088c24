// SPDX-License-Identifier: Apache-2.0
// Arithmetic of float, half and bfloat16 on registers (arch950.md 2.7): one rounding to nearest even, of a half or
// bfloat16 result from float. That is exact for sums and products of halves, as a float has 2p + 2 bits of half's p.
#include "exec/registers/table.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/registers/arithmetic.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

#include "exec/format-inl.h"
#include "exec/registers/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {
namespace {

struct FloatSum {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class F, class DF, class V>
    static HWY_INLINE V Of(DF df, V a, V b) {
        return F::Narrow(df, hn::Add(F::Widen(df, a), F::Widen(df, b)));
    }
};
struct FloatDifference {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class F, class DF, class V>
    static HWY_INLINE V Of(DF df, V a, V b) {
        return F::Narrow(df, hn::Sub(F::Widen(df, a), F::Widen(df, b)));
    }
};
struct FloatProduct {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class F, class DF, class V>
    static HWY_INLINE V Of(DF df, V a, V b) {
        return F::Narrow(df, hn::Mul(F::Widen(df, a), F::Widen(df, b)));
    }
};
struct FloatDistance {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class F, class DF, class V>
    static HWY_INLINE V Of(DF df, V a, V b) {
        const typename F::D d;
        return hn::And(FloatDifference::Of<F>(df, a, b), hn::Set(d, hwy::LimitsMax<hn::TFromD<typename F::D>>()));
    }
};
// The sign bit decides: -0 is multiplied, +0 is not.
struct FloatPrelu {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class F, class DF, class V>
    static HWY_INLINE V Of(DF df, V a, V b) {
        const typename F::D d;
        return hn::IfThenElse(hn::Lt(a, hn::Zero(d)), FloatProduct::Of<F>(df, a, b), a);
    }
};

// On the bits: sign and magnitude turned into two's complement order all values, zeros included.
template <bool kLarger>
struct FloatChoice {
    static constexpr Takes kTakes = Takes::kTwo;
    template <class F, class DF, class V>
    static HWY_INLINE V Of(DF, V a, V b) {
        const typename F::D d;
        using T = hn::TFromD<typename F::D>;
        const V magnitude = hn::Set(d, hwy::LimitsMax<T>()), inf = hn::Set(d, T{F::kInf});
        const auto order = [&](V v) { return hn::Xor(v, hn::And(hn::BroadcastSignBit(v), magnitude)); };
        const auto is_nan = hn::Or(hn::Gt(hn::And(a, magnitude), inf), hn::Gt(hn::And(b, magnitude), inf));
        const V x = order(a), y = order(b);
        return hn::IfThenElse(is_nan, magnitude, order(kLarger ? hn::Max(x, y) : hn::Min(x, y)));
    }
};

// The sum, its last bit set where something was dropped: rounding that to a type of two bits less is one rounding.
// error is what the sum lacks.
template <class D, class V>
HWY_INLINE V RoundedToOdd(D d, V sum, V error) {
    const hn::RebindToSigned<D> di;
    const auto bits = hn::BitCast(di, sum), one = hn::Set(di, 1), zero = hn::Zero(di);
    const auto inexact = hn::RebindMask(di, hn::Gt(hn::Abs(error), hn::Zero(d)));  // not of NaN
    const auto even = hn::Eq(hn::And(bits, one), zero);
    const auto side = hn::Or(hn::BroadcastSignBit(hn::BitCast(di, hn::Xor(sum, error))), one);
    return hn::BitCast(d, hn::Add(bits, hn::IfThenElseZero(hn::And(inexact, even), side)));
}
// product + c to odd; the product is exact.
template <class D, class V>
HWY_INLINE V OddSum(D d, V product, V c) {
    const V sum = hn::Add(product, c), of_c = hn::Sub(sum, product);
    return RoundedToOdd(d, sum, hn::Add(hn::Sub(product, hn::Sub(sum, of_c)), hn::Sub(c, of_c)));
}
// a * b + c in float, one rounding.
template <class DF, class V>
HWY_INLINE V FusedInFloat(DF df, V a, V b, V c) {
#if HWY_NATIVE_FMA
    (void)df;
    return hn::MulAdd(a, b, c);
#else
    const hn::Half<DF> dh;
    const hn::RepartitionToWide<DF> dd;
    const auto half = [&](auto x, auto y, auto z) {
        const auto product = hn::Mul(hn::PromoteTo(dd, x), hn::PromoteTo(dd, y));
        return hn::DemoteTo(dh, OddSum(dd, product, hn::PromoteTo(dd, z)));
    };
    return hn::Combine(df, half(hn::UpperHalf(dh, a), hn::UpperHalf(dh, b), hn::UpperHalf(dh, c)),
                       half(hn::LowerHalf(dh, a), hn::LowerHalf(dh, b), hn::LowerHalf(dh, c)));
#endif
}

// a * b + c with one rounding; of bfloat16, the float rounded again (arch950.md 2.7).
template <class F, class DF, class V>
HWY_INLINE V Fused(DF df, V a, V b, V c) {
    const auto x = F::Widen(df, a), y = F::Widen(df, b), z = F::Widen(df, c);
    if constexpr (Limit<F>::kHalf) {
        return F::Narrow(df, OddSum(df, hn::Mul(x, y), z));
    } else {
        return F::Narrow(df, FusedInFloat(df, x, y, z));
    }
}
struct FloatMulAddDst {
    static constexpr Takes kTakes = Takes::kThree;
    template <class F, class DF, class V>
    static HWY_INLINE V Of(DF df, V a, V b, V dst) {
        return Fused<F>(df, a, b, dst);
    }
};
struct FloatMulDstAdd {
    static constexpr Takes kTakes = Takes::kThree;
    template <class F, class DF, class V>
    static HWY_INLINE V Of(DF df, V a, V b, V dst) {
        return Fused<F>(df, dst, a, b);
    }
};

struct FloatMagnitude {
    static constexpr Takes kTakes = Takes::kOne;
    template <class F, class DF, class V>
    static HWY_INLINE V Of(DF, V a) {
        const typename F::D d;
        return hn::And(a, hn::Set(d, hwy::LimitsMax<hn::TFromD<typename F::D>>()));
    }
};
struct FloatNegative {
    static constexpr Takes kTakes = Takes::kOne;
    template <class F, class DF, class V>
    static HWY_INLINE V Of(DF, V a) {
        const typename F::D d;
        return hn::Xor(a, hn::Set(d, hwy::LimitsMin<hn::TFromD<typename F::D>>()));
    }
};
struct FloatRelu {
    static constexpr Takes kTakes = Takes::kOne;
    template <class F, class DF, class V>
    static HWY_INLINE V Of(DF df, V a) {
        const typename F::D d;
        using T = hn::TFromD<typename F::D>;
        const V magnitude = FloatMagnitude::Of<F>(df, a);
        return hn::IfThenElse(hn::Gt(magnitude, hn::Set(d, T{F::kInf})), magnitude, ReluOfBits(d, a));
    }
};

// To an integral value of the type; the sign stays, of a zero too.
template <Rounding kRounding>
struct FloatIntegral {
    static constexpr Takes kTakes = Takes::kOne;
    template <class F, class DF, class V>
    static HWY_INLINE V Of(DF df, V a) {
        const auto x = F::Widen(df, a);
        // What rounds to zero keeps its sign, and zeros lose theirs: so the page prints them.
        const auto whole = hn::IfThenZeroElse(hn::Eq(x, hn::Zero(df)), hn::CopySign(Rounded(df, x), x));
        return F::Narrow(df, hn::IfThenElse(hn::IsNaN(x), x, whole));
    }
    template <class DF, class V>
    static HWY_INLINE V Rounded(DF df, V x) {
        if constexpr (kRounding == Rounding::kFloor) {
            return hn::Floor(x);
        } else if constexpr (kRounding == Rounding::kCeil) {
            return hn::Ceil(x);
        } else if constexpr (kRounding == Rounding::kTrunc) {
            return hn::Trunc(x);
        } else if constexpr (kRounding == Rounding::kRound) {
            const V magnitude = hn::Abs(x), whole = hn::Trunc(magnitude);
            const auto up = hn::Ge(hn::Sub(magnitude, whole), hn::Set(df, 0.5f));  // of infinity NaN, so not up
            return hn::Add(whole, hn::IfThenElseZero(up, hn::Set(df, 1.0f)));
        } else {
            return hn::Round(x);
        }
    }
};

template <template <class> class FormatOf, class Op, bool kSaturates = true>
uint32_t RunFloats(const RegisterCall& call, const RegisterControl& control) {
    using DF = RegisterFloats;
    using Format = FormatOf<DF>;
    using T = hn::TFromD<typename Format::D>;
    constexpr size_t kLanes = kRegisterBytes / sizeof(T);
    const DF df;
    const typename Format::D d;
    const Limit<Format> limit(d, kSaturates && Saturates(control));
    alignas(64) T out[kLanes];
    const auto* a = reinterpret_cast<const T*>(call.src0->bytes.data());
    if constexpr (Op::kTakes == Takes::kOne) {
        for (size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
            hn::Store(limit(d, Op::template Of<Format>(df, hn::Load(d, a + i))), d, out + i);
        }
    } else {
        const SecondSource<T> second(call);
        const auto* b = reinterpret_cast<const T*>(second.lanes);
        const auto* c = reinterpret_cast<const T*>(call.dst->bytes.data());
        for (size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
            const auto va = hn::Load(d, a + i), vb = hn::Load(d, b + i);
            if constexpr (Op::kTakes == Takes::kTwo) {
                hn::Store(limit(d, Op::template Of<Format>(df, va, vb)), d, out + i);
            } else {
                hn::Store(limit(d, Op::template Of<Format>(df, va, vb, hn::Load(d, c + i))), d, out + i);
            }
        }
    }
    WriteLanes(*call.dst, out, WholeElements<sizeof(T)>(KnownOf<Op::kTakes>(call)), OnOf<sizeof(T)>(call.mask),
               call.merging);
    return 0;
}

// Infinity and NaN stay what they are under every CTRL.
template <template <class> class FormatOf>
uint32_t RunIntegral(const RegisterCall& call, const RegisterControl& control) {
    switch (call.rounding) {
        case Rounding::kFloor: return RunFloats<FormatOf, FloatIntegral<Rounding::kFloor>, false>(call, control);
        case Rounding::kCeil: return RunFloats<FormatOf, FloatIntegral<Rounding::kCeil>, false>(call, control);
        case Rounding::kTrunc: return RunFloats<FormatOf, FloatIntegral<Rounding::kTrunc>, false>(call, control);
        case Rounding::kRound: return RunFloats<FormatOf, FloatIntegral<Rounding::kRound>, false>(call, control);
        default: return RunFloats<FormatOf, FloatIntegral<Rounding::kRint>, false>(call, control);
    }
}

template <template <class> class FormatOf>
void AddFloatsOf(RegisterTable& table, DataType type) {
    using enum RegisterOp;
    table.At(kAdd, type) = RunFloats<FormatOf, FloatSum>;
    table.At(kSub, type) = RunFloats<FormatOf, FloatDifference>;
    table.At(kMul, type) = RunFloats<FormatOf, FloatProduct>;
    table.At(kMax, type) = RunFloats<FormatOf, FloatChoice<true>>;
    table.At(kMin, type) = RunFloats<FormatOf, FloatChoice<false>>;
    table.At(kMulAddDst, type) = RunFloats<FormatOf, FloatMulAddDst>;
    table.At(kMulDstAdd, type) = RunFloats<FormatOf, FloatMulDstAdd>;
    table.At(kTruncate, type) = RunIntegral<FormatOf>;
    if (type == DataType::kBfloat16) return;
    table.At(kAbsSub, type) = RunFloats<FormatOf, FloatDistance>;
    table.At(kPrelu, type) = RunFloats<FormatOf, FloatPrelu>;
    table.At(kAxpy, type) = RunFloats<FormatOf, FloatMulAddDst>;
    table.At(kAbs, type) = RunFloats<FormatOf, FloatMagnitude>;
    table.At(kNeg, type) = RunFloats<FormatOf, FloatNegative>;
    table.At(kRelu, type) = RunFloats<FormatOf, FloatRelu>;
}

void RegisterArithmetic(RegisterTable& table) {
    AddFloatsOf<Half>(table, DataType::kHalf);
    AddFloatsOf<Bfloat16>(table, DataType::kBfloat16);
    AddFloatsOf<Float>(table, DataType::kFloat);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddArithmetic(RegisterTable& table) { SFUMATO_FOR_TARGET(RegisterArithmetic)(table); }
}  // namespace sfumato::exec
#endif
