// SPDX-License-Identifier: Apache-2.0
// Column blocks of L0C converted on their way out (cube.md 5.2, 5.4).
#include "exec/targets.h"

#include "exec/cube/columns.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cube/columns.cpp"
#endif
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "exec/convert/convert_to_half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// A kernel does one row of a column block: Row(words, src, dst, first column, acc). acc is the sink's of NarrowSink.
using Floats = hn::CappedTag<float, kBlockColumns>;

template <class Kernel>
bool RunColumns(const ColumnJob& job) {
    using Dst = typename Kernel::Dst;
    auto acc = hn::Zero(Unsigned<Floats>());
    const uint8_t* src = job.src;
    uint8_t* dst = job.dst;
    for (uint32_t row = 0; row < job.rows; ++row, src += kBlockRowBytes, dst += job.dst_pitch) {
        const uint8_t* block = src;
        auto* to = reinterpret_cast<Dst*>(dst);
        for (size_t column = 0; column < job.blocks * kBlockColumns; column += kBlockColumns, block += job.src_pitch) {
            Kernel::Row(job.words, reinterpret_cast<const typename Kernel::Src*>(block), to + column, column, acc);
        }
    }
    return Kernel::Replaced(acc);
}

template <class S, class T>
struct KernelOf {
    using Src = S;
    using Dst = T;
    template <class Acc>
    static bool Replaced(const Acc&) {
        return false;
    }
};

// ---- The same type: the bits, or max(x, 0) with NaN canonical and +0 for every zero.

template <class T, bool kRelu>
struct Keep : KernelOf<T, T> {
    template <class Acc>
    static HWY_INLINE void Row(const ColumnWords*, const T* src, T* dst, size_t, Acc&) {
        const hn::Rebind<T, Floats> d;
        for (size_t i = 0; i < kBlockColumns; i += hn::Lanes(d)) {
            auto v = hn::LoadU(d, src + i);
            if constexpr (kRelu && hwy::IsFloat<T>()) {
                v = CanonicalNan(d, hn::IfThenZeroElse(hn::Le(v, hn::Zero(d)), v));
            } else if constexpr (kRelu) {
                v = hn::Max(v, hn::Zero(d));
            }
            hn::StoreU(v, d, dst + i);
        }
    }
};

// ---- float to half or bfloat16, nearest even

template <class Format, Overflow kOverflow, bool kRelu>
struct Narrow : KernelOf<float, uint16_t> {
    using Sink = NarrowSink<Format, Rounding::kRint, kOverflow>;

    static HWY_INLINE V<Floats> Load(const float* src) {
        const Floats d;
        const auto v = hn::LoadU(d, src);
        return kRelu ? hn::IfThenZeroElse(hn::Le(v, hn::Zero(d)), v) : v;
    }

    template <class Acc>
    static HWY_INLINE void Row(const ColumnWords*, const float* src, uint16_t* dst, size_t, Acc& acc) {
        const Floats d;
        const Signed<Floats> di;
        if constexpr (Sink::kOrdinaryBelow > 0) {
            auto magnitude = hn::Zero(di);
            for (size_t i = 0; i < kBlockColumns; i += hn::Lanes(d)) {
                magnitude = hn::Max(magnitude, hn::BitCast(di, hn::Abs(hn::LoadU(d, src + i))));
            }
            if (HWY_LIKELY(hn::AllTrue(di, hn::Lt(magnitude, hn::Set(di, int32_t{Sink::kOrdinaryBelow}))))) {
                for (size_t i = 0; i < kBlockColumns; i += hn::Lanes(d)) Sink::StoreOrdinary(d, Load(src + i), dst + i);
                return;
            }
        }
        for (size_t i = 0; i < kBlockColumns; i += hn::Lanes(d)) Sink::Store(d, Load(src + i), dst + i, acc);
    }

    template <class Acc>
    static bool Replaced(const Acc& acc) {
        return Sink::Replaced(Floats(), acc);
    }
};

// ---- By words

// +0 where ReLU says so: the sign is the element's, whatever the scale's.
HWY_INLINE V<Signed<Floats>> WithRelu(const ColumnWords& words, V<Signed<Floats>> element_bits,
                                      V<Signed<Floats>> result, size_t lane) {
    if (!words.relus) return result;
    const auto relu = hn::BitCast(Signed<Floats>(), hn::LoadU(Unsigned<Floats>(), words.relu + lane));
    return hn::AndNot(hn::And(hn::BroadcastSignBit(element_bits), relu), result);
}

// Shifted and limited to int16 where the lane says so.
HWY_INLINE V<Signed<Floats>> Shifted(const ColumnWords& words, V<Signed<Floats>> v, size_t lane) {
    const Signed<Floats> di;
    if (!words.shifts) return v;
    const auto shift = hn::LoadU(di, words.shift + lane);
    const auto limited = hn::Min(hn::Max(hn::Shr(v, shift), hn::Set(di, -32768)), hn::Set(di, 32767));
    return hn::IfThenElse(hn::Gt(shift, hn::Zero(di)), limited, v);
}

// Products of a float and a scale of 11 bits, exact in double, rounded to odd: what one more rounding needs.
HWY_INLINE V<Floats> OddProduct(V<Floats> value, V<Floats> scale) {
    const hn::Half<Floats> dh;
    const hn::Rebind<double, hn::Half<Floats>> dd;
    const auto half = [&](V<hn::Half<Floats>> x, V<hn::Half<Floats>> y) HWY_ATTR {
        return RoundDoubleToFloat<Rounding::kOdd>(dd, hn::Mul(hn::PromoteTo(dd, x), hn::PromoteTo(dd, y)));
    };
    const auto low = half(hn::LowerHalf(dh, value), hn::LowerHalf(dh, scale));
    return hn::Combine(Floats(), half(hn::UpperHalf(dh, value), hn::UpperHalf(dh, scale)), low);
}

