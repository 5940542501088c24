// SPDX-License-Identifier: Apache-2.0
// Sums, largest and smallest elements of registers and of their blocks (arch950.md 2.9). A sum is a tree over adjacent
// pairs, each node rounded in the type, or limited as an addition is (CTRL[48], CTRL[53]).
#include <algorithm>
#include <bit>
#include <limits>

#include "exec/registers/table.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/registers/reductions.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

#include "exec/format-inl.h"
#include "exec/registers/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {
namespace {

constexpr size_t kBlocksOfRegister = 8;

// Whether all elements that count among bytes [from, from + count) are known; count is a power of 2.
bool AllKnown(const KnownBytes& known, const OnBytes& on, size_t from, size_t count) {
    const uint64_t bits = count < 64 ? (uint64_t{1} << count) - 1 : ~uint64_t{0};
    for (size_t i = from; i < from + count; i += 64) {
        if ((~known[i / 64] & on.words[i / 64]) >> i % 64 & bits) return false;
    }
    return true;
}

// The register of results: lanes of kWidth bytes at the front, 0 behind them. Each of `values` covers as many of the
// source's bytes.
template <size_t kWidth>
void WriteFront(VectorRegister* dst, const void* values, size_t n, const KnownBytes& known, const OnBytes& on) {
    alignas(64) uint8_t out[kRegisterBytes] = {};
    std::memcpy(out, values, n * kWidth);
    KnownBytes to;
    to.fill(~uint64_t{0});
    const bool all = AllKnown(known, on, 0, kRegisterBytes);
    for (size_t i = 0; !all && i < n; ++i) {
        const size_t covers = kRegisterBytes / n;
        if (!AllKnown(known, on, i * covers, covers)) {
            to[i * kWidth / 64] &= ~(((uint64_t{1} << kWidth) - 1) << i * kWidth % 64);
        }
    }
    WriteLanes(*dst, out, to, OnOf<1>(nullptr), false);
}

// next[i] = v[2 i] + v[2 i + 1], and on with these until kLeft are left; returns where. Both have room for kCount.
template <size_t kCount, size_t kLeft, class T>
HWY_INLINE T* SumPairs(T* HWY_RESTRICT v, T* HWY_RESTRICT next, bool limited, bool half = false) {
    if constexpr (kCount == kLeft) {
        return v;
    } else {
        if constexpr (std::is_floating_point_v<T>) {
            for (size_t i = 0; i < kCount / 2; ++i) next[i] = v[2 * i] + v[2 * i + 1];
            if (half) RoundToHalves(next, kCount / 2, limited);
        } else {
            for (size_t i = 0; i < kCount / 2; ++i) {
                next[i] = static_cast<T>(static_cast<uint32_t>(v[2 * i]) + static_cast<uint32_t>(v[2 * i + 1]));
            }
            for (size_t i = 0; limited && i < kCount / 2; ++i) {
                constexpr int64_t kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
                next[i] = static_cast<T>(std::clamp(int64_t{v[2 * i]} + v[2 * i + 1], kLow, kHigh));
            }
        }
        return SumPairs<kCount / 2, kLeft>(next, v, limited, half);
    }
}
void CanonicalNans(float* v, size_t n) {
    for (size_t i = 0; i < n; ++i) v[i] = v[i] != v[i] ? std::bit_cast<float>(0x7FFFFFFF) : v[i];
}

// The lanes of src0, those that are off being 0.
template <class T>
void LoadOn(const RegisterCall& call, const OnBytes& on, T* to) {
    for (size_t i = 0; i < kRegisterBytes / sizeof(T); ++i) to[i] = 0;
    Blend(reinterpret_cast<uint8_t*>(to), call.src0->bytes.data(), on);
}

// Integers of up to 32 bits, summed as To, and floats. kLeft results.
template <class T, class To, size_t kLeft>
uint32_t RunSum(const RegisterCall& call, const RegisterControl& control) {
    constexpr size_t kLanes = kRegisterBytes / sizeof(T);
    const OnBytes on = OnOf<sizeof(T)>(call.mask);
    alignas(64) T lanes[kLanes];
    alignas(64) To sums[kLanes], more[kLanes];
    LoadOn(call, on, lanes);
    for (size_t i = 0; i < kLanes; ++i) sums[i] = lanes[i];
    To* left = SumPairs<kLanes, kLeft>(sums, more, control.clamps);
    if constexpr (std::is_floating_point_v<To>) CanonicalNans(left, kLeft);
    WriteFront<sizeof(To)>(call.dst, left, kLeft, call.src0->known, on);
    return 0;
}
template <size_t kLeft>
uint32_t RunHalfSum(const RegisterCall& call, const RegisterControl& control) {
    constexpr size_t kLanes = kRegisterBytes / 2;
    const OnBytes on = OnOf<2>(call.mask);
    alignas(64) int16_t lanes[kLanes];
    alignas(64) float sums[kLanes], more[kLanes];
    LoadOn(call, on, lanes);
    WidenHalves(lanes, sums, kLanes);
    const float* left = SumPairs<kLanes, kLeft>(sums, more, Saturates(control), true);
    NarrowToHalves(left, lanes, kLeft, Saturates(control));
    WriteFront<2>(call.dst, lanes, kLeft, call.src0->known, on);
    return 0;
}

// Elements of 64 bits of one register or two, and what of that is known, as if of one.
struct WideSource {
    alignas(64) uint64_t v[kMostWide];
    bool on[kMostWide] = {};
    bool known = true;
    size_t n;

