// SPDX-License-Identifier: Apache-2.0
// Mathematical functions of the high-level calls (adv.md 5), correctly rounded: evaluated in double, some here and some
// by the C library, whose last bits decide nothing: a result too close to call is computed again with 512 bits.
#include "exec/runs.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/vector/real_runs.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

#include "exec/format-inl.h"

#include "exec/double-inl.h"

#include "exec/erf-inl.h"

#include "exec/loop-inl.h"
#include "exec/real-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// Modulo 2^32; a negative power is 0, of 1 and -1 one of them (decided, as of 0).
inline int32_t IntegerPower(int32_t x, int32_t y) {
    if (y < 0) return x == 1 ? 1 : x == -1 ? (y % 2 ? -1 : 1) : 0;
    uint32_t result = 1, factor = static_cast<uint32_t>(x);
    for (auto left = static_cast<uint32_t>(y); left != 0; left >>= 1, factor *= factor) {
        if (left & 1) result *= factor;
    }
    return static_cast<int32_t>(result);
}
template <bool kScalarFirst>
struct IntegerPowerOf {
    static constexpr bool kLong = true;
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, V b, P&) const {
        HWY_ALIGN int32_t x[HWY_LANES(int32_t)], y[HWY_LANES(int32_t)];
        hn::Store(kScalarFirst ? b : a, d, x);
        hn::Store(kScalarFirst ? a : b, d, y);
        for (size_t i = 0; i < hn::Lanes(d); ++i) x[i] = IntegerPower(x[i], y[i]);
        return hn::Load(d, x);
    }
};

template <template <class> class FormatOf>
void AddReals(RunTable& table, DataType type) {
    using enum isa::Opcode;
    using DD = hn::ScalableTag<double>;
    using Lanes = hn::Rebind<hn::TFromD<typename FormatOf<hn::ScalableTag<float>>::D>, DD>;
    const auto one = [&]<class Function>(isa::Opcode op, Function) {
        table.At(op, type) = Run<Lanes, InDouble<DD, FormatOf, Function>, Inputs::kOne>;
    };
    const auto two = [&]<class Function, Inputs kInputs>(isa::Opcode op, Function,
                                                         std::integral_constant<Inputs, kInputs>) {
        constexpr bool kSure = Function::kWindow == 0;
        table.At(op, type) = Run<Lanes, InDouble<DD, FormatOf, Function, kSure>, kInputs>;
    };
    constexpr std::integral_constant<Inputs, Inputs::kTwo> tensors;
    constexpr std::integral_constant<Inputs, Inputs::kScalar> scalar;
    one(vsin, SinOrCosOf<false>());
    one(vcos, SinOrCosOf<true>());
    one(vtan, TanOf());
    one(vasin, Library<std::asin, numeric::Asin>());
    one(vacos, Library<std::acos, numeric::Acos>());
    one(vatan, Library<std::atan, numeric::Atan>());
    one(vsinh, HyperbolicOf<Hyperbolic::kSinh>());
    one(vcosh, HyperbolicOf<Hyperbolic::kCosh>());
    one(vtanh, HyperbolicOf<Hyperbolic::kTanh>());
    one(vasinh, Library<std::asinh, numeric::Asinh>());
    one(vacosh, Library<std::acosh, numeric::Acosh>());
    one(vatanh, Library<std::atanh, numeric::Atanh>());
    one(verf, ErfOf<false>());
    one(verfc, ErfOf<true>());
    one(vlgamma, GammaFamily<LgammaInDouble, numeric::Lgamma>());
    one(vdigamma, GammaFamily<DigammaInDouble, numeric::Digamma>());
    one(vlog2, LogOf<true>());
    one(vlog10, LogOf<false>());
    two(vpower, PowerOf(), tensors);
    two(vpowers, PowerOf(), scalar);
    two(vspower, PowerOfScalar(), scalar);
    two(vfmod, FmodOf(), tensors);
    two(vhypot, HypotOf(), tensors);
}

void RealRuns(RunTable& table) {
    AddReals<Half>(table, DataType::kHalf);
    AddReals<Float>(table, DataType::kFloat);
    using enum isa::Opcode;
    using D = hn::ScalableTag<int32_t>;
    table.At(vpower, DataType::kInt32) = Run<D, IntegerPowerOf<false>, Inputs::kTwo>;
    table.At(vpowers, DataType::kInt32) = Run<D, IntegerPowerOf<false>, Inputs::kScalar>;
    table.At(vspower, DataType::kInt32) = Run<D, IntegerPowerOf<true>, Inputs::kScalar>;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddRealRuns(RunTable& table) { SFUMATO_FOR_TARGET(RealRuns)(table); }
}  // namespace sfumato::exec
#endif
