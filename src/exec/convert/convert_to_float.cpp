// SPDX-License-Identifier: Apache-2.0
// Conversions whose destination is float: widening, integers, and float to an integer that stays float.
#include "exec/targets.h"

#include "exec/convert/convert.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/convert/convert_to_float.cpp"
#endif
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "exec/convert/convert-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

struct FloatSink {
    using Raw = float;
    template <class D, class Acc>
    static HWY_INLINE void Store(D d, V<D> v, Raw* dst, Acc&) {
        hn::StoreU(CanonicalNan(d, v), d, dst);
    }
    template <class D, class Acc>
    static bool Replaced(D, const Acc&) {
        return false;
    }
};

// A zero result is +0 whatever its sign was (conversions.md, "Round modes").
template <Rounding R>
struct IntegralSink : FloatSink {
    template <class D, class Acc>
    static HWY_INLINE void Store(D d, V<D> v, Raw* dst, Acc& acc) {
        FloatSink::Store(d, hn::Add(RoundToIntegral<R>(d, v), hn::Zero(d)), dst, acc);
    }
};

struct FloatToIntegral {
    template <Rounding R>
    static bool Run(const RunArgs& args) {
        return FloatLanes<FloatSource, IntegralSink<R>>::Run(args);
    }
};

using DD = hn::ScalableTag<double>;

HWY_INLINE V<DD> LoadAsDouble(const int32_t* src) {
    return hn::PromoteTo(DD(), hn::LoadU(hn::Rebind<int32_t, DD>(), src));
}

// Not the int64 itself but a double that rounds to the same float: below the 53 bits a double holds only whether a bit
// is set matters, and the last of them keeps that.
HWY_INLINE V<DD> LoadAsDouble(const int64_t* src) {
    const Signed<DD> di;
    const Unsigned<DD> du;
    const auto value = hn::LoadU(di, src);
    const auto negative = hn::BroadcastSignBit(value);
    const auto magnitude = hn::BitCast(du, hn::Sub(hn::Xor(value, negative), negative));
    const auto sticky = hn::ShiftLeft<11>(RoundBits<Rounding::kOdd, 11>(du, magnitude, hn::BitCast(du, negative)));
    const auto is_narrow = hn::Eq(hn::ShiftRight<53>(magnitude), hn::Zero(du));
    const auto reduced = hn::BitCast(di, hn::IfThenElse(is_narrow, magnitude, sticky));
    return hn::ConvertTo(DD(), hn::Sub(hn::Xor(reduced, negative), negative));
}

template <class T, Rounding R>
struct WideIntToFloatKernel : Stepper<double, T, float> {
    template <class Acc>
    HWY_INLINE void Step(const T* src, float* dst, size_t, Acc&) const {
        hn::StoreU(RoundDoubleToFloat<R>(DD(), LoadAsDouble(src)), hn::Rebind<float, DD>(), dst);
    }
};

template <class T>
struct WideIntToFloat {
    template <Rounding R>
    static bool Run(const RunArgs& args) {
        return RunKernel<WideIntToFloatKernel<T, R>>(args);
    }
};

// To nearest even the hardware's conversion is the meaning.
struct Int32Source {
    using Raw = int32_t;
    template <class D>
    static HWY_INLINE V<D> Load(D d, const Raw* p) {
        return hn::ConvertTo(d, hn::LoadU(Signed<D>(), p));
    }
};

RunFn FindToFloat(const Conversion& c) {
    switch (c.src) {
        case DataType::kHalf: return &FloatLanes<HalfSource, FloatSink>::Run;
        case DataType::kBfloat16: return &FloatLanes<Bfloat16Source, FloatSink>::Run;
        case DataType::kInt16: return &FloatLanes<IntSource<int16_t>, FloatSink>::Run;
        case DataType::kFloat: return ForRounding<FloatToIntegral>(c.rounding);
        case DataType::kInt64: return ForRounding<WideIntToFloat<int64_t>>(c.rounding);
        case DataType::kInt32:
            return c.rounding == Rounding::kRint ? &FloatLanes<Int32Source, FloatSink>::Run
                                                 : ForRounding<WideIntToFloat<int32_t>>(c.rounding);
        default: return nullptr;
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {

ConvertFinder ConvertToFloatFinder() { return SFUMATO_FOR_TARGET(FindToFloat); }

}  // namespace sfumato::exec
#endif
