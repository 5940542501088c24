// SPDX-License-Identifier: Apache-2.0
// Comparisons of registers, to masks (arch950.md 2.9): IEEE's, NE of NaN being true; lanes that are off give 0. The
// lowest bit of an element tells, the others are 0.
#include "exec/registers/table.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/registers/comparisons.cpp"
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

// CMPMODE.
enum class Comparing : uint8_t { kLess, kGreater, kEqual, kAtMost, kAtLeast, kNotEqual };

// The three that the others are made of: x > y is y < x, and x != y is not x == y.
enum class Relation { kLess, kAtMost, kEqual };

template <Relation kRelation>
struct Holds {
    template <class T>
    HWY_INLINE bool operator()(T a, T b) const {
        return kRelation == Relation::kLess ? a < b : kRelation == Relation::kAtMost ? a <= b : a == b;
    }
};
// Of floats by their bits, as signed integers: both zeros are 0 in two's complement.
template <Relation kRelation, class T, T kInf>
struct HoldsOfBits {
    HWY_INLINE bool operator()(T a, T b) const {
        constexpr T kMagnitude = std::numeric_limits<T>::max();
        const auto order = [](T v) {
            const T sign = static_cast<T>(v >> (sizeof(T) * 8 - 1));
            return static_cast<T>(static_cast<T>((v & kMagnitude) ^ sign) - sign);
        };
        const bool ordered = (a & kMagnitude) <= kInf && (b & kMagnitude) <= kInf;
        return ordered & Holds<kRelation>()(order(a), order(b));
    }
};

// The mask of what holds, of lanes that are on.
template <size_t kWidth, class Bits>
void WriteMask(const RegisterCall& call, const Bits& bits, bool inverted) {
    const OnBytes on = OnOf<kWidth>(call.mask);
    for (size_t i = 0; i < 4; ++i) {
        call.result->bits[i] = (bits[i] ^ (inverted ? ~uint64_t{0} : 0)) & LowestBits(kWidth) & on.words[i];
    }
    call.result->set = true;
}

template <class T, class Relates>
void CompareLanes(const RegisterCall& call, bool swapped, bool inverted) {
    if constexpr (sizeof(T) == 8) {
        alignas(64) uint64_t a[kMostWide], b[kMostWide];
        LoadWide(call.src0, call.registers, a);
        if (call.src1) LoadWide(call.src1, call.registers, b);
        for (size_t i = 0; !call.src1 && i < kMostWide; ++i) b[i] = call.scalar;
        KnownBytes bits{};
        const size_t bits_each = 8 / call.registers;
        for (size_t i = 0; i < 32 * call.registers; ++i) {
            const T x = static_cast<T>(a[i]), y = static_cast<T>(b[i]);
            const bool holds = swapped ? Relates()(y, x) : Relates()(x, y);
            bits[i * bits_each / 64] |= static_cast<uint64_t>(holds) << i * bits_each % 64;
        }
        if (call.registers == 1) {
            WriteMask<8>(call, bits, inverted);
        } else {
            WriteMask<4>(call, bits, inverted);
        }
    } else {
        constexpr size_t kLanes = kRegisterBytes / sizeof(T);
        const SecondSource<T> second(call);
        const auto *a = LanesIn<T>(call.src0), *b = second.lanes;
        if (swapped) std::swap(a, b);
        alignas(64) T holds[kLanes];
        for (size_t i = 0; i < kLanes; ++i) {
            holds[i] = Relates()(static_cast<T>(a[i]), static_cast<T>(b[i])) ? static_cast<T>(-1) : T{0};
        }
        WriteMask<sizeof(T)>(call, SignsOfBytes(holds), inverted);
    }
}

template <class T, template <Relation> class Relates>
uint32_t RunComparison(const RegisterCall& call, const RegisterControl&) {
    switch (static_cast<Comparing>(call.mode)) {
        case Comparing::kLess: CompareLanes<T, Relates<Relation::kLess>>(call, false, false); break;
        case Comparing::kGreater: CompareLanes<T, Relates<Relation::kLess>>(call, true, false); break;
        case Comparing::kEqual: CompareLanes<T, Relates<Relation::kEqual>>(call, false, false); break;
        case Comparing::kAtMost: CompareLanes<T, Relates<Relation::kAtMost>>(call, false, false); break;
        case Comparing::kAtLeast: CompareLanes<T, Relates<Relation::kAtMost>>(call, true, false); break;
        case Comparing::kNotEqual: CompareLanes<T, Relates<Relation::kEqual>>(call, false, true); break;
    }
    return 0;
}

template <Relation kRelation>
using HoldsOfHalf = HoldsOfBits<kRelation, int16_t, 0x7C00>;
template <Relation kRelation>
using HoldsOfBfloat16 = HoldsOfBits<kRelation, int16_t, 0x7F80>;
template <Relation kRelation>
using HoldsOfFloat = HoldsOfBits<kRelation, int32_t, 0x7F800000>;

void RegisterComparisons(RegisterTable& table) {
    const auto compare = [&](DataType type) -> RegisterFn& { return table.At(RegisterOp::kCompare, type); };
    compare(DataType::kInt8) = RunComparison<int8_t, Holds>;
    compare(DataType::kUint8) = RunComparison<uint8_t, Holds>;
    compare(DataType::kInt16) = RunComparison<int16_t, Holds>;
    compare(DataType::kUint16) = RunComparison<uint16_t, Holds>;
    compare(DataType::kInt32) = RunComparison<int32_t, Holds>;
    compare(DataType::kUint32) = RunComparison<uint32_t, Holds>;
    compare(DataType::kInt64) = RunComparison<int64_t, Holds>;
    compare(DataType::kUint64) = RunComparison<uint64_t, Holds>;
    compare(DataType::kHalf) = RunComparison<int16_t, HoldsOfHalf>;
    compare(DataType::kBfloat16) = RunComparison<int16_t, HoldsOfBfloat16>;
    compare(DataType::kFloat) = RunComparison<int32_t, HoldsOfFloat>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddComparisons(RegisterTable& table) { SFUMATO_FOR_TARGET(RegisterComparisons)(table); }
}  // namespace sfumato::exec
#endif
