// SPDX-License-Identifier: Apache-2.0
// Conversions whose destination is an integer, without a dequantisation scale: round, saturate, NaN gives 0.
#include "exec/targets.h"

#include <type_traits>

#include "exec/convert/convert.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/convert/convert_to_int.cpp"
#endif
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "exec/convert/convert-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

struct IntegerSink {
    template <class D, class Acc>
    static bool Replaced(D, const Acc&) {
        return false;
    }
};

// Rounded to an integer, for |x| < 2^22: in the sum with 1.5 x 2^23 the integer stands in the low bits, nearest even.
template <Rounding R, class D>
HWY_INLINE V<Signed<D>> RoundSmallToInt32(D d, V<D> x) {
    const Signed<D> di;
    const auto magic = hn::Set(d, 12582912.0f);
    if constexpr (R != Rounding::kRint) x = RoundToIntegral<R>(d, x);
    return hn::Sub(hn::BitCast(di, hn::Add(x, magic)), hn::BitCast(di, magic));
}

// kSmall: finite elements are below 2^22.
template <Rounding R, bool kSmall>
struct Int32Sink : IntegerSink {
    using Raw = int32_t;
    static constexpr int32_t kOrdinaryBelow = kSmall ? 0x4A800000 : 0;  // 2^22

    template <class D, class Acc>
    static HWY_INLINE void Store(D d, V<D> v, Raw* dst, Acc&) {
        hn::StoreU(RoundToInt32<R>(d, v), Signed<D>(), dst);
    }
    template <class D>
    static HWY_INLINE void StoreOrdinary(D d, V<D> v, Raw* dst) {
        hn::StoreU(RoundSmallToInt32<R>(d, v), Signed<D>(), dst);
    }
};

// 8 and 16 bits. The clamp comes first: nothing is left for the demotion to saturate (from int32 to uint8 the one of
// Highway 1.0.3 wraps).
template <Rounding R, class T, int kMin, int kMax>
struct NarrowIntSink : IntegerSink {
    using Raw = T;
    template <class D, class Acc>
    static HWY_INLINE void Store(D d, V<D> v, Raw* dst, Acc&) {
        const hn::Rebind<T, D> dt;
        v = hn::Min(hn::Max(ZeroNan(d, v), hn::Set(d, float{kMin})), hn::Set(d, float{kMax}));
        hn::StoreU(hn::DemoteTo(dt, RoundSmallToInt32<R>(d, v)), dt, dst);
    }
};

template <Rounding R, DataType kDst, bool kSmall>
struct SinkFor;
template <Rounding R, bool kSmall>
struct SinkFor<R, DataType::kInt32, kSmall> : Int32Sink<R, kSmall> {};
template <Rounding R, bool kSmall>
struct SinkFor<R, DataType::kInt16, kSmall> : NarrowIntSink<R, int16_t, -32768, 32767> {};
template <Rounding R, bool kSmall>
struct SinkFor<R, DataType::kInt8, kSmall> : NarrowIntSink<R, int8_t, -128, 127> {};
template <Rounding R, bool kSmall>
struct SinkFor<R, DataType::kUint8, kSmall> : NarrowIntSink<R, uint8_t, 0, 255> {};
template <Rounding R, bool kSmall>
struct SinkFor<R, DataType::kInt4, kSmall> : NarrowIntSink<R, int8_t, -8, 7> {};

template <class Source, DataType kDst>
struct FloatToInt {
    template <Rounding R>
    static bool Run(const RunArgs& args) {
        constexpr bool kSmall = std::is_same_v<Source, HalfSource>;
        return FloatLanes<Source, SinkFor<R, kDst, kSmall>>::Run(args);
    }
};

