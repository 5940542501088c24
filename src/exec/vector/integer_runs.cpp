// SPDX-License-Identifier: Apache-2.0
// Arithmetic on integers: results outside the type are clamped under `saturate` and wrap under `infnan` (vector.md);
// of the forms of two steps each step is.
#include "exec/runs.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/vector/integer_runs.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"
#include "exec/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// The top bit over all lanes' bits.
template <class D, class V>
HWY_INLINE V Spread(D d, V v) {
    return hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(hn::RebindToSigned<D>(), v)));
}

// Largest value where `like` is not negative, else the smallest. Unsigned results only ever pass the largest.
template <class D, class V>
HWY_INLINE V Limit(D d, V like) {
    const V largest = hn::Set(d, hwy::LimitsMax<hn::TFromD<D>>());
    if constexpr (std::is_unsigned_v<hn::TFromD<D>>) {
        return largest;
    } else {
        return hn::Xor(hn::BroadcastSignBit(like), largest);
    }
}

template <bool kSaturate>
struct AddOp {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, V b, P& policy) const {
        const V sum = hn::Add(a, b);
        if constexpr (!kSaturate) {
            return sum;
        } else if constexpr (sizeof(hn::TFromD<D>) <= 2) {
            const V clamped = hn::SaturatedAdd(a, b);
            policy.changed = hn::Or(policy.changed, hn::Ne(clamped, sum));
            return clamped;
        } else {
            // Signed: the sign of both operands is lost. Unsigned: a carry out.
            const V lost = std::is_unsigned_v<hn::TFromD<D>> ? hn::Or(hn::And(a, b), hn::AndNot(sum, hn::Or(a, b)))
                                                             : hn::And(hn::Xor(a, sum), hn::Xor(b, sum));
            const auto over = hn::MaskFromVec(Spread(d, lost));
            policy.changed = hn::Or(policy.changed, over);
            return hn::IfThenElse(over, Limit(d, a), sum);
        }
    }
};

template <bool kSaturate>
struct SubOp {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, V b, P& policy) const {
        const V difference = hn::Sub(a, b);
        if constexpr (!kSaturate) {
            return difference;
        } else if constexpr (sizeof(hn::TFromD<D>) <= 2) {
            const V clamped = hn::SaturatedSub(a, b);
            policy.changed = hn::Or(policy.changed, hn::Ne(clamped, difference));
            return clamped;
        } else {
            const auto over = hn::MaskFromVec(hn::BroadcastSignBit(hn::And(hn::Xor(a, b), hn::Xor(a, difference))));
            policy.changed = hn::Or(policy.changed, over);
            return hn::IfThenElse(over, Limit(d, a), difference);
        }
    }
};

template <bool kSaturate>
struct MulOp {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, V b, P& policy) const {
        const V low = hn::Mul(a, b);
        if constexpr (!kSaturate) {
            return low;
        } else {
            // The product fits when its high part is the sign of its low part.
            const V high = High(d, a, b);
            const bool is_unsigned = std::is_unsigned_v<hn::TFromD<D>>;
            const auto over = hn::Ne(high, is_unsigned ? hn::Zero(d) : Spread(d, low));
            policy.changed = hn::Or(policy.changed, over);
            return hn::IfThenElse(over, Limit(d, high), low);
        }
    }

    template <class D, class V>
    static HWY_INLINE V High(D d, V a, V b) {
        if constexpr (sizeof(hn::TFromD<D>) == 2) {
            return hn::MulHigh(a, b);
        } else {
            const hn::Repartition<uint64_t, D> wide;
            const auto to_even = [&](V v) { return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, v))); };
            const V even = to_even(hn::BitCast(d, hn::MulEven(a, b)));
            const V odd = hn::BitCast(d, hn::MulEven(to_even(a), to_even(b)));
            return hn::OddEven(odd, even);
        }
    }
};

struct MaxOp {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D, V a, V b, P&) const {
        return hn::Max(a, b);
    }
};

struct MinOp {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D, V a, V b, P&) const {
        return hn::Min(a, b);
    }
};

