// SPDX-License-Identifier: Apache-2.0
// How the conversion files of exec find each other: one finder per destination family.
#pragma once

#include "exec/run.h"

namespace sfumato::exec {

// The run of a conversion whose rounding is not kNone; nullptr when it is not of the family. Elements of kInt4 are one
// a byte here (int8_t, -8..7); FindConvertInt4 puts packing around it.
using ConvertFinder = RunFn (*)(const Conversion& conversion);

struct ConvertFinders {
    ConvertFinder to_int, to_half, to_float, deq;
};

// The finders for the SIMD target in force.
const ConvertFinders& FindersInForce();

// Their parts, resolved anew at each call.
ConvertFinder ConvertToIntFinder();
ConvertFinder ConvertToHalfFinder();  // float16 and bfloat16
ConvertFinder ConvertToFloatFinder();
ConvertFinder ConvertDeqFinder();  // everything with a dequantisation scale

RunFn FindConvertInt4(const Conversion& conversion);  // to packed int4 and back

// The instance of Family::Run for a rounding known at run time.
template <class Family>
RunFn ForRounding(Rounding rounding) {
    switch (rounding) {
        case Rounding::kFloor: return &Family::template Run<Rounding::kFloor>;
        case Rounding::kCeil: return &Family::template Run<Rounding::kCeil>;
        case Rounding::kRound: return &Family::template Run<Rounding::kRound>;
        case Rounding::kTrunc: return &Family::template Run<Rounding::kTrunc>;
        case Rounding::kOdd: return &Family::template Run<Rounding::kOdd>;
        case Rounding::kAway: return &Family::template Run<Rounding::kAway>;
        default: return &Family::template Run<Rounding::kRint>;
    }
}

}  // namespace sfumato::exec
