// SPDX-License-Identifier: Apache-2.0
// Arithmetic on half, bfloat16 and float (vector.md and vector_instructions.md 1): one rounding to nearest even, then
// the policy on half and bfloat16; NaN is canonical; Max and Min give NaN for any NaN and order -0 below +0.
#include "exec/runs.h"
#include "exec/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/float_runs.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"
#include "exec/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

struct AddOp {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Add(a, b);
    }
};
struct SubOp {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Sub(a, b);
    }
};
struct MulOp {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Mul(a, b);
    }
};
struct MaxOp {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Max(a, b);
    }
};
struct MinOp {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Min(a, b);
    }
};

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

// Canonical NaN, and the policy `saturate` (conversions.md, "Destination range"). Special results are rare, so the
// common vector pays one comparison.
template <bool kSaturate, class Format, class D, class V, class M>
HWY_INLINE V Finish(D d, V bits, M& changed) {
    using T = hn::TFromD<D>;
    const auto sign_bit = hn::Set(d, static_cast<T>(T{1} << (sizeof(T) * 8 - 1)));
    const auto magnitude = hn::AndNot(sign_bit, bits);
    const auto largest = hn::Set(d, static_cast<T>(Format::kInf - 1));
    const auto special = hn::Gt(magnitude, largest);
    if (HWY_LIKELY(hn::AllFalse(d, special))) return bits;
    const auto is_nan = hn::Gt(magnitude, hn::Set(d, Format::kInf));
    if constexpr (kSaturate && Format::kPolicy) {
        changed = hn::Or(changed, special);
        const auto limited = hn::Or(hn::And(bits, sign_bit), largest);
        return hn::IfThenElse(special, hn::IfThenZeroElse(is_nan, limited), bits);
    } else {
        return hn::IfThenElse(is_nan, hn::Set(d, Format::kNan), bits);
    }
}

template <class DF, template <class> class FormatOf, class Arithmetic>
struct Rounded {
    using Format = FormatOf<DF>;
    template <bool kSaturate>
    struct Op {
        template <class D, class V, class M>
        HWY_INLINE V operator()(D d, V a, V b, M& changed) const {
            const DF df;
            const V bits = Format::Narrow(df, Arithmetic()(Format::Widen(df, a), Format::Widen(df, b)));
            return Finish<kSaturate, Format>(d, bits, changed);
        }
    };
};

// Max and Min on the bits: sign and magnitude turned into two's complement orders all values, zeros included.
template <class Format, class Choice>
struct Chosen {
    template <bool kSaturate>
    struct Op {
        template <class D, class V, class M>
        HWY_INLINE V operator()(D d, V a, V b, M& changed) const {
            using T = hn::TFromD<D>;
            const auto magnitude_bits = hn::Set(d, hwy::LimitsMax<T>());
            const auto order = [&](V v) { return hn::Xor(v, hn::And(hn::BroadcastSignBit(v), magnitude_bits)); };
            const auto inf = hn::Set(d, Format::kInf);
            const auto is_nan =
                hn::Or(hn::Gt(hn::And(a, magnitude_bits), inf), hn::Gt(hn::And(b, magnitude_bits), inf));
            const V bits = hn::IfThenElse(is_nan, hn::Set(d, Format::kNan), order(Choice()(order(a), order(b))));
            return Finish<kSaturate, Format>(d, bits, changed);
        }
    };
};

template <template <class> class FormatOf>
void AddFormat(RunTable& table, DataType type) {
    using enum isa::Opcode;
    using DF = hn::ScalableTag<float>;
    using D = typename FormatOf<DF>::D;
    table.At(vadd, type) = Run<D, Rounded<DF, FormatOf, AddOp>::template Op, false>;
    table.At(vadds, type) = Run<D, Rounded<DF, FormatOf, AddOp>::template Op, true>;
    table.At(vsub, type) = Run<D, Rounded<DF, FormatOf, SubOp>::template Op, false>;
    table.At(vmul, type) = Run<D, Rounded<DF, FormatOf, MulOp>::template Op, false>;
    table.At(vmuls, type) = Run<D, Rounded<DF, FormatOf, MulOp>::template Op, true>;
    // No widening here, so a vector is as long as the element allows.
    using Full = hn::ScalableTag<hn::TFromD<D>>;
    table.At(vmax, type) = Run<Full, Chosen<FormatOf<DF>, MaxOp>::template Op, false>;
    table.At(vmin, type) = Run<Full, Chosen<FormatOf<DF>, MinOp>::template Op, false>;
}

void FloatRuns(RunTable& table) {
    AddFormat<Half>(table, DataType::kHalf);
    AddFormat<Bfloat16>(table, DataType::kBfloat16);
    AddFormat<Float>(table, DataType::kFloat);
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddFloatRuns(RunTable& table) { SFUMATO_FOR_TARGET(FloatRuns)(table); }
}  // namespace sfumato::exec
#endif
