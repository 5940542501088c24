// SPDX-License-Identifier: Apache-2.0
// Conversions whose destination is float16 or bfloat16: rounding to its grid, then the overflow policy.
#include "exec/targets.h"

#include "exec/convert/convert.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/convert/convert_to_half.cpp"
#endif
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "exec/convert/convert_to_half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

template <class Source, class Format>
struct FloatToNarrow {
    template <Rounding R>
    static bool Run(const RunArgs& args) {
        return args.overflow == Overflow::kSaturate
                   ? FloatLanes<Source, NarrowSink<Format, R, Overflow::kSaturate>>::Run(args)
                   : FloatLanes<Source, NarrowSink<Format, R, Overflow::kInfNan>>::Run(args);
    }
};

// Every 16-bit integer is inside half's range: the policy has nothing to do, and 8-bit integers are exact.
template <class Source, class Format = HalfFormat>
struct IntToHalf {
    template <Rounding R>
    static bool Run(const RunArgs& args) {
        return FloatLanes<Source, NarrowSink<Format, R, Overflow::kInfNan>>::Run(args);
    }
};

RunFn FindToBfloat16(const Conversion& c) {
    switch (c.src) {
        case DataType::kFloat: return ForRounding<FloatToNarrow<FloatSource, Bfloat16Format>>(c.rounding);
        case DataType::kHalf: return ForRounding<FloatToNarrow<HalfSource, Bfloat16Format>>(c.rounding);
        case DataType::kInt4: return &IntToHalf<IntSource<int8_t>, Bfloat16Format>::template Run<Rounding::kRint>;
        default: return nullptr;
    }
}

RunFn FindToHalf(const Conversion& c) {
    if (c.dst == DataType::kBfloat16) return FindToBfloat16(c);
    if (c.dst != DataType::kHalf) return nullptr;
    switch (c.src) {
        case DataType::kFloat: return ForRounding<FloatToNarrow<FloatSource, HalfFormat>>(c.rounding);
        case DataType::kBfloat16: return ForRounding<FloatToNarrow<Bfloat16Source, HalfFormat>>(c.rounding);
        case DataType::kInt16: return ForRounding<IntToHalf<IntSource<int16_t>>>(c.rounding);
        case DataType::kInt4:
        case DataType::kInt8: return &IntToHalf<IntSource<int8_t>>::Run<Rounding::kRint>;
        case DataType::kUint8: return &IntToHalf<IntSource<uint8_t>>::Run<Rounding::kRint>;
        default: return nullptr;
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {

ConvertFinder ConvertToHalfFinder() { return SFUMATO_FOR_TARGET(FindToHalf); }

}  // namespace sfumato::exec
#endif
