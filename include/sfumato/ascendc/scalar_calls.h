// SPDX-License-Identifier: Apache-2.0
// Calls of the scalar unit on plain values, under their older and newer names (language.md 1).
#pragma once

#include "sfumato/ascendc/vector_call.h"

namespace sfumato::ascendc {

enum class ScalarCall : uint8_t { kBits, kBfloat16 };
// Reports a chip that does not have the call.
SFUMATO_API void RequireScalarCall(ScalarCall kind, const char* call, Where where);

// float to half or int32_t as Cast converts; the overflow policy is the launch's. The result's bits.
SFUMATO_API uint64_t ConvertScalar(float value, DataType type, Rounding rounding, Where where);

// float to half with CAST_ODD, to int32_t with the other modes that round to an integer.
template <class T, class U, AscendC::RoundMode mode>
inline constexpr bool kScalarCast = std::is_same_v<T, float> &&
                                    (std::is_same_v<U, half>
                                         ? mode == AscendC::RoundMode::CAST_ODD
                                         : std::is_same_v<U, int32_t> && (mode == AscendC::RoundMode::CAST_ROUND ||
                                                                          mode == AscendC::RoundMode::CAST_CEIL ||
                                                                          mode == AscendC::RoundMode::CAST_FLOOR ||
                                                                          mode == AscendC::RoundMode::CAST_RINT));

}  // namespace sfumato::ascendc

#include "sfumato/ascendc/calls/scalar.h"
