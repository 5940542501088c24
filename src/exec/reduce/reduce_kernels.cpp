// SPDX-License-Identifier: Apache-2.0
// Sums and maxima of neighbours, the levels of a reduction's tree (vector_instructions.md 7.2, 7.3).
#include "exec/reduce/reduce.h"

#include <cstring>

#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/reduce/reduce_kernels.cpp"
#endif
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

// Signed keys of elements. kInf: bits of infinity; 0: the elements are integers.
template <typename T, int32_t kInf, bool kMin>
struct KeyOf {
    template <class D, class V>
    HWY_INLINE V operator()(D d, V v) const {
        if constexpr (kInf == 0) return kMin ? hn::Not(v) : v;
        const auto largest = hn::Set(d, hwy::LimitsMax<T>());
        // Sign and magnitude as two's complement.
        const auto order = hn::Xor(v, hn::And(hn::BroadcastSignBit(v), largest));
        const auto is_nan = hn::Gt(hn::And(v, largest), hn::Set(d, static_cast<T>(kInf)));
        return hn::IfThenElse(is_nan, largest, kMin ? hn::Not(order) : order);
    }
};

// And back; the key of a NaN gives the canonical one.
template <typename T, int32_t kInf, bool kMin>
struct ElementOf {
    template <class D, class V>
    HWY_INLINE V operator()(D d, V key) const {
        const V order = kMin ? hn::Not(key) : key;
        if constexpr (kInf == 0) return order;
        const auto largest = hn::Set(d, hwy::LimitsMax<T>());
        const auto nan = hn::Set(d, static_cast<T>(kInf | ((kInf >> 1) & ~kInf)));
        return hn::IfThenElse(hn::Eq(key, largest), nan, hn::Xor(order, hn::And(hn::BroadcastSignBit(order), largest)));
    }
};

template <typename T, class Map>
void MapAll(const void* from, void* to, size_t n) {
    const hn::ScalableTag<T> d;
    const size_t step = hn::Lanes(d);
    const Map map;
    const T* src = static_cast<const T*>(from);
    T* dst = static_cast<T*>(to);
    size_t i = 0;
    for (; i + step <= n; i += step) hn::StoreU(map(d, hn::LoadU(d, src + i)), d, dst + i);
    if (i < n) StoreFirst(map(d, LoadFirst(d, src + i, n - i)), d, dst + i, n - i);
}

template <typename T>
size_t FirstMost(const void* keys, size_t n) {
    const hn::ScalableTag<T> d;
    const size_t step = hn::Lanes(d);
    const T* key = static_cast<const T*>(keys);
    T most = key[0];
    size_t i = 0;
    if (n >= step) {
        auto in_lanes = hn::LoadU(d, key);
        for (i = step; i + step <= n; i += step) in_lanes = hn::Max(in_lanes, hn::LoadU(d, key + i));
        HWY_ALIGN T lanes[hn::MaxLanes(d)];
        hn::Store(in_lanes, d, lanes);
        for (size_t k = 0; k < step; ++k) most = HWY_MAX(most, lanes[k]);
    }
    for (; i < n; ++i) most = HWY_MAX(most, key[i]);
    const auto found = hn::Set(d, most);
    for (i = 0; i + step <= n; i += step) {
        const intptr_t lane = hn::FindFirstTrue(d, hn::Eq(hn::LoadU(d, key + i), found));
        if (lane >= 0) return i + static_cast<size_t>(lane);
    }
    while (key[i] != most) ++i;
    return i;
}

// A tree over 2^kLevels vectors of leaves, `pitch` elements apart: lane i is of the i-th 2^kLevels neighbours.
template <uint32_t kLevels, class D, class Leaf, class Op>
HWY_INLINE hn::Vec<D> Tree(D d, const hn::TFromD<D>* from, size_t pitch, Leaf leaf, Op op) {
    if constexpr (kLevels == 0) {
        return leaf(d, from);
    } else {
        const auto a = Tree<kLevels - 1>(d, from, pitch, leaf, op);
        const auto b = Tree<kLevels - 1>(d, from + (pitch << (kLevels - 1)), pitch, leaf, op);
        return op(d, hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a));
    }
}

