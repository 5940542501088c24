// SPDX-License-Identifier: Apache-2.0
// Operations of two steps on half and float: multiply-add, Relu behind a sum, leaky Relu (vector_instructions.md 9).
// Each step is rounded, and under `saturate` limited, in the type of the destination.
#include "exec/runs.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/vector/composite_runs.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

#include "exec/format-inl.h"
#include "exec/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// x * y + z, z and the result in the format To; Relu behind it where kRelu. kDstIsFactor: y is what dst holds and z the
// second source, else the other way round.
template <class DF, template <class> class FromOf, template <class> class ToOf, bool kDstIsFactor, bool kRelu>
struct MulAdd {
    using From = FromOf<DF>;
    using To = ToOf<DF>;
    template <class D, class VS, class V, class P>
    HWY_INLINE V operator()(D d, VS a, VS b, V dst, P& policy) const {
        const DF df;
        const auto factor = [&] {
            if constexpr (kDstIsFactor)
                return To::Widen(df, dst);
            else
                return From::Widen(df, b);
        }();
        const auto addend = [&] {
            if constexpr (kDstIsFactor)
                return From::Widen(df, b);
            else
                return To::Widen(df, dst);
        }();
        const V product = RoundTo<To>(df, d, hn::Mul(From::Widen(df, a), factor), policy);
        const V sum = RoundTo<To>(df, d, hn::Add(To::Widen(df, product), addend), policy);
        if constexpr (kRelu) return ReluOfBits(d, sum);
        return sum;
    }
};

// max(0, a + b) or max(0, a - b).
template <class DF, template <class> class FormatOf, bool kSubtract>
struct SumRelu {
    using Format = FormatOf<DF>;
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, V b, P& policy) const {
        const DF df;
        const auto x = Format::Widen(df, a), y = Format::Widen(df, b);
        return ReluOfBits(d, RoundTo<Format>(df, d, kSubtract ? hn::Sub(x, y) : hn::Add(x, y), policy));
    }
};

// The sign bit decides: -0 is multiplied, +0 is not.
template <class DF, template <class> class FormatOf>
struct Leaky {
    using Format = FormatOf<DF>;
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, V scalar, P& policy) const {
        const DF df;
        const V scaled = Format::Narrow(df, hn::Mul(Format::Widen(df, a), Format::Widen(df, scalar)));
        return Finish<Format>(d, hn::IfThenElse(hn::Lt(a, hn::Zero(d)), scaled, a), policy);
    }
};

template <template <class> class FormatOf>
void AddComposites(RunTable& table, DataType type) {
    using enum isa::Opcode;
    using DF = hn::ScalableTag<float>;
    using D = typename FormatOf<DF>::D;
    table.At(vaxpy, type) = Run<D, MulAdd<DF, FormatOf, FormatOf, false, false>, Inputs::kScalarAndDst>;
    table.At(vmla, type) = Run<D, MulAdd<DF, FormatOf, FormatOf, false, false>, Inputs::kTwoAndDst>;
    table.At(vmadd, type) = Run<D, MulAdd<DF, FormatOf, FormatOf, true, false>, Inputs::kTwoAndDst>;
    table.At(vmaddrelu, type) = Run<D, MulAdd<DF, FormatOf, FormatOf, true, true>, Inputs::kTwoAndDst>;
    table.At(vaddrelu, type) = Run<D, SumRelu<DF, FormatOf, false>, Inputs::kTwo>;
    table.At(vsubrelu, type) = Run<D, SumRelu<DF, FormatOf, true>, Inputs::kTwo>;
    table.At(vlrelu, type) = Run<D, Leaky<DF, FormatOf>, Inputs::kScalar>;
}

void CompositeRuns(RunTable& table) {
    AddComposites<Half>(table, DataType::kHalf);
    AddComposites<Float>(table, DataType::kFloat);
    // The product of two halves is exact in float.
    using DF = hn::ScalableTag<float>;
    using Mixed = MulAdd<DF, Half, Float, false, false>;
    const auto widening = [&](isa::Opcode op) -> RunFn& { return table.widening[static_cast<int>(op)]; };
    widening(isa::Opcode::vaxpy) = Run<Float<DF>::D, Mixed, Inputs::kScalarAndDst, Half<DF>::D>;
    widening(isa::Opcode::vmla) = Run<Float<DF>::D, Mixed, Inputs::kTwoAndDst, Half<DF>::D>;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddCompositeRuns(RunTable& table) { SFUMATO_FOR_TARGET(CompositeRuns)(table); }
}  // namespace sfumato::exec
#endif
