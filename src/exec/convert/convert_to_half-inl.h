// SPDX-License-Identifier: Apache-2.0
// float lanes to float16 or bfloat16 elements, any rounding, either overflow policy. Compiled once per SIMD target.
#if defined(SFUMATO_EXEC_CONVERT_TO_HALF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SFUMATO_EXEC_CONVERT_TO_HALF_INL_H_
#undef SFUMATO_EXEC_CONVERT_TO_HALF_INL_H_
#else
#define SFUMATO_EXEC_CONVERT_TO_HALF_INL_H_
#endif

#include "exec/convert/convert-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// kDrop: mantissa bits of float that the format has not. As floats: the largest finite value, and the first one that
// rounds (nearest even) to inf.
struct HalfFormat {
    static constexpr int kDrop = 13;
    static constexpr uint32_t kInf = 0x7C00, kNan = 0x7E00;
    static constexpr uint32_t kMaxAsFloat = 0x477FE000, kOverflowAsFloat = 0x477FF000;
    // Nearest even of what is in range. The hardware's instruction where there is one.
    template <class D>
    static HWY_INLINE HalfBits<D> RintInRange([[maybe_unused]] D d, V<D> v) {
#if SFUMATO_NATIVE_HALF
        return hn::BitCast(hn::Rebind<uint16_t, D>(), hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v));
#else
        return FloatToHalfRint(d, v);
#endif
    }
    template <class D>
    static HWY_INLINE HalfBits<D> Rint(D d, V<D> v) {
        return FloatToHalfRint(d, v);
    }
};
struct Bfloat16Format {
    static constexpr int kDrop = 16;
    static constexpr uint32_t kInf = 0x7F80, kNan = 0x7FC0;
    static constexpr uint32_t kMaxAsFloat = 0x7F7F0000, kOverflowAsFloat = 0x7F7F8000;
    template <class D>
    static HWY_INLINE HalfBits<D> RintInRange(D d, V<D> v) {
        return FloatToBfloat16Rint(d, v);
    }
    template <class D>
    static HWY_INLINE HalfBits<D> Rint(D d, V<D> v) {
        return FloatToBfloat16Rint(d, v);
    }
};

// Magnitudes below 2^-14 in units of half's smallest subnormal 2^-24, rounded; arguments as of RoundBits.
template <Rounding R, class D>
HWY_INLINE V<Unsigned<D>> RoundToHalfSubnormal(D d, V<Unsigned<D>> magnitude, V<Unsigned<D>> negative) {
    const Unsigned<D> du;
    const Signed<D> di;
    // Larger lanes are not used; keeping them at 2^-14 keeps the conversion in range.
    const auto bounded = hn::Min(hn::BitCast(di, magnitude), hn::Set(di, 113 << 23));
    const auto units = hn::Mul(hn::BitCast(d, bounded), hn::Set(d, 0x1p24f));  // exact
    const auto kept = hn::ConvertTo(di, units);
    const auto rest = hn::Sub(units, hn::ConvertTo(d, kept));  // exact
    // 1 in the lanes that step away from zero
    const auto steps_if = [&](auto mask)
                              HWY_ATTR { return hn::ShiftRight<31>(hn::BitCast(du, hn::VecFromMask(d, mask))); };
    const auto inexact = steps_if(hn::Gt(rest, hn::Zero(d)));
    const auto whole = hn::BitCast(du, kept);
    if constexpr (R == Rounding::kTrunc) return whole;
    if constexpr (R == Rounding::kOdd) return hn::Or(whole, inexact);
    if constexpr (R == Rounding::kAway) return hn::Add(whole, inexact);
    if constexpr (R == Rounding::kFloor) return hn::Add(whole, hn::And(inexact, negative));
    if constexpr (R == Rounding::kCeil) return hn::Add(whole, hn::AndNot(negative, inexact));
    static_assert(R != Rounding::kRint);
    return hn::Add(whole, steps_if(hn::Ge(rest, hn::Set(d, 0.5f))));  // kRound
}

// Keeps in acc the largest magnitude it has seen: as the source's bits (RINT) or the result's (other modes). From
// kReplaced on, the policy replaced an inf or NaN.
template <class Format, Rounding R, Overflow kOverflow>
struct NarrowSink {
    using Raw = uint16_t;
    static constexpr bool kSaturates = kOverflow == Overflow::kSaturate;
    static constexpr uint32_t kReplaced = R == Rounding::kRint ? Format::kOverflowAsFloat : Format::kInf;
    static constexpr int32_t kOrdinaryBelow = kSaturates && R == Rounding::kRint ? Format::kOverflowAsFloat : 0;

