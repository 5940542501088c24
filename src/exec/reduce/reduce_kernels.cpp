// SPDX-License-Identifier: Apache-2.0
// Sums and maxima of neighbours, the levels of a reduction's tree (vector_instructions.md 7.2, 7.3).
#include "exec/reduce/reduce.h"
#include "exec/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/reduce/reduce_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// Calls op(even, odd) on vectors of n neighbours' first and second elements and stores the results.
template <class D, class Op>
HWY_INLINE void ForPairs(D d, const void* from, void* to, size_t n, Op op) {
    using T = hn::TFromD<D>;
    const size_t step = hn::Lanes(d);
    const T* src = static_cast<const T*>(from);
    T* dst = static_cast<T*>(to);
    const auto pairs = [&](hn::Vec<D> a, hn::Vec<D> b) { return op(hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a)); };
    size_t i = 0;
    for (; i + step <= n; i += step) {
        hn::StoreU(pairs(hn::LoadU(d, src + 2 * i), hn::LoadU(d, src + 2 * i + step)), d, dst + i);
    }
    if (i == n) return;
    const size_t left = 2 * (n - i);
    const auto a = left < step ? LoadFirst(d, src + 2 * i, left) : hn::LoadU(d, src + 2 * i);
    const auto b = left <= step ? hn::Zero(d) : LoadFirst(d, src + 2 * i + step, left - step);
    StoreFirst(pairs(a, b), d, dst + i, n - i);
}

// half: sums in float are exact enough to be rounded once more (24 >= 2 * 11 + 2).
template <bool kSaturate>
bool PairSumHalf(const void* src, void* dst, size_t n) {
    using DF = hn::ScalableTag<float>;
    using D = hn::Rebind<int16_t, DF>;
    const DF df;
    const D d;
    const hn::RebindToUnsigned<D> du;
    auto changed = hn::FirstN(d, 0);
    ForPairs(d, src, dst, n, [&](auto a, auto b) HWY_ATTR {
        const auto sum = hn::Add(HalfToFloat(df, hn::BitCast(du, a)), HalfToFloat(df, hn::BitCast(du, b)));
        const auto bits = hn::BitCast(d, FloatToHalfRint(df, sum));
        const auto magnitude = hn::And(bits, hn::Set(d, 0x7FFF));
        const auto special = hn::Gt(magnitude, hn::Set(d, 0x7BFF));
        if (!kSaturate || HWY_LIKELY(hn::AllFalse(d, special))) return bits;
        changed = hn::Or(changed, special);
        const auto is_nan = hn::Gt(magnitude, hn::Set(d, 0x7C00));
        const auto limited = hn::Or(hn::AndNot(hn::Set(d, 0x7FFF), bits), hn::Set(d, 0x7BFF));
        return hn::IfThenElse(special, hn::IfThenZeroElse(is_nan, limited), bits);
    });
    return !hn::AllFalse(d, changed);
}
bool PairSumHalf(const void* src, void* dst, size_t n, Overflow overflow) {
    return overflow == Overflow::kSaturate ? PairSumHalf<true>(src, dst, n) : PairSumHalf<false>(src, dst, n);
}

bool PairSumFloat(const void* src, void* dst, size_t n, Overflow) {
    const hn::ScalableTag<float> d;
    ForPairs(d, src, dst, n, [&](auto a, auto b) HWY_ATTR { return CanonicalNan(d, hn::Add(a, b)); });
    return false;
}

template <typename T>
void PairMax(const void* src, void* dst, size_t n) {
    const hn::ScalableTag<T> d;
    ForPairs(d, src, dst, n, [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); });
}

// kInf: bits of infinity; 0: the elements are integers.
template <typename T, int32_t kInf, bool kMin>
void ToKeys(const void* from, void* to, size_t n) {
    const hn::ScalableTag<T> d;
    const size_t step = hn::Lanes(d);
    const T* src = static_cast<const T*>(from);
    T* dst = static_cast<T*>(to);
    const auto largest = hn::Set(d, hwy::LimitsMax<T>());
    const auto key = [&](auto v) HWY_ATTR {
        if constexpr (kInf == 0) return kMin ? hn::Not(v) : v;
        // Sign and magnitude as two's complement.
        const auto order = hn::Xor(v, hn::And(hn::BroadcastSignBit(v), largest));
        const auto is_nan = hn::Gt(hn::And(v, largest), hn::Set(d, static_cast<T>(kInf)));
        return hn::IfThenElse(is_nan, largest, kMin ? hn::Not(order) : order);
    };
    size_t i = 0;
    for (; i + step <= n; i += step) hn::StoreU(key(hn::LoadU(d, src + i)), d, dst + i);
    if (i < n) StoreFirst(key(LoadFirst(d, src + i, n - i)), d, dst + i, n - i);
}

ReduceKernels HalfKernels() {
    return {PairSumHalf, PairMax<int16_t>, ToKeys<int16_t, 0x7C00, false>, ToKeys<int16_t, 0x7C00, true>};
}
ReduceKernels FloatKernels() {
    return {PairSumFloat, PairMax<int32_t>, ToKeys<int32_t, 0x7F800000, false>, ToKeys<int32_t, 0x7F800000, true>};
}
ReduceKernels Int16Kernels() {
    return {nullptr, PairMax<int16_t>, ToKeys<int16_t, 0, false>, ToKeys<int16_t, 0, true>};
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
namespace {

struct Table {
    ReduceKernels half, single, int16, none;
};
const void* BuildTable() {
    static Table table;
    table = {
        SFUMATO_FOR_TARGET(HalfKernels)(), SFUMATO_FOR_TARGET(FloatKernels)(), SFUMATO_FOR_TARGET(Int16Kernels)(), {}};
    return &table;
}
PerTarget<Table> kernels(BuildTable);

}  // namespace

const ReduceKernels& KernelsOf(DataType type) {
    const Table& table = kernels.Get();
    switch (type) {
        case DataType::kHalf: return table.half;
        case DataType::kFloat: return table.single;
        case DataType::kInt16: return table.int16;
        default: return table.none;
    }
}

}  // namespace sfumato::exec
#endif
