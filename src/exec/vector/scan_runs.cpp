// SPDX-License-Identifier: Apache-2.0
// Scans of floating elements by their magnitude.
#include "exec/scan.h"

#include <algorithm>
#include <cstring>

#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/vector/scan_runs.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// Distances of magnitudes from the first inside: below it they wrap around, past every magnitude.
template <class D>
HWY_INLINE hn::Vec<D> DistanceOf(D d, hn::Vec<D> v, hn::Vec<D> first) {
    using T = hn::TFromD<D>;
    return hn::Sub(hn::And(v, hn::Set(d, static_cast<T>(hwy::LimitsMax<T>() >> 1))), first);
}

template <typename T>
bool AnyElement(const Elements& elements, size_t n) {
    const hn::ScalableTag<T> d;
    const size_t step = hn::Lanes(d);
    const T* from = static_cast<const T*>(elements.at);
    const auto first = hn::Set(d, static_cast<T>(elements.first));
    const auto distance = [&](size_t i) HWY_ATTR { return DistanceOf(d, hn::LoadU(d, from + i), first); };
    auto most = hn::Zero(d);
    if (n < step) {
        most = hn::IfThenElseZero(hn::FirstN(d, n), DistanceOf(d, LoadFirst(d, from, n), first));
    } else {
        auto most1 = most, most2 = most, most3 = most;
        size_t i = 0;
        for (; i + 4 * step <= n; i += 4 * step) {
            most = hn::Max(most, distance(i));
            most1 = hn::Max(most1, distance(i + step));
            most2 = hn::Max(most2, distance(i + 2 * step));
            most3 = hn::Max(most3, distance(i + 3 * step));
        }
        for (; i + step <= n; i += step) most = hn::Max(most, distance(i));
        // The last vector overlaps the one before it.
        most1 = hn::Max(most1, distance(n - step));
        most = hn::Max(hn::Max(most, most1), hn::Max(most2, most3));
    }
    const auto last = hn::Set(d, static_cast<T>(elements.end - elements.first - 1));
    return !hn::AllTrue(d, hn::Eq(hn::Max(most, last), last));
}

// The lanes of a vector of elements that are outside.
template <class D>
HWY_INLINE hn::Mask<D> Outside(D d, hn::Vec<D> v, const Elements& elements) {
    using T = hn::TFromD<D>;
    const auto last = hn::Set(d, static_cast<T>(elements.end - elements.first - 1));
    return hn::Not(hn::Eq(hn::Max(DistanceOf(d, v, hn::Set(d, static_cast<T>(elements.first))), last), last));
}

// Bit k: element i + k is outside; of n <= 64 elements.
template <typename T>
uint64_t OutsideBits(const Elements& elements, size_t i, size_t n) {
    const hn::ScalableTag<T> d;
    const size_t step = hn::Lanes(d);
    const T* from = static_cast<const T*>(elements.at) + i;
    uint64_t found = 0;
    for (size_t k = 0; k < n; k += step) {
        const auto v = k + step <= n ? hn::LoadU(d, from + k) : LoadFirst(d, from + k, n - k);
        uint8_t bits[8] = {};
        hn::StoreMaskBits(d, Outside(d, v, elements), bits);
        uint64_t word;
        std::memcpy(&word, bits, sizeof(word));
        found |= word << k;
    }
    return n < 64 ? found & ((uint64_t{1} << n) - 1) : found;
}
uint64_t OutsideBits(const Elements& elements, size_t i, size_t n) {
    return BitsOf(elements.type) == 32 ? OutsideBits<uint32_t>(elements, i, n) : OutsideBits<uint16_t>(elements, i, n);
}

bool AnyOf(const Elements& elements, size_t n) {
    return BitsOf(elements.type) == 32 ? AnyElement<uint32_t>(elements, n) : AnyElement<uint16_t>(elements, n);
}

// Of n elements from i on.
bool AnyOfInsideIn(const Elements& result, const Elements* sources, size_t count, size_t i, size_t n) {
    for (const size_t end = i + n; i < end; i += 64) {
        const size_t lanes = std::min<size_t>(64, end - i);
        uint64_t found = OutsideBits(result, i, lanes);
        for (size_t k = 0; k < count && found != 0; ++k) found &= ~OutsideBits(sources[k], i, lanes);
        if (found != 0) return true;
    }
    return false;
}

bool AnyOfInside(const Elements& result, const Elements* sources, size_t count, size_t n) {
    constexpr size_t kBlock = 512;  // most have no result outside
    for (size_t i = 0; i < n; i += kBlock) {
        const size_t block = std::min(kBlock, n - i);
        Elements first = result;
        first.at = static_cast<const uint8_t*>(result.at) + i * BitsOf(result.type) / 8;
        if (AnyOf(first, block) && AnyOfInsideIn(result, sources, count, i, block)) return true;
    }
    return false;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
namespace {

struct Scans {
    decltype(&AnyOutside) any;
    decltype(&AnyOutsideOfInside) of_inside;
};
const void* BuildScans() {
    static Scans scans;
    scans = {&SFUMATO_FOR_TARGET(AnyOf), &SFUMATO_FOR_TARGET(AnyOfInside)};
    return &scans;
}
PerTarget<Scans> scans(BuildScans);

}  // namespace

bool AnyOutside(const Elements& elements, size_t n) { return scans.Get().any(elements, n); }
bool AnyOutsideOfInside(const Elements& result, const Elements* sources, size_t count, size_t n) {
    return scans.Get().of_inside(result, sources, count, n);
}

}  // namespace sfumato::exec
#endif