template <Rounding R>
struct FloatToInt64Kernel : Stepper<double, float, int64_t> {
    template <class Acc>
    HWY_INLINE void Step(const float* src, int64_t* dst, size_t, Acc&) const {
        const D dd;
        const Signed<D> di;
        const hn::Rebind<float, D> df;
        const auto x = hn::PromoteTo(dd, RoundToIntegral<R>(df, hn::LoadU(df, src)));
        const auto limit = hn::Set(dd, 9223372036854775808.0);
        // NaN is not in range, and neither too large nor too small: it stays 0.
        const auto inside = hn::IfThenElseZero(hn::Lt(hn::Abs(x), limit), x);
        auto result = hn::ConvertTo(di, inside);
        result = hn::IfThenElse(hn::RebindMask(di, hn::Ge(x, limit)), hn::Set(di, INT64_MAX), result);
        result = hn::IfThenElse(hn::RebindMask(di, hn::Le(x, hn::Neg(limit))), hn::Set(di, INT64_MIN), result);
        hn::StoreU(result, di, dst);
    }
};

struct FloatToInt64 {
    template <Rounding R>
    static bool Run(const RunArgs& args) {
        return RunKernel<FloatToInt64Kernel<R>>(args);
    }
};

// ---- Integer to integer

struct Int32ToInt64 : Stepper<int64_t, int32_t, int64_t> {
    template <class Acc>
    HWY_INLINE void Step(const int32_t* src, int64_t* dst, size_t, Acc&) const {
        hn::StoreU(hn::PromoteTo(D(), hn::LoadU(hn::Rebind<int32_t, D>(), src)), D(), dst);
    }
};

struct Int64ToInt32 : Stepper<int64_t, int64_t, int32_t> {
    template <class Acc>
    HWY_INLINE void Step(const int64_t* src, int32_t* dst, size_t, Acc&) const {
        const D d;
        const hn::Rebind<int32_t, D> d32;
        const hn::Rebind<uint32_t, D> du32;
        auto v = hn::LoadU(d, src);
        v = hn::Min(hn::Max(v, hn::Set(d, int64_t{INT32_MIN})), hn::Set(d, int64_t{INT32_MAX}));
        hn::StoreU(hn::BitCast(d32, hn::TruncateTo(du32, hn::BitCast(Unsigned<D>(), v))), d32, dst);
    }
};

template <class From, class To>
struct SaturateInt : Stepper<From, From, To> {
    using D = hn::ScalableTag<From>;
    template <class Acc>
    HWY_INLINE void Step(const From* src, To* dst, size_t, Acc&) const {
        const hn::Rebind<To, D> d;
        hn::StoreU(hn::DemoteTo(d, hn::LoadU(D(), src)), d, dst);
    }
};

RunFn FindToInt(const Conversion& c) {
    using enum DataType;
    const auto is = [&c](DataType src, DataType dst) { return c.src == src && c.dst == dst; };
    if (is(kFloat, kInt64)) return ForRounding<FloatToInt64>(c.rounding);
    if (is(kFloat, kInt32)) return ForRounding<FloatToInt<FloatSource, kInt32>>(c.rounding);
    if (is(kFloat, kInt16)) return ForRounding<FloatToInt<FloatSource, kInt16>>(c.rounding);
    if (is(kBfloat16, kInt32)) return ForRounding<FloatToInt<Bfloat16Source, kInt32>>(c.rounding);
    if (is(kHalf, kInt32)) return ForRounding<FloatToInt<HalfSource, kInt32>>(c.rounding);
    if (is(kHalf, kInt16)) return ForRounding<FloatToInt<HalfSource, kInt16>>(c.rounding);
    if (is(kHalf, kInt8)) return ForRounding<FloatToInt<HalfSource, kInt8>>(c.rounding);
    if (is(kHalf, kUint8)) return ForRounding<FloatToInt<HalfSource, kUint8>>(c.rounding);
    if (is(kHalf, kInt4)) return ForRounding<FloatToInt<HalfSource, kInt4>>(c.rounding);
    if (is(kInt32, kInt64)) return &RunKernel<Int32ToInt64>;
    if (is(kInt64, kInt32)) return &RunKernel<Int64ToInt32>;
    if (is(kInt32, kInt16)) return &RunKernel<SaturateInt<int32_t, int16_t>>;
    if (is(kInt16, kUint8)) return &RunKernel<SaturateInt<int16_t, uint8_t>>;
    return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {

ConvertFinder ConvertToIntFinder() { return SFUMATO_FOR_TARGET(FindToInt); }

}  // namespace sfumato::exec
#endif
