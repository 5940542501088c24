// SPDX-License-Identifier: Apache-2.0
// Whether sums, differences and products of integers fit their type.
#include <algorithm>

#include "exec/scan.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/vector/scan_integers.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// Not 0 in some lane where a result does not fit.
struct MisfitOfSum {
    template <class D, class V>
    HWY_INLINE V operator()(D, V a, V b) const {
        const V sum = hn::Add(a, b);
        return hn::BroadcastSignBit(hn::And(hn::Xor(a, sum), hn::Xor(b, sum)));
    }
};
struct MisfitOfDifference {
    template <class D, class V>
    HWY_INLINE V operator()(D, V a, V b) const {
        return hn::BroadcastSignBit(hn::And(hn::Xor(a, b), hn::Xor(a, hn::Sub(a, b))));
    }
};
struct MisfitOfProduct {
    template <class D, class V>
    HWY_INLINE V operator()(D d, V a, V b) const {
        if constexpr (sizeof(hn::TFromD<D>) == 2) {
            return hn::Xor(hn::MulHigh(a, b), hn::BroadcastSignBit(hn::Mul(a, b)));
        } else {
            const hn::RepartitionToWide<D> wide;
            const hn::RebindToUnsigned<decltype(wide)> words;
            const auto odd = [&](V v) HWY_ATTR { return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(words, v))); };
            // 64-bit products from -2^31 to 2^31 - 1, moved up to 0.
            const auto high = [&](V x, V y) HWY_ATTR {
                const auto moved = hn::Add(hn::MulEven(x, y), hn::Set(wide, int64_t{1} << 31));
                return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(words, moved)));
            };
            return hn::Or(high(a, b), high(odd(a), odd(b)));
        }
    }
};

template <typename T, class Misfit>
bool AnyIn(const void* left, const void* right, int64_t scalar, size_t n, Misfit misfit) {
    const hn::ScalableTag<T> d;
    const size_t step = hn::Lanes(d);
    const T *a = static_cast<const T*>(left), *b = static_cast<const T*>(right);
    const auto all = hn::Set(d, static_cast<T>(scalar));
    auto found = hn::Zero(d);
    if (n < step) {
        // The lanes past n hold 0, whose sum and product with anything fit, and 0 - 0.
        found = misfit(d, LoadFirst(d, a, n), b ? LoadFirst(d, b, n) : all);
    } else {
        for (size_t i = 0; i < n; i += step) {
            const size_t at = std::min(i, n - step);  // the last vector overlaps the one before it
            found = hn::Or(found, misfit(d, hn::LoadU(d, a + at), b ? hn::LoadU(d, b + at) : all));
        }
    }
    return !hn::AllTrue(d, hn::Eq(found, hn::Zero(d)));
}

template <typename T>
bool OfType(Arithmetic of, const void* a, const void* b, int64_t scalar, size_t n) {
    switch (of) {
        case Arithmetic::kSum: return AnyIn<T>(a, b, scalar, n, MisfitOfSum());
        case Arithmetic::kDifference: return AnyIn<T>(a, b, scalar, n, MisfitOfDifference());
        default: return AnyIn<T>(a, b, scalar, n, MisfitOfProduct());
    }
}

bool OfTypes(Arithmetic of, DataType type, const void* a, const void* b, int64_t scalar, size_t n) {
    return type == DataType::kInt16 ? OfType<int16_t>(of, a, b, scalar, n) : OfType<int32_t>(of, a, b, scalar, n);
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
namespace {

struct Scan {
    decltype(&AnyMisfit) any;
};
const void* BuildScan() {
    static Scan scan;
    scan = {&SFUMATO_FOR_TARGET(OfTypes)};
    return &scan;
}
PerTarget<Scan> scan_of_integers(BuildScan);

}  // namespace

bool AnyMisfit(Arithmetic of, DataType type, const void* a, const void* b, int64_t scalar, size_t n) {
    return scan_of_integers.Get().any(of, type, a, b, scalar, n);
}

}  // namespace sfumato::exec
#endif