// results(d, from) are those of as many rows of kRow elements as a vector has lanes.
template <size_t kRow, class D, class Results>
void ForRows(D d, const void* from, void* to, size_t rows, Results results) {
    using T = hn::TFromD<D>;
    const size_t some = hn::Lanes(d);
    const T* src = static_cast<const T*>(from);
    T* dst = static_cast<T*>(to);
    HWY_ALIGN T part[hn::MaxLanes(d) * kRow];
    for (; rows > 0; src += some * kRow, dst += some) {
        const size_t n = HWY_MIN(rows, some);
        if (n < some) {
            std::memset(part, 0, sizeof(part));
            std::memcpy(part, src, n * kRow * sizeof(T));
            src = part;
        }
        const auto result = results(d, src);
        n < some ? StoreFirst(result, d, dst, n) : hn::StoreU(result, d, dst);
        rows -= n;
    }
}

template <uint32_t kLevels>
struct SumOfRows {
    struct Leaf {
        template <class D>
        HWY_INLINE hn::Vec<D> operator()(D d, const hn::TFromD<D>* from) const {
            return hn::LoadU(d, from);
        }
    };
    struct Op {
        template <class D, class V>
        HWY_INLINE V operator()(D, V a, V b) const {
            return hn::Add(a, b);
        }
    };
    // A NaN stays one from level to level.
    template <class D>
    HWY_INLINE hn::Vec<D> operator()(D d, const hn::TFromD<D>* from) const {
        return CanonicalNan(d, Tree<kLevels>(d, from, hn::Lanes(d), Leaf(), Op()));
    }
};

template <class Key, uint32_t kLevels>
struct MaxOfRows {
    // Lanes of a row that are in no other vector of it; a maximum does not ask for an order.
    struct Leaf {
        size_t vectors;
        template <class D>
        HWY_INLINE hn::Vec<D> operator()(D d, const hn::TFromD<D>* from) const {
            auto most = Key()(d, hn::LoadU(d, from));
            for (size_t i = 1; i < vectors; ++i) most = hn::Max(most, Key()(d, hn::LoadU(d, from + i * hn::Lanes(d))));
            return most;
        }
    };
    struct Op {
        template <class D, class V>
        HWY_INLINE V operator()(D, V a, V b) const {
            return hn::Max(a, b);
        }
    };
    template <class D>
    HWY_INLINE hn::Vec<D> operator()(D d, const hn::TFromD<D>* from) const {
        constexpr size_t kRow = size_t{1} << kLevels;
#if !HWY_HAVE_SCALABLE
        constexpr size_t kLanes = hn::MaxLanes(d);
        if constexpr (kRow > kLanes) {
            return Tree<hwy::CeilLog2(kLanes)>(d, from, kRow, Leaf{kRow / kLanes}, Op());
        } else
#endif
        {
            return Tree<kLevels>(d, from, hn::Lanes(d), Leaf{1}, Op());
        }
    }
};

template <class Key>
struct MaxOf {
    template <uint32_t kLevels>
    using Rows = MaxOfRows<Key, kLevels>;
};

// Rows of a block to a repeat: 2^kLeast to 2^kMost elements.
template <typename T, template <uint32_t> class Results>
struct Rows {
    static constexpr uint32_t kLeast = sizeof(T) == 2 ? 4 : 3, kMost = kLeast + 3;
    template <uint32_t kLevels = kLeast>
    static void Run(const void* from, void* to, size_t rows, uint32_t levels) {
        if constexpr (kLevels < kMost) {
            if (levels != kLevels) return Run<kLevels + 1>(from, to, rows, levels);
        }
        ForRows<size_t{1} << kLevels>(hn::ScalableTag<T>(), from, to, rows, Results<kLevels>());
    }
};

template <typename T, int32_t kInf>
ReduceKernels KernelsFor(PairSumFn pair_sum, RowsFn row_sums) {
    using Max = KeyOf<T, kInf, false>;
    using Min = KeyOf<T, kInf, true>;
    return {pair_sum,
            PairMax<T>,
            MapAll<T, Max>,
            MapAll<T, Min>,
            row_sums,
            Rows<T, MaxOf<Max>::template Rows>::template Run<>,
            Rows<T, MaxOf<Min>::template Rows>::template Run<>,
            MapAll<T, ElementOf<T, kInf, false>>,
            MapAll<T, ElementOf<T, kInf, true>>,
            FirstMost<T>};
}

ReduceKernels HalfKernels() { return KernelsFor<int16_t, 0x7C00>(PairSumHalf, nullptr); }
ReduceKernels FloatKernels() { return KernelsFor<int32_t, 0x7F800000>(PairSumFloat, Rows<float, SumOfRows>::Run<>); }
ReduceKernels Int16Kernels() { return KernelsFor<int16_t, 0>(nullptr, nullptr); }

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
