// SPDX-License-Identifier: Apache-2.0
// Arithmetic on integers: results outside the type are clamped under `saturate` and wrap under `infnan` (vector.md).
#include "exec/runs.h"
#include "exec/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/integer_runs.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"
#include "exec/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// Largest value where `like` is not negative, else the smallest.
template <class D, class V>
HWY_INLINE V Limit(D d, V like) {
    return hn::Xor(hn::BroadcastSignBit(like), hn::Set(d, hwy::LimitsMax<hn::TFromD<D>>()));
}

template <bool kSaturate>
struct AddOp {
    template <class D, class V, class M>
    HWY_INLINE V operator()(D d, V a, V b, M& changed) const {
        const V sum = hn::Add(a, b);
        if constexpr (!kSaturate) {
            return sum;
        } else if constexpr (sizeof(hn::TFromD<D>) <= 2) {
            const V clamped = hn::SaturatedAdd(a, b);
            changed = hn::Or(changed, hn::Ne(clamped, sum));
            return clamped;
        } else {
            const auto over = hn::MaskFromVec(hn::BroadcastSignBit(hn::And(hn::Xor(a, sum), hn::Xor(b, sum))));
            changed = hn::Or(changed, over);
            return hn::IfThenElse(over, Limit(d, a), sum);
        }
    }
};

template <bool kSaturate>
struct SubOp {
    template <class D, class V, class M>
    HWY_INLINE V operator()(D d, V a, V b, M& changed) const {
        const V difference = hn::Sub(a, b);
        if constexpr (!kSaturate) {
            return difference;
        } else if constexpr (sizeof(hn::TFromD<D>) <= 2) {
            const V clamped = hn::SaturatedSub(a, b);
            changed = hn::Or(changed, hn::Ne(clamped, difference));
            return clamped;
        } else {
            const auto over = hn::MaskFromVec(hn::BroadcastSignBit(hn::And(hn::Xor(a, b), hn::Xor(a, difference))));
            changed = hn::Or(changed, over);
            return hn::IfThenElse(over, Limit(d, a), difference);
        }
    }
};

template <bool kSaturate>
struct MulOp {
    template <class D, class V, class M>
    HWY_INLINE V operator()(D d, V a, V b, M& changed) const {
        const V low = hn::Mul(a, b);
        if constexpr (!kSaturate) {
            return low;
        } else {
            // The product fits when its high part is the sign of its low part.
            const V high = High(d, a, b);
            const auto over = hn::Ne(high, hn::BroadcastSignBit(low));
            changed = hn::Or(changed, over);
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

template <bool kSaturate>
struct MaxOp {
    template <class D, class V, class M>
    HWY_INLINE V operator()(D, V a, V b, M&) const {
        return hn::Max(a, b);
    }
};

template <bool kSaturate>
struct MinOp {
    template <class D, class V, class M>
    HWY_INLINE V operator()(D, V a, V b, M&) const {
        return hn::Min(a, b);
    }
};

template <typename T>
void AddType(RunTable& table, DataType type) {
    using enum isa::Opcode;
    using D = hn::ScalableTag<T>;
    table.At(vadd, type) = Run<D, AddOp, false>;
    table.At(vadds, type) = Run<D, AddOp, true>;
    table.At(vsub, type) = Run<D, SubOp, false>;
    table.At(vmax, type) = Run<D, MaxOp, false>;
    table.At(vmin, type) = Run<D, MinOp, false>;
    if constexpr (sizeof(T) > 1) {
        table.At(vmul, type) = Run<D, MulOp, false>;
        table.At(vmuls, type) = Run<D, MulOp, true>;
    }
}

void IntegerRuns(RunTable& table) {
    AddType<int8_t>(table, DataType::kInt8);
    AddType<uint8_t>(table, DataType::kUint8);
    AddType<int16_t>(table, DataType::kInt16);
    AddType<int32_t>(table, DataType::kInt32);
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddIntegerRuns(RunTable& table) { SFUMATO_FOR_TARGET(IntegerRuns)(table); }
}  // namespace sfumato::exec
#endif
