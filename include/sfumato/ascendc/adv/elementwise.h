// SPDX-License-Identifier: Apache-2.0
// Elementwise high-level calls, the rows of elementwise.inc: what their overloads (calls/adv_elementwise.txt) hand
// over.
#pragma once

#include "sfumato/ascendc/adv/call.h"

namespace sfumato::ascendc {

enum class AdvFunction : uint8_t {
#define SFUMATO_ADV(Name, ...) k##Name,
#include "sfumato/ascendc/adv/elementwise.inc"
#undef SFUMATO_ADV
};
SFUMATO_API void AdvElementwise(AdvFunction function, const AdvCall& call);

}  // namespace sfumato::ascendc

namespace AscendC {

struct SinCosConfig {
    bool isReuseSource;
};
inline constexpr SinCosConfig DEFAULT_SINCOS_CONFIG = {false};

}  // namespace AscendC

#include "sfumato/ascendc/calls/adv_elementwise.h"
