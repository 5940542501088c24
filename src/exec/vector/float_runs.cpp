// SPDX-License-Identifier: Apache-2.0
// Add, sub, mul, div, max and min on half, bfloat16 and float (vector.md and vector_instructions.md 1): one rounding to
// nearest even, then the policy on half and bfloat16; NaN is canonical; Max and Min give NaN for any NaN and order -0
// below +0. float carries 2p + 2 bits of half's p = 11, so rounding a float sum, product or quotient again is exact.
#include "exec/runs.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/vector/float_runs.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

#include "exec/format-inl.h"
#include "exec/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

struct Sum {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Add(a, b);
    }
};
struct Difference {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Sub(a, b);
    }
};
struct Product {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Mul(a, b);
    }
};
struct Quotient {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Div(a, b);
    }
};
struct Larger {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Max(a, b);
    }
};
struct Smaller {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Min(a, b);
    }
};

template <class DF, template <class> class FormatOf, class Arithmetic>
struct Rounded {
    using Format = FormatOf<DF>;
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, V b, P& policy) const {
        const DF df;
        return RoundTo<Format>(df, d, Arithmetic()(Format::Widen(df, a), Format::Widen(df, b)), policy);
    }
};

// Max and Min on the bits: sign and magnitude turned into two's complement orders all values, zeros included.
template <class Format, class Choice>
struct Chosen {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, V b, P& policy) const {
        using T = hn::TFromD<D>;
        const auto magnitude_bits = hn::Set(d, hwy::LimitsMax<T>());
        const auto order = [&](V v) { return hn::Xor(v, hn::And(hn::BroadcastSignBit(v), magnitude_bits)); };
        const auto inf = hn::Set(d, Format::kInf);
        const auto is_nan = hn::Or(hn::Gt(hn::And(a, magnitude_bits), inf), hn::Gt(hn::And(b, magnitude_bits), inf));
        const V bits = hn::IfThenElse(is_nan, hn::Set(d, Format::kNan), order(Choice()(order(a), order(b))));
        return Finish<Format>(d, bits, policy);
    }
};

template <template <class> class FormatOf>
void AddFloatFormat(RunTable& table, DataType type) {
    using enum isa::Opcode;
    using DF = hn::ScalableTag<float>;
    using D = typename FormatOf<DF>::D;
    table.At(vadd, type) = Run<D, Rounded<DF, FormatOf, Sum>, Inputs::kTwo>;
    table.At(vadds, type) = Run<D, Rounded<DF, FormatOf, Sum>, Inputs::kScalar>;
    table.At(vsub, type) = Run<D, Rounded<DF, FormatOf, Difference>, Inputs::kTwo>;
    table.At(vmul, type) = Run<D, Rounded<DF, FormatOf, Product>, Inputs::kTwo>;
    table.At(vmuls, type) = Run<D, Rounded<DF, FormatOf, Product>, Inputs::kScalar>;
    table.At(vdiv, type) = Run<D, Rounded<DF, FormatOf, Quotient>, Inputs::kTwo>;
    // No widening here, so a vector is as long as the element allows.
    using Full = hn::ScalableTag<hn::TFromD<D>>;
    table.At(vmax, type) = Run<Full, Chosen<FormatOf<DF>, Larger>, Inputs::kTwo>;
    table.At(vmin, type) = Run<Full, Chosen<FormatOf<DF>, Smaller>, Inputs::kTwo>;
    table.At(vmaxs, type) = Run<Full, Chosen<FormatOf<DF>, Larger>, Inputs::kScalar>;
    table.At(vmins, type) = Run<Full, Chosen<FormatOf<DF>, Smaller>, Inputs::kScalar>;
}

void FloatRuns(RunTable& table) {
    AddFloatFormat<Half>(table, DataType::kHalf);
    AddFloatFormat<Bfloat16>(table, DataType::kBfloat16);
    AddFloatFormat<Float>(table, DataType::kFloat);
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddFloatRuns(RunTable& table) { SFUMATO_FOR_TARGET(FloatRuns)(table); }
}  // namespace sfumato::exec
#endif
