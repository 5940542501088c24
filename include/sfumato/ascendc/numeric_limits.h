// SPDX-License-Identifier: Apache-2.0
// AscendC::NumericLimits: the limits of element types under the names of Ascend950. What they are is what <limits>
// says of the type, the patterns of NaNs too (decided).
#pragma once

#include <limits>

#include "sfumato/ascendc/types.h"

namespace AscendC {

template <typename T>
struct NumericLimits {
    using Limits = std::numeric_limits<T>;
    static_assert(Limits::is_specialized,
                  "NumericLimits: T is an integer, half, bfloat16_t or float [type-unsupported]");
    static constexpr T Max() { return Limits::max(); }
    static constexpr T Lowest() { return Limits::lowest(); }
    static constexpr T Min() { return Limits::min(); }
    static constexpr T Infinity() { return Limits::infinity(); }
    static constexpr T NegativeInfinity() { return static_cast<T>(-Limits::infinity()); }
    static constexpr T QuietNaN() { return Limits::quiet_NaN(); }
    static constexpr T SignalingNaN() { return Limits::signaling_NaN(); }
    static constexpr T DeNormMin() { return Limits::denorm_min(); }
};

}  // namespace AscendC
