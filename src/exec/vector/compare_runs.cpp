// SPDX-License-Identifier: Apache-2.0
// Comparisons to bits. -0 equals +0; a NaN on either side makes every mode false, NE included (vector_instructions.md
// 1.3).
#include "exec/vector/lanes.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/vector/compare_runs.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

using Mode = isa::Compare::Mode;

// An integer that orders as the half does, zeros equal; NaN apart.
struct HalfKeys {
    template <class D>
    static HWY_INLINE hn::Vec<D> Key(D d, hn::Vec<D> bits) {
        const auto magnitude = hn::And(bits, hn::Set(d, 0x7FFF));
        return hn::IfThenElse(hn::Lt(bits, hn::Zero(d)), hn::Neg(magnitude), magnitude);
    }
    template <class D>
    static HWY_INLINE hn::Mask<D> Ordered(D d, hn::Vec<D> a, hn::Vec<D> b) {
        const auto magnitude = hn::Set(d, 0x7FFF), nan = hn::Set(d, 0x7C01);
        return hn::And(hn::Lt(hn::And(a, magnitude), nan), hn::Lt(hn::And(b, magnitude), nan));
    }
};

// The type's own order.
struct Values {
    template <class D>
    static HWY_INLINE hn::Vec<D> Key(D, hn::Vec<D> v) {
        return v;
    }
};

template <Mode kMode, class V>
HWY_INLINE auto Compared(V a, V b) {
    if constexpr (kMode == Mode::kLt) return hn::Lt(a, b);
    if constexpr (kMode == Mode::kGt) return hn::Gt(a, b);
    if constexpr (kMode == Mode::kEq) return hn::Eq(a, b);
    if constexpr (kMode == Mode::kLe) return hn::Or(hn::Lt(a, b), hn::Eq(a, b));
    if constexpr (kMode == Mode::kGe) return hn::Or(hn::Gt(a, b), hn::Eq(a, b));
    if constexpr (kMode == Mode::kNe) return hn::Or(hn::Lt(a, b), hn::Gt(a, b));
}

template <typename T, class Order, Mode kMode>
void CompareLanes(const void* a, const void* b, size_t lanes, uint8_t* bits) {
    const hn::CappedTag<T, isa::kRepeatBytes / sizeof(T)> d;
    const size_t step = hn::Lanes(d);
    const T *x = static_cast<const T*>(a), *y = static_cast<const T*>(b);
    for (size_t i = 0; i < lanes; i += step) {
        const auto va = hn::LoadU(d, x + i), vb = hn::LoadU(d, y + i);
        auto result = Compared<kMode>(Order::Key(d, va), Order::Key(d, vb));
        if constexpr (std::is_same_v<Order, HalfKeys>) result = hn::And(result, Order::Ordered(d, va, vb));
        uint8_t some[32] = {};
        hn::StoreMaskBits(d, result, some);
        if (step >= 8) {
            std::memcpy(bits + i / 8, some, step / 8);
        } else {
            const auto part = static_cast<uint8_t>((some[0] & ((1u << step) - 1)) << (i % 8));
            bits[i / 8] = static_cast<uint8_t>(i % 8 == 0 ? part : bits[i / 8] | part);
        }
    }
}

template <typename T, class Order>
CompareRun ForMode(Mode mode) {
    switch (mode) {
        case Mode::kLt: return CompareLanes<T, Order, Mode::kLt>;
        case Mode::kGt: return CompareLanes<T, Order, Mode::kGt>;
        case Mode::kEq: return CompareLanes<T, Order, Mode::kEq>;
        case Mode::kLe: return CompareLanes<T, Order, Mode::kLe>;
        case Mode::kGe: return CompareLanes<T, Order, Mode::kGe>;
        case Mode::kNe: return CompareLanes<T, Order, Mode::kNe>;
    }
    return nullptr;
}

CompareRun ForType(Mode mode, DataType type) {
    switch (type) {
        case DataType::kInt8: return ForMode<int8_t, Values>(mode);
        case DataType::kUint8: return ForMode<uint8_t, Values>(mode);
        case DataType::kInt16: return ForMode<int16_t, Values>(mode);
        case DataType::kUint16: return ForMode<uint16_t, Values>(mode);
        case DataType::kHalf: return ForMode<int16_t, HalfKeys>(mode);
        case DataType::kInt32: return ForMode<int32_t, Values>(mode);
        case DataType::kUint32: return ForMode<uint32_t, Values>(mode);
        case DataType::kFloat: return ForMode<float, Values>(mode);
        default: return nullptr;
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
CompareRun FindCompareRun(isa::Compare::Mode mode, DataType type) { return SFUMATO_FOR_TARGET(ForType)(mode, type); }
}  // namespace sfumato::exec
#endif