// Times the scale, int32 rounded to float first: the product rounded to float, or to odd where it is rounded once more.
template <bool kOdd, class S>
HWY_INLINE V<Floats> LoadScaled(const ColumnWords& words, const S* src, size_t lane) {
    const Floats d;
    const Signed<Floats> di;
    const auto raw = hn::LoadU(hn::Rebind<S, Floats>(), src);
    V<Floats> value;
    if constexpr (hwy::IsFloat<S>()) {
        value = raw;
    } else {
        value = hn::ConvertTo(d, Shifted(words, raw, lane));
    }
    const auto scale = hn::LoadU(d, words.scale + lane);
    const auto product = kOdd ? OddProduct(value, scale) : hn::Mul(value, scale);
    return hn::BitCast(d, WithRelu(words, hn::BitCast(di, raw), hn::BitCast(di, product), lane));
}

template <Overflow kOverflow>
struct Dequantise : KernelOf<int32_t, uint16_t> {
    using Sink = NarrowSink<HalfFormat, Rounding::kRint, kOverflow>;
    template <class Acc>
    static HWY_INLINE void Row(const ColumnWords* words, const int32_t* src, uint16_t* dst, size_t column, Acc& acc) {
        const Floats d;
        for (size_t i = 0; i < kBlockColumns; i += hn::Lanes(d)) {
            Sink::Store(d, LoadScaled<true>(*words, src + i, column + i), dst + i, acc);
        }
    }
    template <class Acc>
    static bool Replaced(const Acc& acc) {
        return Sink::Replaced(Floats(), acc);
    }
};

template <class S, class T>
struct Quantise : KernelOf<S, T> {
    template <class Acc>
    static HWY_INLINE void Row(const ColumnWords* words, const S* src, T* dst, size_t column, Acc&) {
        const Floats d;
        const hn::Rebind<T, Floats> d8;
        for (size_t i = 0; i < kBlockColumns; i += hn::Lanes(d)) {
            const auto offset = hn::LoadU(Signed<Floats>(), words->offset + column + i);
            const auto v = OffsetProduct(d, LoadScaled<false>(*words, src + i, column + i), offset);
            hn::StoreU(hn::DemoteTo(d8, v), d8, dst + i);
        }
    }
};

struct Shift : KernelOf<int32_t, int16_t> {
    template <class Acc>
    static HWY_INLINE void Row(const ColumnWords* words, const int32_t* src, int16_t* dst, size_t column, Acc&) {
        const Floats d;
        const hn::Rebind<int16_t, Floats> d16;
        for (size_t i = 0; i < kBlockColumns; i += hn::Lanes(d)) {
            const auto v = hn::LoadU(Signed<Floats>(), src + i);
            const auto kept = WithRelu(*words, v, Shifted(*words, v, column + i), column + i);
            hn::StoreU(hn::DemoteTo(d16, kept), d16, dst + i);
        }
    }
};

template <class Format>
ColumnRun FindNarrow(const ColumnConversion& c) {
    if (c.overflow == Overflow::kSaturate) {
        return c.relu ? &RunColumns<Narrow<Format, Overflow::kSaturate, true>>
                      : &RunColumns<Narrow<Format, Overflow::kSaturate, false>>;
    }
    return c.relu ? &RunColumns<Narrow<Format, Overflow::kInfNan, true>>
                  : &RunColumns<Narrow<Format, Overflow::kInfNan, false>>;
}

template <class S>
ColumnRun FindQuantise(DataType dst) {
    if (dst == DataType::kInt8) return &RunColumns<Quantise<S, int8_t>>;
    return dst == DataType::kUint8 ? &RunColumns<Quantise<S, uint8_t>> : nullptr;
}

ColumnRun FindColumns(const ColumnConversion& c) {
    const bool is_float = c.src == DataType::kFloat;
    if (!is_float && c.src != DataType::kInt32 && c.src != DataType::kUint32) return nullptr;
    if (!c.by_words) {
        if (c.src == c.dst) {
            if (!c.relu || c.src == DataType::kUint32) return &RunColumns<Keep<uint32_t, false>>;
            return is_float ? &RunColumns<Keep<float, true>> : &RunColumns<Keep<int32_t, true>>;
        }
        if (is_float && c.dst == DataType::kHalf) return FindNarrow<HalfFormat>(c);
        return is_float && c.dst == DataType::kBfloat16 ? FindNarrow<Bfloat16Format>(c) : nullptr;
    }
    if (is_float) return FindQuantise<float>(c.dst);
    if (c.src != DataType::kInt32) return nullptr;
    if (c.dst == DataType::kInt16) return &RunColumns<Shift>;
    if (c.dst != DataType::kHalf) return FindQuantise<int32_t>(c.dst);
    return c.overflow == Overflow::kSaturate ? &RunColumns<Dequantise<Overflow::kSaturate>>
                                             : &RunColumns<Dequantise<Overflow::kInfNan>>;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {

namespace {

using ColumnFinder = ColumnRun (*)(const ColumnConversion&);

// Called under PerTarget's lock, so one finder serves every target in turn.
const void* BuildFinder() {
    static ColumnFinder finder;
    finder = SFUMATO_FOR_TARGET(FindColumns);
    return &finder;
}

PerTarget<ColumnFinder> finder_in_force(BuildFinder);

}  // namespace

ColumnRun FindColumnRun(const ColumnConversion& conversion) { return finder_in_force.Get()(conversion); }

}  // namespace sfumato::exec
#endif