    template <class D>
    static HWY_INLINE void StoreOrdinary(D d, V<D> v, Raw* dst) {
        hn::StoreU(Format::RintInRange(d, v), hn::Rebind<uint16_t, D>(), dst);
    }

    template <class D, class Acc>
    static HWY_INLINE void Store(D d, V<D> v, Raw* dst, Acc& acc) {
        const hn::Rebind<uint16_t, D> d16;
        if constexpr (R == Rounding::kRint) {
            hn::StoreU(Rint(d, v, acc), d16, dst);
        } else {
            hn::StoreU(hn::DemoteTo(d16, hn::BitCast(Signed<D>(), Round(d, v, acc))), d16, dst);
        }
    }

    template <class D, class Acc>
    static bool Replaced(D, const Acc& acc) {
        if constexpr (!kSaturates) return false;
        const Signed<D> di;
        return !hn::AllTrue(di, hn::Lt(hn::BitCast(di, acc), hn::Set(di, static_cast<int32_t>(kReplaced))));
    }

private:
    // The commonest conversions of all: clamped first, so that nothing is left to mend.
    template <class D, class Acc>
    static HWY_INLINE HalfBits<D> Rint(D d, V<D> v, Acc& acc) {
        if constexpr (!kSaturates) return Format::Rint(d, v);
        const Unsigned<D> du;
        See(d, hn::BitCast(du, hn::Abs(v)), acc);
        const auto max = hn::BitCast(d, hn::Set(du, Format::kMaxAsFloat));
        return Format::RintInRange(d, hn::Min(hn::Max(ZeroNan(d, v), hn::Neg(max)), max));
    }

    template <class D, class Acc>
    static HWY_INLINE V<Unsigned<D>> Round(D d, V<D> v, Acc& acc) {
        const Unsigned<D> du;
        const Signed<D> di;
        const auto inf = hn::Set(du, Format::kInf);
        const auto max = hn::Set(du, Format::kInf - 1);
        const auto magnitude = hn::BitCast(du, hn::Abs(v));
        const auto negative = NegativeLanes(d, v);
        const auto less = [di](auto a, auto b) HWY_ATTR { return hn::Lt(hn::BitCast(di, a), hn::BitCast(di, b)); };

        auto result = RoundBits<R, Format::kDrop>(du, magnitude, negative);
        if constexpr (Format::kDrop == 13) {
            const auto tiny = hn::RebindMask(du, less(magnitude, hn::Set(du, 113u << 23)));
            const auto subnormal = RoundToHalfSubnormal<R>(d, magnitude, negative);
            result = hn::IfThenElse(tiny, subnormal, hn::Sub(result, hn::Set(du, 112u << 10)));
        }
        // Where an overflow stops depends on the mode; inf stays inf, and NaN counts as inf until the end.
        auto limit = inf;
        if constexpr (R == Rounding::kTrunc || R == Rounding::kOdd) limit = max;
        if constexpr (R == Rounding::kFloor) limit = hn::Sub(max, negative);
        if constexpr (R == Rounding::kCeil) limit = hn::Add(inf, negative);
        result = hn::IfThenElse(hn::RebindMask(du, less(result, limit)), result, limit);
        const auto finite = hn::RebindMask(du, less(magnitude, hn::Set(du, 0x7F800000u)));
        result = hn::IfThenElse(finite, result, inf);
        const auto is_nan = hn::RebindMask(du, hn::IsNaN(v));
        auto nan = hn::Set(du, Format::kNan);
        if constexpr (kSaturates) {
            See(d, result, acc);
            result = hn::IfThenElse(hn::RebindMask(du, less(result, inf)), result, max);
            nan = hn::Zero(du);
        }
        const auto sign = hn::And(hn::Set(du, 0x8000u), negative);
        return hn::IfThenElse(is_nan, nan, hn::Or(result, sign));
    }

    template <class D, class Acc>
    static HWY_INLINE void See(D, V<Unsigned<D>> magnitude, Acc& acc) {
        const Signed<D> di;
        acc = hn::BitCast(Unsigned<D>(), hn::Max(hn::BitCast(di, acc), hn::BitCast(di, magnitude)));
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#endif  // SFUMATO_EXEC_CONVERT_TO_HALF_INL_H_