template <bool kSaturate>
struct AbsOp {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, P& policy) const {
        const V magnitude = hn::Max(a, hn::Sub(hn::Zero(d), a));
        if constexpr (!kSaturate) return magnitude;
        const auto over = hn::Lt(magnitude, hn::Zero(d));
        policy.changed = hn::Or(policy.changed, over);
        return hn::IfThenElse(over, Limit(d, hn::Zero(d)), magnitude);
    }
};

// max(0, Step): Step is a class template over the policy.
template <template <bool kSaturate> class Step>
struct ReluBehind {
    template <bool kSaturate>
    struct Op {
        template <class D, class V, class P>
        HWY_INLINE V operator()(D d, V a, V b, P& policy) const {
            return hn::Max(Step<kSaturate>()(d, a, b, policy), hn::Zero(d));
        }
    };
};

struct ReluOp {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, P&) const {
        return hn::Max(a, hn::Zero(d));
    }
};

template <bool kSaturate>
struct MulAddDstOp {
    template <class D, class V, class P>
    HWY_INLINE V operator()(D d, V a, V b, V dst, P& policy) const {
        return AddOp<kSaturate>()(d, MulOp<kSaturate>()(d, a, b, policy), dst, policy);
    }
};

template <typename T>
void AddType(RunTable& table, DataType type) {
    using enum isa::Opcode;
    using D = hn::ScalableTag<T>;
    table.At(vadd, type) = RunByPolicy<D, AddOp, Inputs::kTwo>;
    table.At(vadds, type) = RunByPolicy<D, AddOp, Inputs::kScalar>;
    table.At(vsub, type) = RunByPolicy<D, SubOp, Inputs::kTwo>;
    table.At(vmax, type) = Run<D, MaxOp, Inputs::kTwo>;
    table.At(vmin, type) = Run<D, MinOp, Inputs::kTwo>;
    table.At(vmaxs, type) = Run<D, MaxOp, Inputs::kScalar>;
    table.At(vmins, type) = Run<D, MinOp, Inputs::kScalar>;
    if constexpr (sizeof(T) > 1) {
        table.At(vmul, type) = RunByPolicy<D, MulOp, Inputs::kTwo>;
        table.At(vmuls, type) = RunByPolicy<D, MulOp, Inputs::kScalar>;
    }
}

void IntegerRuns(RunTable& table) {
    AddType<int8_t>(table, DataType::kInt8);
    AddType<uint8_t>(table, DataType::kUint8);
    AddType<int16_t>(table, DataType::kInt16);
    AddType<int32_t>(table, DataType::kInt32);
    using enum isa::Opcode;
    using D16 = hn::ScalableTag<int16_t>;
    using D32 = hn::ScalableTag<int32_t>;
    table.At(vabs, DataType::kInt16) = RunByPolicy<D16, AbsOp, Inputs::kOne>;
    table.At(vabs, DataType::kInt32) = RunByPolicy<D32, AbsOp, Inputs::kOne>;
    table.At(vrelu, DataType::kInt32) = Run<D32, ReluOp, Inputs::kOne>;
    table.At(vaddrelu, DataType::kInt16) = RunByPolicy<D16, ReluBehind<AddOp>::Op, Inputs::kTwo>;
    table.At(vsubrelu, DataType::kInt16) = RunByPolicy<D16, ReluBehind<SubOp>::Op, Inputs::kTwo>;
    table.At(vmla, DataType::kInt16) = RunByPolicy<D16, MulAddDstOp, Inputs::kTwoAndDst>;
    table.At(vmla, DataType::kUint16) = RunByPolicy<hn::ScalableTag<uint16_t>, MulAddDstOp, Inputs::kTwoAndDst>;
    table.At(vmla, DataType::kInt32) = RunByPolicy<D32, MulAddDstOp, Inputs::kTwoAndDst>;
    table.At(vmla, DataType::kUint32) = RunByPolicy<hn::ScalableTag<uint32_t>, MulAddDstOp, Inputs::kTwoAndDst>;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddIntegerRuns(RunTable& table) { SFUMATO_FOR_TARGET(IntegerRuns)(table); }
}  // namespace sfumato::exec
#endif
