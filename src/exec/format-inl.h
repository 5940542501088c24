// SPDX-License-Identifier: Apache-2.0
// half, bfloat16 and float lanes of runs: widening to float, one rounding back, the overflow policy.
// Included after exec/half-inl.h, once per target.

#if defined(SFUMATO_EXEC_FORMAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SFUMATO_EXEC_FORMAT_INL_H_
#undef SFUMATO_EXEC_FORMAT_INL_H_
#else
#define SFUMATO_EXEC_FORMAT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// Formats: the lanes are integers of the element's width; above kInf, sign cleared, is NaN. Narrow leaves its payload
// open.
template <class DF>
struct Half {
    using D = hn::Rebind<int16_t, DF>;
    static constexpr int16_t kInf = 0x7C00, kNan = 0x7E00;
    static constexpr bool kPolicy = true;
    static HWY_INLINE auto Widen(DF df, hn::Vec<D> v) {
        return HalfToFloat(df, hn::BitCast(hn::RebindToUnsigned<D>(), v));
    }
    static HWY_INLINE auto Narrow(DF df, hn::Vec<DF> v) { return hn::BitCast(D(), FloatToHalfRaw(df, v)); }
};
template <class DF>
struct Bfloat16 {
    using D = hn::Rebind<int16_t, DF>;
    static constexpr int16_t kInf = 0x7F80, kNan = 0x7FC0;
    static constexpr bool kPolicy = true;
    static HWY_INLINE auto Widen(DF df, hn::Vec<D> v) {
        return Bfloat16ToFloat(df, hn::BitCast(hn::RebindToUnsigned<D>(), v));
    }
    static HWY_INLINE auto Narrow(DF df, hn::Vec<DF> v) { return hn::BitCast(D(), FloatToBfloat16Rint(df, v)); }
};
template <class DF>
struct Float {
    using D = hn::RebindToSigned<DF>;
    static constexpr int32_t kInf = 0x7F800000, kNan = 0x7FC00000;
    static constexpr bool kPolicy = false;
    static HWY_INLINE auto Widen(DF df, hn::Vec<D> v) { return hn::BitCast(df, v); }
    static HWY_INLINE auto Narrow(DF, hn::Vec<DF> v) { return hn::BitCast(D(), v); }
};

// Canonical NaN, and the policy (conversions.md, "Destination range"). Special results are rare, so the common vector
// pays one comparison.
template <class Format, class D, class V, class P>
HWY_INLINE V Finish(D d, V bits, P& policy) {
    using T = hn::TFromD<D>;
    const auto sign_bit = hn::Set(d, static_cast<T>(T{1} << (sizeof(T) * 8 - 1)));
    const auto magnitude = hn::AndNot(sign_bit, bits);
    const auto largest = hn::Set(d, static_cast<T>(Format::kInf - 1));
    const auto special = hn::Gt(magnitude, largest);
    if (HWY_LIKELY(hn::AllFalse(d, special))) return bits;
    const auto is_nan = hn::Gt(magnitude, hn::Set(d, Format::kInf));
    if (Format::kPolicy && policy.saturate) {
        policy.changed = hn::Or(policy.changed, special);
        const auto limited = hn::Or(hn::And(bits, sign_bit), largest);
        return hn::IfThenElse(special, hn::IfThenZeroElse(is_nan, limited), bits);
    }
    return hn::IfThenElse(is_nan, hn::Set(d, Format::kNan), bits);
}

// A float result in the format: one rounding, the policy, canonical NaN.
template <class Format, class DF, class D, class P>
HWY_INLINE hn::Vec<D> RoundTo(DF df, D d, hn::Vec<DF> v, P& policy) {
    return Finish<Format>(d, Format::Narrow(df, v), policy);
}

// max(0, v) of bits whose NaN, if any, is positive; -0 gives +0.
template <class D, class V>
HWY_INLINE V ReluOfBits(D d, V v) {
    return hn::IfThenZeroElse(hn::Lt(v, hn::Zero(d)), v);
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#endif  // per target