    explicit WideSource(const RegisterCall& call) : n(32 * call.registers) {
        LoadWide(call.src0, call.registers, v);
        const OnBytes lanes = call.registers == 1 ? OnOf<8>(call.mask) : OnOf<4>(call.mask);
        const size_t bits_each = 8 / call.registers;
        for (size_t i = 0; i < n; ++i) on[i] = lanes.words[i * bits_each / 64] >> i * bits_each % 64 & 1;
        for (size_t r = 0; r < call.registers; ++r) {
            known = known && AllKnown(call.src0[r].known, lanes, 0, kRegisterBytes);
        }
    }
};
void WriteWideFront(const RegisterCall& call, const uint64_t* values, size_t n, bool known) {
    alignas(64) uint64_t out[kMostWide] = {};
    for (size_t i = 0; i < n; ++i) out[i] = values[i];
    RegisterCall all = call;
    all.mask = nullptr;
    KnownBytes to[2];
    for (KnownBytes& k : to) {
        k.fill(~uint64_t{0});
        if (!known) k[0] &= ~uint64_t{0} << n * (8 / call.registers);
    }
    WriteWide(all, out, to);
}
uint32_t RunWideSum(const RegisterCall& call, const RegisterControl&) {
    const WideSource source(call);
    uint64_t sum = 0;
    for (size_t i = 0; i < source.n; ++i) sum += source.on[i] ? source.v[i] : 0;
    WriteWideFront(call, &sum, 1, source.known);
    return 0;
}

// Floats by their bits, in an order of integers: -0 below +0.
template <class T>
T InOrder(T bits) {
    return static_cast<T>(bits ^ ((bits >> (sizeof(T) * 8 - 1)) & std::numeric_limits<T>::max()));
}

struct Extreme {
    uint64_t bits;
    size_t index;  // of the first
};

// kInf: of floats, 0 of integers. What lanes that are off count as: the least of all.
template <class T, T kInf, bool kLargest>
constexpr T WorstOf() {
    using Limits = std::numeric_limits<T>;
    if (kInf != 0) return kLargest ? static_cast<T>(kInf | Limits::min()) : kInf;
    return kLargest ? Limits::min() : Limits::max();
}

template <class T, T kInf, bool kLargest>
HWY_INLINE Extreme ExtremeOf(const T* v, size_t n) {
    using Bits = std::make_unsigned_t<T>;
    constexpr size_t kMost = sizeof(T) == 8 ? kMostWide : kRegisterBytes / sizeof(T);
    constexpr bool kFloat = kInf != 0;
    alignas(64) T order[kMost];
    T best = WorstOf<T, kInf, kLargest>(), nan = 0;
    if (kFloat) best = InOrder(best);
    for (size_t i = 0; i < n; ++i) {
        const T magnitude = v[i] & std::numeric_limits<T>::max();
        if (kFloat) nan = magnitude > nan ? magnitude : nan;
        order[i] = kFloat ? InOrder(v[i]) : v[i];
        best = kLargest ? std::max(best, order[i]) : std::min(best, order[i]);
    }
    if (kFloat && nan > kInf) {
        size_t first = 0;
        while ((v[first] & std::numeric_limits<T>::max()) <= kInf) ++first;
        return {static_cast<Bits>(std::numeric_limits<T>::max()), first};
    }
    // The first, as the least place of an equal one.
    T first = static_cast<T>(n);
    for (size_t i = 0; i < n; ++i) first = std::min(first, order[i] == best ? static_cast<T>(i) : static_cast<T>(n));
    return {static_cast<Bits>(v[first]), static_cast<size_t>(first)};
}

// The value of a result under CTRL[48].
template <class T, T kInf>
T Limited(uint64_t bits, bool saturates) {
    const T value = static_cast<T>(bits), magnitude = value & std::numeric_limits<T>::max();
    if (kInf != 0x7C00 || !saturates || magnitude < kInf) return value;
    return magnitude > kInf ? T{0} : static_cast<T>(value - 1);
}

template <class T, T kInf, bool kLargest, bool kBlocks>
uint32_t RunExtreme(const RegisterCall& call, const RegisterControl& control) {
    constexpr T kWorst = WorstOf<T, kInf, kLargest>();
    if constexpr (sizeof(T) == 8) {
        const WideSource source(call);
        T lanes[kMostWide] = {};
        for (size_t i = 0; i < source.n; ++i) lanes[i] = source.on[i] ? static_cast<T>(source.v[i]) : kWorst;
        const Extreme best = ExtremeOf<T, kInf, kLargest>(lanes, source.n);
        const uint64_t values[] = {best.bits, best.index};
        WriteWideFront(call, values, 2, source.known);
    } else {
        constexpr size_t kLanes = kRegisterBytes / sizeof(T), kPart = kBlocks ? kLanes / kBlocksOfRegister : kLanes;
        const OnBytes on = OnOf<sizeof(T)>(call.mask);
        alignas(64) T lanes[kLanes];
        std::fill(lanes, lanes + kLanes, kWorst);
        Blend(reinterpret_cast<uint8_t*>(lanes), call.src0->bytes.data(), on);
        T results[kBlocksOfRegister];
        size_t index = 0;
        for (size_t i = 0; i < kLanes / kPart; ++i) {
            const Extreme best = ExtremeOf<T, kInf, kLargest>(lanes + i * kPart, kPart);
            results[i] = Limited<T, kInf>(best.bits, Saturates(control));
            index = best.index;
        }
        if (kBlocks) {
            WriteFront<sizeof(T)>(call.dst, results, kBlocksOfRegister, call.src0->known, on);
        } else {
            // Value and index depend on all lanes alike.
            const uint64_t pair = static_cast<std::make_unsigned_t<T>>(results[0]) | static_cast<uint64_t>(index)
                                                                                         << sizeof(T) * 8;
            WriteFront<2 * sizeof(T)>(call.dst, &pair, 1, call.src0->known, on);
        }
    }
    return 0;
}

template <class T, T kInf = 0>
void AddExtremes(RegisterTable& table, DataType type) {
    using enum RegisterOp;
    table.At(kLargest, type) = RunExtreme<T, kInf, true, false>;
    table.At(kSmallest, type) = RunExtreme<T, kInf, false, false>;
    if constexpr (sizeof(T) < 8) {
        table.At(kBlockLargest, type) = RunExtreme<T, kInf, true, true>;
        table.At(kBlockSmallest, type) = RunExtreme<T, kInf, false, true>;
    }
}

template <class T, class To>
void AddSums(RegisterTable& table, DataType type) {
    table.At(RegisterOp::kSum, type) = RunSum<T, To, 1>;
    table.At(RegisterOp::kBlockSum, type) = RunSum<T, To, kBlocksOfRegister>;
}

void RegisterReductions(RegisterTable& table) {
    using enum DataType;
    AddSums<int16_t, int32_t>(table, kInt16);
    AddSums<uint16_t, uint32_t>(table, kUint16);
    AddSums<int32_t, int32_t>(table, kInt32);
    AddSums<uint32_t, uint32_t>(table, kUint32);
    AddSums<float, float>(table, kFloat);
    table.At(RegisterOp::kSum, kHalf) = RunHalfSum<1>;
    table.At(RegisterOp::kBlockSum, kHalf) = RunHalfSum<kBlocksOfRegister>;
    table.At(RegisterOp::kSum, kInt64) = table.At(RegisterOp::kSum, kUint64) = RunWideSum;
    table.At(RegisterOp::kPairSum, kHalf) = RunHalfSum<kRegisterBytes / 4>;
    table.At(RegisterOp::kPairSum, kFloat) = RunSum<float, float, kRegisterBytes / 8>;
    AddExtremes<int16_t>(table, kInt16);
    AddExtremes<uint16_t>(table, kUint16);
    AddExtremes<int16_t, 0x7C00>(table, kHalf);
    AddExtremes<int32_t>(table, kInt32);
    AddExtremes<uint32_t>(table, kUint32);
    AddExtremes<int32_t, 0x7F800000>(table, kFloat);
    AddExtremes<int64_t>(table, kInt64);
    AddExtremes<uint64_t>(table, kUint64);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddReductions(RegisterTable& table) { SFUMATO_FOR_TARGET(RegisterReductions)(table); }
}  // namespace sfumato::exec
#endif
